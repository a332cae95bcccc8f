"""Console events of Windows: closing, logging off and shutting down, which come to no signal handler.

https://learn.microsoft.com/windows/console/handlerroutine: a handler runs in a thread of its own; the process is ended
when the handler returns, and after five seconds at the latest.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

CTRL_CLOSE: Final = 2
CTRL_LOGOFF: Final = 5
CTRL_SHUTDOWN: Final = 6
_ENDINGS: Final = frozenset({CTRL_CLOSE, CTRL_LOGOFF, CTRL_SHUTDOWN})
LONGEST_S: Final = 5.0
"""How long Windows waits for a handler (HandlerRoutine, "Timeouts")."""
# Below the usual 0x280, and above what is kept for the system's own: such processes are ended last.
# https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-setprocessshutdownparameters
_LATE_IN_SHUTDOWN: Final = 0x180

Wait = Callable[[threading.Event, float], bool]


class EndOfConsole:
    """Answers the console events of Windows: a run is cancelled, and its end waited for.

    Args:
        cancel: asks the run to put everything back and to end; called from a thread of Windows'.
        wait: waits for an event so many seconds and tells whether it came.
    """

    def __init__(self, cancel: Callable[[], None], wait: Wait = threading.Event.wait) -> None:
        self._cancel = cancel
        self._wait = wait
        self._ended = threading.Event()

    def __call__(self, event: int) -> bool:
        """Return True once everything is put back or Windows waits no longer; False leaves the event to others."""
        if event not in _ENDINGS:
            return False
        self._cancel()
        self._wait(self._ended, LONGEST_S)
        return True

    def tell_ended(self) -> None:
        """Everything is put back: who waits need not wait any longer."""
        self._ended.set()


@contextmanager
def handling(handler: Callable[[int], bool], kernel: Any = None) -> Iterator[None]:
    """Have Windows ask a handler first; elsewhere, where closing a terminal is a signal, do nothing.

    Args:
        kernel: what has Windows' SetConsoleCtrlHandler; the system's own where None.
    """
    if kernel is None:
        kernel = _kernel()
    if kernel is None:
        yield
        return
    routine = _routine(handler)
    kernel.SetConsoleCtrlHandler(routine, True)
    try:
        yield
    finally:
        kernel.SetConsoleCtrlHandler(routine, False)


def outlast_the_console(kernel: Any = None) -> None:
    """Let this process, a child that serves the program, not end before the program does.

    Without a console it hears nothing of its closing, and at a shutdown it is ended late; it ends with its pipe.
    """
    if kernel is None:
        kernel = _kernel()
    if kernel is not None:
        kernel.FreeConsole()
        kernel.SetProcessShutdownParameters(_LATE_IN_SHUTDOWN, 0)


def _kernel() -> Any:
    if sys.platform != "win32":
        return None
    import ctypes

    return ctypes.windll.kernel32


def _routine(handler: Callable[[int], bool]) -> Any:
    """Return the handler as Windows calls it; it must be kept as long as it is installed."""
    import ctypes

    make = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)
    return make(ctypes.c_int, ctypes.c_uint32)(lambda event: int(handler(int(event))))
