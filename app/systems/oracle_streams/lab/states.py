"""The state a pipeline reports: one frozen snapshot per row of a V$ or DBA_ view.

Times ending in `_s` of a moment are seconds of the virtual clock, None before it happened; `elapsed_…_s` are seconds
spent, cumulative since `startup_s` (the views show hundredths of a second). Counters are cumulative since the same
moment and fall to zero at the next start. Message numbers are system change numbers of the source.
"""

from dataclasses import dataclass

from app.systems.oracle_streams.lab.process import Status


@dataclass(frozen=True)
class CaptureState:
    """DBA_CAPTURE and V$STREAMS_CAPTURE.

    Attributes:
        status, error_number, error_message: DBA_CAPTURE.
        is_running: V$STREAMS_CAPTURE has a row.
        state: its STATE; None without a row.
        total_messages_captured: LCRs read from redo; commits do not count as messages.
        capture_…: newest message read from redo.
        available_…: newest redo written.
        elapsed_pause_s: paused for flow control.
        pageout_s: time LogMiner spent paging out, for V$LOGMNR_STATS.
    """

    status: Status
    error_number: int | None
    error_message: str
    is_running: bool
    startup_s: float | None
    state: str | None
    state_changed_s: float
    total_messages_captured: int
    total_messages_enqueued: int
    capture_message_create_s: float | None
    available_message_create_s: float | None
    elapsed_capture_s: float
    elapsed_rule_s: float
    elapsed_lcr_s: float
    elapsed_enqueue_s: float
    elapsed_pause_s: float
    elapsed_redo_wait_s: float
    pageout_s: float


@dataclass(frozen=True)
class TransactionState:
    """V$STREAMS_TRANSACTION: one transaction in a capture or apply process.

    Attributes:
        xid: undo segment, slot, sequence at the source.
        cumulative_messages: processed so far.
        total_messages: processed and seen; the whole transaction once its commit was seen.
    """

    xid: tuple[int, int, int]
    cumulative_messages: int
    total_messages: int
    first_message_s: float


@dataclass(frozen=True)
class QueueState:
    """V$BUFFERED_QUEUES with its one publisher (V$BUFFERED_PUBLISHERS) and subscriber (V$BUFFERED_SUBSCRIBERS).

    Attributes:
        startup_s: start of the instance.
        num_msgs, spill_msgs: in the queue now, and of these on disk.
        cnum_msgs, cspill_msgs: enqueued and spilled since `startup_s`.
        unbrowsed_msgs: not yet read by the subscriber.
        publisher_state: PUBLISHING MESSAGES or IN FLOW CONTROL: … with the reason.
        queue_mb: memory of the messages.
    """

    startup_s: float
    num_msgs: int
    spill_msgs: int
    cnum_msgs: int
    cspill_msgs: int
    unbrowsed_msgs: int
    oldest_enqueue_s: float | None
    publisher_state: str
    queue_mb: float


@dataclass(frozen=True)
class PropagationState:
    """DBA_PROPAGATION, its schedule, V$PROPAGATION_SENDER and V$PROPAGATION_RECEIVER.

    Attributes:
        schedule_status: SCHEDULE ENABLED or SCHEDULE DISABLED.
        is_in_flow_control: the destination holds it back (ORA-25307 in the schedule's last error).
        failures: failed attempts in a row; 16 disable the schedule.
        latency_s: LATENCY of the schedule.
    """

    status: Status
    error_number: int | None
    error_message: str
    is_running: bool
    startup_s: float | None
    schedule_status: str
    is_in_flow_control: bool
    failures: int
    latency_s: float
    total_messages: int
    elapsed_propagation_s: float
    elapsed_flow_control_s: float
    elapsed_idle_s: float


@dataclass(frozen=True)
class ReaderState:
    """V$STREAMS_APPLY_READER.

    Attributes:
        total_messages_dequeued, total_messages_spilled: read, and written to the staging table.
        elapsed_dequeue_s, elapsed_spill_s: reading and assembling; staging.
        elapsed_schedule_s: waiting because the transaction buffer is full.
        elapsed_idle_s: waiting for messages.
    """

    state: str
    total_messages_dequeued: int
    total_messages_spilled: int
    dequeue_s: float | None
    dequeued_message_create_s: float | None
    elapsed_dequeue_s: float
    elapsed_schedule_s: float
    elapsed_spill_s: float
    elapsed_idle_s: float


