"""Ctrl+C, a polite kill and a closed terminal or console as a cancel of the run: all is put back, results are kept.

In guided mode putting back needs the DBA, who may be gone: a second Ctrl+C waits for nobody any longer.
"""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import Final

from app.foundation.console_events import EndOfConsole, handling
from app.foundation.texts import _
from app.runner.by_hand import HandDesk
from app.runner.control import RunControl

# SIGHUP: the terminal or the connection to it was closed; SIGBREAK: the same on Windows, and Ctrl+Break.
_SIGNALS: Final = frozenset(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if name in signal.Signals.__members__
)


@contextmanager
def cancel_on_interrupt(desk: HandDesk | None = None) -> Iterator[RunControl]:
    """Give a control that Ctrl+C, a polite kill or a closed terminal cancels.

    Args:
        desk: of a guided run, None for one that makes its changes itself.

    The cancel comes from a thread of its own that the interpreter wakes through a socket: a signal handler would run in
    the thread of the run, which may hold the very locks a cancel needs, and not before a statement of a driver returns.
    """
    control = RunControl()
    heard, told = socket.socketpair()
    told.setblocking(False)
    listener = threading.Thread(target=_listen, args=(heard, control, desk), name="interrupt", daemon=True)
    listener.start()
    before = {number: signal.signal(number, _ignore) for number in _SIGNALS}
    woken_before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    console = EndOfConsole(partial(_cancel, control, desk))
    try:
        with handling(console):
            try:
                yield control
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


def _cancel(control: RunControl, desk: HandDesk | None) -> None:
    """Cancel a run that nobody can answer any more."""
    control.cancel()
    if desk is not None:
        desk.give_up()


def _listen(heard: socket.socket, control: RunControl, desk: HandDesk | None) -> None:
    while numbers := heard.recv(16):
        if _SIGNALS.isdisjoint(numbers):
            continue
        is_first = not control.is_cancelled
        control.cancel()
        if desk is None:
            _say(_("Cancelling; every change is being undone."))
        elif is_first:
            desk.say_done()  # it looks again, and finds the run cancelled
            _say(
                _(
                    "Cancelling; the DBA is asked to undo what is changed. If nobody will run the scripts, press "
                    "Ctrl+C again: what is not undone by then stays in the undo journal and in rollback.sql."
                )
            )
        else:
            desk.give_up()
            _say(_("No longer waiting for anybody."))


def _say(text: str) -> None:
    """Write to the terminal, not through sys.stderr: the signal may have come in the middle of a write to it."""
    with suppress(OSError):  # a terminal that is closed is told nothing
        os.write(2, (text + "\n").encode("utf-8", "replace"))
