"""The additive model: the same answers as a full least-squares fit, also where data are missing."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.estimate import estimate
from app.domain.measurement import Measurement
from app.domain.plan import Phase
from tests.unit.analysis.making import CALM, level, measured, table

cells = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 4), st.floats(50.0, 200.0)),
    min_size=2,
    max_size=24,
)


def _made(rows: list[tuple[int, int, float]]) -> list[Measurement]:
    return [measured(value, level(arm), block=block, trial_id=f"T{i}") for i, (arm, block, value) in enumerate(rows)]


@CALM
@given(cells)
def test_estimate_equals_least_squares_of_the_full_design(rows: list[tuple[int, int, float]]) -> None:
    """Differences, their variance, residual and degrees of freedom are those of lstsq on all indicator columns."""
    fit = estimate(_made(rows))
    arms, blocks = sorted({r[0] for r in rows}), sorted({r[1] for r in rows})
    design = np.array([[r[0] == a for a in arms] + [r[1] == b for b in blocks] for r in rows], dtype=float)
    logs = np.log([r[2] for r in rows])
    solution, _, rank, _ = np.linalg.lstsq(design, logs, rcond=None)
    residual = logs - design @ solution
    if len(rows) - rank > 0:
        assert fit.noise is not None
        assert fit.noise.degrees_of_freedom == len(rows) - rank
        expected_sd = math.sqrt(float(residual @ residual) / (len(rows) - rank))
        assert fit.noise.log_sd == pytest.approx(expected_sd, rel=1e-6, abs=1e-8)
    else:
        assert fit.noise is None
    pseudo_inverse = np.linalg.pinv(design.T @ design)
    for i in range(len(arms)):
        for j in range(i):
            contrast = np.zeros(design.shape[1])
            contrast[i], contrast[j] = 1.0, -1.0
            is_estimable = np.allclose(contrast @ pseudo_inverse @ design.T @ design, contrast, atol=1e-8)
            assert fit.is_linked(i, j) == is_estimable
            if is_estimable:
                assert fit.log_ratio(i, j) == pytest.approx(float(contrast @ solution), abs=1e-9)
                expected_error = math.sqrt(float(contrast @ pseudo_inverse @ contrast))
                assert fit.standard_error(i, j, log_sd=1.0) == pytest.approx(expected_error, rel=1e-9)


def test_estimate_of_balanced_blocks_is_the_geometric_mean() -> None:
    """With every setting in every block a setting's mean is the geometric mean of its trials."""
    fit = estimate(table({1: [100.0, 110.0, 121.0], 8: [50.0, 60.0, 72.0]}))
    assert np.exp(fit.log_means) == pytest.approx([110.0, 60.0])
    assert fit.noise is not None
    assert fit.noise.degrees_of_freedom == 2


def test_estimate_adjusts_a_missing_trial_for_its_block() -> None:
    """A setting that missed the slow block is not called faster for it."""
    rows = table({1: [100.0, 200.0], 2: [100.0, 200.0], 8: [100.0, 200.0]})
    fit = estimate([m for m in rows if (m.setting, m.block) != (level(8), 2)])
    assert fit.log_ratio(2, 0) == pytest.approx(0.0, abs=1e-12)


def test_estimate_keeps_settings_of_separate_blocks_apart() -> None:
    """All of one setting in one block and all of another in the next cannot be told from drift."""
    rows = [measured(v, level(a), block=a, trial_id=f"{a}{v}") for a in (1, 2) for v in (100.0, 103.0)]
    fit = estimate(rows)
    assert not fit.is_linked(0, 1)
    assert fit.standard_error(0, 1, log_sd=0.03) == math.inf
    assert fit.noise is not None
    assert fit.noise.degrees_of_freedom == 2


def test_estimate_links_settings_through_a_third() -> None:
    """Settings that never met are linked by one that ran with both, at twice the variance of a direct meeting."""
    rows = [
        measured(100.0, level(1), block=1),
        measured(200.0, level(2), block=1),
        measured(300.0, level(2), block=2),
        measured(450.0, level(4), block=2),
    ]
    fit = estimate(rows)
    assert fit.is_linked(0, 2)
    assert fit.log_ratio(2, 0) == pytest.approx(math.log(3.0))
    assert fit.standard_error(2, 0, log_sd=1.0) == pytest.approx(2.0)


def test_estimate_lists_settings_by_level_with_their_trials() -> None:
    """Levels come as numbers, not as texts: 8 before 16; ids stay in the order measured."""
    fit = estimate(table({16: [3.0, 3.1], 8: 2.0, 1: 1.0}))
    assert [s["SubscriptionStreams"] for s in fit.settings] == [1, 8, 16]
    assert fit.trials[2] == ("SubscriptionStreams 16/1", "SubscriptionStreams 16/2")


def test_estimate_of_noise_free_values_does_not_take_rounding_for_noise() -> None:
    """Equal values in every block leave a residual of nine digits' rounding, never zero."""
    fit = estimate(table({1: [100.1, 100.1, 100.1], 8: [100.1, 100.1, 100.1]}))
    assert fit.noise is not None
    assert fit.noise.log_sd == 1e-9


def test_estimate_counts_repeats_within_a_block() -> None:
    """Two runs of a setting in one block count twice."""
    rows = [measured(v, level(a), trial_id=f"{a}/{v}") for a, v in ((1, 100.0), (1, 102.0), (2, 110.0))]
    fit = estimate(rows)
    assert fit.noise is not None
    assert fit.noise.degrees_of_freedom == 1
    assert fit.standard_error(0, 1, log_sd=1.0) == pytest.approx(math.sqrt(1.5))


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_estimate_refuses_values_without_a_logarithm(value: float) -> None:
    """A value that is not finite and positive is an error that names the trial."""
    with pytest.raises(ValueError, match="T9"):
        estimate([measured(1.0, level(1)), measured(value, level(2), trial_id="T9")])


def test_estimate_refuses_measurements_that_cannot_be_compared() -> None:
    """Other metrics, units, conditions, families or phases do not mix."""
    first = measured(1.0, level(1))
    others = (
        replace(first, metric="latency"),
        replace(first, unit="ms"),
        replace(first, family="log_reader"),
        replace(first, conditions=level(300, "rtt_ms")),
        replace(first, phase=Phase.CONFIRM),
    )
    for other in others:
        with pytest.raises(ValueError, match="differ"):
            estimate([first, other])
    with pytest.raises(ValueError, match="no measurement"):
        estimate([])


def test_estimate_names_a_setting_that_was_not_measured() -> None:
    """Asking for a setting that is not there is an error that names it."""
    with pytest.raises(ValueError, match="SubscriptionStreams 4"):
        estimate(table({1: 1.0, 8: 2.0})).position_of(level(4))
