"""The simulated Oracle Streams pipeline: redo, capture, queues, propagation, apply, on a virtual clock.

Owner of the physics; knows nothing of SQL or views. Calibrated to four published tests of 2009; see
`resources/lab/streams-2009.toml` for each constant's origin.
"""

from typing import Final, Literal

import numpy as np

from app.lab.clock import EventQueue
from app.systems.oracle_streams.lab.apply import Apply
from app.systems.oracle_streams.lab.buffered_queue import BufferedQueue
from app.systems.oracle_streams.lab.capture import Capture
from app.systems.oracle_streams.lab.client_writers import ClientWriters
from app.systems.oracle_streams.lab.database import Database
from app.systems.oracle_streams.lab.durations import Durations
from app.systems.oracle_streams.lab.parameters import ParameterSet
from app.systems.oracle_streams.lab.pool import StreamsPool
from app.systems.oracle_streams.lab.propagation import Propagation
from app.systems.oracle_streams.lab.redo_log import RedoLog, Workload
from app.systems.oracle_streams.lab.scenario import StreamsScenario
from app.systems.oracle_streams.lab.states import (
    ApplyState,
    CaptureState,
    DatabaseState,
    PropagationState,
    QueueState,
    TransactionState,
    WorkloadState,
)

__all__ = ["SIDES", "ProcessName", "Side", "StreamsLab", "Workload"]

Side = Literal["source", "destination"]
SIDES: Final[tuple[Side, Side]] = ("source", "destination")
ProcessName = Literal["capture", "propagation", "apply"]
_OTHERS_STREAM: Final = 0x07AE


