"""Reading what the login may do: one question at each server and database concerned."""

from collections.abc import Callable, Iterable
from typing import Final

from app.domain.availability import GroupTopology
from app.domain.errors import TargetError
from app.domain.rights import LoginRights, Mode, Right, Use
from app.domain.setting import AgentKind, Subject
from app.domain.topology import Topology
from app.foundation.rows import Row
from app.foundation.texts import _
from app.targets.sqlserver.scripts import identifier
from app.targets.sqlserver.session import Place, Session

_AGENTS: Final = (Subject.LOG_READER, Subject.DISTRIBUTION)
_GROUPS: Final = (Subject.COMMIT, Subject.SEEDING)


def read_rights(session: Session, topology: Topology | None, groups: GroupTopology | None) -> LoginRights:
    """Read the rights of this login at every server of what was discovered.

    Args:
        topology, groups: None where there is no replication, or no availability group.
    """
    reader = _Reader(session)
    if topology is not None and topology.agents:
        reader.replication(topology)
    if groups is not None:
        reader.groups(groups)
    return LoginRights(reader.login, tuple(reader.rights), tuple(reader.unread))


class _Reader:
    """Collects rights; a place that cannot be asked leaves its rights unknown."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.login = ""
        self.rights: list[Right] = []
        self.unread: list[str] = []

    def replication(self, topology: Topology) -> None:
        """Ask at Distributor, Publishers and publication databases."""
        here = self._session.distributor
        server = self._server(here)
        sysadmin = self._held(server, lambda row: row.whole("is_sysadmin") == 1)
        every = _uses(_AGENTS, Mode)
        self._add(here, "sysadmin", sysadmin, _uses(_AGENTS, [Mode.HANDS_ON]), _sysadmin(self.login),
                  _("agent profiles and job steps are changed by members of sysadmin only"))  # fmt: skip
        self._add(here, "VIEW SERVER STATE", self._held(server, lambda row: row.whole("may_view_state") == 1),
                  _uses(_AGENTS, [Mode.GUIDED, Mode.HANDS_ON]), _grant_server("VIEW SERVER STATE", self.login),
                  _("waits and free disk are watched while an experiment runs"))  # fmt: skip
        self._add(here, _("SELECT on msdb.dbo.sysjobsteps and sysjobactivity"), self._held(server, _sees_jobs),
                  _uses(_AGENTS, [Mode.GUIDED, Mode.HANDS_ON]), _grant_jobs(self.login),
                  _("whether an agent runs, and the parameters in its job step, stand there"))  # fmt: skip
        row = self._ask("distribution_rights", Place(here, topology.distribution_db))
        self._add(here, _("replmonitor in {database}").format(database=topology.distribution_db),
                  _or(sysadmin, self._held(row, lambda r: r.whole("is_owner") == 1 or r.whole("is_monitor") == 1)),
                  every, _grant_role(topology.distribution_db, "replmonitor", self.login),
                  _("history, queues and latencies are read from the distribution database"))  # fmt: skip
        readers = topology.agents_of(AgentKind.LOG_READER)
        for publisher in sorted({agent.publisher for agent in readers}):
            self._publisher(publisher, sorted({a.publisher_db for a in readers if a.publisher == publisher}))

    def _publisher(self, publisher: str, databases: Iterable[str]) -> None:
        server = self._server(publisher)
        sysadmin = self._held(server, lambda row: row.whole("is_sysadmin") == 1)
        self._add(publisher, "VIEW SERVER STATE", self._held(server, lambda row: row.whole("may_view_state") == 1),
                  _uses(_AGENTS, [Mode.GUIDED, Mode.HANDS_ON]), _grant_server("VIEW SERVER STATE", self.login),
                  _("the use of the publication database's log is watched"))  # fmt: skip
        for database in databases:
            row = self._ask("publication_rights", Place(publisher, database))
            self._add(publisher, _("db_owner in {database}").format(database=database),
                      _or(sysadmin, self._held(row, lambda r: r.whole("is_owner") == 1)),
                      _uses(_AGENTS, [Mode.GUIDED, Mode.HANDS_ON]), _grant_role(database, "db_owner", self.login),
                      _("sp_replcounters counts what is not yet read, the test table is written, and tracer tokens are "
                        "posted"))  # fmt: skip

    def groups(self, topology: GroupTopology) -> None:
        """Ask at every replica."""
        for name in sorted({replica.server for group in topology.groups for replica in group.replicas}):
            server = self._server(name)
            sysadmin = self._held(server, lambda row: row.whole("is_sysadmin") == 1)
            self._add(name, "VIEW SERVER STATE", self._held(server, lambda row: row.whole("may_view_state") == 1),
                      _uses(_GROUPS, Mode), _grant_server("VIEW SERVER STATE", self.login),
                      _("queues, waits and counters of the group are read"))  # fmt: skip
            self._add(name, "VIEW ANY DEFINITION",
                      self._held(server, lambda row: row.whole("may_view_definitions") == 1),
                      _uses(_GROUPS, Mode), _grant_server("VIEW ANY DEFINITION", self.login),
                      _("without it the catalogue shows no group to this login"))  # fmt: skip
            self._add(name, "ALTER ANY AVAILABILITY GROUP",
                      _or(sysadmin, self._held(server, lambda row: row.whole_or("may_alter_groups", 0) == 1)),
                      _uses(_GROUPS, [Mode.HANDS_ON]), _grant_server("ALTER ANY AVAILABILITY GROUP", self.login),
                      _("commit and seeding modes are set"))  # fmt: skip
            self._add(name, "sysadmin", sysadmin, _uses(_GROUPS, [Mode.HANDS_ON]), _sysadmin(self.login),
                      _("trace flags are set, and test databases made and dropped"))  # fmt: skip

    def _server(self, server: str) -> Row | None:
        row = self._ask("server_rights", Place(server, "master"))
        if row is not None and not self.login:
            self.login = row.text("login_name")
        return row

    def _ask(self, statement: str, place: Place) -> Row | None:
        try:
            rows = self._session.run(statement, place)
        except TargetError as error:
            self.unread.append(str(error))
            return None
        return rows[0] if rows else None

    def _held(self, row: Row | None, test: Callable[[Row], bool]) -> bool | None:
        return None if row is None else test(row)

    def _add(
        self, server: str, title: str, is_held: bool | None, uses: frozenset[Use], grant: str, because: str
    ) -> None:
        self.rights.append(Right(server, title, is_held, uses, grant, because))


def _sees_jobs(row: Row) -> bool:
    return row.whole_or("may_see_job_steps", 0) == 1 and row.whole_or("may_see_job_activity", 0) == 1


def _or(first: bool | None, second: bool | None) -> bool | None:
    """Return whether one of two holds, None where neither is known to."""
    if first or second:
        return True
    return None if first is None and second is None else False


def _uses(subjects: Iterable[Subject], modes: Iterable[Mode]) -> frozenset[Use]:
    listed = tuple(modes)
    return frozenset(Use(subject, mode) for subject in subjects for mode in listed)


def _sysadmin(login: str) -> str:
    return f"ALTER SERVER ROLE sysadmin ADD MEMBER {identifier(login)};"


def _grant_server(permission: str, login: str) -> str:
    return f"USE master; GRANT {permission} TO {identifier(login)};"


def _grant_role(database: str, role: str, login: str) -> str:
    member = identifier(login)
    return f"USE {identifier(database)}; ALTER ROLE {role} ADD MEMBER {member};"


def _grant_jobs(login: str) -> str:
    member = identifier(login)
    return f"USE msdb; GRANT SELECT ON dbo.sysjobsteps TO {member}; GRANT SELECT ON dbo.sysjobactivity TO {member};"
