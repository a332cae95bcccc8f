"""Catch-up of a backlog."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from app.analysis.forecast import caught_up, forecast
from app.domain.errors import BadInput
from app.domain.measurement import Measurement
from app.domain.plan import Phase
from app.domain.setting import Setting
from tests.unit.analysis.making import CALM, level, measured

RATES = {1: [6.7, 6.9, 7.0], 8: [40.0, 41.5, 39.5]}


def _rates(rates: dict[int, list[float]], unit: str = "commands/s") -> list[Measurement]:
    return [
        measured(rate, level(streams), block=block, metric="throughput", unit=unit, conditions=Setting.of(rtt_ms=300))
        for streams, values in rates.items()
        for block, rate in enumerate(values, start=1)
    ]


def test_forecast_of_a_published_rate_is_the_published_time() -> None:
    """240,000 commands at 56.11 commands/s take 1.19 hours (published study of delivery over a WAN)."""
    found = forecast(_rates({16: [56.11]}), level(16), 240_000, noise_cv=0.03)
    assert found.hours == pytest.approx(1.188, abs=0.001)
    half_width = stats.t.ppf(0.975, 7) * math.sqrt(math.log1p(0.03**2)) * math.sqrt(2)
    assert found.high_hours == pytest.approx(found.hours * math.exp(half_width))
    assert found.low_hours == pytest.approx(found.hours / math.exp(half_width))
    assert found.trials == ("SubscriptionStreams 16/1",)
    assert found.conditions == Setting.of(rtt_ms=300)


def test_forecast_pools_the_scatter_of_all_settings() -> None:
    """The band is a prediction interval: t with the pooled degrees of freedom, s √(1 + 1/n)."""
    found = forecast(_rates(RATES), level(8), 100_000)
    logs = [np.log(values) for values in RATES.values()]
    sd = math.sqrt(sum(float(((x - x.mean()) ** 2).sum()) for x in logs) / 4)
    rate = math.exp(float(logs[1].mean()))
    half_width = stats.t.ppf(0.975, 4) * sd * math.sqrt(1 + 1 / 3)
    assert found.hours == pytest.approx(100_000 / rate / 3600)
    assert found.high_hours == pytest.approx(found.hours * math.exp(half_width))


def test_forecast_from_one_run_without_a_noise_level_has_no_band() -> None:
    """One rate and no noise: an expected time, and a band that says nothing."""
    found = forecast(_rates({8: [40.0]}), level(8), 144_000)
    assert found.hours == pytest.approx(1.0)
    assert (found.low_hours, found.high_hours) == (0.0, math.inf)


def test_forecast_never_ends_where_the_inflow_is_as_fast() -> None:
    """A backlog that grows is never delivered; the band can still have a lower end."""
    found = forecast(_rates({8: [40.0]}), level(8), 1_000, inflow_per_s=40.0, noise_cv=0.03)
    assert (found.hours, found.high_hours) == (math.inf, math.inf)
    assert math.isfinite(found.low_hours)


def test_forecast_subtracts_the_inflow() -> None:
    """What still arrives takes its part of the rate."""
    found = forecast(_rates({8: [40.0]}), level(8), 36_000, inflow_per_s=30.0, noise_cv=0.03)
    assert found.hours == pytest.approx(1.0)


@CALM
@given(
    st.floats(1.0, 1e4),
    st.integers(0, 10**9),
    st.integers(0, 10**6),
    st.floats(0.0, 100.0),
    st.floats(0.0, 100.0),
    st.floats(0.005, 0.3),
)
def test_forecast_grows_with_backlog_and_inflow(
    rate: float, backlog: int, more: int, inflow: float, more_inflow: float, noise_cv: float
) -> None:
    """A larger backlog or inflow never takes less time, and the band always holds the expected time."""
    rows = _rates({8: [rate]})
    found = forecast(rows, level(8), backlog, inflow, noise_cv)
    larger = forecast(rows, level(8), backlog + more, inflow, noise_cv)
    busier = forecast(rows, level(8), backlog, inflow + more_inflow, noise_cv)
    assert found.low_hours <= found.hours <= found.high_hours
    for other in (larger, busier):
        assert other.low_hours >= found.low_hours
        assert other.hours >= found.hours
        assert other.high_hours >= found.high_hours


def test_forecast_takes_any_unit_of_a_command_rate() -> None:
    """Commands per minute are commands per second times 60; a run time is no rate."""
    found = forecast(_rates({8: [2_400.0]}, unit="commands/min"), level(8), 144_000, noise_cv=0.03)
    assert found.hours == pytest.approx(1.0)
    with pytest.raises(BadInput, match="cannot be compared"):
        forecast(_rates({8: [40.0]}, unit="s"), level(8), 1_000, noise_cv=0.03)


def test_forecast_takes_exploring_and_confirming_trials_together() -> None:
    """Every used trial of a setting tells its rate."""
    rows = _rates(RATES)
    mixed = [replace(m, phase=Phase.CONFIRM) if m.block == 3 else m for m in rows]
    assert forecast(mixed, level(8), 1_000) == forecast(rows, level(8), 1_000)


def test_forecast_of_an_empty_backlog_is_done() -> None:
    """Nothing waiting takes no time, whatever the inflow."""
    found = forecast(_rates({8: [40.0]}), level(8), 0, inflow_per_s=100.0)
    assert (found.hours, found.low_hours, found.high_hours) == (0.0, 0.0, 0.0)


def test_forecast_needs_a_rate_of_the_setting() -> None:
    """A setting nobody measured has no forecast."""
    with pytest.raises(ValueError, match="SubscriptionStreams 4"):
        forecast(_rates(RATES), level(4), 1_000)


def test_a_backlog_is_caught_up_by_the_clock_and_what_came_is_held_against_it() -> None:
    """400,000 commands at 13:00, 40 delivered a second while 10 arrive; the band decides what came true."""
    since = datetime(2026, 1, 1, 13, tzinfo=UTC)
    told = forecast(_rates(RATES), level(8), 400_000, inflow_per_s=10.0)
    when = caught_up(told, since)
    assert when.at == since + timedelta(hours=told.hours)
    assert when.earliest is not None
    assert when.latest is not None
    assert since < when.earliest < when.at < when.latest
    assert when.came_true(when.at)
    assert not when.came_true(when.earliest - timedelta(minutes=1))
    assert not when.came_true(when.latest + timedelta(minutes=1))


def test_a_backlog_that_grows_is_never_caught_up() -> None:
    """One stream cannot keep up: no moment is named, and whatever comes is no promise kept."""
    when = caught_up(forecast(_rates(RATES), level(1), 400_000, inflow_per_s=50.0), datetime(2026, 1, 1, tzinfo=UTC))
    assert (when.at, when.earliest, when.latest) == (None, None, None)
    assert not when.came_true(datetime(2026, 1, 2, tzinfo=UTC))
