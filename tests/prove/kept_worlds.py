"""Sessions in every world of noise where nothing has an effect, a hundred to a block, and what each block came to.

What they came to is kept, as it takes minutes; a share of the blocks is run again in each run of the long proofs. After
a change of the schedule or the analysis `python -m tests.prove.kept_worlds` writes it anew.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from tests.prove.kept_blocks import Counts, Kept, Series
from tests.prove.noise_worlds import WORLDS, run_session


def _claimed(world: str, seeds: Sequence[int]) -> Counts:
    """Count the sessions that confirm something, which is harsher than counting all."""
    confirming = [session for seed in seeds if (session := run_session(world, seed)).comparison is not None]
    return {
        "sessions": len(confirming),
        "claiming": sum(session.claims for session in confirming),
        "covering": sum(session.covers for session in confirming),
        "pairs": sum(session.pairs for session in confirming),
        "lower limits": sum(session.comparison.low for session in confirming if session.comparison is not None),
    }


# Where a baseline is often best by luck, or a clock of whole seconds shows all alike, fewer sessions confirm something;
# where nearly as many are false as may be, it takes more of them to tell.
_BLOCKS: Final = {"baseline noisy": 37, "clock of 1 s": 159, "a load every 2.5 trials, ever slower": 80}
_USUAL_BLOCKS: Final = 27

CLAIMS: Final = Kept(
    __file__,
    {
        world: Series(partial(_claimed, world), blocks=_BLOCKS.get(world, _USUAL_BLOCKS), size=100, first_seed=0)
        for world in WORLDS
    },
)


if __name__ == "__main__":
    CLAIMS.write()
