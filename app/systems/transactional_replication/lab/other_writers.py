"""Writes of the site's own applications into a publication database while an experiment runs."""

import math
from typing import Final

import numpy as np

from app.lab.clock import EventQueue
from app.systems.transactional_replication.lab.scenario import OtherWritersConstants
from app.systems.transactional_replication.lab.transactions import FloatArray, IntArray, TransactionLog

_STREAM: Final = 0x07AE


class OtherWriters:
    """Commits transactions at random moments, so many a second on the average (a Poisson process)."""

    def __init__(
        self, constants: OtherWritersConstants, pair: int, seed: int, events: EventQueue, log: TransactionLog
    ) -> None:
        self._constants = constants
        self._events = events
        self._log = log
        self._draw = np.random.default_rng((seed, pair, _STREAM))
        self._next_s = 0.0
        self._draw_next()
        self._expect()

    def merged(self, times_s: FloatArray, commands: IntArray) -> tuple[FloatArray, IntArray]:
        """Return transactions of somebody else's with those that these writers commit before the last of them."""
        own_s: list[float] = []
        while len(times_s) and self._next_s < times_s[-1]:
            own_s.append(self._next_s)
            self._draw_next()
        all_s = np.concatenate((times_s, np.array(own_s, np.float64)))
        order = np.argsort(all_s, kind="stable")
        sizes = np.concatenate((commands, np.full(len(own_s), self._constants.commands_per_transaction, np.int64)))
        return all_s[order], sizes[order]

    def _draw_next(self) -> None:
        rate_per_s = self._constants.transactions_per_s
        self._next_s += float(self._draw.exponential(1 / rate_per_s)) if rate_per_s > 0 else math.inf

    def _expect(self) -> None:
        if self._next_s < math.inf:
            self._events.at(self._next_s, self._commit)

    def _commit(self) -> None:
        """Commit the writes that are due; those committed among somebody else's transactions are not due any more."""
        if self._next_s <= self._events.now_s:
            self._log.append(
                np.array([self._events.now_s]), np.full(1, self._constants.commands_per_transaction, np.int64)
            )
            self._draw_next()
        self._expect()
