"""What an experiment is going to do, decided before anything is touched."""

from dataclasses import dataclass, field
from enum import StrEnum

from app.domain.load import EMPTY_LOAD, Load
from app.domain.setting import Setting, Value


class Scenario(StrEnum):
    """How the workload meets the agent: a backlog run empty, or a steady stream."""

    DRAINED = "drained"
    CONTINUOUS = "continuous"


class Stop(StrEnum):
    """When exploring ends: after a fixed number of blocks, or when racing has found the winner."""

    BLOCKS = "blocks"
    RACE = "race"


class Phase(StrEnum):
    """Exploring finds candidates; only fresh confirmation trials carry a claim, since the best mean flatters itself."""

    EXPLORE = "explore"
    CONFIRM = "confirm"


@dataclass(frozen=True)
class Factor:
    """One parameter to vary, with its levels in the order they were given (at least two, distinct)."""

    name: str
    levels: tuple[Value, ...]


@dataclass(frozen=True)
class WorkloadSpec:
    """The load on the Publisher: mixed DML, 30 % inserts, 60 % updates, 10 % deletes of 1 KB rows.

    Attributes:
        commands_per_transaction: lowest and highest number of commands of one transaction (mean between them).
        commands: size of the backlog of a drained trial.
        scenario: drained or continuous.
        duration_s: length of a continuous trial.
        rate_per_s: offered commands/s of a continuous trial; None keeps the agent saturated.
        agent_pairs: how many publication databases, each with its own agents, run on one Distributor.
    """

    commands_per_transaction: tuple[float, float] = (2.5, 2.5)
    commands: int = 1_000_000
    scenario: Scenario = Scenario.DRAINED
    duration_s: float = 1_800.0
    rate_per_s: float | None = None
    agent_pairs: int = 1

    @property
    def mean_commands_per_transaction(self) -> float:
        """The mean number of commands of a transaction."""
        return sum(self.commands_per_transaction) / 2


@dataclass(frozen=True)
class Design:
    """How trials are arranged and when a difference counts.

    Attributes:
        blocks: exploring blocks (`stop = blocks`) or the most there may be (`stop = race`).
        confirm_blocks: fresh blocks of winner against baseline; 0 makes no claim.
        minimum_effect: the smallest effect worth acting on, as a share (0.05 = 5 %).
        seed: orders trials within blocks.
        noise_cv: run-to-run noise known from outside, as a share, or None.
    """

    stop: Stop = Stop.BLOCKS
    blocks: int = 3
    confirm_blocks: int = 3
    minimum_effect: float = 0.05
    seed: int = 1
    noise_cv: float | None = None


@dataclass(frozen=True)
class Limits:
    """What ends a trial and restores the server; None means no limit.

    Attributes:
        latency_s: Publisher to Distributor or Distributor to Subscriber, whichever the family measures.
        pending_commands: commands waiting in the distribution database (beyond the planned backlog).
        log_used_share: used share of the publication database's log, 0–1.
        lock_wait_share: share of time spent waiting for locks on the distribution database, 0–1.
        free_disk_gb: free space that must remain on the data disk of the server under test.
        commit_delay_ms: mean time a commit waits for the secondary replica.
        send_queue_mb, redo_queue_mb: log not yet sent to, or not yet redone at, the secondary replica.
        streams_pool_share: used share of the Streams pool of either database, 0–1.
        trial_duration_s: longest a single trial may take.
    """

    latency_s: float | None = None
    pending_commands: int | None = None
    log_used_share: float | None = 0.9
    lock_wait_share: float | None = None
    free_disk_gb: float | None = 1.0
    trial_duration_s: float = 4 * 3600.0
    commit_delay_ms: float | None = None
    send_queue_mb: float | None = None
    redo_queue_mb: float | None = None
    streams_pool_share: float | None = None


@dataclass(frozen=True)
class Plan:
    """One experiment, complete: the same plan gives the same trials.

    Attributes:
        family: id of the experiment family.
        factors: what is varied; the trials cross all levels.
        baseline: the setting every claim is made against (the values in effect, unless the plan names others).
        workload: the load of a replication-agent family; the others leave it alone.
        load: what the plan says about the load of a family with load fields of its own, complete.
    """

    family: str
    factors: tuple[Factor, ...]
    baseline: Setting
    workload: WorkloadSpec = field(default_factory=WorkloadSpec)
    design: Design = field(default_factory=Design)
    limits: Limits = field(default_factory=Limits)
    load: Load = EMPTY_LOAD


@dataclass(frozen=True)
class TrialSpec:
    """One trial to be run.

    Attributes:
        trial_id: unique within the session, such as `E1-T004`.
        order: position in the sequence, from 1.
        block: block number, from 1, counted through both phases.
    """

    trial_id: str
    order: int
    block: int
    phase: Phase
    setting: Setting
