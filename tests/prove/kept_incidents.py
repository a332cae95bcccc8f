"""Whole runs on incidents drawn at random, six to a block, and what each block came to.

What they came to is kept, as it takes minutes; a share of the blocks is run again in each run of the long proofs. After
a change of the lab, of windows, or of how they are read `python -m tests.prove.kept_incidents` writes it anew.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Final

from app.services.explain.advising import Advisor
from tests.benchmarks.lab_sessions import advisor
from tests.prove.incidents import KINDS, ROUGH, SITE, Constants, Kind, live_through
from tests.prove.kept_blocks import Counts, Kept, Series

NOISES: Final[Mapping[str, Constants]] = {"site": SITE, "rough": ROUGH}
MOST_MINUTES: Final = 45.0
RIGHT: Final = 0.02


def _counted(kind: Kind, noise: Constants, numbers: Sequence[int]) -> Counts:
    lived = [live_through(kind, noise, number, _advisor()) for number in numbers]
    return {
        "sessions": len(lived),
        "minutes": sum(one.minutes for one in lived),
        "in time": sum(one.minutes <= MOST_MINUTES for one in lived),
        "right": sum(one.loss <= RIGHT for one in lived),
        "loss": sum(one.loss for one in lived),
        "telling": sum(one.stated is not None for one in lived),
        "stated": sum(one.stated or 0.0 for one in lived),
        "right where told": sum(one.stated is not None and one.loss <= RIGHT for one in lived),
        "confirming": sum(one.confirmed is not None for one in lived),
        "pairs": sum(one.pairs for one in lived),
        "claiming": sum(one.claims for one in lived),
        "false": sum(one.is_false for one in lived),
        "covering": sum(one.covers for one in lived),
        "changes": sum(one.changes for one in lived),
        "if worth it": sum(one.opens for one in lived),
        "delivered": sum(one.delivered for one in lived),
    }


@cache
def _advisor() -> Advisor:
    return advisor()


BLOCKS: Final[Mapping[tuple[str, str], int]] = {
    ("joint space", "site"): 10,
    ("SubscriptionStreams alone", "site"): 10,
    ("flat", "site"): 10,
    ("joint space", "rough"): 10,
    ("SubscriptionStreams alone", "rough"): 10,
    ("flat", "rough"): 10,
    ("ReadBatchSize", "site"): 10,
}
"""How many there are of each kind of experiment and site."""


def cell(kind: str, noise: str) -> str:
    """Return the name of the series of one kind of experiment at one kind of site."""
    return f"{kind}, {noise}"


INCIDENTS: Final = Kept(
    __file__,
    {
        cell(kind, noise): Series(partial(_counted, KINDS[kind], NOISES[noise]), blocks, size=6)
        for (kind, noise), blocks in BLOCKS.items()
    },
)


if __name__ == "__main__":
    INCIDENTS.write()
