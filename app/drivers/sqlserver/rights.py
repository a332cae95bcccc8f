"""The rights of a login, place by place, and the scripts with which a DBA grants the missing ones and revokes them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from app.domain.errors import PermissionDenied, StatementCancelled, TargetError
from app.domain.rights import LoginRights, Mode, Right, Use
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import DatabaseUnavailable
from app.drivers.sqlserver.permissions import (
    CONNECT,
    HERE,
    Need,
    Script,
    create_user,
    drop_user,
    needs_of,
    switch_of,
)
from app.drivers.sqlserver.session import Place, Rows, Session
from app.foundation.texts import _

GUEST = "guest"
"""As whom a database knows a login without a user of its own."""


@dataclass(frozen=True)
class Answer:
    """A place's answer about this login.

    Attributes:
        user: as whom the database knows it, `GUEST` where it has no user of its own; the login for a server.
        held: by right, None where the server does not know it.
    """

    user: str
    held: Mapping[str, bool | None]


NOT_LET_IN: Final = Answer(GUEST, {})
NO_SCRIPTS: Final[Mapping[str, Script]] = {}


class RightsReader:
    """Collects rights; a place that cannot be asked leaves its rights unknown."""

    def __init__(self, session: Session, scripts: Mapping[str, Script] = NO_SCRIPTS) -> None:
        """Prepare to ask.

        Args:
            scripts: what gives or takes back a right that is not given by its own name, by right.
        """
        self._session = session
        self._scripts = scripts
        self.login = ""
        self.rights: dict[tuple[str, str, str], Right] = {}
        self.unread: list[str] = []

    @property
    def found(self) -> LoginRights:
        """Everything that was read."""
        return LoginRights(self.login, tuple(self.rights.values()), tuple(self.unread), are_exact=True)

    def ask(self, statement: str, place: Place) -> Answer | None:
        """Return a place's answer, None where it cannot be asked; a database that lets nobody in gives no right."""
        try:
            rows = self._session.run(statement, place)
        except StatementCancelled:
            raise
        except PermissionDenied:
            return NOT_LET_IN  # it asks for nothing but to enter
        except DatabaseUnavailable as error:
            self.unread.append(str(error))  # it may be closed to everybody
            return NOT_LET_IN
        except TargetError as error:
            self.unread.append(str(error))
            return None
        return Answer(rows[0].text("user_name"), _held(rows))

    def ask_server(self, server: str) -> Answer | None:
        """Return a server's answer about this login, None where it cannot be asked."""
        try:
            rows = self._session.run("server_rights", Place(server, "master"))
        except StatementCancelled:
            raise
        except TargetError as error:
            self.unread.append(str(error))
            return None
        self.login = self.login or rows[0].text("login_name")
        return Answer(rows[0].text("login_name"), _held(rows))

    def add(
        self,
        server: str,
        database: str,
        right: str,
        answer: Answer | None,
        because: str,
        uses: frozenset[Use],
        optional: frozenset[Use] = frozenset(),
    ) -> None:
        """Keep one right of a server (`database` "") or of a database; its uses are added to those kept."""
        user = answer.user if database and answer is not None else self.login
        is_new = user == GUEST
        member = self.login if is_new else user
        switch = self._scripts.get(right, switch_of(right))
        one = Right(
            server=server,
            title=_title(right, database),
            is_held=None if answer is None else answer.held.get(right, False),
            uses=uses,
            # A user that is made may connect.
            grant="" if is_new and right == CONNECT else switch("GRANT", "TO", database, member),
            because=because,
            optional=optional,
            because_optional=because if optional else "",
            revoke=switch("REVOKE", "FROM", database, member),
            before=create_user(database, self.login) if is_new else "",
            after=drop_user(database, self.login) if is_new else "",
        )
        key = (server, database, right)
        self.rights[key] = _together(self.rights.get(key), one)


def _together(kept: Right | None, more: Right) -> Right:
    """Return one right for its kept uses and further ones."""
    if kept is None:
        return replace(more, optional=more.optional - more.uses)
    uses = kept.uses | more.uses
    return replace(
        more,
        because=kept.because if kept.uses or not more.uses else more.because,
        because_optional=more.because_optional or kept.because_optional,
        uses=uses,
        optional=(kept.optional | more.optional) - uses,
    )


def _held(rows: Rows) -> dict[str, bool | None]:
    return {row.text("right_name"): None if row.is_null("is_held") else row.whole("is_held") == 1 for row in rows}


def _title(right: str, database: str) -> str:
    return _("{right} in {database}").format(right=right, database=database) if database else right


def needed(statements: Iterable[str], place: tuple[str, str]) -> tuple[Need, ...]:
    """Return the rights some statements need, each once.

    Args:
        place: server and database, as headers name them, of the statements that count.
    """
    entries = catalogue()
    here = [entries[name] for name in statements if (entries[name].runs_at, entries[name].database) == place]
    return tuple(dict.fromkeys(need for statement in here for need in needs_of(statement.permission)))


def database_of(need: Need, here: str) -> str:
    """Return the database a right is of, "" for one of the server."""
    return here if need.database == HERE else need.database


def uses_of(subjects: Iterable[str], modes: Iterable[Mode]) -> frozenset[Use]:
    """Return the uses of subjects in ways of working."""
    listed = tuple(modes)
    return frozenset(Use(subject, mode) for subject in subjects for mode in listed)
