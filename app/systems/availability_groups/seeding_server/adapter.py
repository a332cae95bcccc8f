"""Seeding one database to one secondary, again and again, over named statements."""

from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Declared
from app.domain.errors import BadInput
from app.domain.happening import PastReadings
from app.domain.units import convert
from app.drivers.sqlserver.past_work import past_readings
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.availability_groups.copies import (
    BackupOptions,
    SeedingEvent,
    SeedingMethod,
    SeedingRequirements,
    SeedingStep,
)
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode
from app.systems.availability_groups.readings import SeedingSample
from app.systems.availability_groups.seeding_server.copies import (
    check_backup,
    check_direct,
    check_requirements,
    find_database,
    find_group,
    find_secondary,
    read_requirements,
)
from app.systems.availability_groups.seeding_server.events import DECLARED as EVENTS_DECLARED
from app.systems.availability_groups.seeding_server.membership import Membership, plan_member
from app.systems.availability_groups.seeding_server.mode import plan_seeding
from app.systems.availability_groups.seeding_server.naming import (
    BACKUP_NAME,
    check_test_database_name,
    file_stem,
    is_own,
    job_name,
    session_name,
)
from app.systems.availability_groups.seeding_server.own_database import plan_database
from app.systems.availability_groups.seeding_server.progress import SeedingProgress, SeedingRun
from app.systems.availability_groups.server.checks import check_known
from app.systems.availability_groups.server.discovery import read_volumes
from app.systems.availability_groups.server.executor import GroupExecutor
from app.systems.availability_groups.server.own_tables import check_owner
from app.systems.availability_groups.server.replicas import failed_over, group_place, master
from app.systems.availability_groups.server.spelling import OwnSpelling

_LARGEST_MB: Final = 1_000_000
_MODES: Final = ("automatic", "manual")
_Key = tuple[str, str, str]


