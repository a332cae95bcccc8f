"""Seeded sessions on the lab, fifty to a block, and what each block came to.

What they came to is kept, as it takes minutes; a share of the blocks is run again in each run of the long proofs. After
a change of the lab, or of how trials are run and judged, `python -m tests.prove.kept_sessions` writes it anew.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from app.domain.plan import Stop
from tests.benchmarks.coverage import READ_BATCH, STREAMS, Pair, measure_coverage
from tests.benchmarks.false_claims import count_false_claims
from tests.prove.kept_blocks import Counts, Kept, Series


def _covered(pair: Pair, seeds: Sequence[int]) -> Counts:
    with TemporaryDirectory() as folder:
        found = measure_coverage(pair, seeds, Path(folder))
    held = {f"held at {runs} runs": share.count for runs, share in found.covered.items()}
    judged = {f"judged at {runs} runs": share.of for runs, share in found.covered.items()}
    return {**held, **judged, "true ratio": found.true_ratio, "lower limits": found.lows}


def _claimed(stop: Stop, seeds: Sequence[int]) -> Counts:
    with TemporaryDirectory() as folder:
        found = count_false_claims(stop, seeds, Path(folder))
    return {
        "sessions": found.claiming.of,
        "claiming": found.claiming.count,
        "confirming": found.confirming.count,
        "recommending": found.recommending.count,
        "exploring": found.exploring.count,
        "drift": found.drift_share * found.claiming.of,
        "lower limits": found.lows,
    }


SESSIONS: Final = Kept(
    __file__,
    {
        # 95 % intervals of 1,850 sessions are known to within one percentage point:
        # 1.96 √(0.95 × 0.05 / 1,850) = 0.99 %
        STREAMS.factor: Series(partial(_covered, STREAMS), blocks=37, size=50),
        READ_BATCH.factor: Series(partial(_covered, READ_BATCH), blocks=37, size=50),
        # under one seed the two designs' first blocks would be the same trials
        Stop.BLOCKS: Series(partial(_claimed, Stop.BLOCKS), blocks=8, size=50),
        Stop.RACE: Series(partial(_claimed, Stop.RACE), blocks=8, size=50, first_seed=1_001),
    },
)


if __name__ == "__main__":
    SESSIONS.write()
