"""Circumstances of trials besides their values: events that a setting itself brought about, and others' work.

What a setting now and then brings about, such as giving up what it was to use, counts with its time: to leave it out
would be to promise what the setting does not keep. How often it happens has an interval of its own, and what the
comparison would be without them stands beside it. What others did, such as a backup, is no setting's doing.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from app.analysis.distributions import beta_quantile
from app.analysis.rhythm import rhythm_in, window_rates
from app.analysis.student import CONFIDENCE
from app.domain.comparison import Comparison
from app.domain.happening import Happening, Work
from app.domain.measurement import Measurement, Metric, TrialResult


def outcome_trials(metrics: Iterable[Metric], measurements: Iterable[Measurement]) -> frozenset[str]:
    """Return the trials in which a setting brought about an event that one of these metrics counts."""
    names = {metric.name for metric in metrics if metric.is_outcome}
    return frozenset(m.trial_id for m in measurements if m.metric in names and m.value > 0)


OF_OTHERS: Final = frozenset(Work) - {Work.OTHER_PROGRAMS, Work.OTHER_COMMANDS}
"""Work that no setting brings about: other programs may be what is measured, few other commands those that came
twice."""

RARE_SHARE: Final = 0.1
"""Work that ran in more of a run's trials than this tells of none why it was slow; in one it always may."""


MUCH: Final = 0.25
"""Share of what was delivered that a run had not written, from which on others wrote it: what a setting delivers twice
after a failure is a batch."""


@dataclass(frozen=True)
class Circumstances:
    """Circumstances of trials besides their values, by trial.

    Attributes:
        outcomes: those whose setting itself brought about what happened in them: nothing else disturbed them.
        met: those in which others did what hardly any other trial met: where one stands out, that is why.
        in_step_log: how far something that comes back may move the windows of a pair apart, as a log; 0 for none.
    """

    outcomes: frozenset[str] = frozenset()
    met: frozenset[str] = frozenset()
    in_step_log: float = 0.0


NOTHING_KNOWN: Final = Circumstances()


def circumstances_of(
    metrics: Iterable[Metric], measurements: Iterable[Measurement], trials: Sequence[TrialResult] = ()
) -> Circumstances:
    """Return the circumstances of trials: by these metrics of them, and by other work on the servers meanwhile."""
    of_others = {
        trial.trial_id: {(h.work, h.server, h.subject) for h in trial.happenings if _is_of_others(h)}
        for trial in trials
    }
    ran = Counter(work for works in of_others.values() for work in works)
    most = max(1, int(RARE_SHARE * len(trials)))
    met = frozenset(trial_id for trial_id, works in of_others.items() if any(ran[work] <= most for work in works))
    rhythm = rhythm_in(window_rates(trials))
    return Circumstances(outcome_trials(metrics, measurements), met, 0.0 if rhythm is None else rhythm.in_pair_log)


def _is_of_others(happening: Happening) -> bool:
    return happening.work in OF_OTHERS or (happening.work is Work.OTHER_COMMANDS and happening.share >= MUCH)


@dataclass(frozen=True)
class Share:
    """How often something happened: `happened` of `trials` (≥ 1), with the 95 % interval of the share, 0 to 1."""

    happened: int
    trials: int
    low: float
    high: float


def share_of(happened: int, trials: int) -> Share:
    """Return a share with its exact interval.

    Source: Clopper & Pearson (1934), Biometrika 26: 404-413.
    """
    tail = (1 - CONFIDENCE) / 2
    low = beta_quantile(tail, happened, trials - happened + 1) if happened else 0.0
    high = beta_quantile(1 - tail, happened + 1, trials - happened) if happened < trials else 1.0
    return Share(happened, trials, low, high)


def ratio_without(
    comparison: Comparison, measurements: Sequence[Measurement], outcomes: frozenset[str]
) -> float | None:
    """Return a comparison's ratio over the blocks in which no trial had the outcome; None where none is left.

    Args:
        measurements: of the comparison's metric and phase.
        outcomes: trials as `outcome_trials` returns them.
    """
    logs = {(m.block, m.setting): math.log(m.value) for m in measurements if m.trial_id not in outcomes}
    differences = [
        value - logs[block, comparison.reference]
        for (block, setting), value in logs.items()
        if setting == comparison.candidate and (block, comparison.reference) in logs
    ]
    return math.exp(sum(differences) / len(differences)) if differences else None
