"""Commit batches of a Distribution Agent: where they end, and a planned run of them."""

from dataclasses import dataclass

import numpy as np

from app.systems.transactional_replication.lab.transactions import IntArray, TransactionLog


def full_batch_ends(log: TransactionLog, start: int, end: int, transactions: int, commands: int) -> list[int]:
    """Return the end positions of the full commit batches between two positions, ascending.

    A batch takes whole transactions until it holds `transactions` of them (CommitBatchSize) or at least `commands`
    commands (CommitBatchThreshold), whichever comes first; what is left at the end is no full batch.

    Source: Distribution Agent profile, -CommitBatchSize and -CommitBatchThreshold.
    """
    regular: IntArray = np.arange(start, end + 1, transactions, dtype=np.int64)
    if len(regular) > 1 and int(np.diff(log.commands_at(regular)).max()) <= commands:
        ends: list[int] = regular[1:].tolist()
        return ends + _by_commands(log, ends[-1], end, transactions, commands)
    return _by_commands(log, start, end, transactions, commands)


def _by_commands(log: TransactionLog, start: int, end: int, transactions: int, commands: int) -> list[int]:
    """Return full batches one by one, where the threshold may end them; the end of the log ends the last one."""
    ends: list[int] = []
    batch_start = start
    while batch_start < end:
        by_threshold = log.position_after(log.commands_before(batch_start) + commands)
        batch_end = min(batch_start + transactions, by_threshold)
        if batch_end > end:
            break
        ends.append(batch_end)
        batch_start = batch_end
    return ends


@dataclass
class DeliveryPlan:
    """Batches that follow each other without anything happening in between, parallel lists.

    Attributes:
        ends: position after each batch.
        commands, transactions: of each batch.
        commit_s: when each commits at the Subscriber.
        latency_s: age of each batch at its commit, since the distribution database.
        retry_from_s: since when a batch that failed is tried again on one stream, else infinity.
        next: first batch not yet counted as delivered.
    """

    ends: list[int]
    commands: list[int]
    transactions: list[int]
    commit_s: list[float]
    latency_s: list[float]
    retry_from_s: list[float]
    next: int = 0

    def cut_after_current(self) -> None:
        """Drop every batch after the one being applied."""
        keep = self.next + 1
        for values in (self.commit_s, self.latency_s, self.retry_from_s):
            del values[keep:]
        for counts in (self.ends, self.commands, self.transactions):
            del counts[keep:]

    def fail_current(self, retry_s: float) -> None:
        """Let the batch being applied fail at its commit and be tried again for `retry_s`; later ones move."""
        if self.retry_from_s[self.next] != float("inf"):
            return
        self.retry_from_s[self.next] = self.commit_s[self.next]
        for index in range(self.next, len(self.commit_s)):
            self.commit_s[index] += retry_s
            self.latency_s[index] += retry_s
