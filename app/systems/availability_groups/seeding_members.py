"""Which group, replica and database a plan seeds, and why it cannot run here."""

from dataclasses import dataclass, replace
from typing import Final

from app.domain.errors import BadInput
from app.domain.family import Site
from app.domain.load import Load
from app.domain.plan import Plan
from app.domain.units import convert
from app.foundation.texts import _
from app.systems.availability_groups.commit_members import (
    FIRST_MAJOR,
    check_2025,
    group_site,
    levels_of,
    major_version,
)
from app.systems.availability_groups.copies import SERVER_DEFAULT, SeedingMethod, SeedingRequirements
from app.systems.availability_groups.enumerations import LOGGED
from app.systems.availability_groups.group_checks import check_group, connected_secondary, named_group
from app.systems.availability_groups.groups import AvailabilityGroup, GroupTopology, Replica

SQL_SERVER_2016: Final = 13
"""Major version from which on there is direct seeding (Microsoft: "Automatic seeding for secondary replicas")."""

TEST_DATABASE: Final = "ReplituneSeeding"
"""The database a run makes where its plan names none."""

# A database takes its data, some log, and room to grow by.
ROOM = 1.2

_METHOD, _COMPRESSION = "seeding_method", "backup_compression"
_TRANSFER_STEP_BYTES = 65_536
# Buffers are taken outside the buffer pool; more than a gigabyte has ended in out-of-memory errors (Microsoft Learn,
# BACKUP, BUFFERCOUNT: "large numbers of buffers might cause out of memory errors"; the amount is our own choice).
_MOST_BUFFER_MB = 1_024.0
_DEFAULT_TRANSFER_BYTES = 1_048_576


@dataclass(frozen=True)
class SeedingMembers:
    """The servers, group and database of a run.

    Attributes:
        is_test: the database is made for the run.
    """

    group: AvailabilityGroup
    secondary: Replica
    database: str
    is_test: bool


def methods_of(plan: Plan) -> frozenset[SeedingMethod]:
    """Return the methods a plan compares."""
    named = levels_of(plan, _METHOD)
    return frozenset(SeedingMethod(str(level)) for level in named) or frozenset({SeedingMethod.BACKUP_RESTORE})


def choose_members(plan: Plan, topology: GroupTopology) -> SeedingMembers:
    """Return the members of a run.

    Raises:
        BadInput: the plan does not fit what was found; the sentence says what to do.
    """
    methods, load = methods_of(plan), plan.load
    _check_version(methods, topology)
    if not set(levels_of(plan, _COMPRESSION)) <= {SERVER_DEFAULT}:
        check_2025(topology, _COMPRESSION)
    _check_options(plan)
    if SeedingMethod.BACKUP_RESTORE in methods and not load.text("backup_folder"):
        raise BadInput(
            _(
                "backup and restore need a folder that both servers reach: name a share as backup_folder in "
                "[workload], or leave backup and restore out"
            )
        )
    group = named_group(load.text("group"), topology)
    check_group(group, topology)
    secondary = connected_secondary(group, load.text("secondary"), topology)
    if methods != {SeedingMethod.BACKUP_RESTORE}:
        _check_others(group, secondary)
    database = load.text("database")
    if not database:
        _check_room_for_test(load.whole("database_mb"), (group.primary, secondary.server), topology)
    else:
        _check_named(database, group, topology)
    return SeedingMembers(group, secondary, database or TEST_DATABASE, is_test=not database)


def complete_names(plan: Plan, site: Site) -> Plan:
    """Return the plan with the names of the group and the secondary it left open."""
    members = choose_members(plan, group_site(site).topology)
    names = {"group": members.group.name, "secondary": members.secondary.server}
    return replace(plan, load=Load.from_mapping({**plan.load, **names}))


def check_requirements(plan: Plan, members: SeedingMembers, requirements: SeedingRequirements) -> None:
    """Refuse to begin where a seeding is under way, or where the backups have no room.

    Raises:
        BadInput: one of these.
    """
    if requirements.other_seedings > 0:
        raise BadInput(
            _(
                "{count} databases of {group} are being seeded now; wait until they are done, because the run would "
                "end or slow them"
            ).format(count=requirements.other_seedings, group=members.group.name)
        )
    needs_folder = SeedingMethod.BACKUP_RESTORE in methods_of(plan)
    if (
        needs_folder
        and requirements.free_backup_mb is not None
        and requirements.free_backup_mb < requirements.database_mb
    ):
        raise BadInput(
            _("{folder} has {free:,.0f} MB free, and a backup may need {need:,.0f} MB; name another folder").format(
                folder=plan.load.text("backup_folder"), free=requirements.free_backup_mb, need=requirements.database_mb
            )
        )


