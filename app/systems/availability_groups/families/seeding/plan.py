"""The trial of seeding, step by step."""

from app.analysis.plan_settings import plan_settings
from app.domain.load import Load
from app.domain.plan import Plan
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.units import convert
from app.systems.availability_groups.copies import BackupOptions, SeedingMethod
from app.systems.availability_groups.families.seeding.parameters import (
    BACKUP_COMPRESSION,
    BUFFERCOUNT,
    MAXTRANSFERSIZE,
    PARAMETERS,
    SEEDING_METHOD,
    STRIPES,
)
from app.systems.availability_groups.seeding_members import TEST_DATABASE
from app.systems.availability_groups.seeding_steps import (
    AllowSeeding,
    CompressSeeding,
    HoldSeeding,
    JoinAtPrimary,
    MakeTestDatabase,
    RecordSeedingEvents,
    RemoveCopy,
)
from app.systems.availability_groups.seeding_trial import SeedDatabase

# The published study moved about 100 MB each second by backup and restore, its slower method.
ROUGH_MB_PER_S = 100.0
# What it sent over the network for each megabyte that compresses: 880 of 2,200 Mb/s in the same time under trace flag
# 9567, and 154.5 Mb/s for 1,030 s against 2,200 Mb/s for 480 s from a compressed backup.
ROUGH_SENT_SHARE = {
    SeedingMethod.BACKUP_RESTORE: 0.15,
    SeedingMethod.DIRECT: 1.0,
    SeedingMethod.DIRECT_COMPRESSED: 0.4,
}
# Joining, leaving, dropping the copy.
ROUGH_PREPARATION_S = 15.0


def method_of(setting: Setting) -> SeedingMethod:
    """Return the method of a setting."""
    return SeedingMethod(str(setting.get(SEEDING_METHOD.name, SEEDING_METHOD.default)))


def options_of(setting: Setting, folder: str) -> BackupOptions:
    """Return the options of the backup path; MAXTRANSFERSIZE is given in bytes."""
    return BackupOptions(
        folder=folder,
        stripes=int(setting.get(STRIPES.name, STRIPES.default)),
        buffer_count=int(setting.get(BUFFERCOUNT.name, BUFFERCOUNT.default)),
        max_transfer_kb=int(convert(int(setting.get(MAXTRANSFERSIZE.name, MAXTRANSFERSIZE.default)), "bytes", "KiB")),
        compression=str(setting.get(BACKUP_COMPRESSION.name, BACKUP_COMPRESSION.default)),
    )


def trial_steps(plan: Plan, setting: Setting) -> tuple[Step, ...]:
    """Return the steps of one trial; objects made once for the run are found there by later trials."""
    load, method = plan.load, method_of(setting)
    database = load.text("database") or TEST_DATABASE
    made: tuple[Step, ...] = ()
    if not load.text("database"):
        made = (MakeTestDatabase(database, load.whole("database_mb"), load.number("compressible_share")),)
    prepared: tuple[Step, ...] = (JoinAtPrimary(database),)
    if method is not SeedingMethod.BACKUP_RESTORE:
        prepared = (
            CompressSeeding(method is SeedingMethod.DIRECT_COMPRESSED, load.number("settle_s")),
            JoinAtPrimary(database),
            AllowSeeding(),
        )
    folder = load.text("backup_folder") if method is SeedingMethod.BACKUP_RESTORE else ""
    measured = SeedDatabase(method, database, options_of(setting, folder), load.number("watch_s"))
    # the events first: by their session whoever comes after a lost one sees what else it made
    return (RecordSeedingEvents(), *made, HoldSeeding(), *prepared, measured, RemoveCopy(database))


def estimate_trial_s(plan: Plan) -> float:
    """Return a rough duration of one trial, preparation included, seconds; the size is that of the plan.

    A line whose bandwidth is given makes it longer where it is the slower part. Of a named database nobody knows what
    compresses, so none of it counts as such, and what was written meanwhile may be redone for as long as is watched.
    """
    load, settings = plan.load, plan_settings(plan, PARAMETERS)
    share, redo_s = (0.0, load.number("watch_s")) if load.text("database") else (load.number("compressible_share"), 0.0)
    seeded_s = sum(_seeded_s(load, method_of(setting), share) for setting in settings) / len(settings)
    return ROUGH_PREPARATION_S + seeded_s + redo_s


def _seeded_s(load: Load, method: SeedingMethod, compressible_share: float) -> float:
    size_mb, link_mbps = load.number("database_mb"), load.number("link_mbps")
    sent_mb = size_mb * (1 - compressible_share + compressible_share * ROUGH_SENT_SHARE[method])
    sent_s = sent_mb / convert(link_mbps, "Mbps", "MB/s") if link_mbps else 0.0
    return max(size_mb / ROUGH_MB_PER_S, sent_s)
