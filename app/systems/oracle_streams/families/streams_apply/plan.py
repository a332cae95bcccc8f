"""The trial of a Streams pipeline, step by step."""

from typing import Final

from app.domain.plan import Plan
from app.domain.setting import Setting
from app.domain.step import Step
from app.domain.units import convert
from app.domain.work_source import WorkSource, work_source_of
from app.runner.bench.windows import FIRST_WINDOW_S, USUAL_SWITCH_S
from app.systems.oracle_streams.families.streams_apply.load import (
    OPERATION,
    ROWS,
    ROWS_PER_COMMIT,
    TRACE,
    YES,
)
from app.systems.oracle_streams.pipeline import INSERT, UPDATE
from app.systems.oracle_streams.readings import DESTINATION_AGE
from app.systems.oracle_streams.rig.rest import WaitForRest
from app.systems.oracle_streams.rig.trial import (
    MakeTestTable,
    MeasureLoad,
    SetParameters,
    StartApply,
    StopApply,
    TraceUpdates,
)
from app.systems.oracle_streams.rig.window import GatherWork, MeasureWindow

# The published tests applied about 110,000 messages a minute in small transactions, and 14,000 to 33,000 in large ones.
ROUGH_SMALL_S_PER_ROW = 0.54e-3
ROUGH_LARGE_S_PER_ROW = 3.0e-3
SMALL_TRANSACTION_ROWS = 10_000
# Stopping and starting the apply process, and the time redo needs to reach an idle capture process.
ROUGH_PREPARATION_S = 90.0

TRACED_ROWS: Final = 1_000
TRACED_ROWS_PER_COMMIT: Final = 20


def load_of(plan: Plan) -> MeasureLoad:
    """Return the rows a trial writes; a transaction holds at most all of them."""
    rows = plan.load.whole(ROWS)
    return MeasureLoad(plan.load.text(OPERATION), rows, min(rows, plan.load.whole(ROWS_PER_COMMIT)))


def trial_steps(plan: Plan, setting: Setting) -> tuple[Step, ...]:
    """Return the steps of one trial.

    On the client's own work: a window, of which nothing is written. Else the table once, parameters while the apply
    process stands, then the load.
    """
    source = work_source_of(plan.load)
    if source.is_own_work:
        gather = (GatherWork(),) if source is WorkSource.HELD else (StopApply(),)
        return (*gather, SetParameters(setting), MeasureWindow(source, setting == plan.baseline))
    load = load_of(plan)
    filled = load.rows if load.operation == UPDATE else 0
    steps = (MakeTestTable(filled), StopApply(), SetParameters(setting), StartApply(), load)
    if plan.load.text(TRACE) != YES:
        return steps
    traced = min(TRACED_ROWS, load.rows)
    return (*steps, TraceUpdates(traced, min(traced, TRACED_ROWS_PER_COMMIT)))


def keep_steps(plan: Plan, setting: Setting) -> tuple[Step, ...]:
    """Return the steps after which the apply process works with a setting on the client's own work; () for a test
    table's plan."""
    if not work_source_of(plan.load).is_own_work:
        return ()
    return (StopApply(), SetParameters(setting), StartApply())


def rest_steps(plan: Plan) -> tuple[Step, ...]:
    """Return the steps that wait until the client's backlog is applied; () for a test table's plan."""
    return (WaitForRest(),) if work_source_of(plan.load).is_own_work else ()


def estimate_trial_s(plan: Plan) -> float:
    """Return a rough duration of one trial, preparation included, seconds."""
    if work_source_of(plan.load).is_own_work:
        is_held = work_source_of(plan.load) is WorkSource.HELD
        return FIRST_WINDOW_S + USUAL_SWITCH_S + (plan.limits.get(DESTINATION_AGE.name, 0.0) if is_held else 0.0)
    load = load_of(plan)
    each_s = ROUGH_SMALL_S_PER_ROW if load.rows_per_commit <= SMALL_TRANSACTION_ROWS else ROUGH_LARGE_S_PER_ROW
    return ROUGH_PREPARATION_S + load.rows * each_s


def table_size_mb(plan: Plan, trials: int) -> float:
    """Return about how large the test table grows at each database, MB: 300 bytes a row with its key."""
    load = load_of(plan)
    rows = load.rows * (trials if load.operation == INSERT else 1)
    return convert(rows * 300, "bytes", "MB")
