"""Ending a call that runs in another thread, once that is safe.

A driver is told of a cancel only once a statement has run for half a second: it waits for its server then. The result
of a cancelled statement is not believed, whatever the driver says of it, and its connection is not used again, since a
cancel that comes late strikes the next statement.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

# A statement this young ends by itself, or waits for its server by then: all of it has been sent.
PATIENCE_S: Final = 0.5


class Interruption:
    """A request to end the running call of one connection, passed to its driver when it can take it.

    Database drivers can be told from another thread only while they wait. One that still sends writes the two into one
    another: FreeTDS 1.3.17 then ends the whole program with a failed assertion (tds_dataout_stream_write).

    Args:
        patience_s: how long a call runs at least before its driver is told.
        now_s: seconds of this computer's own time.
    """

    def __init__(self, patience_s: float = PATIENCE_S, now_s: Callable[[], float] = time.perf_counter) -> None:
        self._patience_s = patience_s
        self._now_s = now_s
        self._turn = threading.Lock()
        self._telling = threading.Lock()  # apart from the other: being told may take a driver a while
        self._tell: Callable[[], None] | None = None
        self._number = 0
        self._begun_s = 0.0
        self._timer: threading.Timer | None = None

    def begin(self, tell: Callable[[], None]) -> None:
        """A call begins; `tell` ends it, and is called from another thread, at most once and never after `end`."""
        with self._turn:
            self._tell, self._begun_s = tell, self._now_s()
            self._number += 1

    def ask(self) -> None:
        """Have the running call end, without waiting for it; does nothing where none runs."""
        with self._turn:
            if self._tell is None or self._timer is not None:
                return
            left_s = self._patience_s - (self._now_s() - self._begun_s)
            self._timer = threading.Timer(max(0.0, left_s), self._tell_now, (self._number,))
            self._timer.daemon = True
            self._timer.start()

    def end(self) -> bool:
        """The call has ended; return whether it was asked to, once nobody tells its driver any more."""
        with self._turn:
            timer, self._tell, self._timer = self._timer, None, None
        if timer is None:
            return False
        timer.cancel()
        with self._telling:
            return True

    def _tell_now(self, number: int) -> None:
        with self._telling:
            with self._turn:
                tell = self._tell if self._number == number else None
            if tell is not None:
                tell()
