"""What must hold for any measurements: no change of scale, order, names or blocks may change what is said."""

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.compare import against, against_best, compare
from app.domain.comparison import Comparison, Verdict
from app.domain.measurement import Better, Measurement
from tests.unit.analysis.making import CALM, level, measured, table

ARMS, BLOCKS = 4, 3
values = st.lists(st.floats(50.0, 500.0), min_size=ARMS * BLOCKS, max_size=ARMS * BLOCKS, unique=True)
noise_levels = st.sampled_from([None, 0.03])
BASELINE = level(0)


def _balanced(numbers: list[float]) -> list[Measurement]:
    return [measured(number, level(i % ARMS), block=i // ARMS + 1) for i, number in enumerate(numbers)]


def _against(rows: list[Measurement], noise_cv: float | None) -> tuple[Comparison, ...]:
    return compare(rows, against(BASELINE), Better.LOWER, 0.05, noise_cv)


def _numbers(found: tuple[Comparison, ...]) -> list[float]:
    return [n for c in found for n in (c.ratio, math.log(c.low), math.log(c.high), c.p_adjusted)]


@CALM
@given(values, noise_levels, st.floats(1e-3, 1e6))
def test_another_unit_changes_no_ratio(numbers: list[float], noise_cv: float | None, scale: float) -> None:
    """Seconds or milliseconds: ratios, intervals and p stay as they are."""
    scaled = _against(_balanced([number * scale for number in numbers]), noise_cv)
    assert _numbers(scaled) == pytest.approx(_numbers(_against(_balanced(numbers), noise_cv)), rel=1e-6, abs=1e-9)


@CALM
@given(values, noise_levels, st.permutations(range(1, BLOCKS + 1)))
def test_names_of_blocks_do_not_matter(numbers: list[float], noise_cv: float | None, names: list[int]) -> None:
    """Only which trials share a block counts, not its number."""
    rows = _balanced(numbers)
    renamed = [replace(m, block=names[m.block - 1] * 7) for m in rows]
    assert _numbers(_against(renamed, noise_cv)) == pytest.approx(_numbers(_against(rows, noise_cv)), rel=1e-6)


@CALM
@given(values, noise_levels, st.lists(st.floats(0.2, 5.0), min_size=BLOCKS, max_size=BLOCKS))
def test_slow_block_changes_nothing(numbers: list[float], noise_cv: float | None, slower: list[float]) -> None:
    """A server that is slower for a whole block moves no ratio and adds no noise."""
    rows = _balanced(numbers)
    slowed = [replace(m, value=m.value * slower[m.block - 1]) for m in rows]
    assert _numbers(_against(slowed, noise_cv)) == pytest.approx(_numbers(_against(rows, noise_cv)), rel=1e-6)


@CALM
@given(values, noise_levels, st.randoms(use_true_random=False))
def test_order_of_measurements_does_not_matter(numbers: list[float], noise_cv: float | None, random: Random) -> None:
    """Rows of a file may be sorted in any way."""
    rows = _balanced(numbers)
    shuffled = random.sample(rows, len(rows))
    assert _numbers(_against(shuffled, noise_cv)) == pytest.approx(_numbers(_against(rows, noise_cv)), rel=1e-6)


@CALM
@given(values, noise_levels)
def test_swapping_two_settings_inverts_ratio_and_interval(numbers: list[float], noise_cv: float | None) -> None:
    """8 against 1 is 1 against 8 upside down, with the opposite verdict."""
    rows = [m for m in _balanced(numbers) if m.setting in (level(0), level(1))]
    (there,) = compare(rows, against(level(0)), Better.LOWER, 0.05, noise_cv)
    (back,) = compare(rows, against(level(1)), Better.LOWER, 0.05, noise_cv)
    assert back.ratio == pytest.approx(1 / there.ratio)
    assert (math.log(back.low), math.log(back.high)) == pytest.approx((-math.log(there.high), -math.log(there.low)))
    assert back.p_adjusted == pytest.approx(there.p_adjusted)
    opposite = {Verdict.IMPROVEMENT: Verdict.WORSE, Verdict.WORSE: Verdict.IMPROVEMENT}
    assert back.verdict is opposite.get(there.verdict, there.verdict)


@CALM
@given(values)
def test_run_times_and_rates_give_the_same_verdicts(numbers: list[float]) -> None:
    """A rate is a run time upside down: lower is better for one where higher is for the other."""
    times = compare(_balanced(numbers), against_best(), Better.LOWER, 0.05, 0.03)
    rates = compare(_balanced([1 / n for n in numbers]), against_best(), Better.HIGHER, 0.05, 0.03)
    assert [(c.reference, c.candidate, c.verdict) for c in rates] == [
        (c.reference, c.candidate, c.verdict) for c in times
    ]


@CALM
@given(values, noise_levels)
def test_interval_holds_the_ratio_and_verdict_follows_it(numbers: list[float], noise_cv: float | None) -> None:
    """The ratio lies in its interval, p lies in 0–1, and a shown difference never has p above 0.05."""
    rows = _balanced(numbers)
    for found in (*_against(rows, noise_cv), *compare(rows, against_best(), Better.LOWER, 0.05, noise_cv)):
        assert found.low <= found.ratio <= found.high
        assert 0 <= found.p_adjusted <= 1
        if found.verdict in (Verdict.IMPROVEMENT, Verdict.WORSE):
            assert found.p_adjusted <= 0.05 + 1e-12
        assert (found.trials_needed > BLOCKS) == (found.verdict is Verdict.CANNOT_TELL)


@CALM
@given(values, noise_levels)
def test_picking_the_best_first_never_narrows_an_interval(numbers: list[float], noise_cv: float | None) -> None:
    """The price of picking the reference from the data: wider intervals than with a baseline named beforehand."""
    rows = _balanced(numbers)
    named = {(c.reference, c.candidate): c for c in _against(rows, noise_cv)}
    for picked in compare(rows, against_best(), Better.LOWER, 0.05, noise_cv):
        if (picked.reference, picked.candidate) in named:
            twin = named[picked.reference, picked.candidate]
            assert picked.low <= twin.low
            assert picked.high >= twin.high
            assert picked.p_adjusted >= twin.p_adjusted - 1e-12


@CALM
@given(st.integers(1, 12), st.floats(0.005, 0.2))
def test_intervals_shrink_with_trials(blocks: int, noise_cv: float) -> None:
    """One more block with the same means makes the interval narrower and the smallest effect smaller."""
    fewer, more = (
        compare(table({1: [100.0] * n, 8: [90.0] * n}), against(level(1)), Better.LOWER, 0.05, noise_cv)[0]
        for n in (blocks, blocks + 1)
    )
    assert more.high < fewer.high
    assert more.low > fewer.low
    assert more.smallest_effect < fewer.smallest_effect


def test_pooled_residual_has_the_power_the_design_counts_on() -> None:
    """With 3 blocks of 5 levels at 3 % noise, pooling all levels finds a 10 % effect more often than a pair alone."""
    random = np.random.default_rng(11)
    pooled = paired = 0
    for _session in range(300):
        noise = np.exp(0.03 * random.standard_normal((5, 3)))
        rows = table({arm: (100.0 * (0.9 if arm == 4 else 1.0) * noise[arm]).tolist() for arm in range(5)})
        pair = [m for m in rows if m.setting in (level(0), level(4))]
        pooled += compare(rows, against(level(0)), Better.LOWER, 0.05, None)[-1].verdict is Verdict.IMPROVEMENT
        (alone,) = compare(pair, against(level(0)), Better.LOWER, 0.05, None, confidence=1 - 0.05 / 4)
        paired += alone.verdict is Verdict.IMPROVEMENT
    assert pooled > 2 * paired
