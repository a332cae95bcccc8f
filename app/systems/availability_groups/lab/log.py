"""Transaction logs: how far they reach, the part still held, and when a position was written."""

from bisect import bisect_left
from collections import deque
from typing import Final

from app.systems.availability_groups.lab.servers import Disk

_KEPT_KNOTS: Final = 4_000


class TransactionLog:
    """The log of one database; positions are bytes written since the lab was built.

    Attributes:
        end_bytes: its end. flushed_bytes: all that was ever flushed; more than the end after a failover with data loss.
        backed_up_bytes: covered by log backups. truncated_bytes: no longer in the file.
    """

    def __init__(self, size_mb: float, disk: Disk) -> None:
        self.size_mb = size_mb
        self.disk = disk
        self.end_bytes = 0.0
        self.flushed_bytes = 0.0
        self.backed_up_bytes = 0.0
        self.truncated_bytes = 0.0
        self._knots: deque[tuple[float, float]] = deque([(0.0, 0.0)], maxlen=_KEPT_KNOTS)

    @property
    def used_mb(self) -> float:
        """Return the part that cannot be overwritten."""
        return max(0.0, self.end_bytes - self.truncated_bytes) / 1e6

    @property
    def room_mb(self) -> float:
        """Return the room left to write, the file's growth included."""
        return self.size_mb + self.disk.free_mb - self.used_mb

    def write(self, written_bytes: float, now_s: float) -> None:
        """Append; the file grows into the disk's free space where it must."""
        self.end_bytes += written_bytes
        self.flushed_bytes += written_bytes
        self.disk.bytes_written += written_bytes
        if written_bytes > 0.0:
            self._knots.append((now_s, self.end_bytes))
        grown_mb = self.used_mb - self.size_mb
        if grown_mb > 0.0:
            self.disk.take(grown_mb)
            self.size_mb += grown_mb

    def stood_still(self, now_s: float) -> None:
        """Remember that nothing was written until now, so that times of positions stay right."""
        if len(self._knots) > 1 and self._knots[-2][1] == self.end_bytes:
            self._knots.pop()
        self._knots.append((now_s, self.end_bytes))

    def lose(self, lost_bytes: float, now_s: float) -> None:
        """Go back by the log that a forced failover lost."""
        self.end_bytes -= lost_bytes
        self.backed_up_bytes = min(self.backed_up_bytes, self.end_bytes)
        self.truncated_bytes = min(self.truncated_bytes, self.end_bytes)
        self._knots = deque([(now_s, self.end_bytes)], maxlen=_KEPT_KNOTS)

    def truncate(self, held_from_bytes: float) -> None:
        """Free the log that is covered by log backups and held by nobody."""
        self.truncated_bytes = max(self.truncated_bytes, min(self.backed_up_bytes, held_from_bytes))

    def written_at_s(self, position_bytes: float) -> float | None:
        """Return when a position was written, None where that is not remembered or nothing was written yet."""
        if position_bytes <= 0.0:
            return None
        knots = list(self._knots)
        index = bisect_left(knots, position_bytes, key=lambda knot: knot[1])
        if index == 0 or index == len(knots):
            return knots[-1][0] if index else None
        (before_s, before), (after_s, after) = knots[index - 1], knots[index]
        return before_s + (after_s - before_s) * (position_bytes - before) / (after - before)