class StreamsLab:
    """One capture, one propagation, one apply process, between two databases.

    Everything happens on a virtual clock in `advance`; the sizes of its steps change nothing. The same scenario and
    seed give the same runs. All three processes are enabled and running when the lab is built.

    Attributes:
        scenario: the constants in use.
        capture_parameters, apply_parameters: for reading; changed through `set_capture_parameter` and
            `set_apply_parameter`.
    """

    def __init__(self, scenario: StreamsScenario, seed: int = 1, noise: bool | None = None) -> None:
        self.scenario = scenario
        self._events = events = EventQueue()
        is_noisy = scenario.noise.enabled if noise is None else noise
        queues = scenario.queues
        self.capture_parameters = ParameterSet(scenario.capture_parameters)
        self.apply_parameters = ParameterSet(scenario.apply_parameters)
        self._durations = durations = Durations(
            scenario.noise, events, seed, is_noisy, self.apply_parameters.as_text, self._apply_session
        )
        self._log = RedoLog(scenario.workload, queues.batch_lcrs, events)
        source_pool = StreamsPool(scenario.pool, scenario.source.streams_pool_mb)
        destination_pool = StreamsPool(scenario.pool, scenario.destination.streams_pool_mb)
        self._source_queue = BufferedQueue(queues, queues.source_window_lcrs, events, source_pool)
        self._destination_queue = BufferedQueue(queues, queues.destination_window_lcrs, events, destination_pool)
        self._source = Database(events, source_pool, self._source_redo_bytes)
        self._destination = Database(events, destination_pool, self._destination_redo_bytes)
        self._is_link_up = True
        self._capture = Capture(
            scenario.capture,
            self.capture_parameters,
            events,
            durations,
            self._log,
            self._source_queue,
            source_pool,
        )
        self._propagation = Propagation(
            scenario.propagation,
            events,
            durations,
            self._source_queue,
            self._destination_queue,
            self._is_reachable,
        )
        self._apply = Apply(
            scenario,
            self.apply_parameters,
            events,
            durations,
            self._source_queue,
            self._destination_queue,
            destination_pool,
            seed,
        )
        for process in (self._apply, self._propagation, self._capture):
            process.start()
        self._others = scenario.other_writers
        self._others_draw = np.random.default_rng((seed, _OTHERS_STREAM))
        self._expect_others()
        if scenario.client_writers is not None:
            ClientWriters(scenario.client_writers, seed, events, self._write_of_client)

    @property
    def now_s(self) -> float:
        """Virtual time in seconds since the lab was built."""
        return self._events.now_s

    def busy_spans(self, from_s: float, until_s: float) -> list[tuple[float, float]]:
        """Return an uneven site's busy spans that reach into a time, each with its beginning and end."""
        return self._durations.busy_spans(from_s, until_s)

    def advance(self, seconds: float) -> None:
        """Let `seconds` (≥ 0) of virtual time pass.

        Raises:
            ValueError: seconds is negative.
        """
        if seconds < 0:
            raise ValueError(f"time does not run backwards: {seconds:g} s")
        self._events.run_until(self._events.now_s + seconds)

    def write(self, workload: Workload) -> int:
        """Begin to write rows at the source and return the workload's number (from 0); no time passes.

        A workload begins when the one before is written.

        Raises:
            ValueError: rows, rows per commit or pace are not positive, or the source is down.
        """
        if not self._source.is_up:
            raise ValueError("the source database is down")
        number = self._log.write(workload)
        self._capture.write_noticed()
        return number

    def _expect_others(self) -> None:
        """Plan the next transaction of others: they come at random, so many a second on the average."""
        if self._others is not None:
            pause_s = float(self._others_draw.exponential(1 / self._others.transactions_per_s))
            self._events.after(pause_s, self._write_of_others)

    def _write_of_others(self) -> None:
        if self._others is not None and self._source.is_up:
            rows = self._others.rows_per_transaction
            self.write(Workload("update", rows, rows))
        self._expect_others()

    def _write_of_client(self, workload: Workload) -> None:
        if self._source.is_up:
            self._durations.of_client.add(self.write(workload))

    def _apply_session(self) -> int:
        return int(self._apply.startup_s or 0.0)

    def workload(self, number: int) -> WorkloadState:
        """Return how far the rows of a workload have come; raises IndexError for an unknown number."""
        start_s, end_s = self._log.times_s(number)
        rows = self._log.workload(number).rows
        applied, failed, newest_s = self._apply.progress.rows(number)
        return WorkloadState(
            start_s=start_s,
            end_s=end_s,
            rows=rows,
            rows_written=self._log.rows_written(number),
            rows_applied=applied,
            rows_failed=failed,
            applied_s=newest_s if applied + failed == rows else None,
        )

    def unread_rows(self) -> int:
        """Return the rows in the source's redo log that the capture process has not read."""
        return self._log.unread_rows

    def start_capture(self) -> None:
        """Start the capture process; raises ValueError while it runs."""
        self._capture.start()

    def stop_capture(self, force: bool = False) -> None:
        """Ask the capture process to stop; nothing happens if it does not run."""
        self._capture.stop(force)

    def start_propagation(self) -> None:
        """Start the propagation; raises ValueError while it runs."""
        self._propagation.start()

    def stop_propagation(self, force: bool = False) -> None:
        """Ask the propagation to stop; with `force` its counters are lost."""
        self._propagation.stop(force)

    def start_apply(self) -> None:
        """Start the apply process; raises ValueError while it runs."""
        self._apply.start()

    def stop_apply(self, force: bool = False) -> None:
        """Ask the apply process to stop; open work is rolled back, which takes time."""
        self._apply.stop(force)

    def set_capture_parameter(self, name: str, value: str | None) -> None:
        """Set a capture parameter, or with None put its default back.

        PARALLELISM restarts a running process; _SGA_SIZE counts from the next start; _CHECKPOINT_FREQUENCY at once.

        Raises:
            KeyError: this release does not have it.
            ValueError: it does not take the value.
        """
        self._capture.change_parameter(name, value)

    def set_apply_parameter(self, name: str, value: str | None) -> None:
        """Set an apply parameter, or with None put its default back.

        PARALLELISM to or from 1 restarts a running process and counts at once otherwise; _HASH_TABLE_SIZE,
        _TXN_BUFFER_SIZE and COMMIT_SERIALIZATION count from the next start; TXN_LCR_SPILL_THRESHOLD for transactions
        not yet being read; the others at once.

        Raises:
            KeyError, ValueError: as `set_capture_parameter`.
        """
        self._apply.change_parameter(name, value)

    def set_propagation_latency(self, latency_s: float) -> None:
        """Set the propagation schedule's latency in seconds; raises ValueError if it is negative."""
        self._propagation.change_latency(latency_s)

    def set_pool_size(self, side: Side, size_mb: float) -> None:
        """Set streams_pool_size of one database; it never shrinks below the memory in use."""
        self._database(side).pool.resize(size_mb)

    def set_initrans(self, initrans: int) -> None:
        """Have so many transaction slots per block in the test table at the destination."""
        self._apply.costs.initrans = initrans

    def capture(self) -> CaptureState:
        """Return the capture process as it is now."""
        return self._capture.state()

    def capture_transactions(self) -> tuple[TransactionState, ...]:
        """Return V$STREAMS_TRANSACTION's rows of the capture process."""
        return self._capture.transactions()

    def propagation(self) -> PropagationState:
        """Return the propagation as it is now."""
        return self._propagation.state()

    def apply(self) -> ApplyState:
        """Return the apply process as it is now."""
        return self._apply.state()

    def queue(self, side: Side) -> QueueState:
        """Return one of the two buffered queues as it is now."""
        queue = self._source_queue if side == "source" else self._destination_queue
        reason = queue.hold_back_reason(self.scenario.queues.batch_lcrs)
        in_memory = queue.lcrs - queue.spilled_lcrs
        return QueueState(
            startup_s=queue.startup_s,
            num_msgs=queue.lcrs,
            spill_msgs=queue.spilled_lcrs,
            cnum_msgs=queue.total_lcrs,
            cspill_msgs=queue.total_spilled_lcrs,
            unbrowsed_msgs=queue.unbrowsed_lcrs,
            oldest_enqueue_s=queue.oldest_enqueued_s,
            publisher_state="PUBLISHING MESSAGES" if reason is None else f"IN FLOW CONTROL: {reason}",
            queue_mb=in_memory * self.scenario.pool.bytes_per_lcr / (1024.0 * 1024.0),
        )

    def database(self, side: Side) -> DatabaseState:
        """Return one of the two instances as it is now."""
        return self._database(side).state()

    def is_up(self, side: Side) -> bool:
        """Tell whether one of the two instances can be reached."""
        return self._database(side).is_up

    def delete_apply_errors(self) -> None:
        """Empty the error queue."""
        self._apply.delete_errors()

    def fail_next_transaction(self, number: int, message: str) -> None:
        """Fault: the next transaction to commit at the destination meets this error."""
        self._apply.fail_next(number, message)

    def abort_apply(self, number: int, message: str) -> None:
        """Fault: the apply process aborts now with this error."""
        self._apply.abort(number, message)

    def hang_on_stop(self, process: ProcessName, is_hanging: bool = True) -> None:
        """Fault: a stop of this process only signals and never ends; False: it ends now."""
        processes = {"capture": self._capture, "propagation": self._propagation, "apply": self._apply}
        processes[process].set_hanging(is_hanging)

    def set_link_up(self, is_up: bool) -> None:
        """Fault: break or mend the database link between the two."""
        self._is_link_up = is_up
        if not is_up:
            self._propagation.lose_connection()

    def take_down(self, side: Side) -> None:
        """Fault: shut down one instance at once; its buffered queue is lost, and its messages are sent again later."""
        database = self._database(side)
        if not database.is_up:
            return
        database.is_up = False
        if side == "source":
            self._capture.halt()
            self._propagation.halt()
            self._log.give_back(self._source_queue.take_back_unbrowsed())
            self._source_queue.restart()
        else:
            self._propagation.lose_connection()
            self._apply.halt()
            self._destination_queue.restart()
            self._source_queue.unbrowse(self._source_queue.entries())
        database.pool.restart()

    def bring_up(self, side: Side) -> None:
        """Start an instance that is down; enabled processes start by themselves."""
        database = self._database(side)
        if database.is_up:
            return
        database.come_up()
        if side == "source":
            self._source_queue.restart()
            self._propagation.resume()
            self._capture.resume()
        else:
            self._destination_queue.restart()
            self._apply.resume()

    def _database(self, side: Side) -> Database:
        return self._source if side == "source" else self._destination

    def _is_reachable(self) -> bool:
        return self._is_link_up and self._destination.is_up

    def _source_redo_bytes(self) -> float:
        spilled = self._source_queue.all_spilled_lcrs * self.scenario.redo.queue_spill_bytes_per_lcr
        return self._log.redo_bytes + spilled

    def _destination_redo_bytes(self) -> float:
        redo = self.scenario.redo
        spilled = self._destination_queue.all_spilled_lcrs * redo.queue_spill_bytes_per_lcr
        return self._apply.redo_bytes + self._apply.staged_lcrs * redo.stage_bytes_per_lcr + spilled
