"""Comparisons over a condition that varies within each trial: one model, one residual, all comparisons together."""

import itertools
import math
import random

import pytest

from app.analysis.compare import against, compare
from app.analysis.comparing.pairs import baseline_among, named_pairs
from app.analysis.swept import compare_swept, fit_swept
from app.domain.comparison import Comparison, Verdict
from app.domain.measurement import Better, Measurement
from app.domain.plan import Phase
from app.domain.setting import Setting
from app.systems.availability_groups.families.commit_mode.parameters import PARAMETERS

ASYNC = Setting.of(availability_mode="async", log_stream_compression="default")
SYNC = Setting.of(availability_mode="sync", log_stream_compression="default")
PACKED = Setting.of(availability_mode="sync", log_stream_compression="on")
ALONE = Setting.of(availability_mode="standalone", log_stream_compression="default")
SHAPES = (1, 100, 10_000)
EFFECT = {ASYNC: 1.0, SYNC: 1.5, PACKED: 1.2}


def measured(
    seed: int = 1,
    *,
    trial_cv: float = 0.0,
    value_cv: float = 0.02,
    blocks: int = 3,
    shapes: tuple[int, ...] = SHAPES,
    effect: dict[Setting, float] | None = None,
) -> list[Measurement]:
    """Return trials of every setting in every block; each shape of a trial shares the trial's own luck."""
    dice = random.Random(seed)
    found: list[Measurement] = []
    for block in range(1, blocks + 1):
        drift = math.exp(dice.gauss(0, 0.08))
        for setting, factor in (effect or EFFECT).items():
            luck = math.exp(dice.gauss(0, trial_cv))
            for shape in shapes:
                value = 100.0 * shape**0.5 * factor * drift * luck * math.exp(dice.gauss(0, value_cv))
                trial = f"E1-T{len(found) // len(shapes) + 1:03d}"
                conditions = Setting.of(inserts=shape)
                found.append(
                    Measurement(
                        "commit_mode", trial, block, "run_time", value, "ms", setting, conditions, Phase.CONFIRM
                    )
                )
    return found


def compared(found: list[Measurement], pairs: list[tuple[Setting, Setting]]) -> tuple[Comparison, ...]:
    """Compare pairs of settings at every shape."""
    return compare_swept(fit_swept(found, ["inserts"], None), pairs, Better.LOWER, 0.05)


def test_each_pair_is_compared_at_each_shape() -> None:
    """Ratios are those of the means, drift between blocks cancels, and the shape stands in the conditions."""
    made = compared(measured(value_cv=1e-6), [(ASYNC, SYNC), (SYNC, PACKED)])
    assert [(c.conditions["inserts"], c.candidate) for c in made] == list(itertools.product(SHAPES, (SYNC, PACKED)))
    for c in made:
        assert c.ratio == pytest.approx(1.5 if c.candidate == SYNC else 0.8, rel=1e-4)
        assert c.verdict is (Verdict.WORSE if c.candidate == SYNC else Verdict.IMPROVEMENT)
        assert c.phase is Phase.CONFIRM
        assert len(c.reference_trials) == len(c.candidate_trials) == 3
    assert {c.factor for c in made} == {"availability_mode", "log_stream_compression"}


def test_without_a_swept_condition_it_is_the_ordinary_comparison() -> None:
    """One value per trial: ratios, intervals and p are those of `compare`."""
    single = measured(shapes=(1,))
    [first, second] = compare(single, against(ASYNC), Better.LOWER, 0.05, None)
    swept = compared(single, [(ASYNC, SYNC), (ASYNC, PACKED)])
    by_candidate = {c.candidate: c for c in swept}
    for c in (first, second):
        other = by_candidate[c.candidate]
        assert (other.low, other.high) == pytest.approx((c.low, c.high))
        assert other.p_adjusted == pytest.approx(c.p_adjusted)


