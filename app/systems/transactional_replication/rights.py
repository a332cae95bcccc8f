"""What a login may do at a Distributor, its Publishers and their databases."""

from collections.abc import Iterable

from app.domain.rights import LoginRights, Mode
from app.drivers.sqlserver.rights import (
    RightsReader,
    either,
    grant_jobs,
    grant_role,
    grant_server,
    grant_sysadmin,
    sees_jobs,
    uses_of,
)
from app.drivers.sqlserver.session import Place, Session
from app.foundation.texts import _
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.subjects import SUBJECTS
from app.systems.transactional_replication.topology import Topology


def read_rights(session: Session, topology: Topology) -> LoginRights:
    """Read the rights of this login at every server of a topology."""
    reader = RightsReader(session)
    if topology.agents:
        _add_distributor(reader, session, topology)
    return reader.found


def _add_distributor(reader: RightsReader, session: Session, topology: Topology) -> None:
    """Ask at Distributor, Publishers and publication databases."""
    here = session.own_server
    server = reader.ask_server(here)
    sysadmin = reader.held(server, lambda row: row.whole("is_sysadmin") == 1)
    every = uses_of(SUBJECTS, Mode)
    reader.add(here, "sysadmin", sysadmin, uses_of(SUBJECTS, [Mode.HANDS_ON]), grant_sysadmin(reader.login),
              _("agent profiles and job steps are changed by members of sysadmin only"))  # fmt: skip
    reader.add(here, "VIEW SERVER STATE", reader.held(server, lambda row: row.whole("may_view_state") == 1),
              uses_of(SUBJECTS, [Mode.GUIDED, Mode.HANDS_ON]), grant_server("VIEW SERVER STATE", reader.login),
              _("waits and free disk are watched while an experiment runs"))  # fmt: skip
    reader.add(here, _("SELECT on msdb.dbo.sysjobsteps and sysjobactivity"), reader.held(server, sees_jobs),
              uses_of(SUBJECTS, [Mode.GUIDED, Mode.HANDS_ON]), grant_jobs(reader.login),
              _("whether an agent runs, and the parameters in its job step, stand there"))  # fmt: skip
    row = reader.ask("distribution_rights", Place(here, topology.distribution_db))
    reader.add(here, _("replmonitor in {database}").format(database=topology.distribution_db),
              either(sysadmin, reader.held(row, lambda r: r.whole("is_owner") == 1 or r.whole("is_monitor") == 1)),
              every, grant_role(topology.distribution_db, "replmonitor", reader.login),
              _("history, queues and latencies are read from the distribution database"))  # fmt: skip
    readers = topology.agents_of(AgentKind.LOG_READER)
    for publisher in sorted({agent.publisher for agent in readers}):
        _add_publisher(reader, publisher, sorted({a.publisher_db for a in readers if a.publisher == publisher}))


def _add_publisher(reader: RightsReader, publisher: str, databases: Iterable[str]) -> None:
    server = reader.ask_server(publisher)
    sysadmin = reader.held(server, lambda row: row.whole("is_sysadmin") == 1)
    reader.add(publisher, "VIEW SERVER STATE", reader.held(server, lambda row: row.whole("may_view_state") == 1),
              uses_of(SUBJECTS, [Mode.GUIDED, Mode.HANDS_ON]), grant_server("VIEW SERVER STATE", reader.login),
              _("the use of the publication database's log is watched"))  # fmt: skip
    for database in databases:
        row = reader.ask("publication_rights", Place(publisher, database))
        reader.add(publisher, _("db_owner in {database}").format(database=database),
                  either(sysadmin, reader.held(row, lambda r: r.whole("is_owner") == 1)),
                  uses_of(SUBJECTS, [Mode.GUIDED, Mode.HANDS_ON]), grant_role(database, "db_owner", reader.login),
                  _("sp_replcounters counts what is not yet read, the test table is written, and tracer tokens are "
                    "posted"))  # fmt: skip
