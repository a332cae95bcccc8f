"""What ran before a trial: found by the order of trials, and a comparison that may be of it holds what it may be."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from app.analysis.carry_over import Ran, carry_over, settings_before, with_carry_over
from app.analysis.confirmed import Confirming, compare_confirmed
from app.domain.comparison import Comparison, Verdict
from app.domain.measurement import Better, TrialResult
from app.domain.plan import Phase, TrialSpec
from app.domain.setting import Setting
from tests.prove.noise_worlds import made_trial

A, B = Setting.of(level=1), Setting.of(level=2)
ORDERS = ((A, B), (A, B), (B, A), (A, B), (B, A), (B, A))


def _trials(behind_b: float, gain: float = 0.9) -> list[TrialResult]:
    """Return pairs with residuals of 1 %; a trial behind B takes so many times as long."""
    random, made = np.random.default_rng(5), list[TrialResult]()
    for block, order in enumerate(ORDERS, 1):
        for setting in order:
            before = made[-1].setting if made else None
            value = 100 * (gain if setting == B else 1.0) * (behind_b if before == B else 1.0)
            value *= math.exp(0.01 * random.standard_normal())
            spec = TrialSpec(f"T{len(made) + 1}", len(made) + 1, block, Phase.CONFIRM, setting)
            made.append(made_trial(spec, value))
    return made


def _ran(trials: Sequence[TrialResult]) -> Ran:
    return Ran(tuple(trial.measurements[0] for trial in trials), settings_before(trials))


def _judged(trials: Sequence[TrialResult]) -> tuple[Comparison, Comparison]:
    """Return the comparison as the trials ran, and with what ran before them."""
    ran = _ran(trials)
    (comparison,) = compare_confirmed(Confirming(ran.measurements, A, (), Better.LOWER, 0.05))
    return comparison, with_carry_over(comparison, ran, Better.LOWER)


def test_the_setting_before_each_trial_is_that_of_any_trial() -> None:
    """One that could not be used ran all the same; the first has none before it."""
    trials = _trials(1.0)
    before = settings_before(trials)
    assert [before.get(trial.trial_id) for trial in trials[:4]] == [None, A, B, A]


def test_what_a_setting_leaves_behind_is_told_by_the_order() -> None:
    """A fifth more behind B: as large as it was made; and what each setting does behind itself holds both together."""
    told = carry_over(_ran(_trials(1.2)), A, B)
    assert told is not None
    assert told.is_shown
    assert told.behind == pytest.approx(math.log(1.2), abs=0.03)
    assert told.log_ratio == pytest.approx(math.log(0.9 * 1.2), abs=0.03)


def test_a_gain_that_is_lost_behind_itself_is_no_gain() -> None:
    """10 % less in the trials, 8 % more where it stays: nothing is claimed, and the interval holds both."""
    plain, stretched = _judged(_trials(1.2))
    assert plain.verdict is Verdict.IMPROVEMENT
    assert stretched.verdict is Verdict.CANNOT_TELL
    assert stretched.carry_over is not None
    assert stretched.carry_over.in_trials == (plain.low, plain.high)
    assert stretched.low < 0.9 * 1.2 < stretched.high
    assert stretched.p_adjusted > 0.05 > plain.p_adjusted


def test_trials_that_show_nothing_of_it_are_judged_as_before() -> None:
    """No word, no wider interval."""
    plain, judged = _judged(_trials(1.0))
    assert judged == plain


def test_too_few_trials_tell_nothing_of_it() -> None:
    """Three pairs, all in one order: what follows what is what is compared."""
    trials = [trial for trial in _trials(1.2) if trial.block <= 2]
    assert carry_over(_ran(trials), A, B) is None
