"""The client's own applications, which write into a publication database second by second."""

from collections.abc import Callable
from typing import Final

import numpy as np

from app.lab.client_rate import ClientRate
from app.lab.clock import EventQueue
from app.systems.transactional_replication.lab.scenario import ClientWritersConstants
from app.systems.transactional_replication.lab.transactions import TransactionLog

_STREAM: Final = 0x07AF
_PORTION_S: Final = 1.0
_PAST_PORTION_S: Final = 30.0
# What is delivered is forgotten this often.
_FORGET_EVERY_S: Final = 300.0


class ClientWriters:
    """Commits the transactions of each portion of time, at random moments of it (a Poisson process).

    A transaction committed while somebody else's are being written commits behind them.

    Attributes:
        portion_s: length of a portion: what is written in it shows at its end.
    """

    def __init__(
        self,
        constants: ClientWritersConstants,
        place: tuple[int, int, int],
        events: EventQueue,
        log: TransactionLog,
        forget: Callable[[], None],
    ) -> None:
        self._constants = constants
        self._events = events
        self._log = log
        self._forget = forget
        self.portion_s = _PORTION_S
        self._draw = np.random.default_rng((*place, _STREAM))
        self._rate = ClientRate(constants, self._draw)
        events.after(_PORTION_S, self._commit)

    def live_through(self, *, is_past: bool) -> None:
        """Write in coarse portions through a past that nobody watches, and in fine ones behind it."""
        self.portion_s = _PAST_PORTION_S if is_past else _PORTION_S

    def _commit(self) -> None:
        """Commit the transactions of the second that is over."""
        now_s, constants, portion_s = self._events.now_s, self._constants, self.portion_s
        if now_s % _FORGET_EVERY_S < portion_s:
            self._forget()
        count = int(self._draw.poisson(self._rate.per_s(now_s - portion_s) * portion_s))
        if count:
            times_s = np.sort(now_s - portion_s * self._draw.random(count))
            sizes = self._draw.integers(
                constants.least_commands, constants.most_commands, count, np.int64, endpoint=True
            )
            self._log.append(np.maximum(times_s, self._log.last_commit_s), sizes)
        self._events.after(portion_s, self._commit)
