"""A console that is closed, as Windows tells it: by a handler, in a thread of its own, called through C."""

import ctypes
import threading
from typing import Any

import pytest

from app.foundation.console_events import (
    CTRL_CLOSE,
    CTRL_LOGOFF,
    CTRL_SHUTDOWN,
    LONGEST_S,
    EndOfConsole,
    handling,
    outlast_the_console,
)
from tests.patience import PATIENCE_S


class Kernel:
    """Windows' kernel32, as far as consoles go: calls the handler that was installed, as C does."""

    def __init__(self) -> None:
        self.handlers: list[Any] = []
        self.asked: list[tuple[str, int]] = []

    def SetConsoleCtrlHandler(self, routine: Any, add: bool) -> int:
        """Install or remove a handler."""
        (self.handlers.append if add else self.handlers.remove)(routine)
        return 1

    def FreeConsole(self) -> int:
        """Leave the console."""
        self.asked.append(("FreeConsole", 0))
        return 1

    def SetProcessShutdownParameters(self, level: int, _flags: int) -> int:
        """Be ended later."""
        self.asked.append(("SetProcessShutdownParameters", level))
        return 1

    def send(self, event: int) -> int:
        """Tell the newest handler, and return what it answers."""
        address = ctypes.cast(self.handlers[-1], ctypes.c_void_p).value or 0
        answer: int = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32)(address)(event)
        return answer


@pytest.mark.parametrize("event", [CTRL_CLOSE, CTRL_LOGOFF, CTRL_SHUTDOWN])
def test_a_closed_console_waits_until_everything_is_put_back(event: int) -> None:
    """The run is cancelled first; while the handler has not returned, Windows lets the process live."""
    kernel, cancelled, answers = Kernel(), threading.Event(), []
    console = EndOfConsole(cancelled.set)
    with handling(console, kernel):
        system = threading.Thread(target=lambda: answers.append(kernel.send(event)))
        system.start()
        assert cancelled.wait(PATIENCE_S)
        assert answers == []
        console.tell_ended()
        system.join(PATIENCE_S)
    assert answers == [1]
    assert kernel.handlers == []


def test_windows_waits_five_seconds_at_most() -> None:
    """What is not put back by then the journal tells."""
    waited: list[float] = []

    def wait(_event: threading.Event, seconds: float) -> bool:
        waited.append(seconds)
        return False

    assert EndOfConsole(lambda: None, wait)(CTRL_CLOSE) is True
    assert waited == [LONGEST_S] == [5.0]


def test_ctrl_c_is_left_to_whom_it_was() -> None:
    """It comes as a signal, too, which is answered there."""
    assert EndOfConsole(lambda: pytest.fail("cancelled"))(0) is False


def test_a_child_that_serves_the_program_hears_nothing_of_its_console() -> None:
    """Neither its closing nor a shutdown ends it before the program, which has yet to put everything back."""
    kernel = Kernel()
    outlast_the_console(kernel)
    assert kernel.asked[0] == ("FreeConsole", 0)
    (name, level) = kernel.asked[1]
    assert name == "SetProcessShutdownParameters"
    assert 0x100 <= level < 0x280
