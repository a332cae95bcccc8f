"""What a login may do at the replicas of availability groups."""

from app.domain.rights import LoginRights, Mode
from app.drivers.sqlserver.rights import RightsReader, either, grant_server, grant_sysadmin, uses_of
from app.drivers.sqlserver.session import Session
from app.foundation.texts import _
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.subjects import SUBJECTS


def read_rights(session: Session, topology: GroupTopology) -> LoginRights:
    """Read the rights of this login at every replica."""
    reader = RightsReader(session)
    _add_replicas(reader, topology)
    return reader.found


def _add_replicas(reader: RightsReader, topology: GroupTopology) -> None:
    """Ask at every replica."""
    for name in sorted({replica.server for group in topology.groups for replica in group.replicas}):
        server = reader.ask_server(name)
        sysadmin = reader.held(server, lambda row: row.whole("is_sysadmin") == 1)
        reader.add(name, "VIEW SERVER STATE", reader.held(server, lambda row: row.whole("may_view_state") == 1),
                  uses_of(SUBJECTS, Mode), grant_server("VIEW SERVER STATE", reader.login),
                  _("queues, waits and counters of the group are read"))  # fmt: skip
        reader.add(name, "VIEW ANY DEFINITION",
                  reader.held(server, lambda row: row.whole("may_view_definitions") == 1),
                  uses_of(SUBJECTS, Mode), grant_server("VIEW ANY DEFINITION", reader.login),
                  _("without it the catalogue shows no group to this login"))  # fmt: skip
        reader.add(name, "ALTER ANY AVAILABILITY GROUP",
                  either(sysadmin, reader.held(server, lambda row: row.whole_or("may_alter_groups", 0) == 1)),
                  uses_of(SUBJECTS, [Mode.HANDS_ON]), grant_server("ALTER ANY AVAILABILITY GROUP", reader.login),
                  _("commit and seeding modes are set"))  # fmt: skip
        reader.add(name, "sysadmin", sysadmin, uses_of(SUBJECTS, [Mode.HANDS_ON]), grant_sysadmin(reader.login),
                  _("trace flags are set, and test databases made and dropped"))  # fmt: skip
