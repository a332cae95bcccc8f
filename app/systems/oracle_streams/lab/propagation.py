"""Propagation: messages go from the source's queue to the destination's over the database link."""

from collections.abc import Callable
from typing import Final

from app.lab.clock import EventQueue
from app.systems.oracle_streams.lab.buffered_queue import BufferedQueue
from app.systems.oracle_streams.lab.durations import Durations
from app.systems.oracle_streams.lab.messages import Batch
from app.systems.oracle_streams.lab.process import Process, TimeShares
from app.systems.oracle_streams.lab.scenario import PropagationConstants
from app.systems.oracle_streams.lab.states import PropagationState

_UNREACHABLE: Final = (12541, "ORA-12541: TNS:no listener")


class Propagation(Process):
    """Sends one batch after the other; after an empty look it looks again when the latency has passed.

    Attributes:
        latency_s: of the propagation schedule; 0: sends as soon as a message is there.
    """

    def __init__(
        self,
        constants: PropagationConstants,
        events: EventQueue,
        durations: Durations,
        source: BufferedQueue,
        destination: BufferedQueue,
        is_reachable: Callable[[], bool],
    ) -> None:
        super().__init__(events, 0.0, 0.0)
        self._constants = constants
        self._durations = durations
        self._source = source
        self._destination = destination
        self._is_reachable = is_reachable
        self.latency_s = constants.latency_s
        self._batch: Batch | None = None
        self._reset()

    def stop(self, force: bool = False) -> None:
        """Ask it to stop: the batch on the wire arrives first; forced, it is sent again later and counters are lost.

        A propagation that is not running does nothing.
        """
        if self.phase not in ("STARTING", "RUNNING"):
            return
        self.phase = "STOPPING"
        if force:
            self._cut_off()
            self._reset()
        if self._batch is None:
            self._finish_stop()

    def change_latency(self, latency_s: float) -> None:
        """Set the schedule's latency; an idle propagation looks at once.

        Raises:
            ValueError: the latency is negative.
        """
        if latency_s < 0.0:
            raise ValueError(f"a propagation latency is not negative: {latency_s:g} s")
        self.latency_s = latency_s
        if self.phase == "RUNNING" and self._times.current == "idle":
            self._look()

    def state(self) -> PropagationState:
        """Return the propagation as it is now."""
        now_s = self.events.now_s
        return PropagationState(
            status=self.status,
            error_number=self.error_number,
            error_message=self.error_message,
            is_running=self.phase != "DOWN",
            startup_s=self.startup_s,
            schedule_status="SCHEDULE ENABLED" if self.status == "ENABLED" else "SCHEDULE DISABLED",
            is_in_flow_control=self._times.current == "flow control",
            failures=self._failures,
            latency_s=self.latency_s,
            total_messages=self._sent,
            elapsed_propagation_s=self._times.seconds("busy", now_s),
            elapsed_flow_control_s=self._times.seconds("flow control", now_s),
            elapsed_idle_s=self._times.seconds("idle", now_s),
        )

    def _reset(self) -> None:
        self._sent = self._failures = 0
        self._times = TimeShares(("busy", "flow control", "idle"))

    def _work(self) -> None:
        self._look()

    def _look(self) -> None:
        """Send the oldest unread batch; wait where there is none, where the other side has no room or is gone."""
        if self.phase != "RUNNING":
            return
        batch = self._source.peek()
        if batch is None:
            self._times.switch("idle", self.events.now_s)
            if self.latency_s == 0.0:
                self._source.on_message(self._message_noticed)
            else:
                self._plan(self.latency_s, self._look)
        elif not self._is_reachable():
            self._fail()
        elif self._destination.hold_back_reason(batch.lcrs) is not None:
            self._times.switch("flow control", self.events.now_s)
            self._destination.on_space(self._space_noticed)
        else:
            self._send(batch)

    def _message_noticed(self) -> None:
        if self._times.current == "idle":
            self._look()

    def _space_noticed(self) -> None:
        if self._times.current == "flow control":
            self._look()

    def _send(self, batch: Batch) -> None:
        self._failures = 0
        if self.error_number is not None:
            self.error_number, self.error_message = None, ""
        self._times.switch("busy", self.events.now_s)
        self._batch = batch
        constants = self._constants
        wire_us = constants.bytes_per_lcr * 8.0 / constants.bandwidth_mbps
        factor = self._durations.factor(Durations.PROPAGATION, batch.transaction.workload)
        self._plan(batch.lcrs * max(constants.send_us_per_lcr * factor, wire_us) * 1e-6, self._sent_all)
        self._source.browse()

    def _sent_all(self) -> None:
        batch, self._batch = self._batch, None
        assert batch is not None
        now_s = self.events.now_s
        self._sent += batch.lcrs
        batch.destination = self._destination.enqueue(batch)
        if self.phase == "STOPPING":
            self._finish_stop()
            self._times.switch(None, now_s)
        else:
            self._look()

    def lose_connection(self) -> None:
        """Lose the other side: messages on the wire must be sent again."""
        if self._times.current in ("busy", "flow control"):
            self._give_back()
            self._fail()

    def _fail(self) -> None:
        """Count a failed attempt; try again later, or give up after too many."""
        self._times.switch("idle", self.events.now_s)
        self._failures += 1
        self.error_number, self.error_message = _UNREACHABLE
        if self._failures >= self._constants.failures_to_disable:
            self._end()
            self.set_status("DISABLED", *_UNREACHABLE)
        elif self.phase == "STOPPING":
            self._finish_stop()
        else:
            self._plan(self._constants.retry_s, self._look)

    def _give_back(self) -> None:
        batch, self._batch = self._batch, None
        if batch is not None and batch.source is not None:
            self._source.unbrowse([batch.source])

    def _cut_off(self) -> None:
        self._cancel()
        self._give_back()
        self._times.switch(None, self.events.now_s)
