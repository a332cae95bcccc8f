"""Which groups, databases and replicas a plan of the commit mode is about, and why it cannot run here."""

from dataclasses import dataclass, replace

from app.domain.errors import BadInput
from app.domain.family import Site, site_as
from app.domain.load import Load
from app.domain.plan import Plan
from app.domain.setting import Value
from app.foundation.texts import _
from app.systems.availability_groups.enumerations import LOGGED, SYNCHRONIZATION_STATE
from app.systems.availability_groups.group_checks import check_group, connected_secondary, named_group
from app.systems.availability_groups.groups import (
    SQL_SERVER_2025,
    AvailabilityGroup,
    CommitMode,
    GroupTopology,
    Replica,
    ServerDatabase,
)
from app.systems.availability_groups.site import GroupSite

# Availability groups came with SQL Server 2012.
FIRST_MAJOR = 11

_AVAILABILITY_MODE, _COMMIT_TIME = "availability_mode", "group_commit_time"


@dataclass(frozen=True)
class Member:
    """One database under test in its group.

    Attributes:
        secondary: the replica whose mode is varied.
    """

    group: AvailabilityGroup
    database: str
    secondary: Replica


@dataclass(frozen=True)
class Members:
    """All that takes part in a run.

    Attributes:
        grouped: the database under test; a second one for the synchronous arm where two groups stand side by side.
        standalone: database outside any group, "" for none.
    """

    grouped: tuple[Member, ...]
    standalone: str

    def of(self, database: str) -> Member | None:
        """Return the member a database is, None for the standalone one."""
        return next((member for member in self.grouped if member.database == database), None)


def group_site(site: Site) -> GroupSite:
    """Return the site as that of availability groups; raises ValueError for any other."""
    return site_as(GroupSite, site)


def major_version(topology: GroupTopology) -> int:
    """Return the major version of the server this target was opened with, 13 for SQL Server 2016."""
    server = topology.server_named(topology.connected_to) or topology.servers[0]
    return int(server.version.split(".")[0])


def arms_of(plan: Plan) -> frozenset[CommitMode]:
    """Return the modes a plan compares."""
    return frozenset(CommitMode(str(level)) for level in levels_of(plan, _AVAILABILITY_MODE))


def levels_of(plan: Plan, name: str) -> tuple[Value, ...]:
    """Return the values of a parameter that a plan compares, the baseline's included."""
    levels = [level for factor in plan.factors if factor.name == name for level in factor.levels]
    baseline = plan.baseline.get(name)
    return (*levels, *(() if baseline is None else (baseline,)))


def check_2025(topology: GroupTopology, name: str) -> None:
    """Refuse to vary what SQL Server 2025 brought where a server is older."""
    for server in topology.servers:
        if int(server.version.split(".")[0]) < SQL_SERVER_2025:
            raise BadInput(
                _("{server} is older than SQL Server 2025, which brought {name}; leave {name} out of the plan").format(
                    server=server.name, name=name
                )
            )


def choose_members(plan: Plan, topology: GroupTopology) -> Members:
    """Return who takes part.

    Raises:
        BadInput: the plan does not fit what was found; the sentence says what to do.
    """
    if major_version(topology) < FIRST_MAJOR:
        raise BadInput(
            _("{server} is older than SQL Server 2012, which has no availability groups").format(
                server=topology.connected_to
            )
        )
    if levels_of(plan, _COMMIT_TIME):
        check_2025(topology, _COMMIT_TIME)
    arms, load = arms_of(plan), plan.load
    grouped: list[Member] = []
    if arms != {CommitMode.STANDALONE}:
        group = named_group(load.text("group"), topology)
        grouped.append(_member(group, load.text("database"), load.text("secondary"), topology))
    second = load.text("sync_database")
    if second and grouped and second != grouped[0].database:
        group = _group_of(second, topology)
        grouped.append(_member(group, second, "", topology))
        if group.group_id == grouped[0].group.group_id:
            raise BadInput(
                _(
                    "{first} and {second} are in the same group {group}; for two groups side by side, sync_database "
                    "must be in another one"
                ).format(first=grouped[0].database, second=second, group=group.name)
            )
    _check_required(grouped, arms)
    return Members(tuple(grouped), _standalone(load.text("standalone_database"), topology, arms))


