"""Messages of the pipeline: batches of LCRs, and the transactions they belong to."""

from dataclasses import dataclass, field
from typing import Final, Literal

Change = Literal["insert", "update"]

SCN_PER_S: Final = 100
_FIRST_SCN: Final = 1_000_000


def scn_at(time_s: float) -> int:
    """Return the system change number of the source at a moment of virtual time: 100 a second, never falling."""
    return _FIRST_SCN + int(time_s * SCN_PER_S + 1e-6)  # not one less for a rounding error


def xid_of(number: int) -> tuple[int, int, int]:
    """Return undo segment, slot and sequence of a transaction, different for different numbers."""
    return 1 + number % 20, (number // 20) % 48, 1_000 + number // 960


@dataclass(slots=True, eq=False)
class Transaction:
    """One large transaction, or several small ones of equal size that move through the pipeline together.

    Attributes:
        number: number of the first transaction, counted from 0 in commit order.
        count: how many transactions these are.
        lcrs_each: rows of each.
        change: what the rows are.
        workload: number of the workload that wrote them.
        first_written_s, committed_s: when the first row was written and the last one committed at the source.
        read_lcrs: messages the apply reader has read.
        staged_lcrs: of these, written to the staging table.
        threshold: TXN_LCR_SPILL_THRESHOLD as it was when the first message was read; None before, inf for INFINITE.
        first_read_s: when the apply reader read the first message it still holds.
        spilled_at_s: when the first message was staged.
        held: batches the reader has read and not staged, oldest first.
        dependent: how many of the transactions depend on an earlier one.
    """

    number: int
    count: int
    lcrs_each: int
    change: Change
    workload: int
    first_written_s: float
    committed_s: float
    read_lcrs: int = 0
    staged_lcrs: int = 0
    threshold: float | None = None
    first_read_s: float | None = None
    spilled_at_s: float | None = None
    held: "list[Batch]" = field(default_factory=list)
    dependent: int = 0

    @property
    def lcrs(self) -> int:
        """All messages of these transactions."""
        return self.lcrs_each * self.count

    @property
    def end(self) -> int:
        """Number after the last of these transactions."""
        return self.number + self.count


@dataclass(slots=True, eq=False)
class Entry:
    """A batch in one buffered queue.

    Attributes:
        batch: the messages.
        enqueued_s: when they came into this queue.
        is_browsed: the next stage has read them.
        is_spilled: they are on disk.
        is_removed: they have left the queue.
    """

    batch: "Batch"
    enqueued_s: float
    is_browsed: bool = False
    is_spilled: bool = False
    is_removed: bool = False


@dataclass(slots=True, eq=False)
class Batch:
    """Up to `batch_lcrs` messages that take every step together.

    Attributes:
        sequence: position in the stream.
        transaction: whose messages these are.
        lcrs: how many.
        end: messages of the transaction up to and including this batch.
        written_s: when the last row was written at the source.
        source, destination: its places in the two queues.
    """

    sequence: int
    transaction: Transaction
    lcrs: int
    end: int
    written_s: float
    source: Entry | None = None
    destination: Entry | None = None

    @property
    def ends_transaction(self) -> bool:
        """With it the transaction is complete."""
        return self.end == self.transaction.lcrs
