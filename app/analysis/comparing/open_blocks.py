"""How many blocks settle more where every comparison was named beforehand, so that no winner is confirmed further.

Nothing is explored then: each block runs every setting, and all of them carry claims. Such a run goes on once; its
second look is taken at 99 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.comparison import Comparison, Verdict
from app.domain.plan import Phase

MOST_BLOCKS: Final = 30
"""Ten times the usual three; more are a study, no run."""


@dataclass(frozen=True)
class OpenBlocks:
    """Comparisons that were all named beforehand.

    Attributes:
        comparisons: how many there are.
        are_open: how many of them are open.
        blocks: in all, with which about half of those are settled in four of five runs; None where more than
            `MOST_BLOCKS` would do it.
    """

    comparisons: int
    are_open: int
    blocks: int | None


def open_blocks(comparisons: Sequence[Comparison]) -> OpenBlocks:
    """Return the blocks that settle open comparisons, among those that carry claims and were named beforehand."""
    named = [c for c in comparisons if c.phase is Phase.CONFIRM and c.confirmation is None]
    needed = sorted(c.trials_needed for c in named if c.verdict is Verdict.CANNOT_TELL)
    half = needed[(len(needed) - 1) // 2] if needed else 0
    return OpenBlocks(len(named), len(needed), half if half <= MOST_BLOCKS else None)
