"""Seeded sessions in blocks, and what each block came to, which is kept beside the module that runs them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from tests.prove.kept_rows import read_rows, write_rows

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


def read_blocks(module: str) -> Mapping[str, Sequence[Counts]]:
    """Return what the blocks of each series of a module came to when they were run last."""
    found: dict[str, list[Counts]] = {}
    for row in read_rows(module):
        found.setdefault(row["series"], []).append(row["counts"])
    return found


def write_blocks(module: str, series: Mapping[str, Series]) -> None:
    """Run all blocks of a module, and write what they come to."""
    places = [(name, block) for name, one in series.items() for block in range(one.blocks)]
    write_rows(module, partial(_row, series), places)


def _row(series: Mapping[str, Series], place: tuple[str, int]) -> dict[str, Any]:
    name, block = place
    return {"series": name, "block": block, "counts": series[name].counts(block)}
