"""What waits for the agents under test, counted where it can be and reckoned beyond that."""

from datetime import UTC, datetime, timedelta

from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.readings import AgentReading, ReplicationSample
from app.systems.transactional_replication.rig.work_left import WorkLeft
from app.systems.transactional_replication.topology import Agent

START = datetime(2026, 1, 1, tzinfo=UTC)
READER = Agent(AgentKind.LOG_READER, 1, "PUB1-ERP-1", "", 1, "PUB1", "ERP")
AGENT = Agent(
    AgentKind.DISTRIBUTION, 2, "PUB1-ERP-Orders-SUB1-2", "", 1, "PUB1", "ERP", "Orders", "SUB1", "Copy", "push"
)


def told(agent: Agent, session: int, commands: int, total: int | None = None) -> AgentReading:
    """Return the newest row of an agent, in one of its sessions."""
    began = START + timedelta(hours=session)
    return AgentReading(
        agent.name, agent.kind, agent.agent_id, 3, began, began, commands // 2, commands, 0.0, "", "", total
    )


def sample(*agents: AgentReading, counted: int | None = None, in_log: int = 0) -> ReplicationSample:
    """Return one reading of everything."""
    return ReplicationSample(START, agents, in_log, 0.0, counted, 0.0, 100.0, log_pending=((("PUB1", "ERP"), in_log),))


class Monitor:
    """Replication Monitor, which counts everything once."""

    def __init__(self, commands: int | None) -> None:
        self._commands = commands
        self.asked = 0

    def __call__(self) -> int | None:
        """Return its count."""
        self.asked += 1
        return self._commands


def test_beyond_the_bound_it_is_reckoned_from_what_waited_at_first() -> None:
    """What the Log Reader Agent brought is added, what was delivered taken off, across restarts of both."""
    left, monitor = WorkLeft(), Monitor(4_000_000)

    def look(now: ReplicationSample) -> int | None:
        return left.look(now, (AGENT,), (READER,), monitor)

    assert look(sample(told(READER, 1, 500), told(AGENT, 1, 0, 9_000), counted=1_000_001)) == 4_000_000
    assert look(sample(told(READER, 1, 800), told(AGENT, 1, 1_000, 10_000))) == 3_999_300
    assert look(sample(told(READER, 2, 50), told(AGENT, 2, 200, 10_200))) == 3_999_150
    left.forget()  # a restore between two windows
    assert look(sample(told(READER, 2, 50), told(AGENT, 3, 100, 10_300), counted=1_000_001)) == 3_999_050
    assert monitor.asked == 1, "its count is costly"


def test_a_count_below_the_bound_is_what_waits() -> None:
    """From then on it is reckoned from there."""
    left, monitor = WorkLeft(), Monitor(None)
    first = sample(told(READER, 1, 0), told(AGENT, 1, 0, 0), counted=70_000)
    assert left.look(first, (AGENT,), (READER,), monitor) == 70_000
    assert left.look(sample(told(READER, 1, 10), told(AGENT, 1, 500, 500)), (AGENT,), (READER,), monitor) == 69_510
    assert monitor.asked == 0


def test_where_nobody_may_count_nothing_is_said() -> None:
    """A login may be refused both; it is asked once."""
    left, monitor = WorkLeft(), Monitor(None)
    for commands in (0, 100):
        now = sample(told(READER, 1, 0), told(AGENT, 1, commands, commands))
        assert left.look(now, (AGENT,), (READER,), monitor) is None
    assert monitor.asked == 1


def test_a_log_is_told_in_commands_of_its_sessions_size() -> None:
    """Transactions wait in a log; a rate is in commands."""
    left = WorkLeft()
    assert left.look(sample(told(READER, 1, 600), in_log=1_000), (READER,), (READER,), Monitor(1)) == 2_000
    assert left.look(sample(told(READER, 1, 0), in_log=1_000), (READER,), (READER,), Monitor(1)) is None
