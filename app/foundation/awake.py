"""Keeping this computer from falling asleep by itself while servers are changed.

Windows: SetThreadExecutionState, of the thread that asks, given back by it
(https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-setthreadexecutionstate). Linux: a lock of systemd's,
held by a child (systemd-inhibit(1)); macOS: an assertion held by a child (caffeinate(8)). Where there is none of them,
or it may not be had, the computer does as it was set up; a lid that is closed is noticed by the clocks of the trial.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

_CONTINUOUS: Final = 0x80000000
_SYSTEM_REQUIRED: Final = 0x00000001
_END_S: Final = 5.0


@contextmanager
def kept_awake(why: str, kernel: Any = None, command: Sequence[str] | None = None) -> Iterator[None]:
    """Keep this computer awake meanwhile; enter and leave it in one thread.

    Args:
        why: one sentence, which the system shows.
        kernel: what has Windows' SetThreadExecutionState; the system's own where None.
        command: what holds a lock until its input ends; the system's own where None.
    """
    if kernel is None:
        kernel = _kernel()
    if kernel is not None:
        kernel.SetThreadExecutionState(_CONTINUOUS | _SYSTEM_REQUIRED)
        try:
            yield
        finally:
            kernel.SetThreadExecutionState(_CONTINUOUS)
        return
    child = _start(_command(why) if command is None else command)
    try:
        yield
    finally:
        if child is not None:
            _end(child)


def _command(why: str) -> tuple[str, ...]:
    # `cat` ends with its input, which ends with this program, however it ends
    if sys.platform == "darwin":
        return ("caffeinate", "-i", "-s", "cat")
    return ("systemd-inhibit", "--what=idle:sleep", "--who=Replitune", f"--why={why}", "--mode=block", "cat")


def _start(command: Sequence[str]) -> "subprocess.Popen[bytes] | None":
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl+C and a closed terminal are for the program
        )
    except OSError:
        return None


def _end(child: "subprocess.Popen[bytes]") -> None:
    if child.stdin is not None:
        child.stdin.close()
    try:
        child.wait(_END_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _kernel() -> Any:
    if sys.platform != "win32":
        return None
    import ctypes

    return ctypes.windll.kernel32
