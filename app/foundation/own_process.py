"""This program started once more by itself, for work that is done beside it or must not end it."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO

from app.foundation.paths import MORE_SYSTEMS, more_systems, program_root


def start_own(
    arguments: Sequence[str],
    environment: Mapping[str, str] = os.environ,
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
    stderr: int | None = subprocess.DEVNULL,
) -> "subprocess.Popen[bytes]":
    """Start this program with arguments, frozen or from its checkout; Ctrl+C is for who started it.

    Raises:
        OSError: no process can be started.
    """
    more = more_systems()
    return subprocess.Popen(
        [*_program(), *arguments],
        env={**environment, **({} if more is None else {MORE_SYSTEMS: str(more.absolute())})},
        cwd=program_root(),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def processors() -> int:
    """Return how many processors this program may use, at least 1."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pipe_of(stream: IO[bytes] | None) -> IO[bytes]:
    """Return a stream that was asked for as a pipe."""
    assert stream is not None
    return stream


def answers_of_this_process() -> IO[bytes]:
    """Return the stream that the starting process reads; from now on nothing else is written between the answers
    there."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr
    return answers


def _program() -> list[str]:
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "app"]
