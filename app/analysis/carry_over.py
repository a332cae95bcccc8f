"""Carry-over: whether a trial shows the one before it by a cache, a plan or a log that the setting left behind.

Each block draws its order, so a setting follows now one and now another. Beside settings and blocks the trials are
fitted with two effects of what ran before: of the candidate, and of the baseline. Where the two differ, the trials
behind the candidate and those behind the baseline are no equal trials, and a comparison of both may be of the trial
before. Whoever leaves a setting in place has it behind itself: what it does in a trial and what it leaves to the next
add up, and the comparison's interval is stretched to hold that sum.

A steady stream is measured without its warm-up (`analysis.steady`). A trial that ends when its work is done has no
settling part: it is timed from its start, because a client waits for the start, too. Without the first third of a
trial a start 5 % longer makes four claims in ten too large, unnoticed. Measured whole, a setting before that still
lasts makes a gain look smaller, never larger: intervals hold the true one in 98 % of sessions where that is 5 s of 5
min, in 90 % where it is a tenth of a trial, and in 66 % where it is a third, which the order of the trials tells in
58 %.

Source: carry-over in cross-over trials, Jones & Kenward, Design and Analysis of Cross-Over Trials (2014), chapter 1;
the level of the check was chosen by simulation (`tests/prove/test_carry_over.py`).
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.analysis.distributions import t_quantile, two_sided_p
from app.analysis.least_squares import FEWEST_DEGREES, fit_terms
from app.analysis.noise import FLOOR_LOG_SD
from app.analysis.student import CONFIDENCE, exp_or_inf
from app.analysis.verdicts import judge
from app.domain.comparison import CarryOver, Comparison
from app.domain.measurement import Better, Measurement, TrialResult
from app.domain.setting import Setting

LEVEL: Final = 0.01
"""At which what ran before is taken to matter: of a run in which it does not, it is told so often. It costs less than
one point of the power to show a gain of 10 % at 3 % noise; 5 % would cost three."""


@dataclass(frozen=True)
class Ran:
    """Trials in which one metric was measured, each with the setting before it.

    Attributes:
        measurements: one of each trial, exploring and confirming; those that something else disturbed left out.
        before: by trial, the setting of the one that ended before it; the first of a run has none.
    """

    measurements: tuple[Measurement, ...]
    before: Mapping[str, Setting]


def settings_before(trials: Sequence[TrialResult]) -> dict[str, Setting]:
    """Return by trial the setting of the one before it, whether that could be used or not."""
    return {trial.trial_id: before.setting for before, trial in itertools.pairwise(trials)}


def with_carry_over(comparison: Comparison, ran: Ran, better: Better) -> Comparison:
    """Return a comparison with the carry-over its trials show; unchanged where they show none."""
    carried = carry_over(ran, comparison.reference, comparison.candidate)
    if carried is None or not carried.is_shown:
        return comparison
    behind_itself = (
        exp_or_inf(carried.log_ratio - carried.half_width),
        exp_or_inf(carried.log_ratio + carried.half_width),
    )
    agree = (comparison.ratio < 1) == (carried.log_ratio < 0)
    low, high = min(comparison.low, behind_itself[0]), max(comparison.high, behind_itself[1])
    return replace(
        comparison,
        low=low,
        high=high,
        p_adjusted=max(comparison.p_adjusted, carried.behind_itself_p) if agree else 1.0,
        verdict=judge(low, high, better, comparison.minimum_effect),
        carry_over=CarryOver(exp_or_inf(carried.behind), *behind_itself, (comparison.low, comparison.high)),
    )


@dataclass(frozen=True)
class CarriedOver:
    """The carry-over that trials show; logs of the metric.

    Attributes:
        behind: how much larger the metric is behind the candidate than behind the reference.
        p_value: of there being no such difference.
        log_ratio, half_width: candidate / reference each behind itself, and half of its 95 % interval.
        behind_itself_p: of the two being alike then.
    """

    behind: float
    p_value: float
    log_ratio: float
    half_width: float
    behind_itself_p: float

    @property
    def is_shown(self) -> bool:
        """Tell whether carry-over shows."""
        return self.p_value < LEVEL


def carry_over(ran: Ran, reference: Setting, candidate: Setting) -> CarriedOver | None:
    """Return the carry-over of trials, None where they are too few to tell."""
    known = [(m, ran.before[m.trial_id]) for m in ran.measurements if m.trial_id in ran.before]
    settings = list(dict.fromkeys(m.setting for m, _other in known))
    if reference not in settings or candidate not in settings:
        return None
    columns = np.array(
        [[*(m.setting == s for s in settings), other == candidate, other == reference] for m, other in known], float
    )
    fit = fit_terms(columns, [m.block for m, _other in known], np.log([m.value for m, _other in known]))
    carried = (*(0.0 for _setting in settings), 1.0, -1.0)
    in_place = (*(float(s == candidate) - float(s == reference) for s in settings), 1.0, -1.0)
    (behind, of_behind), (log_ratio, of_ratio) = fit.combined(carried), fit.combined(in_place)
    if fit.noise is None or fit.degrees < FEWEST_DEGREES or not math.isfinite(of_behind + of_ratio):
        return None
    errors = max(fit.noise.log_sd, FLOOR_LOG_SD) * np.sqrt([of_behind, of_ratio])
    p_value, behind_itself_p = two_sided_p(np.array([behind, log_ratio]) / errors, fit.degrees).tolist()
    reach = t_quantile((1 + CONFIDENCE) / 2, fit.degrees) * float(errors[1])
    return CarriedOver(behind, p_value, log_ratio, reach, behind_itself_p)
