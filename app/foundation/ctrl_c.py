"""Ctrl+C outside of a run: never in the middle of an import, and only once.

Python raises KeyboardInterrupt wherever the main thread stands. Compiled libraries that are just being imported may end
the process for it, and a second one strikes what is cleaned up after the first.
"""

import _thread
import signal
import sys
import threading
from types import FrameType
from typing import Final, cast

_AGAIN_S: Final = 0.05
# Where the frames of Python's own import system say they are from.
_IMPORT_SYSTEM: Final = "<frozen importlib"


def take_ctrl_c() -> None:
    """Raise KeyboardInterrupt for the first Ctrl+C from now on, after the import that goes on; ignore all others."""
    signal.signal(signal.SIGINT, _interrupted)


def leave_ctrl_c() -> None:
    """Ignore Ctrl+C for good: the program is ending.

    Python gives every signal that has a function its default meaning back while it ends, and that ends the process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _interrupted(_number: int, frame: FrameType | None) -> None:
    if _is_importing(frame):
        again = threading.Timer(_AGAIN_S, _repeat)
        again.daemon = True
        again.start()
        return
    signal.signal(signal.SIGINT, _ignored)
    raise KeyboardInterrupt


def _repeat() -> None:
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:  # a wait in the main thread ends for a signal only
        signal.pthread_kill(cast(int, threading.main_thread().ident), signal.SIGINT)


def _ignored(_number: int, _frame: FrameType | None) -> None:
    """A function, not SIG_IGN, which processes started from here would take over."""


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(_IMPORT_SYSTEM):
            return True
        frame = frame.f_back
    return False
