"""How long a run takes: the expected time of its trials, and the longest time agreed to.

The time told before a run is a bound, the same number in every place: by the family's rough rates, by the site
(`RigKind.trial_time`), or by the trials a run has kept. It stands in the plan of each start (`Plan.most_s`), and
`runner.time_agreed` ends trials there; pauses and waits for a DBA do not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.analysis.most_trials import most_trials
from app.analysis.plan_settings import plan_settings
from app.domain.cost import TrialTime
from app.domain.family import ExperimentFamily, Site
from app.domain.limits import RESTORED_BY, RUN_DURATION
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Plan
from app.domain.setting import Setting
from app.domain.system import rig_of
from app.foundation.clock import Clock, SystemClock
from app.runner.time_agreed import seconds_until

_SPARE_SHARE: Final = 0.5
_LEAST_SPARE_S: Final = 600.0  # what hangs once may take that long, however short the trials are
_LEAST_SPARE_OF_TRIAL_S: Final = 60.0  # what is stopped, started and waited for, which counts where trials are short


@dataclass(frozen=True)
class RunTime:
    """How long a run takes.

    Attributes:
        trial: of one trial.
        is_measured: that is what trials of this run took; else it is estimated.
        all_s: with every trial that may follow, as expected.
        most_s: a run ends there whatever its trials take, with everything put back: what is agreed to.
    """

    trial: TrialTime
    is_measured: bool
    all_s: float
    most_s: float


def run_time(
    plan: Plan,
    family: ExperimentFamily,
    site: Site | None = None,
    kept: Sequence[TrialResult] = (),
    clock: Clock | None = None,
) -> RunTime:
    """Return how long the trials of a run take that are still to come.

    The longest is half as much again as expected of all of them, a minute more for each at least, ten in all. Where
    some have ended those to come may be of the slowest setting, or of one not measured yet, which may take what was
    estimated. A plan that says how long a run may take, or by when everything is undone, allows no more.

    Args:
        site: what was read of the target, None where nothing was.
        kept: trials of an earlier part of the run, which are not repeated; what they took is expected of others.
        clock: of the target, by which it is undone; this computer's where there is none yet, but for a lab, whose
            clock is its own.
    """
    ended = [trial for trial in kept if trial.status is not TrialStatus.ABORTED]
    estimated = (
        TrialTime(family.estimate_trial_s(plan)) if site is None else rig_of(family).trial_time(plan, family, site)
    )
    trial = TrialTime(_mean_s(ended)) if ended else estimated
    most = most_trials(plan, family.parameters, compares_all=family.compares_all, done=ended)
    left = max(0, most - len(ended))
    all_s, spare_s = trial.trial_s * left, max(_LEAST_SPARE_S, _LEAST_SPARE_OF_TRIAL_S * left)
    slowest_s = _slowest_s(plan, family, ended, estimated)
    longest_s = max(all_s + max(spare_s, _SPARE_SHARE * all_s), slowest_s * left + spare_s)
    longest_s = min(longest_s, plan.limits.get(RUN_DURATION.name, longest_s))
    is_known = clock is not None or site is None or site.simulated is None
    if is_known and (minutes := plan.limits.get(RESTORED_BY.name)) is not None:
        longest_s = min(longest_s, seconds_until((clock or SystemClock()).now_utc(), int(minutes)))
    return RunTime(trial, bool(ended), all_s, longest_s)


def _mean_s(trials: Sequence[TrialResult]) -> float:
    return sum(trial.took_s for trial in trials) / len(trials)


def _slowest_s(plan: Plan, family: ExperimentFamily, ended: Sequence[TrialResult], estimated: TrialTime) -> float:
    """Return the time of a trial of the slowest setting: as measured, no less than estimated until all are."""
    by_setting: dict[Setting, list[TrialResult]] = {}
    for trial in ended:
        by_setting.setdefault(trial.setting, []).append(trial)
    measured_s = max(map(_mean_s, by_setting.values()), default=0.0)
    is_complete = by_setting.keys() >= set(plan_settings(plan, family.parameters))
    return measured_s if is_complete else max(measured_s, estimated.trial_s)


def with_time_agreed(
    plan: Plan,
    family: ExperimentFamily,
    site: Site,
    clock: Clock,
    kept: Sequence[TrialResult] = (),
    agreed_s: float | None = None,
) -> Plan:
    """Return a plan that says how long its run may take.

    Args:
        clock, kept: as in `run_time`.
        agreed_s: what somebody agreed to, where a line that is measured anew might tell otherwise; None for the
            longest as it is known now.
    """
    return replace(plan, most_s=run_time(plan, family, site, kept, clock).most_s if agreed_s is None else agreed_s)
