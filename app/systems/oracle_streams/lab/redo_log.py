"""The source's redo log: the workloads' writes, and the part LogMiner has not read."""

import math
from collections import deque
from dataclasses import dataclass

from app.lab.clock import EventQueue
from app.systems.oracle_streams.lab.messages import Batch, Change, Transaction
from app.systems.oracle_streams.lab.scenario import WorkloadConstants


@dataclass(frozen=True)
class Workload:
    """Rows one session writes into the test table, one after the other.

    Attributes:
        change: inserts or updates.
        rows: how many rows.
        rows_per_commit: rows of each transaction; the last one may be smaller.
        rows_per_s: pace; None: as fast as the session can.
    """

    change: Change
    rows: int
    rows_per_commit: int
    rows_per_s: float | None = None


@dataclass(slots=True)
class _Written:
    """A workload with its times and how far LogMiner has read it."""

    workload: Workload
    number: int
    first_transaction: int
    start_s: float
    rows_per_s: float
    read_rows: int = 0
    open: Transaction | None = None

    @property
    def transactions(self) -> int:
        return -(-self.workload.rows // self.workload.rows_per_commit)

    @property
    def end_s(self) -> float:
        return self.written_s(self.workload.rows)

    def written_s(self, rows: int) -> float:
        """Return when so many rows are written."""
        return self.start_s + rows / self.rows_per_s

    def rows_by(self, time_s: float) -> int:
        if time_s < self.start_s:
            return 0
        rows = math.floor((time_s - self.start_s) * self.rows_per_s + 1e-6)
        return min(self.workload.rows, rows)

    def is_complete(self, time_s: float) -> bool:
        return self.rows_by(time_s) == self.workload.rows

    def transaction_start(self, rows: int) -> int:
        return rows - rows % self.workload.rows_per_commit

    def transaction_end(self, rows: int) -> int:
        """Return the rows written when the transaction of the row after `rows` commits."""
        return min(self.workload.rows, self.transaction_start(rows) + self.workload.rows_per_commit)


class RedoLog:
    """Workloads follow each other: a second one begins when the first is written."""

    def __init__(self, constants: WorkloadConstants, batch_lcrs: int, events: EventQueue) -> None:
        self._constants = constants
        self._batch_lcrs = batch_lcrs
        self._events = events
        self._written: list[_Written] = []
        self._reading = self._complete = 0
        self._complete_bytes = 0.0
        self._returned: deque[Batch] = deque()
        self._sequence = 0

    def write(self, workload: Workload) -> int:
        """Begin writing and return the workload's number; rows appear in the log with time.

        Raises:
            ValueError: rows, rows per commit or pace are not positive.
        """
        pace = self._pace(workload)
        if workload.rows < 1 or workload.rows_per_commit < 1 or not pace > 0.0 or math.isinf(pace):
            raise ValueError(f"a workload needs positive rows, rows per commit and pace: {workload}")
        last = self._written[-1] if self._written else None
        start_s = self._events.now_s if last is None else max(self._events.now_s, last.end_s)
        first = 0 if last is None else last.first_transaction + last.transactions
        self._written.append(_Written(workload, len(self._written), first, start_s, pace))
        return len(self._written) - 1

    def workload(self, number: int) -> Workload:
        """Return a workload as it was asked for; raises IndexError."""
        return self._written[number].workload

    def times_s(self, number: int) -> tuple[float, float]:
        """Return when a workload's writing begins and ends."""
        return self._written[number].start_s, self._written[number].end_s

    def rows_written(self, number: int) -> int:
        """Return the rows a workload has written by now."""
        return self._written[number].rows_by(self._events.now_s)

    def redo_bytes_per_row(self, change: Change) -> float:
        """Return the redo of one row changed at the source."""
        constants = self._constants
        return constants.insert_redo_bytes_per_row if change == "insert" else constants.update_redo_bytes_per_row

    @property
    def next_workload(self) -> int:
        """Number of the workload that wrote the next unread row; the newest one's if all is read."""
        one = self._unread()
        return len(self._written) - 1 if one is None else one.number

    @property
    def redo_bytes(self) -> float:
        """Redo written by all workloads by now."""
        now_s = self._events.now_s
        while self._complete < len(self._written) and self._written[self._complete].is_complete(now_s):
            self._complete_bytes += self._redo_bytes_of(self._written[self._complete], now_s)
            self._complete += 1
        return self._complete_bytes + sum(self._redo_bytes_of(one, now_s) for one in self._written[self._complete :])

    def _redo_bytes_of(self, one: _Written, now_s: float) -> float:
        return one.rows_by(now_s) * self.redo_bytes_per_row(one.workload.change)

    @property
    def newest_written_s(self) -> float | None:
        """When the newest row in the log was written; None before the first."""
        now_s = self._events.now_s
        for one in reversed(self._written):
            rows = one.rows_by(now_s)
            if rows:
                return one.written_s(rows)
        return None

    @property
    def unread_rows(self) -> int:
        """Rows in the log that LogMiner has not read."""
        now_s = self._events.now_s
        unread = sum(one.rows_by(now_s) - min(one.read_rows, one.rows_by(now_s)) for one in self._written)
        return unread + sum(batch.lcrs for batch in self._returned)

    def give_back(self, batches: list[Batch]) -> None:
        """Let these batches be read again before all others, in their old order."""
        merged = sorted([*batches, *self._returned], key=lambda batch: batch.sequence)
        self._returned = deque(merged)

    def next_ready_s(self) -> float | None:
        """Return when the next batch can be read (a moment not before it was written); None if nothing is coming."""
        if self._returned:
            return self._events.now_s
        one = self._unread()
        if one is None:
            return None
        if one.workload.rows_per_commit >= self._batch_lcrs:
            return one.written_s(one.read_rows + 1)
        return one.written_s(one.transaction_end(one.read_rows))

    def next_batch(self) -> Batch | None:
        """Read the redo there now, at most a batch; None if there is none."""
        if self._returned:
            return self._returned.popleft()
        one = self._unread()
        if one is None:
            return None
        if one.workload.rows_per_commit >= self._batch_lcrs:
            return self._part(one)
        return self._several(one)

    def _pace(self, workload: Workload) -> float:
        if workload.rows_per_s is not None:
            return workload.rows_per_s
        constants = self._constants
        return constants.insert_rows_per_s if workload.change == "insert" else constants.update_rows_per_s

    def _unread(self) -> _Written | None:
        while self._reading < len(self._written):
            one = self._written[self._reading]
            if one.read_rows < one.workload.rows:
                return one
            self._reading += 1
        return None

    def _part(self, one: _Written) -> Batch | None:
        """Read a part of one transaction, or all of it."""
        start, end = one.transaction_start(one.read_rows), one.transaction_end(one.read_rows)
        lcrs = min(self._batch_lcrs, end - one.read_rows, one.rows_by(self._events.now_s) - one.read_rows)
        if lcrs < 1:
            return None
        if one.open is None:
            one.open = self._transaction(one, start, end, 1)
        batch = self._batch(one, one.open, lcrs, one.read_rows + lcrs - start)
        if batch.ends_transaction:
            one.open = None
        return batch

    def _several(self, one: _Written) -> Batch | None:
        """Read several whole transactions."""
        size = one.workload.rows_per_commit
        start = one.read_rows
        ready = one.rows_by(self._events.now_s) - start
        count = min(self._batch_lcrs, ready) // size
        if count:
            return self._batch(one, self._transaction(one, start, start + count * size, count), count * size)
        rest = one.workload.rows - start  # the last transaction may be smaller than the others
        if ready < rest or rest >= size:
            return None
        return self._batch(one, self._transaction(one, start, start + rest, 1), rest)

    def _transaction(self, one: _Written, start: int, end: int, count: int) -> Transaction:
        return Transaction(
            number=one.first_transaction + start // one.workload.rows_per_commit,
            count=count,
            lcrs_each=(end - start) // count,
            change=one.workload.change,
            workload=one.number,
            first_written_s=one.written_s(start + 1),
            committed_s=one.written_s(end),
        )

    def _batch(self, one: _Written, transaction: Transaction, lcrs: int, end: int | None = None) -> Batch:
        one.read_rows += lcrs
        self._sequence += 1
        written_s = one.written_s(one.read_rows)
        return Batch(self._sequence, transaction, lcrs, lcrs if end is None else end, written_s)
