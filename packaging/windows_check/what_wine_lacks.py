"""Puts right what Wine's C library does otherwise than Windows'; stands as `sitecustomize` in Python for Windows.

Copied there by inside.sh. Nothing of it is the program's: frozen, it goes without.
"""

import signal
import sys
from collections.abc import Callable
from typing import Any

_kept: list[Any] = []
"""What Windows calls, kept as long as the process."""

if sys.platform == "win32":
    import msvcrt

    _locking, _signal = msvcrt.locking, signal.signal

    def _locking_with_a_number(descriptor: int, mode: int, size: int) -> None:
        """Refuse what is locked already with EACCES, as Windows does; Wine's gives no error's number.

        https://learn.microsoft.com/cpp/c-runtime-library/reference/locking
        """
        try:
            _locking(descriptor, mode, size)
        except OSError as error:
            if error.errno:
                raise
            raise PermissionError(13, "Permission denied") from error

    def _signal_of_ctrl_break(number: int, handler: Any) -> Any:
        """Take SIGBREAK, which Wine keeps and never raises: its console handler knows Ctrl+C alone.

        https://learn.microsoft.com/cpp/c-runtime-library/reference/signal
        """
        if number == signal.SIGBREAK and not _kept:
            _kept.append(_console_handler())
        return _signal(number, handler)

    def _console_handler() -> Callable[[int], int]:
        import ctypes

        @ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint32)
        def handle(event: int) -> int:
            if event != signal.CTRL_BREAK_EVENT or signal.getsignal(signal.SIGBREAK) == signal.SIG_DFL:
                return 0
            signal.raise_signal(signal.SIGBREAK)
            return 1

        ctypes.windll.kernel32.SetConsoleCtrlHandler(handle, True)
        return handle

    msvcrt.locking, signal.signal = _locking_with_a_number, _signal_of_ctrl_break
