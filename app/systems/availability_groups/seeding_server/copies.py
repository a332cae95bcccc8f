"""A database as its servers report it: places, group, and the requirements before it is seeded."""

from typing import Final

from app.domain.errors import BadInput
from app.domain.units import convert, convert_known
from app.drivers.sqlserver.session import Session
from app.foundation.texts import _
from app.model.reading import read_as
from app.systems.availability_groups.copies import BackupOptions, SeedingMethod, SeedingRequirements
from app.systems.availability_groups.groups import AvailabilityGroup, Replica, ServerDatabase
from app.systems.availability_groups.seeding_server.file_places import read_moved_files
from app.systems.availability_groups.server.checks import check_connected
from app.systems.availability_groups.server.discovery import read_databases, read_groups, read_volumes
from app.systems.availability_groups.server.replicas import failed_over, master

# The copy has the size of the data in use, the log, and some room.
_ROOM: Final = 1.1
_MOST_STRIPES: Final = 64
_TRANSFER_KB: Final = (64, 4096)


def find_database(session: Session, server: str, name: str) -> ServerDatabase | None:
    """Return a database of a server, None where there is none of that name."""
    return next((row for row in read_databases(session, server) if row.name == name), None)


def find_group(session: Session, name: str) -> AvailabilityGroup:
    """Return a group with its replicas as the server this target was opened with knows them.

    Raises:
        BadInput: there is no such group.
        FailedOver: another server is primary now.
    """
    own = session.own_server
    group = next((group for group in read_groups(session, own) if group.name == name), None)
    if group is None:
        raise BadInput(_("{server} has no availability group {group}").format(server=own, group=name))
    if group.primary != own:
        raise failed_over(name, own, group.primary)
    return group


def find_secondary(group: AvailabilityGroup, server: str) -> Replica:
    """Return one secondary.

    Raises:
        BadInput: it is no secondary of the group, or not connected.
    """
    replica = group.replica_at(server)
    if replica is None or server == group.primary:
        others = [other.server for other in group.replicas if other.server != group.primary]
        raise BadInput(
            _("{server} is no secondary of group {group}; choose one of {known}").format(
                server=server, group=group.name, known=", ".join(others) or _("none")
            )
        )
    check_connected(group, replica)
    return replica


def read_requirements(session: Session, group: str, database: str, secondary: str, folder: str) -> SeedingRequirements:
    """Read the requirements for a seeding."""
    mode = find_secondary(find_group(session, group), secondary).seeding_mode
    own = session.own_server
    row = session.run("seeding_requirements", master(own), group_name=group, database_name=database)[0]
    there = session.run("seeding_requirements_secondary", master(secondary), group_name=group, database_name=database)[
        0
    ]
    return read_as(
        SeedingRequirements,
        row,
        database_mb=convert(row.whole_or("used_kb", 0), "KiB", "MB"),
        free_secondary_mb=convert_known(there.number_or_none("free_bytes"), "bytes", "MB"),
        free_backup_mb=_free_at(session, own, folder),
        seeding_mode=mode,
        # The grant itself cannot be read: a replica set to automatic, or seeded before, has it.
        may_create_any=mode == "automatic" or there.whole("seeded_before") == 1,
        unknown_folders=tuple(dict.fromkeys(f.folder for f in read_moved_files(session, database, secondary))),
    )


def check_requirements(database: str, secondary: str, requirements: SeedingRequirements) -> None:
    """Raise BadInput for a database that cannot join a group, or a secondary that has no room for it."""
    if not requirements.recovery_model:
        raise BadInput(_("there is no database {database} at the primary replica").format(database=database))
    if requirements.recovery_model != "FULL":
        raise BadInput(
            _(
                "database {database} is in recovery model {model}; only FULL can join an availability group: "
                "change it and take a full backup first"
            ).format(database=database, model=requirements.recovery_model)
        )
    if requirements.last_full_backup is None:
        raise BadInput(
            _("database {database} has no full backup that log backups build on; take one first").format(
                database=database
            )
        )
    need_mb = requirements.database_mb * _ROOM
    if requirements.free_secondary_mb is not None and requirements.free_secondary_mb < need_mb:
        raise BadInput(
            _("{server} has {free:,.0f} MB free, and database {database} needs {need:,.0f} MB there; make room").format(
                server=secondary, free=requirements.free_secondary_mb, database=database, need=need_mb
            )
        )


def check_backup(database: str, secondary: str, options: BackupOptions, requirements: SeedingRequirements) -> None:
    """Raise BadInput where automatic seeding would come first, for options BACKUP does not take, or without room."""
    if requirements.seeding_mode == "automatic":
        raise BadInput(
            _(
                "backup and restore to {server} need its SEEDING_MODE to be MANUAL first, else it is seeded directly"
            ).format(server=secondary)
        )
    if "$(" in options.folder + database:
        raise BadInput(
            _(
                '"$(" in the name of database {database} or of folder {folder} has a meaning in a job; use another name'
            ).format(database=database, folder=options.folder)
        )
    if not options.folder:
        raise BadInput(_("backup and restore need a folder or share that both servers reach; name one"))
    _check_options(options)
    if requirements.free_backup_mb is not None and requirements.free_backup_mb < requirements.database_mb:
        raise BadInput(
            _("folder {folder} has {free:,.0f} MB free, and the backup may need {need:,.0f} MB; choose another").format(
                folder=options.folder, free=requirements.free_backup_mb, need=requirements.database_mb
            )
        )


def _check_options(options: BackupOptions) -> None:
    """Raise BadInput for options that BACKUP does not take."""
    low, high = _TRANSFER_KB
    transfer_kb = options.max_transfer_kb
    if not 1 <= options.stripes <= _MOST_STRIPES:
        raise BadInput(
            _("a backup is split over 1 to {most} files, not {given}").format(most=_MOST_STRIPES, given=options.stripes)
        )
    if options.buffer_count < 0 or (transfer_kb and (not low <= transfer_kb <= high or transfer_kb % low)):
        raise BadInput(
            _(
                "BUFFERCOUNT {buffers} or MAXTRANSFERSIZE {transfer} KB cannot be used; the second is {low} to "
                "{high} KB in steps of {low}"
            ).format(buffers=options.buffer_count, transfer=transfer_kb, low=low, high=high)
        )


def check_direct(method: SeedingMethod, secondary: str, mode: str) -> None:
    """Raise BadInput where automatic seeding is not on, or not known to the version."""
    if not mode:
        raise BadInput(
            _("{server} knows no automatic seeding; it begins with SQL Server 2016, use backup and restore").format(
                server=secondary
            )
        )
    if mode != "automatic":
        raise BadInput(
            _("{method} to {server} needs its SEEDING_MODE to be AUTOMATIC first; it is {mode}").format(
                method=method, server=secondary, mode=mode.upper()
            )
        )


def _free_at(session: Session, server: str, folder: str) -> float | None:
    """Return the free space of a folder on a volume with database files; of any other the server says nothing."""
    holding = [volume for volume in read_volumes(session, server) if folder.lower().startswith(volume.volume.lower())]
    return max(holding, key=lambda volume: len(volume.volume)).free_mb if folder and holding else None
