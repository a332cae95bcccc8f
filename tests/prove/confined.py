"""The program called many times in a process of its own, whose memory is then known: its own and that of its children.

The process is forked from one that has loaded the program, so that no call waits for that, and nothing it used before
counts for it.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from tests.abilities import processes
from tests.e2e.program import Ended, call
from tests.own_folders import own_folders
from tests.patience import PATIENCE_S

MOST_MEMORY_MB: Final = 1_000.0

_CONTEXT: Final = processes()


@dataclass(frozen=True)
class Confined:
    """How calls ended, one after the other; of those that did not, the process has no answer.

    Attributes:
        memory_mb: the most that the process, or one of its children, ever held.
    """

    ended: tuple[Ended, ...]
    memory_mb: float


def call_apart(calls: Sequence[Sequence[str]], folder: Path) -> Confined:
    """Run the program with each of these arguments in a folder, its own files below `home` there.

    Raises:
        AssertionError: a call did not come to an end, or took the process with it.
    """
    here, there = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_serve, args=(there, [list(each) for each in calls], folder))
    process.start()
    there.close()
    ended: list[Ended] = []
    memory_mb = 0.0
    try:
        while here.poll(PATIENCE_S):
            answer = here.recv()
            if isinstance(answer, float):
                memory_mb = answer
                break
            ended.append(answer)
        assert len(ended) == len(calls), f"no end: {calls[len(ended)]}"
    except EOFError:
        raise AssertionError(f"the process ended with {calls[len(ended)]}") from None
    finally:
        process.kill()
        process.join()
        here.close()
    return Confined(tuple(ended), memory_mb)


def _serve(pipe: Connection, calls: Sequence[Sequence[str]], folder: Path) -> None:
    os.environ.update(own_folders(folder / "home"))
    os.chdir(folder)
    for arguments in calls:
        pipe.send(call(*arguments))
    import resource  # nothing of Windows'

    kibibytes = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    pipe.send(kibibytes / 1_024)
