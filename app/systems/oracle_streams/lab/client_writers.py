"""The client's own applications, which change rows at the source second by second."""

from collections.abc import Callable
from typing import Final

import numpy as np

from app.lab.client_rate import ClientRate
from app.lab.clock import EventQueue
from app.systems.oracle_streams.lab.redo_log import Workload
from app.systems.oracle_streams.lab.scenario import ClientWritersConstants

_STREAM: Final = 0x07AF
_PORTION_S: Final = 1.0


class ClientWriters:
    """Writes the transactions of each second, as many as come at random, all of one size, which another draw gives."""

    def __init__(
        self, constants: ClientWritersConstants, seed: int, events: EventQueue, write: Callable[[Workload], None]
    ) -> None:
        self._constants = constants
        self._events = events
        self._write = write
        self._draw = np.random.default_rng((seed, _STREAM))
        self._rate = ClientRate(constants, self._draw)
        events.after(_PORTION_S, self._write_second)

    def _write_second(self) -> None:
        constants = self._constants
        count = int(self._draw.poisson(self._rate.per_s(self._events.now_s - _PORTION_S) * _PORTION_S))
        size = int(self._draw.integers(constants.least_rows, constants.most_rows, endpoint=True))
        if count:
            rows = count * size
            self._write(Workload("update", rows, size, rows / _PORTION_S))
        self._events.after(_PORTION_S, self._write_second)
