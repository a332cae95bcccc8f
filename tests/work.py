"""How much work something is, as a number that is the same on every machine."""

import sys
from collections.abc import Callable
from types import FrameType


def calls_made(work: Callable[[], object]) -> int:
    """Return how many functions a piece of work calls in this thread, those written in C included."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls
