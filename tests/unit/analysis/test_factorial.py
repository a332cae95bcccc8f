"""Two factors varied together: only what helps by itself is changed."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from app.analysis.confirmation import MOST_BORROWED
from app.analysis.factorial import Sparing, factorial_of
from app.analysis.regression import taken_apart
from app.domain.measurement import Better, Measurement
from app.domain.setting import Costly, Setting, Value
from tests.unit.analysis.making import measured

BASELINE = Setting.of(PollingInterval=5, ReadBatchSize=500)
GAIN = -0.3
SPARING = Sparing({"ReadBatchSize": Costly.HIGHER}, math.log(1.03))


def cells(
    effects: Mapping[tuple[int, int], float], blocks: int = 3, sd: float = 0.03, seed: int = 1
) -> tuple[Measurement, ...]:
    """Return measurements of ReadBatchSize × PollingInterval in blocks, each cell with its log effect."""
    random = np.random.default_rng(seed)
    made = []
    for block in range(1, blocks + 1):
        drift = 0.02 * block
        for size, interval in itertools.product((500, 1_000, 5_000), (5, 1)):
            log = effects.get((size, interval), 0.0) + drift + float(random.standard_normal()) * sd
            made.append(
                measured(300 * math.exp(log), Setting.of(PollingInterval=interval, ReadBatchSize=size), block=block)
            )
    return tuple(made)


@pytest.mark.parametrize("has_blocks", [True, False], ids=["with blocks", "without"])
def test_a_parameter_without_effect_does_not_ride_along(has_blocks: bool) -> None:
    """ReadBatchSize gains 20 %, PollingInterval nothing: it is recommended in at most one session in twenty."""
    effects = {(5_000, 5): -0.22, (5_000, 1): -0.22, (1_000, 5): -0.1, (1_000, 1): -0.1}
    recommended = []
    for seed in range(200):
        rows = cells(effects, seed=seed)
        rows = rows if has_blocks else tuple(replace(m, block=1) for m in rows)
        read = factorial_of(rows, BASELINE, Better.LOWER)
        assert read is not None
        recommended.append((read.recommended["ReadBatchSize"], read.recommended["PollingInterval"]))
    assert sum(size == 5_000 for size, _interval in recommended) >= 190
    assert sum(interval != 5 for _size, interval in recommended) <= 10


def test_both_are_changed_where_both_help() -> None:
    """Two effects of their own are told apart, each with its contrast."""
    effects = {
        (size, interval): (-0.15 if size == 5_000 else 0.0) + (-0.12 if interval == 1 else 0.0)
        for size in (500, 1_000, 5_000)
        for interval in (5, 1)
    }
    read = factorial_of(cells(effects), BASELINE, Better.LOWER)
    assert read is not None
    assert not read.interacts
    assert read.recommended == Setting.of(PollingInterval=1, ReadBatchSize=5_000)
    assert [c.factor for c in read.contrasts] == ["PollingInterval", "ReadBatchSize"]
    assert all(c.low < c.ratio < c.high < 1 for c in read.contrasts)


def test_of_a_rate_more_is_better() -> None:
    """The same for a rate: contrasts are ratios of what was measured."""
    effects = {(5_000, interval): 0.3 for interval in (5, 1)}
    read = factorial_of(cells(effects), BASELINE, Better.HIGHER)
    assert read is not None
    assert read.recommended == Setting.of(PollingInterval=5, ReadBatchSize=5_000)
    [contrast] = [c for c in read.contrasts if c.factor == "ReadBatchSize"]
    assert 1 < contrast.low < contrast.ratio < contrast.high
    assert contrast.ratio == pytest.approx(math.exp(0.3), rel=0.05)


def test_an_effect_in_one_corner_is_an_interaction() -> None:
    """Where both are needed, each contrast is that of the corner against one step away from it."""
    read = factorial_of(cells({(5_000, 1): -0.30}), BASELINE, Better.LOWER)
    assert read is not None
    assert read.interacts
    assert read.recommended == Setting.of(PollingInterval=1, ReadBatchSize=5_000)
    assert {c.factor: c.other_levels for c in read.contrasts} == {"PollingInterval": (5_000,), "ReadBatchSize": (1,)}


def test_without_two_whole_blocks_nothing_is_taken_apart() -> None:
    """One block, a missing cell, one factor alone, or a baseline beside the grid."""
    whole = cells({})
    assert factorial_of([m for m in whole if m.block == 1], BASELINE, Better.LOWER) is None
    missing = [m for m in whole if (m.setting["ReadBatchSize"], m.setting["PollingInterval"]) != (1_000, 1)]
    assert factorial_of(missing, BASELINE, Better.LOWER) is None
    assert factorial_of(whole, Setting.of(PollingInterval=7, ReadBatchSize=500), Better.LOWER) is None
    single = [measured(1.0 + n, Setting.of(ReadBatchSize=n), block=b) for n in (1, 2) for b in (1, 2)]
    assert factorial_of(single, Setting.of(ReadBatchSize=1), Better.LOWER) is None


EQUAL_LEVELS = {(size, interval): GAIN for size in (1_000, 5_000) for interval in (5, 1)}


@pytest.mark.parametrize("is_whole", [True, False], ids=["every combination", "some missing"])
def test_of_levels_that_do_as_well_the_cheapest_is_taken(is_whole: bool) -> None:
    """1,000 and 5,000 gain the same: the smaller is found nine times in ten, and its contrast is that of its own."""
    taken = []
    for seed in range(100):
        rows = cells(EQUAL_LEVELS, seed=seed)
        rows = rows if is_whole else tuple(m for m in rows if m.block == 1 or m.setting["ReadBatchSize"] != 500)
        read = taken_apart(rows, BASELINE, Better.LOWER, sparing=SPARING)
        assert read is not None
        (contrast,) = [c for c in read.contrasts if c.factor == "ReadBatchSize"]
        assert contrast.level == read.recommended["ReadBatchSize"]
        if not read.interacts:
            taken.append(contrast.level)
    assert len(taken) > 80
    assert taken.count(1_000) >= 0.9 * len(taken)


def test_a_level_that_does_worse_than_the_best_is_not_taken_for_its_price() -> None:
    """5,000 gains 10 % more than 1,000: it is taken every time."""
    effects = {(size, interval): {1_000: -0.2, 5_000: -0.3}[size] for size in (1_000, 5_000) for interval in (5, 1)}
    read = [taken_apart(cells(effects, seed=seed), BASELINE, Better.LOWER, sparing=SPARING) for seed in range(50)]
    assert {one.recommended["ReadBatchSize"] for one in read if one is not None and not one.interacts} == {5_000}


def test_a_change_that_gains_less_than_the_margin_may_still_be_shown() -> None:
    """The baseline's level is not taken for its price: whether it is left is for its contrast to say."""
    logs: dict[Value, float] = {500: -0.01, 1_000: -0.02, 5_000: -0.03}
    assert SPARING.level("ReadBatchSize", logs, base=500) == 1_000
    assert SPARING.level("PollingInterval", logs, base=500) == 5_000


def test_no_contrast_borrows_more_than_it_may() -> None:
    """However noisy the rest and quiet its own blocks: degrees of freedom of other cells are lent up to a cap."""
    lent = []
    for seed in range(40):
        read = factorial_of(cells({(5_000, 5): -0.2, (5_000, 1): -0.2}, blocks=4, seed=seed), BASELINE, Better.LOWER)
        assert read is not None
        lent += [contrast.degrees - (4 - 1) for contrast in read.contrasts]
    assert max(lent) == MOST_BORROWED
    assert 0 < min(lent) < MOST_BORROWED
