"""What a login may do at the replicas of availability groups."""

from app.domain.rights import LoginRights, Mode
from app.drivers.sqlserver.catalogue import ANY_SERVER
from app.drivers.sqlserver.permissions import SYSADMIN
from app.drivers.sqlserver.rights import RightsReader, needed, uses_of
from app.drivers.sqlserver.session import Place, Session
from app.foundation.texts import _
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.subjects import SUBJECTS

_HISTORY = "msdb"
_READING = uses_of(SUBJECTS, [Mode.OBSERVE, Mode.GUIDED])


def read_rights(session: Session, topology: GroupTopology) -> LoginRights:
    """Read the rights of this login at every replica."""
    reader = RightsReader(session)
    for name in sorted({replica.server for group in topology.groups for replica in group.replicas}):
        here = reader.ask_server(name)
        # A member of sysadmin needs nothing else.
        reader.add(name, "", "VIEW SERVER STATE", here, _("queues, waits and counters of the group are read"), _READING)
        reader.add(name, "", "VIEW ANY DEFINITION", here, _("without it the catalogue shows no group to this login"),
                   _READING)  # fmt: skip
        reader.add(name, "", SYSADMIN, here,
                   _("modes and trace flags are set, and test databases made and dropped"),
                   uses_of(SUBJECTS, [Mode.HANDS_ON]))  # fmt: skip
        history = reader.ask("history_rights", Place(name, _HISTORY))
        for need in needed(["past_work"], (ANY_SERVER, _HISTORY)):
            because = _("which backups and jobs ran during a trial is noted beside it")
            reader.add(name, _HISTORY, need.right, history, because, frozenset(), uses_of(SUBJECTS, [Mode.GUIDED]))
    return reader.found
