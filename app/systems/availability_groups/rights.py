"""The rights of a login at the replicas of availability groups."""

from typing import Final

from app.domain.errors import StatementCancelled, TargetError
from app.domain.rights import LoginRights, Mode
from app.drivers.sqlserver.catalogue import ANY_SERVER
from app.drivers.sqlserver.permissions import SYSADMIN
from app.drivers.sqlserver.rights import RightsReader, needed, uses_of
from app.drivers.sqlserver.session import Place, Session
from app.foundation.texts import _
from app.systems.availability_groups.groups import CommitMode, GroupTopology
from app.systems.availability_groups.server.replicas import master
from app.systems.availability_groups.subjects import SUBJECTS

_HISTORY: Final = "msdb"
_STATE: Final = "VIEW SERVER STATE"
_DEFINITION: Final = "VIEW ANY DEFINITION"
_SHOWS_GROUPS: Final = frozenset({_STATE, _DEFINITION})
_READING = uses_of(SUBJECTS, [Mode.OBSERVE, Mode.GUIDED])


def read_first_rights(session: Session) -> LoginRights:
    """Read the rights at a server whose groups this login may not see; nothing where it would see them or has none."""
    reader = RightsReader(session)
    own = session.own_server
    try:
        rows = session.run("groups_enabled", master(own))
    except StatementCancelled:
        raise
    except TargetError:
        rows = ()  # why this server says nothing, discovery has told
    if not rows or rows[0].whole_or("is_enabled", 0) == 0:
        return LoginRights("", ())
    _need(reader, own)
    if all(right.is_held for right in reader.rights.values() if right.title in _SHOWS_GROUPS):
        return LoginRights("", ())
    reader.unread.append(
        _(
            "which availability groups there are, {server} does not show to this login: once the script has been run "
            "there, look again for what is needed at the other replicas"
        ).format(server=own)
    )
    return reader.found


def read_rights(session: Session, topology: GroupTopology) -> LoginRights:
    """Read the rights of this login at each replica that holds databases; one that does not answer needs none now.

    One whose figures this login may not read answers all the same: its rights are those that are missing.
    """
    reader = RightsReader(session)
    silent = frozenset(server for server, _why in topology.unreachable)
    holding = {
        replica.server
        for group in topology.groups
        if not group.is_distributed
        for replica in group.replicas
        if replica.mode is not CommitMode.CONFIGURATION_ONLY
    }
    for name in sorted(holding):
        _need(reader, name, is_silent=name in silent)
    return reader.found


def _need(reader: RightsReader, server: str, *, is_silent: bool = False) -> None:
    here = reader.ask_server(server)
    if is_silent and here is None:
        return
    # A member of sysadmin needs nothing else.
    reader.add(server, "", _STATE, here, _("queues, waits and counters of the group are read"), _READING)
    reader.add(server, "", _DEFINITION, here, _("without it the catalogue shows no group to this login"), _READING)
    reader.add(
        server,
        "",
        SYSADMIN,
        here,
        _("modes and trace flags are set, and test databases made and dropped"),
        uses_of(SUBJECTS, [Mode.HANDS_ON]),
    )
    history = reader.ask("history_rights", Place(server, _HISTORY))
    for need in needed(["past_work"], (ANY_SERVER, _HISTORY)):
        because = _("which backups and jobs ran during a trial is noted beside it")
        reader.add(server, _HISTORY, need.right, history, because, frozenset(), uses_of(SUBJECTS, [Mode.GUIDED]))
