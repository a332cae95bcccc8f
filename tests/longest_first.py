"""The order in which several workers begin with what takes longest, so that none is left with it at the end.

pytest-xdist gives each worker a stretch of the tests, of equal length, and one that is done takes from the end of the
longest that is left (`--dist worksteal`). A stretch therefore begins with its share of the long tests; those beside
each other in a file stay so, as they share what was set up.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def longest_first(tests: Sequence[T], is_long: Callable[[T], bool], workers: int) -> list[T]:
    """Return the tests with the long ones dealt out to the beginnings of the stretches that workers are given."""
    long = [test for test in tests if is_long(test)]
    rest = [test for test in tests if not is_long(test)]
    ordered: list[T] = []
    for worker in range(workers):
        dealt = long[worker::workers]
        length = (len(tests) - len(ordered)) // (workers - worker)
        others = max(0, length - len(dealt))
        ordered += [*dealt, *rest[:others]]
        rest = rest[others:]
    return ordered + rest
