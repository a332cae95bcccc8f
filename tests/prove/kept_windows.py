"""Sessions of windows in every world, a hundred to a block, and what was claimed in each block.

What they came to is kept, as it takes minutes; a share of the blocks is run again in each run of the long proofs. After
a change of how pairs of windows are read `python -m tests.prove.kept_windows` writes it anew.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from tests.prove.kept_blocks import Counts, Kept, Series
from tests.prove.window_worlds import WORLDS, run_session

GAINS: Final = {"quiet": 0.10, "site": 0.30, "rough": 0.50, "a rhythm of 4 windows": 0.30}
"""What is gained where that is asked: what twelve pairs of windows of 30 s can show there."""


def _counted(world: str, gain: float, seeds: Sequence[int]) -> Counts:
    sessions = [run_session(WORLDS[world], seed, gain) for seed in seeds]
    return {
        "sessions": len(sessions),
        "false": sum(session.is_false for session in sessions),
        "claiming": sum(session.read.reading.claims for session in sessions),
        "worth it": sum(session.is_worth_it for session in sessions),
        "covering": sum(session.covers for session in sessions),
        "pairs": sum(session.read.reading.pairs for session in sessions),
        "minutes": sum(session.minutes for session in sessions),
    }


def with_gain(world: str) -> str:
    """Return the name of the series of a world in which one setting gains."""
    return f"{world}, a gain of {GAINS[world]:.0%}"


WINDOWS: Final = Kept(
    __file__,
    {world: Series(partial(_counted, world, 0.0), blocks=20, size=100) for world in WORLDS}
    | {with_gain(world): Series(partial(_counted, world, gain), blocks=5, size=100) for world, gain in GAINS.items()},
)


if __name__ == "__main__":
    WINDOWS.write()
