"""The client's own backlog while windows eat on in it: how it fell, under which settings, and when it is caught up."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.analysis.forecast import CaughtUp, caught_up, forecast
from app.analysis.leading import confirmed_setting, leading_setting
from app.domain.comparison import Forecast
from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.domain.measurement import BACKLOG, Metric, Sample, TrialResult, TrialStatus
from app.domain.metrics import ARRIVALS
from app.domain.plan import Phase, Plan
from app.domain.setting import Setting
from app.domain.work_source import work_source_of


@dataclass(frozen=True)
class Stretch:
    """The backlog while one setting was at work.

    Attributes:
        at, commands: equally long, not empty, in order.
    """

    setting: Setting
    phase: Phase
    at: tuple[datetime, ...]
    commands: tuple[float, ...]


def stretch_of(setting: Setting, phase: Phase, samples: Iterable[Sample], since: datetime) -> Stretch | None:
    """Return the backlog in some readings of a window, None where none tells it.

    Args:
        since: when measuring began.
    """
    told = [(since + timedelta(seconds=s.offset_s), s.value) for s in samples if s.stream == BACKLOG]
    if not told:
        return None
    at, commands = zip(*told, strict=True)
    return Stretch(setting, phase, at, commands)


def stretches_of(trials: Iterable[TrialResult]) -> tuple[Stretch, ...]:
    """Return the backlog in each window that told it, used or not; the last reading of a window ends it."""
    found = []
    for trial in trials:
        last_s = max((s.offset_s for s in trial.samples if s.stream == BACKLOG), default=0.0)
        since = trial.finished_utc - timedelta(seconds=last_s)
        found.append(stretch_of(trial.setting, trial.phase, trial.samples, since))
    return tuple(stretch for stretch in found if stretch is not None)


def is_own_backlog(plan: Plan) -> bool:
    """Tell whether a plan works off a backlog of the client's, one that waited or one that is held."""
    source = work_source_of(plan.load)
    return source.is_own_work and source.shows_capacity


def backlog_uncounted(family: ExperimentFamily, plan: Plan | None) -> str:
    """Return why no end of the client's backlog is forecast; "" where one is, and for other work."""
    return family.backlog_uncounted if plan is not None and is_own_backlog(plan) else ""


@dataclass(frozen=True)
class Promise:
    """When a backlog is caught up under a setting, from a moment on at which so much waits."""

    forecast: Forecast
    since: datetime
    ends: CaughtUp


@dataclass(frozen=True)
class CatchingUp:
    """The forecast of a backlog that is measured on.

    Attributes:
        chosen: from now on, under the setting that is best so far, or was confirmed.
        left: from the beginning, as if nothing had been tried; None where the baseline was not measured.
    """

    chosen: Promise
    left: Promise | None

    @property
    def is_as_it_was(self) -> bool:
        """Whether the setting chosen is the one that was there."""
        return self.left is not None and self.left.forecast.setting == self.chosen.forecast.setting


def catching_up(
    metric: str, trials: Sequence[TrialResult], stretches: Sequence[Stretch], baseline: Setting, chosen: Setting
) -> CatchingUp | None:
    """Return the forecast of a run's backlog by the rates of its windows, None where they do not tell it.

    As much goes on arriving as arrived in the windows so far.

    Args:
        metric: name of the rate.
        trials: windows so far. stretches: the backlog in them, the present one perhaps last.
    """
    measured = [m for trial in trials if trial.status is TrialStatus.USED for m in trial.measurements]
    rates = [m for m in measured if m.metric == metric]
    arrivals = [m.value for m in measured if m.metric == ARRIVALS.name]
    if not stretches or not any(m.setting == chosen for m in rates):
        return None
    inflow_per_s = sum(arrivals) / len(arrivals) if arrivals else 0.0

    def promise(setting: Setting, commands: float, since: datetime) -> Promise:
        told = forecast(rates, setting, max(0, round(commands)), inflow_per_s)
        return Promise(told, since, caught_up(told, since))

    first, last = stretches[0], stretches[-1]
    try:
        ahead = promise(chosen, last.commands[-1], last.at[-1])
    except BadInput:  # no rate of commands
        return None
    is_known = any(m.setting == baseline for m in rates)
    return CatchingUp(ahead, promise(baseline, first.commands[0], first.at[0]) if is_known else None)


@dataclass(frozen=True)
class InWindows:
    """A backlog that windows delivered to its end, and the forecast made on the way.

    Attributes:
        promise: for one setting alone.
        came: when the last window found nothing left.
        windows: since the forecast. others: those of them with another setting.
    """

    promise: Promise
    came: datetime
    windows: int
    others: int


def in_windows(metric: Metric, trials: Sequence[TrialResult], baseline: Setting) -> InWindows | None:
    """Return how a backlog ended that the last window found delivered, None where nothing had been forecast.

    The forecast is the first with a band: once confirming began, or before it where that never did.

    Args:
        trials: in order, the last one broken off as nothing was left.
    """
    confirmed = confirmed_setting(trials, baseline)
    first = next((n for n, trial in enumerate(trials) if trial.phase is Phase.CONFIRM), 1)
    for count in range(max(1, first), len(trials)):
        before, since = trials[:count], trials[count:]
        chosen = confirmed or leading_setting(metric, before, baseline)
        if chosen is None:
            continue
        ahead = catching_up(metric.name, before, stretches_of(before), baseline, chosen)
        if ahead is not None and ahead.chosen.ends.latest is not None:
            others = sum(trial.setting != chosen for trial in since)
            return InWindows(ahead.chosen, trials[-1].finished_utc, len(since), others)
    return None
