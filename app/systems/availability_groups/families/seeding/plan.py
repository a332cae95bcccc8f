"""What a trial of seeding does, step by step."""

from app.domain.limits import usual_limits
from app.domain.load import complete_load
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.units import convert
from app.systems.availability_groups.copies import BackupOptions, SeedingMethod
from app.systems.availability_groups.families.seeding.parameters import (
    BUFFERCOUNT,
    LOAD_FIELDS,
    MAXTRANSFERSIZE,
    SEEDING_METHOD,
    STRIPES,
)
from app.systems.availability_groups.limits import SEEDING_LIMITS
from app.systems.availability_groups.seeding_steps import (
    TEST_DATABASE,
    AllowSeeding,
    CompressSeeding,
    HoldSeeding,
    JoinAtPrimary,
    MakeTestDatabase,
    RecordSeedingEvents,
    RemoveCopy,
    SeedDatabase,
)

# The published study moved about 100 MB each second by backup and restore, its slower method.
ROUGH_MB_PER_S = 100.0
# Joining, leaving, dropping the copy.
ROUGH_PREPARATION_S = 15.0


def default_plan() -> Plan:
    """Return the three methods over a test database."""
    return Plan(
        family="seeding",
        factors=(Factor(SEEDING_METHOD.name, SEEDING_METHOD.levels),),
        baseline=Setting.of(seeding_method=SEEDING_METHOD.default),
        design=Design(confirm_blocks=0, further_blocks=0),
        limits=usual_limits(SEEDING_LIMITS),
        load=complete_load(LOAD_FIELDS, {}, "the default plan"),
    )


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
    )


def trial_steps(plan: Plan, setting: Setting) -> tuple[Step, ...]:
    """Return the steps of one trial; what is made once for the run is found there by later trials."""
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
    """Return a rough duration of one trial, preparation included, seconds; a named database has no known size yet."""
    return ROUGH_PREPARATION_S + plan.load.whole("database_mb") / ROUGH_MB_PER_S