class SqlServerSeeding:
    """Seeding from the server this target was opened with, which is the primary; every call may raise TargetError."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = OwnSpelling(session)
        executor = GroupExecutor(session, clock)
        self._executor, self._events = executor, Declared(EVENTS_DECLARED, executor)
        self._membership = Membership(self._session, clock)
        self._progress = SeedingProgress(self._session)
        self._runs: dict[_Key, SeedingRun] = {}

    def requirements(self, group: str, database: str, secondary: str, folder: str) -> SeedingRequirements:
        """Read the requirements for a seeding.

        Raises:
            BadInput: no such group or secondary, or it is not connected.
            FailedOver: another server is primary now.
        """
        return read_requirements(self._session, group, database, secondary, folder)

    def check(self, group: str, database: str, secondary: str, folder: str) -> None:
        """Raise BadInput where the database cannot be seeded to this secondary."""
        check_requirements(database, secondary, self.requirements(group, database, secondary, folder))

    def plan_test_database(self, group: str, name: str, size_mb: int, compressible_share: float) -> tuple[Change, ...]:
        """Return the changes that make a database of this size to experiment with; undo drops it everywhere.

        Raises:
            BadInput: a name that does not begin with "Replitune" or exists at a replica, or a size no disk takes.
        """
        check_test_database_name(name)
        if not 1 <= size_mb <= _LARGEST_MB or not 0.0 <= compressible_share <= 1.0:
            raise BadInput(
                _("a test database has 1 to {most:,} MB, of which a share of 0 to 1 is compressible").format(
                    most=_LARGEST_MB
                )
            )
        servers = _servers(find_group(self._session, group))
        for server in servers:
            self._refuse_existing(server, name)
            self._refuse_full(server, size_mb)
        place = group_place(group, self._session.own_server, servers)
        return (plan_database(place, name, size_mb, compressible_share),)

    def plan_membership(self, group: str, database: str, secondary: str) -> tuple[Change, ...]:
        """Return the change that takes a database into the group at the primary; undo takes it out again.

        Undo also removes every copy, job and backup file that seeding it made.

        Raises:
            BadInput: the database belongs to a group, exists at a secondary, or cannot join; no room for it.
        """
        found = find_group(self._session, group)
        find_secondary(found, secondary)
        own = self._session.own_server
        row = find_database(self._session, own, database)
        if row is not None and row.group:
            raise BadInput(
                _(
                    "database {database} belongs to group {group} already; choose a standalone one or a test database"
                ).format(database=database, group=row.group)
            )
        for server in _servers(found):
            if server != own:
                self._refuse_existing(server, database)
        if row is not None or not is_own(database):
            self.check(group, database, secondary, "")  # a test database is checked once it is made
        newest = self._session.run("newest_backup", master(own))[0].whole("backup_set_id")
        return (plan_member(group_place(group, own, _servers(found)), database, newest),)

    def plan_seeding_mode(self, group: str, secondary: str, mode: str) -> tuple[Change, ...]:
        """Return the change of SEEDING_MODE ("automatic" or "manual") with the grant it needs; () where it is so.

        CREATE ANY DATABASE is denied again by undo only where nothing shows that it was granted before.

        Raises:
            BadInput: another mode, no such secondary, or a version before SQL Server 2016.
        """
        if mode not in _MODES:
            raise BadInput(_("seeding mode {mode} is not one of {known}").format(mode=mode, known=", ".join(_MODES)))
        found = find_group(self._session, group)
        replica = find_secondary(found, secondary)
        check_known(found, replica)
        original = replica.seeding_mode
        if not original:
            check_direct(SeedingMethod.DIRECT, secondary, original)
        if original == mode:
            return ()
        own = self._session.own_server
        there = self._session.run(
            "seeding_requirements_secondary", master(secondary), group_name=group, database_name=""
        )
        place = group_place(group, own, _servers(found))
        was_granted = original == "automatic" or there[0].whole("seeded_before") == 1
        return (
            plan_seeding(self._executor, place, secondary, original.upper(), mode.upper(), was_granted=was_granted),
        )

    def plan_event_session(self, owner: str) -> tuple[Change, ...]:
        """Return the change that makes and starts the extended events session on seeding; undo drops it.

        Raises:
            BadInput: a session of this owner exists.
        """
        check_owner(owner)
        own, name = self._session.own_server, session_name(owner)
        details = (("server", own), ("session_name", name))
        if self._events.read(dict(details)) is not None:
            raise BadInput(
                _("{server} already has an event session {name}; undo what created it first").format(
                    server=own, name=name
                )
            )
        return (self._events.plan(details),)

    def events(self, owner: str) -> tuple[SeedingEvent, ...]:
        """Read the events of the extended events session, oldest first."""
        rows = self._session.run("seeding_events", master(self._session.own_server), session_name=session_name(owner))
        return tuple(read_as(SeedingEvent, row) for row in rows)

    def start(self, method: SeedingMethod, group: str, database: str, secondary: str, options: BackupOptions) -> None:
        """Begin to seed; returns as soon as the servers work on it. Backups are COPY_ONLY with CHECKSUM.

        The database must be in the group; a direct method needs the seeding mode "automatic", and a seeding that has
        begun by itself is taken for the one started; backup and restore need "manual", or it would be seeded directly.

        Raises:
            BadInput: no copy can be made now: no room, simple recovery, a copy is there, or unusable options.
            FailedOver: another server is primary now.
        """
        requirements = self.requirements(group, database, secondary, options.folder)
        check_requirements(database, secondary, requirements)
        run = self._progress.begin(method, group, database, secondary, options)
        if method is SeedingMethod.BACKUP_RESTORE:
            check_backup(database, secondary, options, requirements)
            self._refuse_existing(secondary, database)
            self._start_backup(database, secondary, options)
        else:
            check_direct(method, secondary, requirements.seeding_mode)
            if not self._progress.has_begun(run):
                self._refuse_existing(secondary, database)
                self._seed_again(group, secondary)
        self._runs[(group, database, secondary)] = run

    def past_readings(self, server: str, elapsed_s: float, database: str) -> PastReadings:
        """Return a server's readings about the last seconds; backups of this database and its job do not count."""
        return past_readings(self._session, server, elapsed_s, own_subjects={database, job_name(database)})

    def sample(self, group: str, database: str, secondary: str) -> SeedingSample:
        """Read how far it is; where the backups have ended, this starts restoring them."""
        key = (group, database, secondary)
        sample, self._runs[key] = self._progress.sample(self._run(key))
        return sample

    def steps(self, group: str, database: str, secondary: str) -> tuple[SeedingStep, ...]:
        """Read the steps of the newest seeding, from backup and job history or the seeding views."""
        return self._progress.steps(self._run((group, database, secondary)))

    def _run(self, key: _Key) -> SeedingRun:
        """Return the seeding started here; one started elsewhere is read as a direct one."""
        group, database, secondary = key
        seeding_run = self._runs.get(key)
        return seeding_run or SeedingRun(
            SeedingMethod.DIRECT,
            group,
            database,
            secondary,
            BackupOptions(""),
            old_operation="",
            read_bytes=0,
            sent_bytes=0,
        )

    def _start_backup(self, database: str, secondary: str, options: BackupOptions) -> None:
        own = self._session.own_server
        for server in (own, secondary):
            self._session.run("remove_seeding_job", master(server), job_name=job_name(database))
        self._session.run(
            "start_backup_job",
            master(own),
            job_name=job_name(database),
            database_name=database,
            backup_name=BACKUP_NAME,
            file_stem=file_stem(options.folder, database),
            stripes=options.stripes,
            buffer_count=options.buffer_count,
            transfer_bytes=int(convert(options.max_transfer_kb, "KiB", "bytes")),
            compression=options.compression,
        )

    def _seed_again(self, group: str, secondary: str) -> None:
        own = self._session.own_server
        rows = self._session.run(
            "set_seeding_mode",
            master(own),
            group_name=group,
            replica_server=secondary,
            mode="AUTOMATIC",
            again=1,
            expected="AUTOMATIC",
        )
        if rows[0].whole("is_primary") == 0:
            raise failed_over(group, own, "")

    def _refuse_existing(self, server: str, database: str) -> None:
        if find_database(self._session, server, database) is not None:
            raise BadInput(
                _("{server} has a database {database} already; choose another name, or remove that one by hand").format(
                    server=server, database=database
                )
            )

    def _refuse_full(self, server: str, size_mb: int) -> None:
        volumes = read_volumes(self._session, server)
        free_mb = max((volume.free_mb for volume in volumes), default=0.0)
        if free_mb < size_mb * 1.2:
            raise BadInput(
                _(
                    "{server} has {free:,.0f} MB free, and a test database of {size:,} MB needs {need:,.0f} MB there"
                ).format(server=server, free=free_mb, size=size_mb, need=size_mb * 1.2)
            )


def _servers(group: AvailabilityGroup) -> tuple[str, ...]:
    """Return the servers of the replicas that hold databases."""
    return tuple(r.server for r in group.replicas if r.mode is not CommitMode.CONFIGURATION_ONLY)
