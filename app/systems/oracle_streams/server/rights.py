"""The rights of a login at both databases, those it lacks for each use, and the GRANTs a DBA would run."""

from dataclasses import dataclass
from typing import Final

from app.domain.errors import TargetError
from app.domain.rights import LoginRights, Mode, Right, Use
from app.drivers.oracle.session import End, Session
from app.foundation.texts import _
from app.systems.oracle_streams.server.views import is_one_database
from app.systems.oracle_streams.subjects import STREAMS

_EVERY_MODE: Final = frozenset(Use(STREAMS, mode) for mode in Mode)
_HANDS_ON: Final = frozenset({Use(STREAMS, Mode.HANDS_ON)})
_LOADING: Final = frozenset({Use(STREAMS, Mode.HANDS_ON), Use(STREAMS, Mode.GUIDED)})


@dataclass(frozen=True)
class Need:
    """One thing a login needs; any of `instead` will do as well.

    Attributes:
        kind, name: as statement `privileges` lists them.
        ends: where it is needed.
        grant: what a DBA runs, with {user}.
    """

    kind: str
    name: str
    ends: frozenset[End]
    uses: frozenset[Use]
    grant: str
    because: str
    instead: tuple[tuple[str, str], ...] = (("role", "DBA"),)


_BOTH: Final = frozenset(End)
_SOURCE: Final = frozenset({End.SOURCE})
_DESTINATION: Final = frozenset({End.DESTINATION})

# EXECUTE on a package is not enough to change captures and applies: Oracle's own procedure makes a Streams
# administrator (DBMS_STREAMS_AUTH.GRANT_ADMIN_PRIVILEGE, PL/SQL Packages and Types Reference).
_ADMINISTRATOR: Final = "BEGIN\n    DBMS_STREAMS_AUTH.GRANT_ADMIN_PRIVILEGE(grantee => '{user}');\nEND;\n/"


def _execute(package: str, ends: frozenset[End], uses: frozenset[Use], because: str, grant: str = "") -> Need:
    return Need("execute", package, ends, uses, grant or f"GRANT EXECUTE ON {package} TO {{user}};", because)


def _system(name: str, ends: frozenset[End], uses: frozenset[Use], because: str) -> Need:
    return Need("system", name, ends, uses, f"GRANT {name} TO {{user}};", because)


_TABLE: Final = _("the test table is created in the schema it is given, and dropped again")
_LOAD: Final = _("the load writes to the test table")

NEEDS: Final = (
    Need(
        "role",
        "SELECT_CATALOG_ROLE",
        _BOTH,
        _EVERY_MODE,
        "GRANT SELECT_CATALOG_ROLE TO {user};",
        _("everything is read from the views of the dictionary"),
        (("system", "SELECT ANY DICTIONARY"), ("role", "DBA")),
    ),
    _execute(
        "DBMS_APPLY_ADM", _DESTINATION, _HANDS_ON, _("apply parameters are set and the apply restarted"), _ADMINISTRATOR
    ),
    _execute("DBMS_CAPTURE_ADM", _SOURCE, _HANDS_ON, _("capture parameters are set"), _ADMINISTRATOR),
    _execute("DBMS_AQADM", _SOURCE, _HANDS_ON, _("the propagation's latency is set")),
    _system("ALTER SYSTEM", _BOTH, _HANDS_ON, _("the Streams pool's size is set")),
    _execute("DBMS_STREAMS", _BOTH, _HANDS_ON, _("a tag keeps the creation of the test table out of the stream")),
    _execute("DBMS_MONITOR", _DESTINATION, _HANDS_ON, _("an apply server is traced")),
    *(
        _system(name, _BOTH, _HANDS_ON, _TABLE)
        for name in ("CREATE ANY TABLE", "DROP ANY TABLE", "ALTER ANY TABLE", "COMMENT ANY TABLE", "CREATE ANY INDEX")
    ),
    *(_system(name, _SOURCE, _LOADING, _LOAD) for name in ("SELECT ANY TABLE", "INSERT ANY TABLE", "UPDATE ANY TABLE")),
)


def read_rights(session: Session) -> LoginRights:
    """Read the rights of this login; a database that cannot be asked is told, and its rights are unknown."""
    ends = (End.SOURCE,) if is_one_database(session) else (End.SOURCE, End.DESTINATION)
    login, rights, unread = "", list[Right](), list[str]()
    for end in ends:
        asked = _BOTH if len(ends) == 1 else frozenset({end})
        try:
            user = session.run("own_schema", end)[0].text("login_name")
            held = {(row.text("kind"), row.text("name")) for row in session.run("privileges", end)}
        except TargetError as error:
            unread.append(str(error))
            user, held = "", None
        login = login or user
        rights += [_right(session.server_of(end), need, held, user) for need in NEEDS if need.ends & asked]
    return LoginRights(login, tuple(rights), tuple(unread))


def _right(server: str, need: Need, held: set[tuple[str, str]] | None, user: str) -> Right:
    title = _("EXECUTE on {package}").format(package=need.name) if need.kind == "execute" else need.name
    return Right(
        server=server,
        title=title,
        is_held=None if held is None else bool(held & {(need.kind, need.name), *need.instead}),
        uses=need.uses,
        grant=need.grant.format(user=(user or "...").replace("'", "''")),
        because=need.because,
    )
