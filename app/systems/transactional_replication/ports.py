"""Ports to a server for experiments with replication agents, as protocols."""

from collections.abc import Collection, Sequence
from typing import Protocol

from app.domain.change import Change
from app.domain.happening import PastReadings
from app.domain.server import EffectiveParameter
from app.domain.setting import Setting
from app.systems.transactional_replication.observed import AgentHour
from app.systems.transactional_replication.round_trip import RoundTrip
from app.systems.transactional_replication.topology import (
    Agent,
    AgentReading,
    AgentStatistics,
    Ending,
    JobStart,
    PendingCommands,
    ReplicationSample,
    SubscriberObjects,
    TokenClocks,
    Topology,
    TracerLatency,
    Written,
)


class ReplicationAgents(Protocol):
    """Reading and controlling the agents of one Distributor. All calls raise TargetError subclasses."""

    def discover(self) -> Topology:
        """Read servers, publications, subscriptions and agents."""
        ...

    def why_secondary(self) -> str:
        """Return the remedy where the distribution database is a secondary replica of a group by now, "" elsewhere."""
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

    def read_job_starts(self) -> tuple[JobStart, ...]:
        """Read why agents' jobs cannot be started again, or are started unasked; for sysadmins only."""
        ...

    def read_ending(self, agent: Agent) -> Ending:
        """Read how the newest run of the agent's job ended; asked once it stands."""
        ...

    def start(self, agent: Agent) -> None:
        """Start the agent's job and wait until its history shows a new session.

        Raises:
            ProcessDidNotRespond: no new session within the target's time limit.
        """
        ...

    def stop(self, agent: Agent) -> None:
        """Ask the agent's job to stop and wait until it has; a stopped agent is left alone.

        Raises:
            ProcessDidNotRespond: still running after the target's time limit.
        """
        ...

    def sample(self, concerned: Sequence[Agent] = ()) -> ReplicationSample:
        """Read all agents, and the logs of those concerned or of all, in one round trip per server."""
        ...

    def read_history(self, agent: Agent) -> tuple[AgentReading, ...]:
        """Read the history rows of the agent's newest session, oldest first."""
        ...

    def read_statistics(self, agent: Agent) -> AgentStatistics | None:
        """Read the agent's newest statistics row of its current session, None before the first one."""
        ...

    def read_hours(self, window_h: int) -> tuple[AgentHour, ...]:
        """Read every agent's delivery in each hour of its kept history, oldest first."""
        ...

    def servers_of(self, concerned: Sequence[Agent]) -> tuple[str, ...]:
        """Return the servers agents work at that were reached, the Distributor first."""
        ...

    def past_readings(self, server: str, elapsed_s: float, concerned: Sequence[Agent]) -> PastReadings:
        """Return a server's readings about its other work within the last seconds."""
        ...

    def read_clock_offsets(self) -> tuple[tuple[str, float], ...]:
        """Read (server, its time of day minus the Distributor's in seconds), corrected by half of each round trip."""
        ...

    def read_pending(self, agent: Agent) -> PendingCommands:
        """Read Replication Monitor's count for one subscription; meant for every few minutes, not for a tick."""
        ...

    def read_backlog(self, agent: Agent, at_most: int) -> int | None:
        """Count a Distribution Agent's undelivered commands by a seek, up to a bound; None where that is not known."""
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

    def plan_trace(self, agent: Agent, owner: str) -> tuple[Change, ...]:
        """Return the first change about an agent, by which a lost session is recognised; () where it is there."""
        ...

    def read_leftovers(self) -> tuple[str, ...]:
        """Return one sentence for each thing an earlier session left."""
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


class Workload(Protocol):
    """Writing load at the Publisher."""

    def write(
        self, agent: Agent, transactions: int, commands_per_transaction: tuple[float, float], seed: int
    ) -> Written:
        """Commit transactions of mixed DML in the publication database of `agent`; return the volume written.

        Takes the time the server takes: on the lab, virtual time passes.
        """
        ...


class NetworkProbe(Protocol):
    """Measures the link to the Subscriber."""

    def read_round_trip(self, agent: Agent) -> RoundTrip:
        """Measure the round-trip time to the Subscriber several times.

        Measured from where this program runs, which is the Distributor's side of the link only if it stands there.
        """
        ...

    def read_bandwidth_kbps(self, agent: Agent) -> float | None:
        """Measure the bandwidth to the Subscriber in kbit/s, as above; None where it cannot be told."""
        ...
