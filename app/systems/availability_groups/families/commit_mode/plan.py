"""The trial of the commit mode, step by step."""

from app.analysis.plan_settings import plan_settings
from app.domain.load import Load
from app.domain.plan import Plan
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.work_source import work_source_of
from app.systems.availability_groups.commit_steps import (
    DEFAULT,
    MakeTestTables,
    SetCommitMode,
    SetGroupCommitTime,
    SetLogCompression,
    WaitSynchronized,
)
from app.systems.availability_groups.commit_traffic import MeasureTraffic, window_of
from app.systems.availability_groups.commit_trial import MeasureShapes, Shape
from app.systems.availability_groups.families.commit_mode.parameters import (
    AVAILABILITY_MODE,
    GROUP_COMMIT_TIME,
    INSERTS,
    LOG_STREAM_COMPRESSION,
    PARAMETERS,
    SYNC,
)
from app.systems.availability_groups.groups import CommitMode

# The published study wrote a row in about 8 µs and an insert in about 2.5 ms, three quarters more when synchronous.
ROUGH_ROW_S = 15e-6
ROUGH_INSERT_S = 3.5e-3
# Making test tables, switching modes and catching up again.
ROUGH_PREPARATION_S = 20.0


def mode_of(setting: Setting) -> CommitMode:
    """Return the mode of an arm; where only the time commits are grouped for is varied, they wait for a secondary."""
    usual = SYNC if GROUP_COMMIT_TIME.name in setting else AVAILABILITY_MODE.default
    return CommitMode(str(setting.get(AVAILABILITY_MODE.name, usual)))


def compression_of(setting: Setting) -> str:
    """Return an arm's compression: "default", "on" or "off"."""
    return str(setting.get(LOG_STREAM_COMPRESSION.name, DEFAULT))


def commit_time_of(setting: Setting) -> int:
    """Return for how long an arm groups commits, ms; 0 for the server's own choice."""
    return int(setting.get(GROUP_COMMIT_TIME.name, GROUP_COMMIT_TIME.default))


def shapes_of(load: Load) -> tuple[Shape, ...]:
    """Return the shapes of a plan, by falling rows per insert; a share of a row counts as one."""
    rows = load.whole("rows_total")
    return tuple(Shape(inserts, max(1, rows // inserts)) for inserts in sorted(load.wholes(INSERTS)))


def database_of(load: Load, mode: CommitMode) -> str:
    """Return the database an arm is measured in."""
    if mode is CommitMode.STANDALONE:
        return load.text("standalone_database")
    if mode is CommitMode.SYNCHRONOUS and load.text("sync_database"):
        return load.text("sync_database")
    return load.text("database")


def unprotected_s(plan: Plan) -> float:
    """Return for how long commits wait for no secondary in all, at a group that is synchronous otherwise, seconds."""
    arms = plan_settings(plan, PARAMETERS)
    open_arms = sum(mode_of(arm) is not CommitMode.SYNCHRONOUS for arm in arms)
    return open_arms * plan.design.blocks * estimate_trial_s(plan)


def trial_steps(plan: Plan, setting: Setting) -> tuple[Step, ...]:
    """Return the steps of one trial: tables once, then mode and compression of the arm, then the shapes.

    On the client's own load nothing is written: mode and compression, then a window.
    """
    load, mode = plan.load, mode_of(setting)
    grouped = (SetGroupCommitTime(commit_time_of(setting)),) if GROUP_COMMIT_TIME.name in setting else ()
    if work_source_of(load).is_own_work:
        database, secondary = load.text("database"), load.text("secondary")
        return (
            SetCommitMode(database, secondary, mode),
            SetLogCompression(mode, compression_of(setting)),
            *grouped,
            WaitSynchronized(database, secondary),
            MeasureTraffic(database, mode, window_of(load), load.number("settle_s")),
        )
    database, shapes = database_of(load, mode), shapes_of(load)
    tables = MakeTestTables(database, max(shape.rows_per_insert for shape in shapes))
    measure = MeasureShapes(
        database, mode, shapes, load.whole("loops"), load.number("budget_s"), load.number("settle_s")
    )
    if mode is CommitMode.STANDALONE:
        return tables, measure
    secondary = "" if database != load.text("database") else load.text("secondary")
    return (
        tables,
        SetCommitMode(database, secondary, mode),
        SetLogCompression(mode, compression_of(setting)),
        *grouped,
        WaitSynchronized(database, secondary),
        measure,
    )


def keep_steps(plan: Plan, setting: Setting) -> tuple[Step, ...]:
    """Return the steps after which the client's own commits run with a setting; () for a test table's plan.

    Of several secondaries those that are not under test go on as they are where commits wait for one.
    """
    load, mode = plan.load, mode_of(setting)
    if not work_source_of(load).is_own_work:
        return ()
    switched = trial_steps(plan, setting)[:-1]
    return (SetCommitMode(load.text("database"), load.text("secondary"), mode, leaves_others=True), *switched[1:])


def estimate_trial_s(plan: Plan) -> float:
    """Return a rough duration of one trial, preparation included, seconds."""
    load = plan.load
    if work_source_of(load).is_own_work:
        return ROUGH_PREPARATION_S + load.number("settle_s") + window_of(load)
    loop_s = sum(
        min(
            shape.inserts * (ROUGH_INSERT_S + shape.rows_per_insert * ROUGH_ROW_S),
            max(load.number("budget_s"), ROUGH_INSERT_S + shape.rows_per_insert * ROUGH_ROW_S),
        )
        for shape in shapes_of(load)
    )
    return ROUGH_PREPARATION_S + load.number("settle_s") + load.whole("loops") * loop_s
