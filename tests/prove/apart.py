"""Work in a forked process, whose memory ends with it.

A fork copies the page tables of all the memory there is: after a few simulated incidents, which leave gigabytes, each
of the thousands of forks of a fault matrix would take longer than what happens in it.
"""

import os
import pickle
import traceback
from collections.abc import Callable
from typing import TypeVar

from tests.prove.branching import CAN_BRANCH

R = TypeVar("R")


def apart(work: Callable[[], R]) -> R:
    """Return what some work comes to in a forked process, or in this one where none can be forked.

    Raises:
        AssertionError: it failed there, with its traceback.
    """
    if not CAN_BRANCH:
        return work()
    hearing, telling = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(hearing)
        try:
            told: tuple[R | None, str] = work(), ""
        except BaseException:  # noqa: BLE001 - it is told to the process that waits
            told = None, traceback.format_exc()
        with os.fdopen(telling, "wb") as stream:
            pickle.dump(told, stream)
        os._exit(0)
    os.close(telling)
    with os.fdopen(hearing, "rb") as stream:
        answer = stream.read()
    _child, status = os.waitpid(child, 0)
    assert answer, f"its process ended with status {status}"
    outcome: R
    outcome, why = pickle.loads(answer)
    assert not why, why
    return outcome
