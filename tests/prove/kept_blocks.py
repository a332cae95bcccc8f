"""Seeded sessions in blocks, and what each block came to, which is kept beside the module that runs them."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import pytest

from tests.prove.apart import apart
from tests.prove.kept_rows import read_rows, write_rows
from tests.prove.shares import PARTS, Share, made_again

Counts = Mapping[str, float]
"""How many sessions of a block are what, and sums over them."""


class Series(NamedTuple):
    """Sessions of one kind.

    Attributes:
        run: runs the sessions of some seeds.
        size: how many seeds make a block.
    """

    run: Callable[[Sequence[int]], Counts]
    blocks: int
    size: int
    first_seed: int = 1

    def counts(self, block: int) -> Counts:
        """Run one block, from 0."""
        first = self.first_seed + block * self.size
        return self.run(range(first, first + self.size))


class Kept:
    """The series of a module, and what their blocks came to when they were run last.

    Attributes:
        series: by name.
    """

    def __init__(self, module: str, series: Mapping[str, Series]) -> None:
        """Prepare it for the module of this file."""
        self.series = series
        self._module = module

    @cached_property
    def blocks(self) -> Mapping[str, Sequence[Counts]]:
        """What the blocks of each series came to."""
        found: dict[str, list[Counts]] = {}
        for row in read_rows(self._module):
            found.setdefault(row["series"], []).append(row["counts"])
        return found

    def sum(self, name: str, what: str) -> float:
        """Return a sum over all blocks of a series."""
        return sum(block[what] for block in self.blocks[name])

    def count(self, name: str, what: str) -> int:
        """Return how many sessions of a series are what."""
        return int(self.sum(name, what))

    def check_again(self, share: Share, *names: str) -> None:
        """Run a share of the blocks of series, in a row, again: they come to what is kept, to each limit."""
        assert {name: len(self.blocks[name]) for name in names} == {name: self.series[name].blocks for name in names}
        for name, block in self.chosen(share, *names):
            again = apart(partial(self.series[name].counts, block))
            assert again == pytest.approx(self.blocks[name][block], rel=1e-9), (name, block)

    def chosen(self, share: Share, *names: str) -> Sequence[tuple[str, int]]:
        """Return which blocks are run again, by series and number; of series that take turns not one alone."""
        count = max(self.series[name].blocks for name in names)
        blocks = [
            (name, block)
            for first in range(0, count, PARTS)  # whose parts have a block of each series
            for name in names
            for block in range(first, min(first + PARTS, self.series[name].blocks))
        ]
        again = made_again(share, len(blocks), list(self.series).index(names[0]))
        return [blocks[place] for place in again]

    def write(self) -> None:
        """Run all blocks, and write what they come to."""
        write_rows(
            self._module, self._row, [(name, at) for name, one in self.series.items() for at in range(one.blocks)]
        )

    def _row(self, place: tuple[str, int]) -> dict[str, Any]:
        name, block = place
        return {"series": name, "block": block, "counts": self.series[name].counts(block)}
