"""Results from history alone: rates under load, the slower half of an agent, and a catch-up with a band."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.analysis.forecast import forecast
from app.domain.comparison import Forecast
from app.domain.measurement import Measurement
from app.domain.metrics import THROUGHPUT
from app.domain.setting import EMPTY_SETTING
from app.systems.transactional_replication.analysis.trials import SHORTEST_STATISTICS_S
from app.systems.transactional_replication.observed import AgentHour, Side
from app.systems.transactional_replication.topology import AgentStatistics

# An hour in which an agent delivered for less than this says little of what it can do.
SHORTEST_BUSY_S: Final = 300.0

# Commands that are a minute old on average waited for the agent, so its rate is what it can do: an agent that keeps up
# polls every 5 s, and batches take seconds.
SATURATED_LATENCY_MS: Final = 60_000.0

HOUR_S: Final = 3_600.0

# The thread that waits this share of its time longer than the other one is not the slow one.
CLEAR_SHARE: Final = 0.25


@dataclass(frozen=True)
class Throughput:
    """An agent's throughput in the hours looked at, commands/s; `busiest` is the best hour's mean over the whole
    hour."""

    mean: float
    busiest: float


def covered_s(hours: Sequence[AgentHour], window_h: int, taken: datetime) -> float:
    """Return how much of the window the kept history reaches back, seconds: all of it where there is no row.

    The Distributor cleans its history up (after 48 hours unless told otherwise), so a longer window is empty before.

    Args:
        hours: of all agents; idle agents write rows, too.
        taken: end of the window.
    """
    window_s = window_h * HOUR_S
    first = min((hour.hour_utc for hour in hours), default=None)
    return window_s if first is None else min(window_s, max(1.0, (taken - first).total_seconds()))


def throughput_of(hours: Sequence[AgentHour], looked_at_s: float) -> Throughput:
    """Return the mean over the time looked at, seconds, and the busiest hour."""
    total = sum(hour.commands for hour in hours)
    busiest = max((hour.commands for hour in hours), default=0)
    return Throughput(total / looked_at_s, busiest / HOUR_S)


def commands_per_transaction(hours: Sequence[AgentHour]) -> float | None:
    """Return the mean size of a transaction, None where nothing was delivered."""
    transactions = sum(hour.transactions for hour in hours)
    return sum(hour.commands for hour in hours) / transactions if transactions else None


def wait_shares_of(statistics: AgentStatistics | None) -> tuple[float, float] | None:
    """Return (reader wait, writer wait) as shares of each thread's time, None where it is too short to tell."""
    if statistics is None:
        return None
    reader_s = statistics.reader_fetch_s + statistics.reader_wait_s
    writer_s = statistics.writer_write_s + statistics.writer_wait_s
    if min(reader_s, writer_s) < SHORTEST_STATISTICS_S:
        return None
    return statistics.reader_wait_s / reader_s, statistics.writer_wait_s / writer_s


def slow_side_of(statistics: AgentStatistics | None) -> Side:
    """Return which half of an agent limits it: the one that does not wait while the other does.

    Source: Microsoft KB2892631: a high writer wait means that reading is slow, a high reader wait that writing is.
    """
    shares = wait_shares_of(statistics)
    if shares is None:
        return Side.UNKNOWN
    reader_wait, writer_wait = shares
    if abs(reader_wait - writer_wait) < CLEAR_SHARE:
        return Side.NEITHER
    return Side.READER if writer_wait > reader_wait else Side.WRITER


def catch_up_of(family: str, hours: Sequence[AgentHour], waiting_commands: int, inflow_per_s: float) -> Forecast | None:
    """Return how long an agent takes for its backlog, at the rates it had while it was busy.

    Each hour in which commands waited for it counts as one observation of its rate; the band is that of a further hour
    like them (`forecast`).

    Returns:
        None where that was so in fewer than two hours: one hour has no spread.
    """
    busy = [hour for hour in hours if is_saturated(hour)]
    if len(busy) < 2:
        return None
    rates = [
        Measurement(
            family=family,
            trial_id=f"{hour.hour_utc:%Y-%m-%dT%H}",
            block=number,
            metric=THROUGHPUT.name,
            value=hour.commands / hour.busy_s,
            unit=THROUGHPUT.unit,
            setting=EMPTY_SETTING,
        )
        for number, hour in enumerate(busy, start=1)
    ]
    return forecast(rates, EMPTY_SETTING, waiting_commands, inflow_per_s=inflow_per_s, noise_cv=None)


def is_saturated(hour: AgentHour) -> bool:
    """Tell whether an agent was behind in an hour, so that its rate was its capacity."""
    late = hour.latency_ms is not None and hour.latency_ms >= SATURATED_LATENCY_MS
    return late and hour.busy_s >= SHORTEST_BUSY_S and hour.commands > 0
