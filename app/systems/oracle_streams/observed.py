"""The databases' own views of a Streams pipeline, without an experiment."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.cost import ExperimentCost
from app.domain.finding import Finding
from app.systems.oracle_streams.pipeline import StreamsPath, StreamsTopology


@dataclass(frozen=True)
class ObservedQueue:
    """A buffered queue over the readings of a look.

    Attributes:
        name: "OWNER.NAME". database: where it is.
        messages: in it at the newest reading; most_messages: at any reading.
        spilled_messages: written to disk during the look; spilled_since_start: since its counters began.
    """

    name: str
    database: str
    messages: int
    most_messages: int
    spilled_messages: float
    spilled_since_start: int


@dataclass(frozen=True)
class ObservedStage:
    """The work of a capture, a propagation, an apply reader or the apply servers during a look; shares are 0 to 1.

    Attributes:
        title: for a person.
        state: what it did at the newest reading; of the servers, each state with its number.
        messages_per_min: that passed it.
        working_share, idle_share: of the readings; of the servers, their mean.
        held_share: waiting for others: paused for flow control, for a dependency, or for the turn to commit.
    """

    title: str
    state: str
    messages_per_min: float
    working_share: float
    idle_share: float
    held_share: float


@dataclass(frozen=True)
class ObservedPath:
    """One path from capture to apply over the readings of a look.

    Attributes:
        paused_share: time the capture was paused for flow control, by its own counter, as a share of the look.
        bottleneck: the stage the others waited for longest, "" where nothing was to be done; its share of the look.
        transactions_per_min: applied. staged_messages: staged by the apply reader during the look.
        staged_transactions: in the staging table at the newest reading.
        source_redo_mb_per_min, destination_redo_mb_per_min: of the whole database, whoever wrote it.
        source_pool_share, destination_pool_share: largest used share of the Streams pool, 0 to 1.
        latency_s: source commit to apply at the newest reading, None before the first.
        restarts: intervals that were left out, because a process or an instance started again.
    """

    path: StreamsPath
    apply_status: str
    readings: int
    watched_s: float
    stages: tuple[ObservedStage, ...]
    queues: tuple[ObservedQueue, ...]
    paused_share: float
    bottleneck: str
    bottleneck_share: float
    transactions_per_min: float
    staged_messages: float
    staged_transactions: int
    source_redo_mb_per_min: float
    destination_redo_mb_per_min: float
    source_pool_share: float
    destination_pool_share: float
    latency_s: float | None
    apply_errors: int
    restarts: int


@dataclass(frozen=True)
class StreamsObservation:
    """Everything one look at the two databases of a pipeline gives; nothing was changed, no load was written.

    Attributes:
        taken: the source database's time of day at the newest reading.
        watch_s: seconds asked for.
        findings: of the rules that need no experiment.
        costs: what each experiment on Streams would take here.
        limits: one sentence for each thing these figures do not say.
        statements, statement_ms: what the look itself cost the databases.
        unread: one sentence for each path that could not be read; the rest holds without it.
    """

    target: str
    taken: datetime
    watch_s: float
    topology: StreamsTopology
    paths: tuple[ObservedPath, ...]
    findings: tuple[Finding, ...]
    costs: tuple[ExperimentCost, ...]
    limits: tuple[str, ...]
    statements: int
    statement_ms: float
    unread: tuple[str, ...] = ()
