"""The transactions of one publication database, from their commit at the Publisher until nobody needs them."""

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


class TransactionLog:
    """Transactions in commit order, as two arrays: commit times and running command counts.

    Positions count transactions since the lab was built, so every stage of the pipeline is one number: what lies
    before its position has passed it. Nothing can be lost or delivered twice while positions only grow.

    Attributes:
        end: position after the newest transaction (also those whose commit time is still to come).
    """

    def __init__(self) -> None:
        self.end = 0
        self._first = 0
        self._commit_s: FloatArray = np.empty(1024, np.float64)
        self._before: IntArray = np.zeros(1025, np.int64)

    def append(self, commit_s: FloatArray, commands: IntArray) -> None:
        """Add transactions; times ascending and not before the newest one's, commands of each ≥ 1, shapes (n,)."""
        kept, added = self.end - self._first, len(commands)
        self._reserve(kept + added)
        self._commit_s[kept : kept + added] = commit_s
        np.cumsum(commands, out=self._before[kept + 1 : kept + added + 1])
        self._before[kept + 1 : kept + added + 1] += self._before[kept]
        self.end += added

    @property
    def last_commit_s(self) -> float:
        """When the newest transaction that is kept commits, 0 where none is."""
        kept = self.end - self._first
        return float(self._commit_s[kept - 1]) if kept else 0.0

    @property
    def kept(self) -> int:
        """How many transactions are held in memory."""
        return self.end - self._first

    def commands_before(self, position: int) -> int:
        """Return how many commands all transactions before a position have."""
        return int(self._before[position - self._first])

    def commands_at(self, positions: IntArray) -> IntArray:
        """Return `commands_before` of many positions, same shape."""
        return self._before[positions - self._first]

    def position_after(self, commands: int) -> int:
        """Return the first position with at least so many commands before it, at most `end`."""
        kept = self.end - self._first
        position = int(self._before[: kept + 1].searchsorted(commands, side="left"))
        return self._first + min(position, kept)

    def committed_by(self, time_s: float) -> int:
        """Return the position after the newest transaction committed at or before a time."""
        kept = self.end - self._first
        return self._first + int(self._commit_s[:kept].searchsorted(time_s, side="right"))

    def committed_s(self, position: int) -> float:
        """Return when the transaction at a position committed at the Publisher."""
        return float(self._commit_s[position - self._first])

    def forget_before(self, position: int) -> None:
        """Drop transactions nobody needs any more, once they fill most of the arrays."""
        drop, kept = position - self._first, self.end - self._first
        if drop <= kept // 2:
            return
        self._commit_s = self._commit_s[drop:kept].copy()
        self._before = self._before[drop : kept + 1].copy()
        self._first = position

    def _reserve(self, size: int) -> None:
        if size <= len(self._commit_s):
            return
        kept, room = self.end - self._first, max(size, 2 * len(self._commit_s))
        commit_s, before = np.empty(room, np.float64), np.empty(room + 1, np.int64)
        commit_s[:kept], before[: kept + 1] = self._commit_s[:kept], self._before[: kept + 1]
        self._commit_s, self._before = commit_s, before


def draw_sizes(transactions: int, commands_per_transaction: tuple[float, float], seed: int) -> IntArray:
    """Return the number of commands of each transaction, shape (transactions,).

    Whole numbers uniform between low and high; an equal low and high that is fractional gives a mix of the two
    neighbours with that mean (2.5: twos and threes in equal parts).

    Raises:
        ValueError: low is below 1 or above high.
    """
    low, high = commands_per_transaction
    if not 1.0 <= low <= high:
        raise ValueError(f"commands per transaction must be at least 1 and ascending, not {low:g} to {high:g}")
    draw = np.random.default_rng(seed)
    if low == high:
        whole = int(low)
        if low == whole:
            return np.full(transactions, whole, np.int64)
        return whole + (draw.random(transactions) < low - whole).astype(np.int64)
    return draw.integers(round(low), round(high), transactions, np.int64, endpoint=True)
