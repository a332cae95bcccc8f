"""A rhythm in the rates of windows, found from their parts, and what it asks of a claim."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from app.analysis.confirmation import Known
from app.analysis.rhythm import LARGEST_UNSEEN_LOG, Rhythm, WindowRates, rhythm_in, window_rates
from app.analysis.window_pairs import ORDER_LEVEL, WindowTerms, confirm_windows, order_p
from app.domain.measurement import WINDOW_RATE, Better, Sample, TrialResult, TrialStatus
from app.domain.plan import Phase
from app.domain.setting import Setting

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def windows(count: int, amplitude: float, period_s: float, seed: int = 1) -> list[WindowRates]:
    """Return windows of 30 s a minute apart, of three settings in turn, with noise of 8 % a part."""
    drawn, made = np.random.default_rng(seed), list[WindowRates]()
    for number in range(count):
        middles = 60.0 * number + 3 + 6.0 * np.arange(5)
        streams = (1, 4, 8)[number % 3]
        logs = math.log(1_000 * streams) + amplitude * np.sin(2 * math.pi * middles / period_s)
        rates = np.exp(logs + 0.08 * drawn.standard_normal(5))
        made.append(WindowRates(Setting.of(Streams=streams), tuple(middles.tolist()), tuple(rates.tolist()), 6.0))
    return made


def rhythm(amplitude: float, period_s: float = 240.0) -> Rhythm:
    """Return what eighteen windows say."""
    found = rhythm_in(windows(18, amplitude, period_s))
    assert found is not None
    return found


@pytest.mark.parametrize("period_s", [130.0, 240.0, 400.0])
def test_a_rhythm_of_a_fifth_is_found_with_its_period(period_s: float) -> None:
    """Whatever the settings do to the rate."""
    found = rhythm(0.2, period_s)
    assert found.is_known
    assert found.period_s == pytest.approx(period_s, rel=0.08)
    assert found.cycle_s == pytest.approx(60.0)


def test_noise_is_no_rhythm() -> None:
    """Nor are settings that differ by a factor."""
    assert not rhythm(0.0).is_suspected


def test_too_few_windows_say_nothing() -> None:
    """Four."""
    assert rhythm_in(windows(4, 0.2, 240)) is None


def test_a_trial_without_parts_is_no_window() -> None:
    """Parts of a trial that can be used are on the clock of its end."""
    samples = tuple(Sample(WINDOW_RATE, 3 + 6.0 * n, 1_000.0 + n, "commands/s") for n in range(5))
    trial = TrialResult(
        "E1-T001", 1, Phase.EXPLORE, Setting.of(Streams=1), TrialStatus.USED, (), (), samples, BEGAN,
        BEGAN + timedelta(seconds=60),
    )  # fmt: skip
    (window,) = window_rates([trial, replace(trial, samples=()), replace(trial, status=TrialStatus.NOT_USED)])
    assert window.part_s == pytest.approx(6.0)
    assert window.middles_s[-1] == pytest.approx(trial.finished_utc.timestamp() - 3)


def test_the_order_alone_needs_seven_pairs() -> None:
    """All pairs alike: two orders of all show as much."""
    assert [order_p(np.full(n, 0.2)) for n in (3, 6, 7)] == [0.25, 2 / 64, 2 / 128]
    assert order_p(np.array([0.2, 0.1, -0.3])) == 1.0


def test_a_claim_beside_a_rhythm_stands_by_the_order_too() -> None:
    """Three pairs that agree are no claim there; seven are; interval and p say the same."""
    terms = WindowTerms(12, Better.HIGHER, minimum_effect=0.05, in_step_log=LARGEST_UNSEEN_LOG)
    three = confirm_windows([0.20, 0.22, 0.21], Known(), terms)
    assert not three.reading.claims
    assert three.wants_more
    assert three.reading.interval[0] <= 1.0
    assert three.reading.p_value > 0.05
    seven = confirm_windows([0.20, 0.22, 0.21, 0.19, 0.2, 0.21, 0.22], Known(), terms)
    assert seven.reading.claims
    assert seven.reading.p_value < 0.05
    assert 2 / 128 < ORDER_LEVEL < 2 / 64


def test_a_claim_beyond_what_a_rhythm_makes_needs_no_order() -> None:
    """Twice the rate is no fifth up and down, unless the rhythm is known and may be of any size."""
    terms = WindowTerms(12, Better.HIGHER, minimum_effect=0.05, in_step_log=LARGEST_UNSEEN_LOG)
    twice = [0.70, 0.72, 0.69]
    assert confirm_windows(twice, Known(), terms).reading.claims
    assert not confirm_windows(twice, Known(), replace(terms, in_step_log=math.inf)).reading.claims
