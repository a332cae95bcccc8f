"""A server's own history of its replication agents, without an experiment."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from app.domain.comparison import Forecast
from app.domain.cost import ExperimentCost
from app.domain.finding import Finding, NotEvaluated
from app.domain.server import EffectiveParameter
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.enumerations import AGENT_TYPE
from app.systems.transactional_replication.readings import ReplicationSample
from app.systems.transactional_replication.stored_backlog import StoredBacklog
from app.systems.transactional_replication.topology import Agent, AgentStatistics, Topology


@dataclass(frozen=True)
class AgentHour:
    """One agent in one hour of the Distributor's clock, from its history rows.

    Attributes:
        hour_utc: start of the hour.
        transactions, commands: delivered in it; differences of session totals, which are never summed.
        busy_s: time between rows that delivered something; commands / busy_s is the rate while it had work.
        latency_ms, worst_latency_ms: of the rows that delivered, None where none did.
        problems: rows with an error or a retry.
    """

    kind: Annotated[AgentKind, AGENT_TYPE]
    agent_id: int
    hour_utc: datetime
    transactions: int
    commands: int
    busy_s: float
    latency_ms: float | None
    worst_latency_ms: float | None
    problems: int


class Side(StrEnum):
    """Which half of an agent limits it (Microsoft KB2892631)."""

    READER = "reader"
    WRITER = "writer"
    NEITHER = "neither"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class ObservedAgent:
    """One agent as its history shows it.

    Attributes:
        hours: oldest first; hours without a row are missing.
        statistics: of its present session, None where it wrote none.
        slow_side: which half the other one waits for.
        parameters: in effect.
        is_running: whether it ran when it was looked at, None where that is not known.
        stored: of a Distribution Agent, its backlog in the distribution database, None where that was not counted.
        in_front: that, and what waits in the log of its publication database.
    """

    agent: Agent
    hours: tuple[AgentHour, ...]
    statistics: AgentStatistics | None
    slow_side: Side
    parameters: tuple[EffectiveParameter, ...]
    is_running: bool | None = None
    stored: StoredBacklog | None = None
    in_front: StoredBacklog | None = None


@dataclass(frozen=True)
class ReplicationObservation:
    """Everything one look at a Distributor gives; nothing was changed and no load was written.

    Attributes:
        taken: the Distributor's time of day, this computer's where the Distributor's could not be read.
        window_h: hours of history asked for.
        covered_h: how many of them the kept history reaches back.
        sample: the present backlogs, None where this login may not read it.
        catch_up: a forecast for each Distribution Agent whose rate under load is known.
        clock_offsets: (server, its time of day minus the Distributor's, seconds).
        statements, statement_ms: what the look itself cost the servers.
        unread: one sentence for each part this login may not read; the rest holds without it.
        rest: of many agents, sentences on those that were counted and not read one by one.
    """

    target: str
    taken: datetime
    window_h: int
    covered_h: float
    topology: Topology
    sample: ReplicationSample | None
    agents: tuple[ObservedAgent, ...]
    catch_up: tuple[tuple[str, Forecast], ...]
    findings: tuple[Finding, ...]
    not_evaluated: tuple[NotEvaluated, ...]
    costs: tuple[ExperimentCost, ...]
    clock_offsets: tuple[tuple[str, float], ...]
    statements: int
    statement_ms: float
    unread: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()

    def looked_at_s(self, hour: AgentHour) -> float:
        """Return how much of an hour lies within the time looked at: its first and its last hour are parts of one."""
        whole = timedelta(hours=1)
        start = max(hour.hour_utc, self.taken - timedelta(hours=self.window_h))
        part = min(hour.hour_utc + whole, self.taken) - start
        return (part if timedelta() < part else whole).total_seconds()
