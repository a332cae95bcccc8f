"""The Distribution Agent: a reader that prefetches stored commands, a writer that applies commit batches."""

import math
from bisect import bisect_right
from functools import partial
from typing import Final

import numpy as np

from app.lab.clock import Event, EventQueue
from app.systems.transactional_replication.lab.agent import AgentState, DistributionSettings, SessionCounters
from app.systems.transactional_replication.lab.delivery import DeliveryPlan, full_batch_ends
from app.systems.transactional_replication.lab.distribution_db import DistributionDatabase
from app.systems.transactional_replication.lab.noise import AgentNoise
from app.systems.transactional_replication.lab.scenario import DistributionAgentConstants
from app.systems.transactional_replication.lab.subscriber import Connections, Subscriber
from app.systems.transactional_replication.lab.transactions import FloatArray, IntArray, TransactionLog

_AGENT: Final = 2


class DistributionAgent:
    """One Distribution Agent of the simulation.

    Commit batches that follow each other without waiting for anything are planned in one go, so a run of a million
    commands costs hundreds of events, not millions; what happens in between (a stop, a failing stream) rewrites the
    rest of the plan. What it reads is not blocked by writers: it only sees committed transactions.
    """

    def __init__(
        self,
        pair: int,
        constants: DistributionAgentConstants,
        events: EventQueue,
        noise: AgentNoise,
        log: TransactionLog,
        database: DistributionDatabase,
        subscriber: Subscriber,
    ) -> None:
        self._pair = pair
        self._constants = constants
        self._events = events
        self._noise = noise
        self._log = log
        self._database = database
        self._stored = database.stored[pair]
        self._subscriber = subscriber
        self.counters = SessionCounters()
        self.settings = DistributionSettings()
        self._connections = Connections(1, self.settings.packet_size_bytes)
        self._draw = noise.hash_draws(pair, 0)
        self._run_factor = 1.0
        self._is_stopping = False
        self._is_failing_next = False
        self._fetched = 0
        self._is_fetching = False
        self._is_polling = False
        self._read_event: Event | None = None
        self._plan: DeliveryPlan | None = None
        self._plan_event: Event | None = None
        database.settlers.append(self.settle)

    @property
    def _delivered(self) -> int:
        return self._database.delivered(self._pair)

    def start(self, settings: DistributionSettings) -> None:
        """Start a session where the last one ended; raises ValueError while it runs."""
        self.counters.begin(self._events.now_s)
        behind = self._noise.left_behind(math.log2(self.settings.subscription_streams))
        self.settings = settings
        self._connections = Connections(settings.subscription_streams, settings.packet_size_bytes)
        session = self.counters.sessions
        self._draw = self._noise.hash_draws(self._pair, session)
        self._run_factor = behind * self._noise.session_factor(self._pair, _AGENT, session, repr(settings))
        self._is_stopping = self._is_fetching = self._is_failing_next = False
        self._fetched = self._delivered
        self._fetch()

    def stop(self) -> None:
        """Ask it to stop: it ends when the batch being applied is committed, at once where there is none."""
        self.settle()
        self._is_stopping = self.counters.running
        if self._plan is not None:
            self._plan.cut_after_current()
            self._expect_plan_end()
        elif self._is_stopping:
            self._finish()

    def fail_stream(self) -> None:
        """Let the batch being applied, or else the next one, fail on several streams and be tried again on one."""
        self.settle()
        self._is_failing_next = self.counters.running and self._connections.streams > 1
        self._fail_if_asked()

    def _fail_if_asked(self) -> None:
        if self._plan is None or not self._is_failing_next:
            return
        self._is_failing_next = False
        commands = np.array([self._plan.commands[self._plan.next]], np.int64)
        self._plan.fail_current(float(self._single_stream_s(commands)[0] * self._factor()))
        self._expect_plan_end()

    def state(self) -> AgentState:
        """Return the state it reports now."""
        self.settle()
        is_retrying = self._plan is not None and self._plan.retry_from_s[self._plan.next] <= self._events.now_s
        return self.counters.state(
            self._events.now_s,
            streams_in_use=1 if is_retrying else self.settings.subscription_streams,
            fallbacks=self.counters.fallbacks + int(is_retrying),
        )

    def settle(self) -> None:
        """Count the planned batches that are committed by now as delivered."""
        plan, now_s = self._plan, self._events.now_s
        if plan is None or plan.commit_s[plan.next] > now_s:  # asked far more often than a batch is committed
            return
        first, plan.next = plan.next, bisect_right(plan.commit_s, now_s, plan.next)
        done = slice(first, plan.next)
        self._database.note_delivered(self._pair, plan.ends[done], plan.commit_s[done])
        self.counters.fallbacks += sum(map(math.isfinite, plan.retry_from_s[done]))
        self.counters.delivered(plan.commit_s[done], plan.commands[done], plan.transactions[done], plan.latency_s[done])
        if plan.next == len(plan.ends):
            self._end_plan()

    def _factor(self) -> float:
        return self._run_factor * self._noise.drift_factor(self._events.now_s)

    def _fetch(self) -> None:
        """Reader: fetch more committed commands while there is room, or sleep a polling interval."""
        if self._is_fetching or self._is_polling or self._is_stopping:
            return
        fetched_commands = self._log.commands_before(self._fetched)
        buffered = fetched_commands - self._log.commands_before(self._delivered)
        if self._plan is not None and buffered >= self._constants.buffer_commands:
            return
        wanted = self._log.position_after(fetched_commands + self._constants.fetch_commands)
        fetch_end = min(self._stored.position, wanted)
        if fetch_end == self._fetched:
            self._is_polling = True
            if self._plan is None and self._delivered == self._fetched:
                self._note_idle()
            self._read_event = self._events.after(self.settings.polling_interval_s, self._poll)
            return
        self._is_fetching = True
        self.counters.idle.stop(self._events.now_s)
        self.counters.reading.start(self._events.now_s)
        commands = self._log.commands_before(fetch_end) - fetched_commands
        duration_s = commands * self._constants.fetch_us_per_command / 1e6 * self._factor()
        self._read_event = self._events.after(
            self._noise.lasts_s(self._events.now_s, duration_s), partial(self._receive, fetch_end)
        )

    def _poll(self) -> None:
        self._is_polling = False
        self.settle()
        self._fetch()

    def _receive(self, fetch_end: int) -> None:
        """Reader: put the fetched commands into the buffer and go on."""
        self._is_fetching = False
        self.counters.reading.stop(self._events.now_s)
        self._fetched = fetch_end
        self.settle()
        self._fetch()
        self._deliver()

    def _deliver(self) -> None:
        """Writer: plan the full batches in the buffer; commit a part of one only where nothing more comes."""
        if self._plan is not None:
            return
        if self._delivered == self._fetched:
            self._note_idle()
            return
        settings = self.settings
        ends = full_batch_ends(
            self._log, self._delivered, self._fetched, settings.commit_batch_size, settings.commit_batch_threshold
        )
        if not ends and self._is_fetching:
            return
        self._plan = self._plan_batches(ends or [self._fetched])
        self.counters.writing.start(self._events.now_s)
        self._expect_plan_end()
        self._fail_if_asked()

    def _plan_batches(self, ends: list[int]) -> DeliveryPlan:
        starts = [self._delivered, *ends[:-1]]
        commands: IntArray = np.diff(self._log.commands_at(np.array([starts[0], *ends], np.int64)))
        factor = self._factor()
        durations_s = self._subscriber.batch_durations_s(commands, self._connections, self._draw) * factor
        retries_s = self._draw_retries_s(commands) * factor
        commit_s = self._noise.when_done(self._events.now_s, np.cumsum(durations_s + retries_s))
        first_s, last_s = self._stored.stored_s(starts), self._stored.stored_s([end - 1 for end in ends])
        stored_s = (np.array(first_s) + last_s) / 2
        return DeliveryPlan(
            ends=ends,
            commands=commands.tolist(),
            transactions=[end - start for start, end in zip(starts, ends, strict=True)],
            commit_s=commit_s.tolist(),
            latency_s=(commit_s - stored_s).tolist(),
            retry_from_s=np.where(retries_s > 0.0, commit_s - retries_s, np.inf).tolist(),
        )

    def _draw_retries_s(self, commands: IntArray) -> FloatArray:
        """Return how long each batch is tried again on one stream, 0 for those that do not fail."""
        probability = self._subscriber.failure_probability(self._connections.streams)
        if probability == 0.0:
            return np.zeros(len(commands))
        is_failing = self._draw.random(len(commands)) < probability
        return np.where(is_failing, self._single_stream_s(commands), 0.0)

    def _single_stream_s(self, commands: IntArray) -> FloatArray:
        single = Connections(1, self._connections.packet_size_bytes)
        return self._subscriber.batch_durations_s(commands, single, self._draw)

    def _expect_plan_end(self) -> None:
        """Plan the end of the running plan, in place of an end expected before."""
        if self._plan is None:
            return
        if self._plan_event is not None:
            self._plan_event.cancelled = True
        self._plan_event = self._events.at(self._plan.commit_s[-1], self.settle)

    def _end_plan(self) -> None:
        if self._plan_event is not None:
            self._plan_event.cancelled = True
        self._plan = self._plan_event = None
        self.counters.writing.stop(self._events.now_s)
        if self._is_stopping:
            self._finish()
            return
        self._fetch()
        self._deliver()

    def _note_idle(self) -> None:
        if self._is_polling:
            self.counters.idle.start(self._events.now_s)

    def _finish(self) -> None:
        """End the session; commands fetched and not applied are fetched again by the next one."""
        if self._read_event is not None:
            self._read_event.cancelled = True
            self._read_event = None
        self._is_stopping = self._is_fetching = self._is_polling = False
        self.counters.end(self._events.now_s)
