"""Ctrl+C, a polite kill and a closed terminal or console: a run is cancelled, and whatever happens all is put back.

In guided mode putting back needs the DBA, who may be gone: a second Ctrl+C waits for nobody any longer.
"""

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, Protocol

from app.foundation.console_events import EndOfConsole, handling
from app.foundation.texts import _
from app.runner.asking import HandDesk
from app.runner.control import RunControl

# SIGHUP: the terminal or the connection to it was closed; SIGBREAK: the same on Windows, and Ctrl+Break.
SIGNALS: Final = frozenset(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if name in signal.Signals.__members__
)


# What somebody at the terminal presses; the others come where nobody can press anything any more.
_PRESSED: Final = SIGNALS - {
    signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__
}


@contextmanager
def cancel_on_interrupt(desk: HandDesk | None = None) -> Iterator[RunControl]:
    """Give a control that Ctrl+C, a polite kill or a closed terminal cancels.

    Args:
        desk: of a guided run, None for one that makes its changes itself.
    """
    control = RunControl()
    with _hearing(_Cancelling(control, desk)):
        yield control


@contextmanager
def stop_on_interrupt(desk: HandDesk | None) -> Iterator[Callable[[], bool]]:
    """Let a restore be stopped by Ctrl+C pressed twice; give a function that tells whether it was.

    Everything is being undone already, which one Ctrl+C, a polite kill or a closed terminal leaves to go on; only for a
    DBA nobody waits then.

    Args:
        desk: where the DBA is asked, None for nobody.
    """
    stopping = _Stopping(desk)
    with _hearing(stopping):
        yield lambda: stopping.is_stopped


@contextmanager
def end_on_interrupt(said: str) -> Iterator[Callable[[], bool]]:
    """Let what only reads be ended by Ctrl+C, a polite kill or a closed terminal; give a function that tells it.

    Args:
        said: to who pressed it.
    """
    ending = _Ending(said)
    with _hearing(ending):
        yield lambda: ending.is_ended


class _Hearer(Protocol):
    """The meaning of a signal; called from a thread of its own."""

    def hear(self, number: int) -> None:
        """Take a signal."""
        ...

    def end(self) -> None:
        """Take it that the console ends, in a moment."""
        ...


@contextmanager
def _hearing(hearer: _Hearer) -> Iterator[None]:
    """Tell signals from a thread of its own that the interpreter wakes through a socket.

    A signal handler would run in the thread of the run, which may hold the very locks a cancel needs, and not before a
    statement of a driver returns.
    """
    heard, told = socket.socketpair()
    told.setblocking(False)
    listener = threading.Thread(target=_listen, args=(heard, hearer), name="interrupt", daemon=True)
    listener.start()
    before = {number: signal.signal(number, _ignore) for number in SIGNALS}
    woken_before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    console = EndOfConsole(hearer.end)
    try:
        with handling(console):
            try:
                yield
            finally:
                console.tell_ended()
    finally:
        signal.set_wakeup_fd(woken_before)
        for number, handler in before.items():
            signal.signal(number, handler)
        told.close()  # ends the listener
        listener.join()
        heard.close()


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Only there so that the signal wakes the listener instead of ending the program."""


class _Cancelling:
    """Cancels a run, which then undoes its changes."""

    def __init__(self, control: RunControl, desk: HandDesk | None) -> None:
        self._control = control
        self._desk = desk

    def end(self) -> None:
        """Cancel a run that nobody can answer any more."""
        self._control.cancel()
        if self._desk is not None:
            self._desk.give_up()

    def hear(self, _number: int) -> None:
        """Cancel; the second time the DBA is no longer waited for."""
        is_first = not self._control.is_cancelled
        self._control.cancel()
        if self._desk is None:
            _say(_("Cancelling; every change is being undone."))
        elif is_first:
            self._desk.say_done()  # it looks again, and finds the run cancelled
            _say(
                _(
                    "Cancelling; the DBA is asked to undo what is changed. If nobody will run the scripts, press "
                    "Ctrl+C again: what is not undone by then stays in the undo journal and in rollback.sql."
                )
            )
        else:
            self._desk.give_up()
            _say(_("No longer waiting for anybody."))


class _Ending:
    """Ends what only reads.

    Attributes:
        is_ended: nothing further is to be read.
    """

    def __init__(self, said: str) -> None:
        self._said = said
        self.is_ended = False

    def end(self) -> None:
        """End it: nobody is there any more."""
        self.is_ended = True

    def hear(self, _number: int) -> None:
        """End it, and say so."""
        self.is_ended = True
        _say(self._said)


class _Stopping:
    """Stops a restore between two changes.

    Attributes:
        is_stopped: no further change is to be undone.
    """

    def __init__(self, desk: HandDesk | None) -> None:
        self._desk = desk
        self._is_pressed = False
        self.is_stopped = False

    def end(self) -> None:
        """Wait for no DBA any longer: who closed the terminal runs no script."""
        if self._desk is not None:
            self._desk.give_up()

    def hear(self, number: int) -> None:
        """Say that the restore goes on; stop where somebody presses Ctrl+C the second time."""
        if number not in _PRESSED:
            self.end()
            _say(_("Every change is still being undone."))
        elif self._is_pressed:
            self.is_stopped = True
            self.end()
            _say(_("Stopping; what is not undone by now stays in the undo journal."))
        else:
            self._is_pressed = True
            _say(
                _(
                    "Every change is still being undone. To stop after the present one, press Ctrl+C again: what is "
                    "not undone by then stays in the undo journal."
                )
            )


def _listen(heard: socket.socket, hearer: _Hearer) -> None:
    while numbers := heard.recv(16):
        for number in dict.fromkeys(numbers):
            if number in SIGNALS:
                hearer.hear(number)


def _say(text: str) -> None:
    """Write to the terminal, not through sys.stderr: the signal may have come in the middle of a write to it."""
    with suppress(OSError):  # a terminal that is closed is told nothing
        os.write(2, (text + "\n").encode("utf-8", "replace"))
