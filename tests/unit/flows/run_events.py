"""Events of a small run as the runner tells them, for the flows that show one."""

from datetime import UTC, datetime, timedelta

from app.domain.change import Change
from app.domain.events import RunEvent, RunFinished, RunStarted, RunStatus, SamplesTaken, TrialFinished, TrialStarted
from app.domain.measurement import Measurement, Sample, TrialResult, TrialStatus
from app.domain.plan import Factor, Phase, Plan, TrialSpec
from app.domain.setting import Setting
from app.flows.run.run_state import RunState
from app.systems.transactional_replication.families.distribution_agent import FAMILY

BEGAN = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
AT = datetime(2026, 11, 21, 9, 30, 5, tzinfo=UTC)
AGENT = "PUB1-Sales-SUB1-1"

PLAN = Plan(
    FAMILY.family_id, (Factor("SubscriptionStreams", (1, 8)),), Setting.from_mapping({"SubscriptionStreams": 1})
)


def new_state() -> RunState:
    """Return the state of a run not yet started."""
    return RunState({FAMILY.family_id: FAMILY})


def change(original: str = "not set", new: str = "8", subject: str = "-SubscriptionStreams") -> Change:
    """Return one change."""
    return Change("job_step_token", subject, original, new, (("value", new),), "-- apply", "-- undo")


def started(target: str = "lab") -> RunStarted:
    """Return the start of the run."""
    return RunStarted("E1", PLAN, target, BEGAN)


def trial_started(order: int, streams: int, phase: Phase = Phase.EXPLORE, planned: int = 4) -> TrialStarted:
    """Return the start of one trial."""
    return TrialStarted("E1", TrialSpec(f"E1-T{order:03d}", order, 1, phase, _setting(streams)), planned)


def readings(order: int, offset_s: float, delivered: float, progress: float = 0.5) -> SamplesTaken:
    """Return one tick of readings."""
    samples = (
        Sample("pending in the log", offset_s, 0, "transactions"),
        Sample(f"{AGENT}: delivered", offset_s, delivered, "commands"),
        Sample(f"{AGENT}: latency", offset_s, 120.0, "ms"),
    )
    return SamplesTaken("E1", f"E1-T{order:03d}", samples, progress)


def trial_finished(
    order: int,
    streams: int,
    seconds: float = 100.0,
    *,
    status: TrialStatus = TrialStatus.USED,
    phase: Phase = Phase.EXPLORE,
    checks: tuple[str, ...] = (),
) -> TrialFinished:
    """Return the end of one trial, measured where it was not aborted."""
    trial_id = f"E1-T{order:03d}"
    measured = Measurement(
        FAMILY.family_id, trial_id, (order + 1) // 2, "run_time", seconds, "s", _setting(streams), phase=phase
    )
    result = TrialResult(
        trial_id=trial_id,
        block=(order + 1) // 2,
        phase=phase,
        setting=_setting(streams),
        status=status,
        failed_checks=checks,
        measurements=() if status is TrialStatus.ABORTED else (measured,),
        samples=(),
        started_utc=BEGAN,
        finished_utc=BEGAN + timedelta(seconds=60 * order),
    )
    return TrialFinished("E1", result)


def finished(
    status: RunStatus = RunStatus.SUCCEEDED, reason: str = "complete", not_restored: tuple[str, ...] = ()
) -> RunFinished:
    """Return the end of the run."""
    return RunFinished("E1", status, reason, BEGAN + timedelta(hours=1), not_restored)


def told(*events: RunEvent, now_s: float = 10.0) -> RunState:
    """Return a state that was started at 0 s and told events."""
    state = new_state()
    state.start(0.0)
    state.take(events, AT, now_s)
    return state


def _setting(streams: int) -> Setting:
    return Setting.from_mapping({"SubscriptionStreams": streams})
