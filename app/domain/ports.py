"""What experiments and services need from outside, as protocols; targets, store and charts implement them."""

from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from typing import Any, Protocol

from app.domain.availability import AvailabilityGroups, GroupTopology
from app.domain.change import Change, JournalEntry, StillRunning
from app.domain.errors import Unsupported
from app.domain.observing import AgentHour
from app.domain.plot import PlotSpec
from app.domain.rights import LoginRights
from app.domain.seeding import DatabaseSeeding
from app.domain.setting import Setting
from app.domain.statement import CataloguedStatement, StatementRecord
from app.domain.streams import OracleStreams
from app.domain.topology import (
    Agent,
    AgentReading,
    AgentStatistics,
    EffectiveParameter,
    PendingCommands,
    ReplicationSample,
    SubscriberObjects,
    TokenClocks,
    Topology,
    TracerLatency,
)
from app.foundation.clock import Clock
from app.foundation.texts import _

StatementSink = Callable[[StatementRecord], None]


class Capability(StrEnum):
    """What a target may offer and a family may need."""

    REPLICATION_AGENTS = "ReplicationAgents"
    WORKLOAD = "Workload"
    NETWORK_PROBE = "NetworkProbe"
    AVAILABILITY_GROUPS = "AvailabilityGroups"
    DATABASE_SEEDING = "DatabaseSeeding"
    ORACLE_STREAMS = "OracleStreams"


class ReplicationAgents(Protocol):
    """Reading and controlling the agents of one Distributor. All calls raise TargetError subclasses."""

    def discover(self) -> Topology:
        """Read servers, publications, subscriptions and agents."""
        ...

    def read_parameters(self, agent: Agent) -> tuple[EffectiveParameter, ...]:
        """Read the parameters in effect, each with its origin, default and the server's limits, by name."""
        ...

    def read_subscriber_objects(self, agent: Agent) -> SubscriberObjects:
        """Count the objects in a Distribution Agent's subscription database that provoke a fall-back to one stream."""
        ...

    def read_command_bytes(self, agent: Agent) -> float | None:
        """Read the mean size of an agent's undelivered commands as stored at the Distributor, bytes, None for none."""
        ...

    def is_running(self, agent: Agent) -> bool:
        """Tell whether the agent's job runs now."""
        ...

    def start(self, agent: Agent) -> None:
        """Start the agent's job and wait until its history shows a new session.

        Raises:
            AgentDidNotRespond: no new session within the target's time limit.
        """
        ...

    def stop(self, agent: Agent) -> None:
        """Ask the agent's job to stop and wait until it has; a stopped agent is left alone.

        Raises:
            AgentDidNotRespond: still running after the target's time limit.
        """
        ...

    def sample(self) -> ReplicationSample:
        """Read all agents and queues in one round trip per server."""
        ...

    def read_history(self, agent: Agent) -> tuple[AgentReading, ...]:
        """Read the history rows of the agent's newest session, oldest first."""
        ...

    def read_statistics(self, agent: Agent) -> AgentStatistics | None:
        """Read the agent's newest statistics row of its current session, None before the first one."""
        ...

    def read_hours(self, window_h: int) -> tuple[AgentHour, ...]:
        """Read what every agent delivered in each hour of its kept history, oldest first."""
        ...

    def read_clock_offsets(self) -> tuple[tuple[str, float], ...]:
        """Read (server, its time of day minus the Distributor's in seconds), corrected by half of each round trip."""
        ...

    def read_pending(self, agent: Agent) -> PendingCommands:
        """Read what Replication Monitor counts for one subscription; meant for every few minutes, not for a tick."""
        ...

    def read_tracer_token(self, posted: Change) -> TracerLatency:
        """Read how far the token of a change that was made has come, by the clocks of the servers."""
        ...

    def read_token_clocks(self, agent: Agent) -> TokenClocks:
        """Read how far the clocks are apart that stamp the tokens of a Distribution Agent.

        Raises:
            Unsupported: they cannot be compared.
        """
        ...


class AgentChanges(Protocol):
    """Planning the changes of replication agents."""

    def plan_setting(
        self, agent: Agent, setting: Setting, owner: str, *, restated: Collection[str] = ()
    ) -> tuple[Change, ...]:
        """Read the present state and return the changes that give the agent this setting, in order.

        A dedicated profile named after `owner` is made once and kept; a setting already in effect needs no change.

        Args:
            restated: parameters that other settings change in between, so that the value in effect is set, too.

        Raises:
            BadInput: a value outside the server's own limits, or a parameter this agent does not have.
        """
        ...

    def plan_stop(self, agent: Agent) -> Change:
        """Return the change "agent stopped", whose undo starts it again; the agent runs now."""
        ...

    def plan_start(self, agent: Agent) -> Change:
        """Return the change "agent started", whose undo stops it again; the agent stands now."""
        ...

    def plan_tracer_token(self, agent: Agent) -> Change:
        """Return the change that posts a tracer token for a Distribution Agent now, whose undo deletes that token.

        Raises:
            Unsupported: there can be none for this agent.
        """
        ...


