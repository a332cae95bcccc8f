"""Which database answers at each end: a service or an alias may lead to another one since something was changed there.

A switchover within Data Guard keeps a database's number and name, and a change with them: its dictionary is the same at
the new primary. A database of another number holds nothing of what was changed.
Source: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/V-DATABASE.html (DBID, DATABASE_ROLE).
"""

from dataclasses import dataclass, replace
from typing import Final

from app.domain.change import Change
from app.drivers.oracle.session import End, Session
from app.foundation.texts import _
from app.systems.oracle_streams.server.attribute_changes import CHECKPOINT_RETENTION, PROPAGATION_LATENCY
from app.systems.oracle_streams.server.parameter_changes import PROCESS_PARAMETER, component_of, end_of
from app.systems.oracle_streams.server.table_changes import TABLE_PREPARED

_AT: Final = "at_database"
_AT_SOURCE: Final = frozenset({CHECKPOINT_RETENTION, PROPAGATION_LATENCY, TABLE_PREPARED})
# These can be written to; a physical standby cannot, and what is written to a snapshot of one is thrown away.
_WRITABLE: Final = frozenset({"PRIMARY", "LOGICAL STANDBY"})


@dataclass(frozen=True)
class Identity:
    """One database.

    Attributes:
        text: its number and its global name, as a change keeps them.
        role: of Data Guard, in the vendor's words.
    """

    text: str
    role: str

    @property
    def global_name(self) -> str:
        """The database's global name."""
        return self.text.partition(" ")[2]


def read_identity(session: Session, end: End) -> Identity:
    """Read which database answers at an end."""
    row = session.run("database_identity", end)[0]
    return Identity(f"{row.text('dbid')} {row.text('global_name')}", row.text("database_role"))


def placed(change: Change, identity: Identity) -> Change:
    """Return a change that is made and undone in this database only."""
    return replace(change, details=(*change.details, (_AT, identity.text)))


def end_of_change(change: Change) -> End:
    """Return at which end a change is made and undone."""
    if change.kind == PROCESS_PARAMETER:
        return end_of(component_of(dict(change.details)))
    if "end" in dict(change.details):
        return End(str(change.detail("end")))
    return End.SOURCE if change.kind in _AT_SOURCE else End.DESTINATION


def why_elsewhere(session: Session, change: Change) -> str:
    """Return why a change is neither made nor undone in the database that answers at its end now, "" where it may be.

    A change of an earlier program, which does not say where it was made, is not asked about.
    """
    made_at = str(change.detail_or(_AT, ""))
    return why_moved(session, end_of_change(change), made_at) if made_at else ""


def why_moved(session: Session, end: End, meant: str) -> str:
    """Return why the database that answers at an end is not the one meant, or cannot be written, "" where it is."""
    now, server = read_identity(session, end), session.server_of(end)
    if now.text != meant:
        return _(
            "{server} leads to another database now (DBID and name {found}) than the one meant ({meant}), so nothing "
            "is changed there; what was changed stays until the target leads there again, or its DBA runs rollback.sql"
        ).format(server=server, found=now.text, meant=meant)
    if now.role not in _WRITABLE:
        return _(
            "{server} leads to a standby of the database now ({role}), where nothing can be changed; have the target "
            "lead to its primary, then try again"
        ).format(server=server, role=now.role)
    return ""
