"""The simulated replication pipeline: publisher log, agents, distribution database, subscribers, on a virtual clock.

Owner of the physics; knows nothing of SQL, statements, profiles or history tables. The interface below is what
`targets/sqlserver/fake` builds on.
"""

from functools import partial

import numpy as np

from app.lab.clock import EventQueue
from app.systems.transactional_replication.lab.agent import AgentState, DistributionSettings, LogReaderSettings
from app.systems.transactional_replication.lab.client_writers import ClientWriters
from app.systems.transactional_replication.lab.distribution_agent import DistributionAgent
from app.systems.transactional_replication.lab.distribution_db import DistributionDatabase
from app.systems.transactional_replication.lab.link import DEFAULT_PACKET_BYTES, Link
from app.systems.transactional_replication.lab.log_reader import LogReader
from app.systems.transactional_replication.lab.noise import AgentNoise
from app.systems.transactional_replication.lab.other_writers import OtherWriters
from app.systems.transactional_replication.lab.scenario import Scenario
from app.systems.transactional_replication.lab.subscriber import Subscriber
from app.systems.transactional_replication.lab.transactions import TransactionLog, draw_sizes

__all__ = ["AgentState", "DistributionSettings", "LogReaderSettings", "ReplicationLab"]


class ReplicationLab:
    """Publication databases with their agents on one Distributor, and one Subscriber behind a line each.

    Pairs are numbered from 0. Everything happens on a virtual clock in `advance`; the sizes of its steps change
    nothing. The same scenario and seed give the same runs.

    Attributes:
        scenario: the constants in use.
    """

    def __init__(self, scenario: Scenario, seed: int = 1, noise: bool | None = None) -> None:
        self.scenario = scenario
        self._events = EventQueue()
        is_noisy = scenario.noise.enabled if noise is None else noise
        self._noise = draws = AgentNoise(scenario.noise, seed, is_noisy)
        pairs = range(scenario.topology.pairs)
        self._link = Link(scenario.link)
        self._logs = tuple(TransactionLog() for _pair in pairs)
        others = scenario.other_writers
        self._others = (
            {}
            if others is None
            else {pair: OtherWriters(others, pair, seed, self._events, self._logs[pair]) for pair in pairs}
        )
        self._client_writers = tuple(
            ClientWriters(writers, (seed, pair, number), self._events, self._logs[pair], partial(self._forget, pair))
            for number, writers in enumerate(scenario.client_writers)
            for pair in pairs
            if not writers.pairs or pair + 1 in writers.pairs
        )
        self._database = DistributionDatabase(scenario.distribution_db, self._events, self._logs)
        self._log_readers = tuple(
            LogReader(pair, scenario.log_reader, self._events, draws, self._logs[pair], self._database)
            for pair in pairs
        )
        agent = scenario.distribution_agent
        subscriber = Subscriber(agent, self._link, scenario.topology.subscriber_cpus)
        self._distribution_agents = tuple(
            DistributionAgent(pair, agent, self._events, draws, self._logs[pair], self._database, subscriber)
            for pair in pairs
        )

    @property
    def now_s(self) -> float:
        """Virtual time in seconds since the lab was built."""
        return self._events.now_s

    @property
    def lock_wait_s(self) -> float:
        """Seconds waited for locks on the distribution database, all agents, cumulative."""
        return self._database.locks.waited_s

    @property
    def free_disk_gb(self) -> float:
        """Free space on the Distributor's data disk."""
        return self._database.disk.free_gb(self._database.stored_commands())

    @property
    def rtt_ms(self) -> float:
        """Round-trip time from Distributor to Subscriber."""
        return self.scenario.link.rtt_ms

    @property
    def bandwidth_kbps(self) -> float:
        """Bandwidth from Distributor to Subscriber."""
        return self.scenario.link.bandwidth_kbps

    def advance(self, seconds: float) -> None:
        """Let `seconds` (≥ 0) of virtual time pass."""
        if seconds < 0:
            raise ValueError(f"time does not run backwards: {seconds:g} s")
        self._events.run_until(self._events.now_s + seconds)

    def live_through(self, *, is_past: bool) -> None:
        """Let the client's applications write in coarse portions through a past nobody watches, or in fine ones."""
        for writers in self._client_writers:
            writers.live_through(is_past=is_past)

    def slow_down(self, seconds: float, share: float) -> None:
        """Let something else on the machine slow everything down by a share, from now on for some seconds."""
        self._noise.slow_down(self.now_s, self.now_s + seconds, share)

    def busy_spans(self, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return when an uneven site was busy with other work, within a time."""
        return self._noise.busy_spans(from_s, until_s)

    def write_transactions(
        self, pair: int, transactions: int, commands_per_transaction: tuple[float, float], seed: int
    ) -> int:
        """Commit transactions of mixed DML at the Publisher and return their number of commands.

        30 % inserts, 60 % updates, 10 % deletes; the constants are means over this mix. Time passes at the workload
        generator's rate while the agents go on working. Sizes as `draw_sizes` gives them.

        Others go on committing among them, and an article of several publications is read once for each.

        Raises:
            ValueError: a transaction would hold less than one command.
        """
        self._forget(pair)
        publisher = self.scenario.publisher
        commands = draw_sizes(transactions, commands_per_transaction, seed)
        elapsed_s = np.cumsum(commands) / publisher.workload_commands_per_s
        times_s, sizes = self.now_s + elapsed_s, commands * publisher.publications_per_article
        if pair in self._others:
            times_s, sizes = self._others[pair].merged(times_s, sizes)
        self._logs[pair].append(times_s, sizes)
        self.advance(float(elapsed_s[-1]) if transactions else 0.0)
        return int(commands.sum())

    def written(self, pair: int) -> int:
        """Return the position of the newest transaction in a publication database's log, counted from 1."""
        return self._logs[pair].end

    def start_log_reader(self, pair: int, settings: LogReaderSettings) -> None:
        """Start a Log Reader Agent; raises ValueError while it runs."""
        self._log_readers[pair].start(settings)

    def stop_log_reader(self, pair: int) -> None:
        """Ask a Log Reader Agent to stop; it does so when the batch it is writing is committed."""
        self._log_readers[pair].stop()

    def start_distribution_agent(self, pair: int, settings: DistributionSettings) -> None:
        """Start a Distribution Agent; raises ValueError while it runs."""
        self._distribution_agents[pair].start(settings)

    def stop_distribution_agent(self, pair: int) -> None:
        """Ask a Distribution Agent to stop; it does so when the batch it is applying is committed."""
        self._distribution_agents[pair].stop()

    def log_reader(self, pair: int) -> AgentState:
        """Return the Log Reader Agent of a pair as it is now."""
        return self._log_readers[pair].state()

    def distribution_agent(self, pair: int) -> AgentState:
        """Return the Distribution Agent of a pair as it is now."""
        return self._distribution_agents[pair].state()

    def started_with(self, pair: int, *, is_log_reader: bool) -> LogReaderSettings | DistributionSettings | None:
        """Return the settings a running agent was started with, whatever is set for its next start; None where it
        stands."""
        if not self.is_running(pair, is_log_reader=is_log_reader):
            return None
        return (self._log_readers if is_log_reader else self._distribution_agents)[pair].settings

    def is_running(self, pair: int, *, is_log_reader: bool) -> bool:
        """Tell whether an agent's process exists now, as its state does."""
        if is_log_reader:
            return self._log_readers[pair].counters.running
        agent = self._distribution_agents[pair]
        agent.settle()
        return agent.counters.running

    def log_pending_transactions(self, pair: int) -> int:
        """Return the transactions committed at the Publisher and not yet in the distribution database."""
        return self._logs[pair].committed_by(self.now_s) - self._database.stored[pair].position

    def log_pending_commands(self, pair: int) -> int:
        """Return the commands of `log_pending_transactions`."""
        log = self._logs[pair]
        written = log.commands_before(log.committed_by(self.now_s))
        return written - log.commands_before(self._database.stored[pair].position)

    def log_used_share(self, pair: int) -> float:
        """Return the used share of the publication database's log, 0–1: log not yet stored cannot be truncated."""
        publisher = self.scenario.publisher
        used_mb = self.log_pending_commands(pair) * publisher.log_bytes_per_command / 1e6
        return min(1.0, used_mb / publisher.log_size_mb)

    def distribution_pending_commands(self, pair: int) -> int:
        """Return the commands of a pair stored in the distribution database and not yet delivered."""
        return self._database.pending_commands(pair)

    def sent_bytes(self, pair: int) -> float:
        """Return the bytes of delivered commands over a pair's line since the lab was built, at default packets."""
        state = self._distribution_agents[pair].state()
        return state.total_delivered_commands * self._link.bytes_per_command(DEFAULT_PACKET_BYTES)

    def kept_transactions(self, pair: int) -> int:
        """Return the transactions held in memory: those not delivered, and at most as many delivered ones."""
        return self._logs[pair].kept

    def post_tracer(self, pair: int) -> int:
        """Commit a tracer token at the Publisher now and return its id; it counts as a transaction of one command."""
        log = self._logs[pair]
        log.append(np.array([self.now_s]), np.ones(1, np.int64))
        return self._database.tokens.add(pair, log.end - 1, self.now_s)

    def tracer(self, token: int) -> tuple[float, float | None, float | None]:
        """Return when a token committed at Publisher, Distributor and Subscriber; None where it has not arrived.

        Raises:
            IndexError: there is no such token.
        """
        self._database.settle()
        return self._database.tokens.times_s(token)

    def set_free_disk_gb(self, free_gb: float) -> None:
        """Fault: make this the free space on the Distributor's data disk now; without space no batch commits."""
        self._database.disk.set_free_gb(free_gb, self._database.stored_commands())

    def fail_stream(self, pair: int) -> None:
        """Fault: one of several streams fails, so the batch being applied is tried again on a single stream."""
        self._distribution_agents[pair].fail_stream()

    def _forget(self, pair: int) -> None:
        """Free delivered transactions, so that memory does not grow with the number of trials."""
        self._database.settle()
        delivered = self._database.delivered(pair)
        self._database.stored[pair].forget_before(delivered)
        self._logs[pair].forget_before(delivered)
