"""The counter of a Log Reader Agent against its history: when windows are measured by it, and when no more."""

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from app.drivers.sqlserver.counters import RAW, TOTAL
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.readings import AgentReading
from app.systems.transactional_replication.rig.counted import TOLERANCE, Counted, CountersMet
from app.systems.transactional_replication.topology import Agent

AGENT: Final = Agent(AgentKind.LOG_READER, 1, "PUB1-ERP-1", "", 1, "PUB1", "ERP")
BEGAN: Final = datetime(2026, 11, 30, 9, tzinfo=UTC)
RATE_PER_S: Final = 100


def moment(seconds: float, session: int = 0) -> datetime:
    """Return a moment of a session, each of which begins an hour after the one before."""
    return BEGAN + timedelta(hours=session, seconds=seconds)


def reading(
    told_s: float, value: int | None, *, session: int = 0, of_type: int | None = TOTAL, told: int | None = None
) -> AgentReading:
    """Return a reading of the agent: the newest row of its history, and its counter."""
    return AgentReading(
        agent=AGENT.name,
        kind=AgentKind.LOG_READER,
        agent_id=AGENT.agent_id,
        runstatus=3,
        session_start=moment(0, session),
        last_time=moment(told_s, session),
        delivered_transactions=round(told_s * RATE_PER_S / 4),
        delivered_commands=round(told_s * RATE_PER_S) if told is None else told,
        latency_ms=0.0,
        comment="",
        counter_commands=value,
        counter_transactions=None if value is None else value // 4,
        counter_type=None if value is None else of_type,
    )


class Session:
    """A session of an agent that delivers steadily, with a row a minute, read once a second."""

    def __init__(self, met: CountersMet, *, number: int = 0, before: AgentReading | None = None) -> None:
        self.notes: list[str] = []
        self.counted = Counted(AGENT, before, met, self.notes.append)
        self._number = number

    def last(self, until_s: int, *, factor: float = 1.0, base: int = 0, since_s: int = 1) -> None:
        """Let it deliver, with a counter that grows so many times as fast."""
        for second in range(since_s, until_s + 1):
            value = base + round(second * RATE_PER_S * factor)
            self.take(second, reading(60 * (second // 60), value, session=self._number))

    def take(self, second: float, now: AgentReading) -> None:
        """Read once."""
        self.counted.take(moment(second, self._number), now)


def test_a_counter_is_used_once_it_counted_what_the_history_tells() -> None:
    """From the first row on; readings before it count, too, by the Distributor's clock."""
    met = CountersMet()
    session = Session(met)
    session.last(59)
    assert not session.counted.is_used
    session.last(62, since_s=60)
    assert session.counted.is_used
    (note,) = session.notes
    assert (
        "measured by its counter of delivered commands, which grew as its history tells, within 5\N{NO-BREAK SPACE}%"
        in note
    )
    first, last = session.counted.rows[0], session.counted.rows[-1]
    assert (last.last_time - first.last_time).total_seconds() == 60
    assert last.delivered_commands - first.delivered_commands == 60 * RATE_PER_S
    assert last.delivered_transactions - first.delivered_transactions == 60 * RATE_PER_S // 4
    again = Session(met, number=1)
    again.last(20)
    assert again.counted.is_used
    assert not again.notes


def test_a_counter_that_outlasts_a_session_is_counted_from_where_it_stood() -> None:
    """It stands while the agent does; one that nobody could read then is compared from row to row."""
    standing = Session(CountersMet(), before=reading(0, 5_000_000, session=-1, told=0))
    standing.last(60, base=5_000_000)
    assert standing.counted.is_used
    unread = Session(CountersMet())
    unread.last(119, base=5_000_000)
    assert not unread.counted.is_used
    assert not unread.notes
    unread.last(120, base=5_000_000, since_s=120)
    assert unread.counted.is_used


@pytest.mark.parametrize("factor", [1 - 0.8 * TOLERANCE, 1 + 0.8 * TOLERANCE])
def test_a_counter_may_be_apart_within_the_tolerance(factor: float) -> None:
    """History and counter are read at other moments."""
    session = Session(CountersMet())
    session.last(120, factor=factor)
    assert session.counted.is_used


@pytest.mark.parametrize("factor", [0.5, 1 - 2.5 * TOLERANCE, 1 + 2.5 * TOLERANCE, 2.0])
def test_a_counter_that_counts_otherwise_is_not_used(factor: float) -> None:
    """Beyond the tolerance, more or less; it is said once."""
    session = Session(CountersMet())
    session.last(200, factor=factor)
    assert not session.counted.is_used
    (note,) = session.notes
    assert f"grew by {round(6_000 * factor, -2):,.0f}"[:10] in note
    assert "where its history tells 6,000, more than 5\N{NO-BREAK SPACE}% apart" in note


def test_a_rate_is_no_total() -> None:
    """The type tells it before anything is compared."""
    session = Session(CountersMet())
    session.take(1, reading(0, 100, of_type=RAW))
    session.last(120)
    assert not session.counted.is_used
    (note,) = session.notes
    assert "is no running total at this server" in note


def test_a_counter_that_stands_still_is_not_used() -> None:
    """Also one that stands still only now, in the window that shows it."""
    session = Session(CountersMet())
    session.last(120, factor=0.0)
    (note,) = session.notes
    assert "stands still while its history moves" in note

    met = CountersMet()
    later = Session(met)
    later.last(60)
    assert later.counted.is_used
    for second in range(61, 121):
        later.take(second, reading(60 * (second // 60), 60 * RATE_PER_S))
    assert not later.counted.is_used
    assert "stands still while its history moves" in later.notes[-1]


def test_a_counter_that_goes_backwards_is_not_used() -> None:
    """Within a session; with the next one it may begin anew."""
    met = CountersMet()
    session = Session(met)
    session.last(70)
    session.take(71, reading(60, 10))
    assert not session.counted.is_used
    assert "went backwards" in session.notes[-1]
    session.last(200, since_s=72)
    assert not session.counted.is_used

    anew = Session(CountersMet(), before=reading(0, 1_000_000, session=-1, told=0))
    anew.last(60)
    assert anew.counted.is_used


def test_a_server_without_the_counter_is_told() -> None:
    """Once the history has moved: an agent that only starts has none yet."""
    session = Session(CountersMet())
    session.take(1, reading(0, None))
    assert not session.notes
    session.take(60, reading(60, None))
    (note,) = session.notes
    assert "the server has no counter of the commands that" in note


def test_a_counter_that_moves_with_the_history_makes_no_window_shorter() -> None:
    """It counts rightly, and tells no more than the rows do."""
    session = Session(CountersMet())
    for second in range(1, 301):
        session.take(second, reading(60 * (second // 60), 60 * (second // 60) * RATE_PER_S))
    assert session.counted.is_used
    assert len(session.counted.rows) == 5


@pytest.mark.parametrize(("told", "is_used"), [(4_500, True), (2_000, False)])
def test_the_last_row_of_a_session_is_held_against_its_counter(told: int, *, is_used: bool) -> None:
    """A window shorter than the rhythm of the history is checked once its agent was stopped."""
    met = CountersMet()
    Session(met).last(60)
    short = Session(met, number=1)
    short.last(45)
    ended = reading(45, None, session=1, told=told)
    after = Session(met, number=2, before=ended)
    assert after.counted.is_used is is_used
    assert bool(after.notes) is not is_used
