"""The observation of a replication-agent trial."""

from dataclasses import dataclass

from app.domain.measurement import Sample
from app.systems.transactional_replication.topology import (
    Agent,
    AgentStatistics,
    TracerLatency,
)


@dataclass(frozen=True)
class AgentObservation:
    """The observation of one agent while it was measured.

    Attributes:
        delivered_commands, delivered_transactions: within the measured time.
        elapsed_s: from the start of its session (drained) or of the measured window (continuous) to the last delivery.
        latencies_ms: one for each history row that delivered something.
        delivered_at: (seconds since the start of measuring, commands delivered so far), ascending; what the session had
            delivered before, its warm-up included, is the first entry, at 0.
        statistics: its own split of its time, None where it wrote none.
        fell_back: it went back to a single stream; None where its messages are in another language than English.
        failed: it reported an error or a retry.
        watched_s: length of the measured part of a continuous trial, on the scale of `delivered_at`; None where
            measuring ended with the last delivery.
    """

    agent: Agent
    delivered_commands: int
    delivered_transactions: int
    elapsed_s: float
    latencies_ms: tuple[float, ...]
    delivered_at: tuple[tuple[float, int], ...]
    statistics: AgentStatistics | None
    fell_back: bool | None
    failed: str
    watched_s: float | None = None


@dataclass(frozen=True)
class WindowSeen:
    """Figures of a window on the client's own work beside its rate.

    Attributes:
        length_s: of the measured part, by the agent's own rows.
        arrivals_per_s: commands that others sent into the distribution database meanwhile, None where no row tells it.
        commands_per_transaction: mean of what was delivered, None where nothing was.
        has_run_out: nothing was left before it was long enough for a rate.
    """

    length_s: float
    arrivals_per_s: float | None
    commands_per_transaction: float | None
    has_run_out: bool = False


@dataclass(frozen=True)
class AgentTrialObservation:
    """The observation of a replication-agent trial, before a family makes measures of it.

    Attributes:
        measured: agents of the kind under test.
        others: the other agents that ran meanwhile.
        samples: time series at the sampling interval.
        planned_commands: commands each measured agent was to deliver (drained), else 0.
        offered_commands: commands written during a continuous trial, all pairs.
        lock_wait_s: growth of lock waits on the Distributor.
        warm_up_s: cut from the start of a continuous trial (MSER-5), 0 for a drained one.
        command_bytes: mean size of a waiting command as stored at the Distributor, None where it was not read.
        window: what a window on the client's own work showed besides, None where the work was written.
        tokens: tracer tokens posted in the steady part of a continuous trial that arrived.
    """

    measured: tuple[AgentObservation, ...]
    others: tuple[AgentObservation, ...]
    samples: tuple[Sample, ...]
    planned_commands: int
    offered_commands: int
    lock_wait_s: float
    warm_up_s: float
    command_bytes: float | None = None
    tokens: tuple[TracerLatency, ...] = ()
    window: WindowSeen | None = None