def _check_version(methods: frozenset[SeedingMethod], topology: GroupTopology) -> None:
    major = major_version(topology)
    if major < FIRST_MAJOR:
        raise BadInput(
            _("{server} is older than SQL Server 2012, which has no availability groups").format(
                server=topology.connected_to
            )
        )
    if major < SQL_SERVER_2016 and methods != {SeedingMethod.BACKUP_RESTORE}:
        raise BadInput(
            _(
                "{server} is older than SQL Server 2016, which has no direct seeding; "
                "leave seeding_method out and vary stripes, BUFFERCOUNT or MAXTRANSFERSIZE of the backup"
            ).format(server=topology.connected_to)
        )


def _check_options(plan: Plan) -> None:
    """Refuse sizes BACKUP does not take, and buffers that would not fit into memory."""
    levels = {f.name: [level for level in f.levels if isinstance(level, int)] for f in plan.factors}
    for size in levels.get("MAXTRANSFERSIZE", []):
        if size % _TRANSFER_STEP_BYTES:
            raise BadInput(
                _("MAXTRANSFERSIZE = {size} is not a multiple of {step} bytes").format(
                    size=size, step=_TRANSFER_STEP_BYTES
                )
            )
    largest = max(levels.get("MAXTRANSFERSIZE", [0])) or _DEFAULT_TRANSFER_BYTES
    buffers_mb = convert(max(levels.get("BUFFERCOUNT", [0])) * largest, "bytes", "MB")
    if buffers_mb > _MOST_BUFFER_MB:
        raise BadInput(
            _(
                "BUFFERCOUNT × MAXTRANSFERSIZE would take {size:,.0f} MB of the server's memory, more than "
                "{most:,.0f} MB; use fewer or smaller buffers"
            ).format(size=buffers_mb, most=_MOST_BUFFER_MB)
        )


def _check_others(group: AvailabilityGroup, secondary: Replica) -> None:
    """Refuse direct seeding where databases of the group lack a copy: it would seed them as well."""
    there = {state.database for state in group.databases if state.server == secondary.server}
    missing = [name for name in group.database_names() if name not in there]
    if missing:
        raise BadInput(
            _(
                "{names} of {group} have no copy at {server}, and direct seeding would copy them as well; "
                "join them first, or choose another secondary"
            ).format(names=", ".join(missing), group=group.name, server=secondary.server)
        )


def _check_room_for_test(size_mb: int, servers: tuple[str, ...], topology: GroupTopology) -> None:
    for server in servers:
        free = [volume.free_mb for volume in topology.volumes if volume.server == server]
        if free and max(free) < size_mb * ROOM:
            raise BadInput(
                _(
                    "{server} has {free:,.0f} MB free, and a test database of {size:,} MB needs {need:,.0f} MB there; "
                    "make it smaller (database_mb)"
                ).format(server=server, free=max(free), size=size_mb, need=size_mb * ROOM)
            )


def _check_named(database: str, group: AvailabilityGroup, topology: GroupTopology) -> None:
    named = next((d for d in topology.databases if d.name == database), None)
    if named is None:
        raise BadInput(
            _("there is no database {database} on {server}; leave database empty to have a test database made").format(
                database=database, server=topology.connected_to
            )
        )
    if named.group == group.name:
        raise BadInput(
            _(
                "{database} is in the group {group} already; name a database outside any group, or leave it empty to "
                "have a test database made"
            ).format(database=database, group=group.name)
        )
    if named.group:
        raise BadInput(
            _("{database} belongs to another group, {group}; name a database outside any group").format(
                database=database, group=named.group
            )
        )
    if named.state != "ONLINE":
        raise BadInput(_("{database} is {state}, not online").format(database=database, state=named.state.lower()))
    if named.recovery_model not in LOGGED:
        raise BadInput(
            _(
                "{database} is in recovery model {model} and cannot join a group; set it to full and take a full "
                "backup first"
            ).format(database=database, model=named.recovery_model)
        )
