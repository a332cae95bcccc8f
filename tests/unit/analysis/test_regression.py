"""Several factors taken apart where combinations are missing: after a race, under a model, in files with gaps."""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from app.analysis.factorial import factorial_of
from app.analysis.regression import taken_apart
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting
from tests.unit.analysis.making import measured
from tests.unit.analysis.test_factorial import BASELINE, cells

CORNER = Setting.of(PollingInterval=1, ReadBatchSize=5_000)
GAIN = -0.35


def after_a_race(seed: int, sd: float = 0.03) -> list[Measurement]:
    """Return trials of which the settings that are clearly slower ran in the first block alone."""
    effects = {(size, interval): GAIN for size in (1_000, 5_000) for interval in (5, 1)}
    rows = cells(effects, seed=seed, sd=sd)
    return [m for m in rows if m.block == 1 or m.setting == BASELINE or m.setting["ReadBatchSize"] != 500]


def by_a_model(seed: int) -> list[Measurement]:
    """Return trials as a model makes them: most of what looks best, a corner never tried; blocks count repeats."""
    random = np.random.default_rng(seed)
    counts = {(500, 5): 3, (500, 1): 1, (1_000, 5): 2, (1_000, 1): 2, (5_000, 5): 1, (5_000, 1): 4}
    return [
        measured(
            300 * math.exp((GAIN if size > 500 else 0.0) + 0.03 * float(random.standard_normal())),
            Setting.of(PollingInterval=interval, ReadBatchSize=size),
            block=number,
        )
        for (size, interval), count in counts.items()
        for number in range(1, count + 1)
    ]


@pytest.mark.parametrize("made", [after_a_race, by_a_model])
def test_a_parameter_without_effect_does_not_ride_along_where_combinations_are_missing(
    made: Callable[[int], list[Measurement]],
) -> None:
    """The other is found, this one stays at the baseline, in at most one session in twenty else."""
    read = [taken_apart(made(seed), BASELINE, Better.LOWER, best=CORNER) for seed in range(100)]
    told = [one.recommended for one in read if one is not None]
    assert len(told) == 100
    assert all(setting["ReadBatchSize"] == 5_000 for setting in told)
    assert sum(setting["PollingInterval"] != 5 for setting in told) <= 5


def test_whole_blocks_are_read_as_they_always_were() -> None:
    """Every combination in every block: each contrast keeps the noise of its own blocks."""
    whole = cells({(5_000, 5): GAIN, (5_000, 1): GAIN})
    assert taken_apart(whole, BASELINE, Better.LOWER) == factorial_of(whole, BASELINE, Better.LOWER)


@pytest.mark.parametrize("missing", [None, Setting.of(A=2, B=2, C=2)], ids=["whole blocks", "one combination missing"])
def test_three_parameters_are_taken_apart(missing: Setting | None) -> None:
    """Only the one that helps is changed; each of the others in at most one session in twenty."""
    told = []
    for seed in range(60):
        random = np.random.default_rng(seed)
        settings = [Setting.of(A=a, B=b, C=c) for a, b, c in itertools.product((1, 2), repeat=3)]
        rows = [
            measured(
                300 * math.exp((GAIN if s["A"] == 2 else 0.0) + 0.03 * float(random.standard_normal())), s, block=n
            )
            for n in (1, 2, 3)
            for s in settings
            if s != missing
        ]
        read = taken_apart(rows, settings[0], Better.LOWER)
        assert read is not None
        told.append(read.recommended)
    assert all(setting["A"] == 2 for setting in told)
    assert sum((setting[name] != 1) for setting in told for name in "BC") <= 6


def test_what_needs_both_is_read_at_one_corner() -> None:
    """An effect of the corner alone: contrasts are those of single cells, also with another cell missing."""
    rows = [
        m
        for m in cells({(5_000, 1): -0.5}, blocks=4)
        if m.setting != Setting.of(PollingInterval=1, ReadBatchSize=1_000)
    ]
    read = taken_apart(rows, BASELINE, Better.LOWER, best=CORNER)
    assert read is not None
    assert read.interacts
    assert read.recommended == CORNER
    assert {c.factor: c.other_levels for c in read.contrasts} == {"PollingInterval": (5_000,), "ReadBatchSize": (1,)}


def test_stated_noise_counts_where_it_is_the_larger() -> None:
    """One block tells of no noise by itself beside its interaction: what was stated is used, never less."""
    (first,) = [_width(after_a_race(1), noise_cv=None)]
    assert _width(after_a_race(1), noise_cv=0.15) > 2 * first
    assert _width(after_a_race(1), noise_cv=0.001) == pytest.approx(first)


def _width(rows: Sequence[Measurement], noise_cv: float | None) -> float:
    read = taken_apart(rows, BASELINE, Better.LOWER, noise_cv, CORNER)
    assert read is not None
    (contrast,) = [c for c in read.contrasts if c.factor == "ReadBatchSize"]
    return math.log(contrast.high / contrast.low)


def test_what_the_trials_do_not_determine_is_not_said() -> None:
    """Two parameters always changed together, a single trial of each, no baseline, one parameter alone."""
    together = [
        measured(value, setting, block=block)
        for block in (1, 2, 3)
        for setting, value in ((BASELINE, 300.0 + block), (CORNER, 200.0 + 2 * block))
    ]
    assert taken_apart(together, BASELINE, Better.LOWER) is None
    once = [m for m in cells({}) if m.block == 1][:4]
    assert taken_apart(once, BASELINE, Better.LOWER) is None
    assert taken_apart(cells({}), Setting.of(PollingInterval=7, ReadBatchSize=500), Better.LOWER) is None
    single = [measured(1.0 + n, Setting.of(ReadBatchSize=n), block=b) for n in (1, 2) for b in (1, 2)]
    assert taken_apart(single, Setting.of(ReadBatchSize=1), Better.LOWER) is None