def test_a_trials_own_luck_is_not_taken_for_many_independent_values() -> None:
    """Where trials differ and the values within them hardly do, more shapes bring no more degrees of freedom."""
    noise = fit_swept(measured(trial_cv=0.05, value_cv=0.001), ["inserts"], None).noise
    assert noise is not None
    assert noise.degrees_of_freedom == 4  # (3 settings - 1) × (3 blocks - 1), whatever the number of shapes
    independent = fit_swept(measured(trial_cv=0.0, value_cv=0.05), ["inserts"], None).noise
    assert independent is not None
    assert independent.degrees_of_freedom > 8


@pytest.mark.parametrize(("trial_cv", "value_cv"), [(0.0, 0.03), (0.03, 0.03), (0.05, 0.005)])
def test_false_claims_are_rare_whatever_the_noise_is_made_of(trial_cv: float, value_cv: float) -> None:
    """Without any effect, not more than about one session in twenty claims one, all its comparisons counted."""
    flat = dict.fromkeys(EFFECT, 1.0)
    sessions = 200
    wrong = 0
    for seed in range(sessions):
        found = measured(seed, trial_cv=trial_cv, value_cv=value_cv, effect=flat, shapes=(1, 10, 100, 1_000))
        made = compared(found, [(ASYNC, SYNC), (ASYNC, PACKED), (SYNC, PACKED)])
        wrong += any(c.verdict in (Verdict.IMPROVEMENT, Verdict.WORSE) for c in made)
    assert wrong <= 0.09 * sessions  # 5 % expected; 9 % is beyond three standard errors


def test_single_trials_tell_nothing() -> None:
    """One trial of each setting leaves nothing to judge noise by, however many shapes it has."""
    made = compared(measured(blocks=1), [(ASYNC, SYNC)])
    assert {c.verdict for c in made} == {Verdict.CANNOT_TELL}
    assert {(c.low, c.high, c.p_adjusted) for c in made} == {(0.0, math.inf, 1.0)}


def test_a_given_noise_replaces_the_residual() -> None:
    """It counts as known with seven degrees of freedom."""
    found = fit_swept(measured(blocks=1), ["inserts"], 0.03)
    made = compare_swept(found, [(ASYNC, SYNC)], Better.LOWER, 0.05)
    assert found.noise is not None
    assert found.noise.degrees_of_freedom == 7
    assert {c.verdict for c in made} == {Verdict.WORSE}


def test_a_shape_one_side_lacks_is_left_out() -> None:
    """A trial that failed at one shape costs that comparison only."""
    found = [m for m in measured() if not (m.setting == SYNC and m.conditions["inserts"] == 100)]
    assert [c.conditions["inserts"] for c in compared(found, [(ASYNC, SYNC)])] == [1, 10_000]
    assert compared(found, [(ASYNC, ALONE)]) == ()


def test_the_comparisons_are_baseline_against_all_and_what_differs_in_one_parameter() -> None:
    """A parameter that makes no difference on one side does not count as differing."""
    off = Setting.of(availability_mode="async", log_stream_compression="off")
    pairs = named_pairs((PACKED, SYNC, ALONE, off, ASYNC), ASYNC, PARAMETERS)
    assert set(pairs) == {
        (ASYNC, ALONE),
        (ASYNC, off),
        (ASYNC, SYNC),
        (ASYNC, PACKED),
        (ALONE, off),
        (ALONE, SYNC),
        (ALONE, PACKED),
        (SYNC, PACKED),
    }
    assert len(pairs) == len(set(pairs))


def test_the_baseline_of_measurements_from_elsewhere_is_nearest_to_the_defaults() -> None:
    """Asynchronous without trace flags where it was measured, else the next in order."""
    assert baseline_among((PACKED, SYNC, ASYNC, ALONE), PARAMETERS) == ASYNC
    assert baseline_among((PACKED, SYNC), PARAMETERS) == SYNC
