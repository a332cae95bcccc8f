"""What is kept of an agent's history: sessions of a backlog, and the steady part of a continuous trial."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from app.domain.target import Offer, Target
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.readings import AgentReading, ReplicationSample
from app.systems.transactional_replication.rig.watch import (
    RUNSTATUS_FAIL,
    RUNSTATUS_RETRY,
    observe_session,
    observe_window,
)
from app.systems.transactional_replication.subjects import SYSTEM_ID
from app.systems.transactional_replication.topology import (
    Agent,
    AgentStatistics,
    Written,
)
from tests.labs import MemoryConnection
from tests.unit.analysis.observing import DELIVERER
from tests.unit.runner.memory import MemoryClock, MemoryServer

START = datetime(2026, 1, 1, tzinfo=UTC)
IN_PROGRESS, IDLE = 3, 4


def at(seconds: float) -> datetime:
    """Return a time of the Distributor's day."""
    return START + timedelta(seconds=seconds)


def row(
    seconds: float,
    commands: int,
    *,
    latency_ms: float = 0.0,
    status: int = IN_PROGRESS,
    comment: str = "",
    began: float = 0,
) -> AgentReading:
    """Return one history row."""
    return AgentReading(
        "", AgentKind.DISTRIBUTION, 2, status, at(began), at(seconds), commands // 2, commands, latency_ms, comment
    )


class History:
    """The agents of a target, as far as history goes."""

    def __init__(self, rows: Sequence[AgentReading]) -> None:
        self._rows = tuple(rows)

    def read_history(self, agent: Agent) -> tuple[AgentReading, ...]:
        """Return the rows."""
        return self._rows

    def read_statistics(self, agent: Agent) -> AgentStatistics | None:
        """Return no statistics."""
        return None


def target(*rows: AgentReading) -> Target:
    """Return a target with this history."""
    ports: Any = SimpleNamespace(agents=History(rows))
    offer = Offer(frozenset(), ports, MemoryServer(), frozenset())
    return Target(MemoryConnection(MemoryClock()), {SYSTEM_ID: offer})


def sample(seconds: float, reading: AgentReading | None) -> ReplicationSample:
    """Return one reading of everything, with the agent's newest row."""
    return ReplicationSample(at(seconds), (reading,) if reading else (), 0, 0.0, 0, 0.0, 100.0)


def test_a_session_ends_with_the_row_that_completes_the_backlog() -> None:
    """Later rows say nothing about the run time; rows without a delivery are no deliveries."""
    rows = (
        row(0, 0),
        row(5, 400, latency_ms=3),
        row(6, 400, status=IDLE),
        row(10, 1_000, latency_ms=7),
        row(60, 1_000),
    )
    seen = observe_session(target(*rows), DELIVERER, Written(1_000, ""))
    assert (seen.delivered_commands, seen.elapsed_s) == (1_000, 10.0)
    assert seen.delivered_at == ((5.0, 400), (10.0, 1_000))
    assert seen.latencies_ms == (3.0, 7.0)
    assert seen.watched_s is None


def test_a_session_without_history_failed() -> None:
    """An agent that wrote nothing cannot be measured, and the trial says so."""
    seen = observe_session(target(), DELIVERER, Written(1_000, ""))
    assert (seen.failed, seen.delivered_commands) == ("wrote no history", 0)


def test_the_steady_part_is_measured_from_delivery_to_delivery() -> None:
    """Totals of the session are subtracted; what was delivered before is the first point, at 0."""
    rows = (row(2, 100, latency_ms=1), row(12, 300, latency_ms=2), row(32, 900, latency_ms=3))
    seen = observe_window(
        target(*rows), DELIVERER, at(0), [sample(5, rows[0]), sample(15, rows[1]), sample(40, rows[2])]
    )
    assert (seen.delivered_commands, seen.delivered_transactions, seen.elapsed_s) == (800, 400, 30.0)
    assert seen.delivered_at == ((0.0, 100), (7.0, 300), (27.0, 900))
    assert seen.latencies_ms == (2.0, 3.0)
    assert seen.watched_s == 35.0


def test_an_agent_that_had_delivered_nothing_has_no_first_point() -> None:
    """The filling of the pipeline is no pause in delivery."""
    rows = (row(0, 0), row(30, 500))
    seen = observe_window(target(*rows), DELIVERER, at(0), [sample(1, rows[0]), sample(40, rows[1])])
    assert seen.delivered_at == ((29.0, 500),)
    assert seen.watched_s == 39.0


def test_idle_rows_are_no_deliveries() -> None:
    """An agent with nothing to do writes rows as well."""
    rows = (row(2, 100), row(10, 100, status=IDLE), row(20, 100, status=IDLE), row(30, 200, latency_ms=4))
    seen = observe_window(target(*rows), DELIVERER, at(0), [sample(5, rows[0]), sample(35, rows[3])])
    assert seen.delivered_at == ((0.0, 100), (25.0, 200))
    assert seen.latencies_ms == (4.0,)


def test_an_agent_that_started_again_counts_from_zero() -> None:
    """A new session's totals start anew."""
    rows = (row(12, 50, began=10), row(30, 400, began=10))
    steady = [sample(5, row(2, 9_000)), sample(15, rows[0]), sample(35, rows[1])]
    seen = observe_window(target(*rows), DELIVERER, at(0), steady)
    assert seen.delivered_commands == 400
    assert seen.delivered_at == ((7.0, 50), (25.0, 400))


@pytest.mark.parametrize(("since", "until", "delivered"), [(70_000, 71_500, 1_500), (70_000, 300, 400), (None, 9, 400)])
def test_the_total_of_a_subscription_outlasts_a_restart(since: int | None, until: int, delivered: int) -> None:
    """What an agent delivered in the session before counts, too, unless the subscription is another one by now."""
    rows = (row(12, 50, began=10), row(30, 400, began=10))
    first = replace(row(2, 9_000), total_delivered_commands=since)
    last = replace(rows[1], total_delivered_commands=until)
    seen = observe_window(target(*rows), DELIVERER, at(0), [sample(5, first), sample(15, rows[0]), sample(35, last)])
    assert seen.delivered_commands == delivered


@pytest.mark.parametrize("status", [RUNSTATUS_RETRY, RUNSTATUS_FAIL])
def test_errors_and_fall_backs_count_from_the_beginning_of_the_trial(status: int) -> None:
    """They outlast the warm-up; what happened before the trial is not its fault."""
    before = row(-5, 0, status=status, comment="an old error", began=-10)
    early = row(1, 10, status=status, comment="reset to single connection mode", began=-10)
    rows = (before, early, row(10, 100, began=-10), row(20, 200, began=-10))
    seen = observe_window(target(*rows), DELIVERER, at(0), [sample(12, rows[2]), sample(25, rows[3])])
    assert seen.failed == "reset to single connection mode"
    assert seen.fell_back
    clean = observe_window(target(before, *rows[2:]), DELIVERER, at(0), [sample(12, rows[2]), sample(25, rows[3])])
    assert (clean.failed, clean.fell_back) == ("", False)
