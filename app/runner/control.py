"""Requests to a running experiment: cancel now, pause after the trial.

A cancel is noticed within seconds, however far apart readings are.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from app.domain.rig import Control, RunCancelled
from app.foundation.clock import Clock

_LONGEST_PAUSE_S: Final = 5.0


class RunControl:
    """Requests from another thread to the one that runs the experiment; safe to call from any thread."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._may_go_on = threading.Event()
        self._may_go_on.set()
        self._interrupt: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def cancel(self) -> None:
        """Ask the run to end at its next safe point and to restore the server; a statement that runs is ended."""
        self._cancelled.set()
        self._may_go_on.set()
        with self._lock:
            if self._interrupt is not None:
                self._interrupt()

    @property
    def is_cancelled(self) -> bool:
        """Whether a cancel was asked for."""
        return self._cancelled.is_set()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Let a cancel end the statement that runs, inside this block only: nothing may end those of a restore."""
        with self._lock:
            self._interrupt = interrupt
        try:
            yield
        finally:
            with self._lock:
                self._interrupt = None

    def pause(self) -> None:
        """Ask the run to pause after the present trial, with the server restored."""
        self._may_go_on.clear()

    def resume(self) -> None:
        """Let a paused run go on."""
        self._may_go_on.set()

    @property
    def pause_requested(self) -> bool:
        """Whether a pause was asked for and not lifted."""
        return not self._may_go_on.is_set()

    def wait_while_paused(self) -> None:
        """Block until the run may go on or is cancelled."""
        self._may_go_on.wait()

    def check(self) -> None:
        """Raise RunCancelled where a cancel was asked for; called between statements."""
        if self._cancelled.is_set():
            raise RunCancelled


def let_pass(seconds: float, clock: Clock, control: Control) -> None:
    """Let time pass between two readings, however far apart: a cancel is noticed within a few seconds.

    Raises:
        RunCancelled: a cancel was asked for.
    """
    left_s = seconds
    while left_s > _LONGEST_PAUSE_S:
        control.check()
        clock.sleep(_LONGEST_PAUSE_S)
        left_s -= _LONGEST_PAUSE_S
    control.check()
    clock.sleep(left_s)
