"""Progress that is applied for good: watermarks, rows of each workload, the error queue; kept over restarts."""

from collections import defaultdict

from app.systems.oracle_streams.lab.messages import Transaction, xid_of
from app.systems.oracle_streams.lab.states import ApplyError


class ApplyProgress:
    """Transactions are numbered in commit order without gaps, so the low-watermark follows from the finished ones.

    Attributes:
        low_end: all transactions before this number are done with.
        low_s, low_created_s: when that was reached, when the last of them was committed at the source.
        newest_end: number after the newest transaction applied.
        errors: the error queue, oldest first.
    """

    def __init__(self) -> None:
        self.low_end = 0
        self.low_s: float | None = None
        self.low_created_s: float | None = None
        self.newest_end = 0
        self.errors: list[ApplyError] = []
        self._done: dict[int, Transaction] = {}
        self._applied_rows: defaultdict[int, int] = defaultdict(int)
        self._failed_rows: defaultdict[int, int] = defaultdict(int)
        self._newest_s: dict[int, float] = {}

    def applied(self, transaction: Transaction, now_s: float) -> bool:
        """Count a committed transaction; return whether the low-watermark rose."""
        self.newest_end = max(self.newest_end, transaction.end)
        self._applied_rows[transaction.workload] += transaction.lcrs
        return self._finish(transaction, now_s)

    def failed(self, transaction: Transaction, number: int, message: str, now_s: float) -> bool:
        """Put a transaction into the error queue; return whether the low-watermark rose."""
        self._failed_rows[transaction.workload] += transaction.lcrs
        for index in range(transaction.number, transaction.end):
            self.errors.append(ApplyError(xid_of(index), transaction.lcrs_each, number, message))
        return self._finish(transaction, now_s)

    def rows(self, workload: int) -> tuple[int, int, float | None]:
        """Return rows of a workload applied, rows in the error queue, and when the newest of both was done with."""
        return self._applied_rows[workload], self._failed_rows[workload], self._newest_s.get(workload)

    def _finish(self, transaction: Transaction, now_s: float) -> bool:
        self._newest_s[transaction.workload] = now_s
        self._done[transaction.number] = transaction
        before = self.low_end
        while self.low_end in self._done:
            done = self._done.pop(self.low_end)
            self.low_end = done.end
            self.low_s, self.low_created_s = now_s, done.committed_s
        return self.low_end > before
