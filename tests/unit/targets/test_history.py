"""History rows of the lab's agents: what is written when."""

from dataclasses import replace

from app.systems.transactional_replication.lab.replication import AgentState
from app.systems.transactional_replication.lab_server.history import IDLE, IN_PROGRESS, START, STOPPED, AgentHistory
from app.systems.transactional_replication.server.statistics import parse_statistics

QUIET = AgentState(
    running=True,
    session_start_s=100.0,
    delivered_transactions=0,
    delivered_commands=0,
    total_delivered_commands=0,
    last_delivery_s=None,
    latency_s=0.0,
    reader_fetch_s=0.0,
    reader_wait_s=0.0,
    writer_write_s=0.0,
    writer_wait_s=0.0,
    idle_s=0.0,
    idle_since_s=None,
    streams_in_use=1,
    fallbacks=0,
    deliveries=(),
)


def delivering(*deliveries: tuple[float, int, int, float], **changed: object) -> AgentState:
    """Return an agent that has made these deliveries in its session."""
    state = replace(
        QUIET,
        deliveries=deliveries,
        delivered_commands=sum(delivery[1] for delivery in deliveries),
        delivered_transactions=sum(delivery[2] for delivery in deliveries),
        last_delivery_s=deliveries[-1][0],
    )
    return replace(state, **changed)  # type: ignore[arg-type]  # callers name what it takes


def test_nothing_before_the_first_session() -> None:
    """An agent that never ran has no history."""
    history = AgentHistory()
    history.observe(replace(QUIET, session_start_s=None, running=False), 5.0)
    assert (history.rows, history.session_start_s) == ([], None)


def test_close_deliveries_share_a_row_until_five_seconds() -> None:
    """Within five seconds the newest delivery overwrites the row, later it opens the next; totals are exact."""
    history = AgentHistory()
    batches = tuple((100.0 + 2.0 * number, 10, 4, 1.5) for number in range(1, 7))
    history.observe(delivering(*batches), 120.0)
    assert [(row.runstatus, row.time_s, row.commands, row.transactions) for row in history.rows] == [
        (START, 100.0, 0, 0),
        (IN_PROGRESS, 106.0, 30, 12),
        (IN_PROGRESS, 112.0, 60, 24),
    ]
    assert history.rows[1].latency_ms == 1500


def test_polling_does_not_change_the_rows() -> None:
    """Looking often or once leaves the same rows."""
    batches = tuple((100.0 + 1.3 * number, 10, 4, 1.0) for number in range(1, 30))
    once, often = AgentHistory(), AgentHistory()
    once.observe(delivering(*batches), 150.0)
    for seen in range(1, 30):
        often.observe(delivering(*batches[:seen]), 100.0 + 1.3 * seen)
    assert [(r.time_s, r.commands) for r in once.rows] == [(r.time_s, r.commands) for r in often.rows]


def test_deliveries_forgotten_by_the_simulation_still_count() -> None:
    """Totals come from the session's counters, so a look after a long time is exact, too."""
    history = AgentHistory()
    history.observe(delivering((200.0, 10, 4, 1.0), delivered_commands=5_000, delivered_transactions=2_000), 210.0)
    assert (history.rows[-1].commands, history.rows[-1].transactions) == (5_000, 2_000)


def test_idle_row_repeats_the_totals_and_brings_statistics() -> None:
    """When nothing is left the idle row has the time idling began, and a statistics row follows."""
    history = AgentHistory()
    state = delivering(
        (130.5, 10, 4, 1.0), idle_since_s=130.5, reader_fetch_s=4.0, reader_wait_s=26.0, writer_write_s=30.0
    )
    history.observe(state, 133.0)
    history.observe(state, 140.0)
    assert [(row.runstatus, row.time_s, row.commands) for row in history.rows[-2:]] == [
        (IN_PROGRESS, 130.5, 10),
        (IDLE, 130.5, 10),
    ]
    assert history.statistics is not None
    parsed = parse_statistics(history.statistics[1])
    assert parsed is not None
    assert (parsed.reader_fetch_s, parsed.reader_wait_s, parsed.writer_write_s) == (4.0, 26.0, 30.0)


def test_delivery_after_idling_opens_a_row() -> None:
    """A delivery right after an idle row does not overwrite it."""
    history = AgentHistory()
    first = (101.0, 10, 4, 1.0)
    history.observe(delivering(first, idle_since_s=101.0), 101.5)
    history.observe(delivering(first, (102.0, 5, 2, 1.0)), 102.5)
    assert [row.runstatus for row in history.rows] == [START, IN_PROGRESS, IDLE, IN_PROGRESS]
    assert history.rows[-1].commands == 15


def test_statistics_every_five_minutes() -> None:
    """A busy agent writes statistics every 300 seconds of its session."""
    history = AgentHistory()
    busy = delivering((390.0, 10, 4, 1.0))
    history.observe(busy, 399.0)
    assert history.statistics is None
    history.observe(busy, 400.0)
    assert history.statistics is not None
    assert history.statistics[0] == 400.0


def test_fall_back_is_told_once() -> None:
    """Each fall-back leaves one row with the agent's words."""
    history = AgentHistory()
    state = delivering((101.0, 10, 4, 1.0), fallbacks=1)
    history.observe(state, 101.5)
    history.observe(state, 102.5)
    assert sum("single connection mode" in row.comments for row in history.rows) == 1


def test_stop_closes_the_session_at_its_end() -> None:
    """The last row of a stopped agent has the end of the session, and nothing is written after it."""
    history = AgentHistory()
    stopped = delivering((101.0, 10, 4, 1.0), running=False, reader_fetch_s=2.0, reader_wait_s=5.0, idle_s=1.0)
    history.observe(stopped, 130.0)
    history.observe(stopped, 500.0)
    assert (history.rows[-1].runstatus, history.rows[-1].time_s, history.rows[-1].commands) == (STOPPED, 108.0, 10)
    assert history.statistics is not None


def test_new_session_begins_from_zero() -> None:
    """The rows of the session before are gone from the newest session."""
    history = AgentHistory()
    history.observe(delivering((101.0, 10, 4, 1.0)), 102.0)
    history.observe(replace(QUIET, session_start_s=200.0), 201.0)
    assert [(row.runstatus, row.time_s, row.commands) for row in history.rows] == [(START, 200.0, 0)]
    assert history.statistics is None
