"""How long a run takes: what is expected of its trials, and what is agreed to as the longest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.analysis.most_trials import most_trials
from app.domain.cost import TrialTime
from app.domain.family import ExperimentFamily, Site
from app.domain.limits import RUN_DURATION
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Plan
from app.domain.system import rig_of

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
    plan: Plan, family: ExperimentFamily, site: Site | None = None, kept: Sequence[TrialResult] = ()
) -> RunTime:
    """Return how long the trials of a run take that are still to come.

    The longest is half as much again as expected of all of them, a minute more for each at least, ten in all; a plan
    that says how long a run may take allows no more.

    Args:
        site: what was read of the target, None where nothing was.
        kept: trials of an earlier part of the run, which are not repeated; what they took counts, not the estimate.
    """
    ended = [trial for trial in kept if trial.status is not TrialStatus.ABORTED]
    took_s = [trial.took_s for trial in ended]
    if took_s:
        trial = TrialTime(sum(took_s) / len(took_s))
    else:
        trial = (
            TrialTime(family.estimate_trial_s(plan)) if site is None else rig_of(family).trial_time(plan, family, site)
        )
    most = most_trials(plan, family.parameters, compares_all=family.compares_all, done=ended)
    left = max(0, most - len(took_s))
    all_s = trial.trial_s * left
    longest_s = all_s + max(_LEAST_SPARE_S, _LEAST_SPARE_OF_TRIAL_S * left, _SPARE_SHARE * all_s)
    return RunTime(trial, bool(took_s), all_s, min(longest_s, plan.limits.get(RUN_DURATION.name, longest_s)))


def with_time_agreed(
    plan: Plan, family: ExperimentFamily, site: Site, kept: Sequence[TrialResult] = (), agreed_s: float | None = None
) -> Plan:
    """Return a plan that says how long its run may take.

    Args:
        kept: as in `run_time`.
        agreed_s: what somebody agreed to, where a line that is measured anew might tell otherwise; None for the
            longest as it is known now.
    """
    return replace(plan, most_s=run_time(plan, family, site, kept).most_s if agreed_s is None else agreed_s)
