"""Keeping the computer awake: asked for, and given back, by each system's own means."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.foundation.awake import kept_awake

# Stands for systemd-inhibit: says that it holds, and ends with its input.
_HOLDING = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.touch(); sys.stdin.read(); p.unlink()"


_by_child = pytest.mark.skipif(sys.platform == "win32", reason="Windows holds no lock by a child")


class Kernel:
    """Windows' kernel32, as far as sleep goes."""

    def __init__(self) -> None:
        self.states: list[int] = []

    def SetThreadExecutionState(self, state: int) -> int:
        """Take a state of this thread."""
        self.states.append(state)
        return 1


def test_windows_is_kept_awake_and_let_go() -> None:
    """ES_CONTINUOUS | ES_SYSTEM_REQUIRED, then ES_CONTINUOUS alone."""
    kernel = Kernel()
    with kept_awake("why", kernel):
        assert kernel.states == [0x80000001]
    assert kernel.states == [0x80000001, 0x80000000]


@_by_child
def test_a_lock_is_held_by_a_child_and_given_back(tmp_path: Path) -> None:
    """It ends with the block."""
    held = tmp_path / "held"
    with kept_awake("why", command=(sys.executable, "-c", _HOLDING, str(held))):
        while not held.exists():
            time.sleep(0)
    assert not held.exists()


@_by_child
def test_a_lock_ends_with_a_program_that_is_killed(tmp_path: Path) -> None:
    """A computer that never falls asleep again would be a change of its own."""
    held = tmp_path / "held"
    program = (
        "import os, signal, sys, pathlib\n"
        "from app.foundation.awake import kept_awake\n"
        f"with kept_awake('why', command=(sys.executable, '-c', {_HOLDING!r}, {str(held)!r})):\n"
        f"    while not pathlib.Path({str(held)!r}).exists(): pass\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3], check=False)
    assert ended.returncode == -signal.SIGKILL
    while held.exists():
        time.sleep(0)


def test_a_system_without_such_a_lock_is_left_as_it_is() -> None:
    """The run goes on all the same."""
    with kept_awake("why", command=("/nowhere/systemd-inhibit", "cat")):
        pass
    with kept_awake("why", command=(sys.executable, "-c", "raise SystemExit(1)")):
        pass