def complete_names(plan: Plan, site: Site) -> Plan:
    """Return the plan with the names of the group, database and secondary it left open."""
    members = choose_members(plan, group_site(site).topology)
    if not members.grouped:
        return plan
    first = members.grouped[0]
    names = {"group": first.group.name, "database": first.database, "secondary": first.secondary.server}
    return replace(plan, load=Load.from_mapping({**plan.load, **names}))


def _group_of(database: str, topology: GroupTopology) -> AvailabilityGroup:
    for group in topology.groups:
        if database in group.database_names():
            return group
    raise BadInput(
        _("{database} is in no availability group of {server}; name one that is").format(
            database=database, server=topology.connected_to
        )
    )


def _member(group: AvailabilityGroup, database: str, secondary: str, topology: GroupTopology) -> Member:
    check_group(group, topology)
    names = group.database_names()
    if not names:
        raise BadInput(_("the group {group} holds no database; add a test database to it").format(group=group.name))
    if database and database not in names:
        raise BadInput(
            _("{database} is not in the group {group}; it holds {names}").format(
                database=database, group=group.name, names=", ".join(names)
            )
        )
    if not database and len(names) > 1:
        raise BadInput(
            _("the group {group} holds several databases; name one as database in [workload]: {names}").format(
                group=group.name, names=", ".join(names)
            )
        )
    chosen = database or names[0]
    replica = connected_secondary(group, secondary, topology, chosen)
    _check_database(chosen, topology)
    _check_copy(group, chosen, replica)
    return Member(group, chosen, replica)


def _check_copy(group: AvailabilityGroup, chosen: str, replica: Replica) -> None:
    """Refuse a copy of the database in a state that nobody knows, or that receives nothing."""
    for state in (s for s in group.databases if (s.database, s.server) == (chosen, replica.server)):
        if not SYNCHRONIZATION_STATE.knows(state.synchronization_state):
            raise BadInput(
                _("{database} at {server} is in a state this program does not know, {state}; it is left alone").format(
                    database=chosen, server=replica.server, state=state.synchronization_state
                )
            )
        if state.is_suspended:
            raise BadInput(
                _("data movement of {database} at {server} is suspended; resume it first").format(
                    database=chosen, server=replica.server
                )
            )


def _check_database(name: str, topology: GroupTopology) -> None:
    database: ServerDatabase | None = next((d for d in topology.databases if d.name == name), None)
    if database is None:
        return
    if database.state != "ONLINE":
        raise BadInput(_("{database} is {state}, not online").format(database=name, state=database.state.lower()))
    if database.recovery_model not in LOGGED:
        raise BadInput(
            _("{database} is in recovery model {model}, whose log is not that of a group; set it to full").format(
                database=name, model=database.recovery_model
            )
        )


def _check_required(grouped: list[Member], arms: frozenset[CommitMode]) -> None:
    """Refuse to leave a group with fewer synchronized secondaries than it needs to commit at all."""
    for index, member in enumerate(grouped):
        required = member.group.required_synchronized_secondaries
        is_switched = CommitMode.ASYNCHRONOUS in arms and (index == 0 or len(grouped) == 1)
        left = 0 if is_switched else 1
        if required > left:
            raise BadInput(
                _(
                    "{group} needs {required} synchronized secondaries to commit "
                    "(REQUIRED_SYNCHRONIZED_SECONDARIES_TO_COMMIT), this plan would leave it {left}; use another group"
                ).format(group=member.group.name, required=required, left=left)
            )


def _standalone(name: str, topology: GroupTopology, arms: frozenset[CommitMode]) -> str:
    if CommitMode.STANDALONE not in arms:
        return ""
    if not name:
        raise BadInput(_("the standalone arm needs a database: name it as standalone_database in [workload]"))
    database = next((d for d in topology.databases if d.name == name), None)
    if database is None:
        raise BadInput(
            _("there is no database {database} on {server}").format(database=name, server=topology.connected_to)
        )
    if database.group:
        raise BadInput(
            _("{database} is in the group {group}; standalone_database must be in none").format(
                database=name, group=database.group
            )
        )
    _check_database(name, topology)
    return name


def mode_of(setting_value: Value) -> CommitMode:
    """Return the mode a value of the factor `availability_mode` stands for."""
    return CommitMode(str(setting_value))
