"""The client's own load at the agents a finding is about, by the history kept before the run."""

from collections.abc import Sequence
from datetime import datetime

from app.domain.comparison import Comparison
from app.domain.finding import Finding
from app.domain.metrics import RUN_TIME, THROUGHPUT
from app.domain.own_load import OwnLoad, Speed
from app.domain.session import Environment, SessionRecord
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.own_day import heaviest_of, kept_hours
from app.systems.transactional_replication.hand_over.recommended import agent_kind, agents_under_test
from app.systems.transactional_replication.site import kept_replication
from app.systems.transactional_replication.topology import Agent


def own_load_of(finding: Finding, comparison: Comparison, session: SessionRecord) -> OwnLoad | None:
    """Return the heaviest load of the agents of a change, delivered as it was and at the gain of a comparison.

    Returns:
        None for a Log Reader Agent, in front of which no history tells what came, for a measure that is no speed, and
        where no history was kept.
    """
    speed, kind = _speed(comparison), agent_kind(finding)
    if speed is None or kind is not AgentKind.DISTRIBUTION:
        return None
    times = [(run.started_utc, run.finished_utc or run.started_utc) for run in session.runs]
    loads = (_of_agent(*one, times, speed) for one in agents_under_test(finding, kind, session))
    return max((load for load in loads if load is not None), key=lambda load: load.commands, default=None)


def _of_agent(
    environment: Environment | None, agent: Agent | None, times: Sequence[tuple[datetime, datetime]], speed: Speed
) -> OwnLoad | None:
    read = None if environment is None else kept_replication(environment)
    if read is None or agent is None or read.hours is None:
        return None
    return heaviest_of(kept_hours(agent, read.topology, read.hours, times), agent.name, speed)


def _speed(comparison: Comparison) -> Speed | None:
    ends = comparison.ratio, comparison.low, comparison.high
    if not 0 < ends[1] <= ends[0] <= ends[2] < float("inf"):
        return None
    if comparison.metric == THROUGHPUT.name:
        return Speed(*ends)
    if comparison.metric == RUN_TIME.name:
        return Speed(1 / ends[0], 1 / ends[2], 1 / ends[1])
    return None
