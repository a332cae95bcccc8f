"""What a setting itself brings about now and then: counted, never taken for a disturbance."""

from dataclasses import replace

import pytest

from app.analysis.confirmation import Known, confirm
from app.analysis.disturbed import undisturbed
from app.analysis.outcomes import outcome_trials, share_of
from app.domain.measurement import Better, Measurement, Metric
from app.domain.setting import Setting

FALLS = Metric("falls", "count", Better.LOWER, "Falls", is_outcome=True)
SLOW = Metric("slow", "count", Better.LOWER, "Slow")
PAIRS = (-0.30, -0.31, 0.20, -0.29, -0.30)


def _measured(metric: Metric, trial_id: str, value: float) -> Measurement:
    return Measurement("toy", trial_id, 1, metric.name, value, metric.unit, Setting.of(level=1))


def test_trials_with_an_outcome_are_those_that_count_above_zero() -> None:
    """Other metrics do not say so, whatever they count."""
    rows = [_measured(FALLS, "a", 0.0), _measured(FALLS, "b", 2.0), _measured(SLOW, "c", 5.0)]
    assert outcome_trials((FALLS, SLOW), rows) == {"b"}


@pytest.mark.parametrize(
    ("happened", "trials", "ends"),
    [(0, 5, (0.0, 0.5218)), (5, 5, (0.4782, 1.0)), (2, 12, (0.0209, 0.4841))],  # published tables of Clopper-Pearson
)
def test_a_share_has_its_exact_interval(happened: int, trials: int, ends: tuple[float, float]) -> None:
    """None of five may still be half of all."""
    share = share_of(happened, trials)
    assert (share.low, share.high) == pytest.approx(ends, abs=1e-4)


def test_a_pair_with_an_outcome_is_not_set_aside() -> None:
    """The same numbers without it are a disturbed pair."""
    without, counted = confirm(PAIRS, Known()), confirm(PAIRS, Known(outcomes=frozenset({2})))
    assert (without.flagged, without.is_set_aside) == (2, True)
    assert (counted.flagged, counted.is_set_aside) == (None, False)
    assert counted.reading == counted.whole


def test_the_noise_is_judged_without_trials_that_had_an_outcome() -> None:
    """None of them is told as disturbed."""
    values = {1: (100.0, 103.0, 101.0, 99.0), 2: (50.0, 51.0, 120.0, 50.5), 4: (60.0, 61.0, 59.5, 60.5)}
    rows = [
        replace(
            _measured(SLOW, f"{level}/{block}", value), block=block, setting=Setting.of(level=level), metric="run_time"
        )
        for level, column in values.items()
        for block, value in enumerate(column, start=1)
    ]
    flagged, counted = undisturbed(rows), undisturbed(rows, frozenset({"2/3"}))
    assert [m.trial_id for m in flagged.disturbed] == ["2/3"]
    assert counted.disturbed == ()
    assert counted.noise == flagged.noise