class ServerChanges(Protocol):
    """Making and undoing changes; knows nothing of the journal, which its caller keeps.

    Undo works from a `Change` alone, also in another process, and whether or not the change was ever sent.
    """

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop the agents whose parameters these changes concern, so that originals count from their next start.

        Called before `undo`; the entry that recorded an agent as running starts it again when it is undone. Every
        agent is tried; returned are those that resist.

        Raises:
            ConnectionLost, StatementTimeout: the server does not answer.
        """
        ...

    def apply(self, change: Change) -> Change | None:
        """Send the change and read it back; return it where making it showed what the plan could not know, else None.

        Raises:
            VerificationFailed: the value read back is not the new one.
        """
        ...

    def undo(self, change: Change) -> None:
        """Put the original back and read it back; does nothing where it is already there.

        Raises:
            VerificationFailed: the value read back is not the original.
        """
        ...

    def is_applied(self, change: Change) -> bool:
        """Tell, by reading only, whether the change is in effect, whoever made it."""
        ...

    def is_undone(self, change: Change) -> bool:
        """Tell, by reading only, whether the original is in effect, whoever put it back."""
        ...

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return what `quiesce` would do now, as changes with scripts for someone else to run."""
        ...


class Workload(Protocol):
    """Writing load at the Publisher."""

    def write(self, agent: Agent, transactions: int, commands_per_transaction: tuple[float, float], seed: int) -> int:
        """Commit transactions of mixed DML in the publication database of `agent`; return commands written.

        Takes the time the server takes: on the lab, virtual time passes.
        """
        ...


class NetworkProbe(Protocol):
    """What the link to the Subscriber can do."""

    def read_rtt_ms(self, agent: Agent) -> float:
        """Measure the round-trip time to the Subscriber, milliseconds, smallest of several.

        Measured from where this program runs, which is the Distributor's side of the link only if it stands there.
        """
        ...

    def read_bandwidth_kbps(self, agent: Agent) -> float | None:
        """Measure the bandwidth to the Subscriber in kbit/s, as above; None where it cannot be told."""
        ...


class Target(Protocol):
    """One place to run experiments on: a Distributor with what belongs to it.

    Attributes:
        key: how to reach it again, as accepted by `--target`; holds no password.
        label: as a person calls it.
        engine: id of the target folder, such as "sqlserver".
        connection: what a report says of the connection, name and value: driver, sign-in, encryption; () for a lab.
        capabilities: what it offers; the port of a missing one is `not_offered`, which raises Unsupported when used.
        agents, agent_changes: replication agents. groups: availability groups. seeding: seeding of their databases.
        streams: Oracle Streams.
        changes: makes and undoes what any of them planned.
    """

    key: str
    label: str
    engine: str
    connection: tuple[tuple[str, str], ...]
    capabilities: frozenset[Capability]
    clock: Clock
    agents: ReplicationAgents
    agent_changes: AgentChanges
    changes: ServerChanges
    workload: Workload
    network: NetworkProbe
    groups: AvailabilityGroups
    seeding: DatabaseSeeding
    streams: OracleStreams

    def statements(self) -> tuple[CataloguedStatement, ...]:
        """Return every statement this target may ever send, by name."""
        ...

    def read_rights(self, topology: Topology | None, groups: GroupTopology | None) -> LoginRights:
        """Read what this login may do at the servers of what was discovered."""
        ...

    def cancel(self) -> None:
        """End the statement that runs now, from any thread; it raises StatementCancelled. Later ones run."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


class _NotOffered:
    """Stands where a target has no such port."""

    def __init__(self, capability: Capability) -> None:
        self._capability = capability

    def __getattr__(self, name: str) -> object:
        raise Unsupported(_("this target does not offer {capability}").format(capability=self._capability))


def not_offered(capability: Capability) -> Any:
    """Return what stands for the port of a capability a target lacks: whatever is asked of it raises Unsupported."""
    return _NotOffered(capability)


class UndoJournal(Protocol):
    """The list of changes on disk. Every call returns only when its write is on disk (fsync)."""

    def record_intent(self, session_id: str, target: str, change: Change) -> int:
        """Write a change before it is sent; return its entry id."""
        ...

    def mark_applied(self, entry_id: int, made: Change | None = None) -> None:
        """Write that the change was sent and read back, and how it was made where the plan could not know."""
        ...

    def mark_restored(self, entry_id: int) -> None:
        """Write that the original was read back."""
        ...

    def mark_problem(self, entry_id: int, problem: str) -> None:
        """Write why undoing failed; the entry stays open."""
        ...

    def open_entries(self, target: str | None = None) -> tuple[JournalEntry, ...]:
        """Return entries not restored, newest first: the order to undo them in."""
        ...

    def entries_of(self, session_id: str) -> tuple[JournalEntry, ...]:
        """Return all entries of a session, oldest first."""
        ...


class FigureRenderer(Protocol):
    """Draws a plot as a vector figure for the report."""

    def render_svg(self, plots: Sequence[PlotSpec]) -> tuple[bytes, ...]:
        """Return one SVG document for each plot, text as text."""
        ...
