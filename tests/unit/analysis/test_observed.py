"""What history alone supports: which half is slow, and a catch-up with a band."""

import math
from datetime import UTC, datetime, timedelta

import pytest

from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.history import (
    catch_up_of,
    commands_per_transaction,
    covered_s,
    slow_side_of,
    throughput_of,
    wait_shares_of,
)
from app.systems.transactional_replication.observed import AgentHour, Side
from app.systems.transactional_replication.topology import AgentStatistics

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def hour(number: int, commands: int, *, busy_s: float = 3_600.0, latency_ms: float | None = 120_000.0) -> AgentHour:
    """Return one hour of a Distribution Agent."""
    moment = NOON + timedelta(hours=number)
    return AgentHour(AgentKind.DISTRIBUTION, 1, moment, commands // 4, commands, busy_s, latency_ms, latency_ms, 0)


def statistics(reader: tuple[float, float], writer: tuple[float, float]) -> AgentStatistics:
    """Return (fetch, wait) of the reader and (write, wait) of the writer."""
    return AgentStatistics(reader[0], reader[1], writer[0], writer[1], 100.0, 0.0)


@pytest.mark.parametrize(
    ("reader", "writer", "side"),
    [
        ((90.0, 10.0), (10.0, 90.0), Side.READER),
        ((10.0, 90.0), (90.0, 10.0), Side.WRITER),
        ((50.0, 50.0), (40.0, 60.0), Side.NEITHER),
        ((5.0, 5.0), (5.0, 5.0), Side.UNKNOWN),
    ],
)
def test_the_half_that_does_not_wait_is_the_slow_one(
    reader: tuple[float, float], writer: tuple[float, float], side: Side
) -> None:
    """A writer that waits means slow reading, and the other way round; too little time tells nothing."""
    assert slow_side_of(statistics(reader, writer)) is side


def test_without_statistics_nothing_is_said() -> None:
    """An agent that wrote none has no slow half."""
    assert wait_shares_of(None) is None
    assert slow_side_of(None) is Side.UNKNOWN


def test_rates_are_of_the_whole_window_and_of_the_busiest_hour() -> None:
    """Hours without a row count as empty ones."""
    flow = throughput_of([hour(0, 3_600_000), hour(1, 7_200_000)], 86_400.0)
    assert flow.mean == pytest.approx(10_800_000 / 86_400)
    assert flow.busiest == pytest.approx(2_000.0)
    assert commands_per_transaction([hour(0, 400)]) == pytest.approx(4.0)
    assert commands_per_transaction([]) is None


def test_a_window_is_as_long_as_the_history_that_is_kept() -> None:
    """A week asked for where two days are kept is two days: what came in is not spread over the rest."""
    rows = [hour(0, 3_600_000), hour(1, 7_200_000)]
    taken = NOON + timedelta(hours=3)
    assert covered_s(rows, 168, taken) == pytest.approx(3 * 3_600)
    assert covered_s(rows, 2, taken) == pytest.approx(2 * 3_600)
    assert covered_s([], 24, taken) == pytest.approx(86_400)
    assert throughput_of(rows, covered_s(rows, 168, taken)).mean == pytest.approx(1_000.0)
    assert covered_s(rows, 24, NOON) > 0.0


def test_catch_up_counts_only_hours_in_which_commands_waited() -> None:
    """A quiet night says nothing of what the agent can do."""
    busy = [hour(0, 6_800_000), hour(1, 6_700_000), hour(2, 6_900_000)]
    quiet = [hour(3, 70_000, latency_ms=3_000.0), hour(4, 70_000, busy_s=60.0)]
    alone = catch_up_of("distribution_agent", busy, 1_900_000, 500.0)
    assert alone is not None
    assert catch_up_of("distribution_agent", [*busy, *quiet], 1_900_000, 500.0) == alone
    rate_per_s = math.exp(sum(math.log(h.commands / 3_600) for h in busy) / 3)
    assert alone.hours == pytest.approx(1_900_000 / (rate_per_s - 500.0) / 3_600)
    assert alone.low_hours < alone.hours < alone.high_hours
    assert len(alone.trials) == 3


def test_one_late_hour_has_no_band_and_so_no_forecast() -> None:
    """A forecast without a band would claim more than is known."""
    assert catch_up_of("distribution_agent", [hour(0, 6_800_000)], 1_000, 0.0) is None


def test_more_inflow_than_rate_never_ends() -> None:
    """The backlog grows."""
    forecast = catch_up_of("distribution_agent", [hour(0, 3_600_000), hour(1, 3_700_000)], 1_000, 5_000.0)
    assert forecast is not None
    assert math.isinf(forecast.hours)
