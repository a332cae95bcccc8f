"""What a setting itself brings about now and then: counted, never taken for a disturbance."""

from dataclasses import replace

import pytest

from app.analysis.confirmation import Known, confirm
from app.analysis.confirmed import Confirming, compare_confirmed
from app.analysis.disturbed import undisturbed
from app.analysis.outcomes import outcome_trials, share_of
from app.domain.comparison import Verdict
from app.domain.measurement import Better, Measurement, Metric
from app.domain.plan import Phase
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


def _run_time(values: dict[int, tuple[float, ...]], phase: Phase, first_block: int = 1) -> tuple[Measurement, ...]:
    return tuple(
        Measurement("toy", f"{level}/{block}", block, "run_time", value, "s", Setting.of(level=level), phase=phase)
        for level, column in values.items()
        for block, value in enumerate(column, start=first_block)
    )


@pytest.mark.parametrize(
    ("slow", "explored", "aside"),
    [
        pytest.param(2, {}, False, id="the candidate's"),
        pytest.param(1, {}, True, id="the baseline's"),
        pytest.param(1, {1: (100.0, 200.0, 101.0, 99.0)}, False, id="the baseline's again"),
        pytest.param(1, {4: (61.0, 120.0, 60.0, 62.0)}, True, id="the baseline's after another's"),
    ],
)
def test_a_slow_trial_that_may_be_a_settings_own_is_not_set_aside(
    slow: int, explored: dict[int, tuple[float, ...]], aside: bool
) -> None:
    """That of the candidate never is; the baseline's where none but its own stood out before."""
    plain = {1: (100.0, 102.0, 101.0, 99.0), 2: (80.0, 81.0, 80.5, 79.0), 4: (61.0, 62.0, 60.0, 62.0)}
    confirming = {1: [100.0, 101.0, 99.0, 100.5, 100.0], 2: [80.0, 80.5, 79.0, 80.0, 80.5]}
    confirming[slow][1] *= 2
    read = compare_confirmed(
        Confirming(
            _run_time({level: tuple(column) for level, column in confirming.items()}, Phase.CONFIRM, 5),
            Setting.of(level=1),
            _run_time({**plain, **explored}, Phase.EXPLORE),
            Better.LOWER,
            0.05,
        )
    )[0]
    assert read.confirmation is not None
    assert read.confirmation.disturbed_trial == f"{slow}/6"
    assert (read.confirmation.is_set_aside, read.confirmation.is_own) == (aside, not aside)
    assert read.verdict is (Verdict.IMPROVEMENT if aside else Verdict.CANNOT_TELL)


def test_several_slow_trials_of_one_setting_are_what_it_does() -> None:
    """Two of another setting's beside them would be a server on which something runs."""
    plain = {1: (100.0, 103.0, 101.0, 99.0, 100.0), 4: (60.0, 61.0, 59.5, 60.5, 60.0)}
    twice = undisturbed(_run_time({**plain, 2: (50.0, 101.0, 120.0, 50.5, 50.0)}, Phase.EXPLORE))
    once = undisturbed(_run_time({**plain, 2: (50.0, 51.0, 120.0, 50.5, 50.0)}, Phase.EXPLORE))
    assert ([m.trial_id for m in once.disturbed], once.own) == (["2/3"], ())
    assert (twice.disturbed, {m.trial_id for m in twice.own}) == ((), {"2/2", "2/3"})
    assert len(twice.clear) == 15
    assert twice.noise is not None
    assert twice.noise.cv < 0.03


def test_a_claim_of_a_setting_that_stood_out_before_takes_every_block() -> None:
    """One of its exploring trials did not count."""
    pairs = (-0.12, -0.09, -0.11)
    assert not confirm(pairs, Known()).wants_more
    assert confirm(pairs, Known(is_in_doubt=True)).wants_more
    assert not confirm((-0.01, 0.01, 0.0), Known(is_in_doubt=True)).wants_more


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