@dataclass(frozen=True)
class CoordinatorState:
    """V$STREAMS_APPLY_COORDINATOR; all totals count transactions.

    Attributes:
        elapsed_schedule_s, elapsed_idle_s: with and without work in hand.
        lwm_…: everything up to this message is applied; hwm_…: newest applied message.
    """

    state: str
    total_received: int
    total_applied: int
    total_wait_deps: int
    total_wait_commits: int
    total_errors: int
    lwm_message_number: int
    lwm_message_create_s: float | None
    hwm_s: float | None
    hwm_message_number: int
    hwm_message_create_s: float | None
    elapsed_schedule_s: float
    elapsed_idle_s: float


@dataclass(frozen=True)
class ServerState:
    """V$STREAMS_APPLY_SERVER: one apply server.

    Attributes:
        xid: the transaction in hand, None without one.
        message_sequence: messages of that transaction applied so far.
        elapsed_apply_s, elapsed_dequeue_s: applying; reading staged messages back.
        elapsed_wait_dependency_s, elapsed_wait_commit_s, elapsed_idle_s: not in the view; for idle shares.
    """

    server_id: int
    state: str
    xid: tuple[int, int, int] | None
    message_sequence: int
    total_messages_applied: int
    elapsed_apply_s: float
    elapsed_dequeue_s: float
    elapsed_wait_dependency_s: float
    elapsed_wait_commit_s: float
    elapsed_idle_s: float


@dataclass(frozen=True)
class SpilledTransaction:
    """DBA_APPLY_SPILL_TXN: a transaction with messages in the staging table now."""

    xid: tuple[int, int, int]
    message_count: int


@dataclass(frozen=True)
class ApplyError:
    """DBA_APPLY_ERROR: one transaction in the error queue."""

    xid: tuple[int, int, int]
    message_count: int
    error_number: int
    error_message: str


@dataclass(frozen=True)
class ApplyState:
    """DBA_APPLY with everything below the apply process.

    Attributes:
        status, error_number, error_message: DBA_APPLY.
        is_running: the V$ views have rows; without it `reader` and `coordinator` are None and `servers` is empty.
        progress_…: DBA_APPLY_PROGRESS, kept over restarts: low-watermark message, when applied, when created.
        spilled_transactions: in the staging table now.
        transactions: V$STREAMS_TRANSACTION of the apply process.
        errors: the error queue, oldest first.
    """

    status: Status
    error_number: int | None
    error_message: str
    is_running: bool
    startup_s: float | None
    reader: ReaderState | None
    coordinator: CoordinatorState | None
    servers: tuple[ServerState, ...]
    progress_message_number: int
    progress_apply_s: float | None
    progress_create_s: float | None
    spilled_transactions: tuple[SpilledTransaction, ...]
    transactions: tuple[TransactionState, ...]
    errors: tuple[ApplyError, ...]


@dataclass(frozen=True)
class DatabaseState:
    """One of the two instances.

    Attributes:
        is_up: it can be reached.
        startup_s: when the instance started.
        redo_bytes: statistic "redo size", cumulative since `startup_s`.
        pool_size_mb, pool_used_mb, pool_peak_mb: Streams pool: its size, in use now, most ever used.
    """

    is_up: bool
    startup_s: float
    redo_bytes: float
    pool_size_mb: float
    pool_used_mb: float
    pool_peak_mb: float


@dataclass(frozen=True)
class WorkloadState:
    """How far the rows of one workload have come.

    Attributes:
        start_s, end_s: when writing begins and ends at the source.
        rows, rows_written, rows_applied, rows_failed: planned, written, committed at the destination, in the error
            queue.
        applied_s: when the last of them was committed at the destination or went to the error queue; None until all
            have.
    """

    start_s: float
    end_s: float
    rows: int
    rows_written: int
    rows_applied: int
    rows_failed: int
    applied_s: float | None

    @property
    def elapsed_s(self) -> float | None:
        """Seconds from the first row's writing until all are applied; None until then."""
        return None if self.applied_s is None else self.applied_s - self.start_s
