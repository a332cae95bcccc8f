"""Sessions on a server that scatters and drifts, a hundred to a block, and what the statistics said of each block.

Every session goes through the very functions a run uses. What they came to is kept, as it takes a minute; a share of
the blocks is run again in each run of the long proofs. After a change of the analysis or of racing
`python -m tests.prove.kept_claims` writes it anew.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from app.analysis.compare import ReferenceRule, against, against_best, compare
from app.analysis.confirmed import Confirming, compare_confirmed
from app.analysis.order import block_order
from app.analysis.racing import RaceRules, next_block, start_race, update
from app.analysis.winner import winner_of
from app.domain.comparison import Comparison, Verdict
from app.domain.measurement import Better, Measurement
from app.domain.plan import Phase
from app.domain.setting import Setting
from tests.prove.kept_blocks import Counts, Kept, Series
from tests.unit.analysis.making import DriftingServer, level

CV: Final = 0.03
DRIFT_PER_SESSION: Final = 0.06
MINIMUM_EFFECT: Final = 0.05
BLOCKS: Final = 3
BASELINE: Final = level(1)
LEVELS: Final = [level(value) for value in (1, 2, 4, 8, 16)]
NO_EFFECT: Final[Mapping[Setting, float]] = dict.fromkeys(LEVELS, 300.0)
TWO_S: Final = {BASELINE: 554.79, level(8): 304.06}
FIVE_S: Final = {level(1): 540.5, level(2): 534.5, level(4): 345.3, level(8): 309.5, level(16): 435.2}

Explored = tuple[Setting, Sequence[Measurement]]


def _explore(server: DriftingServer, settings: Sequence[Setting], blocks: int, seed: int) -> list[Measurement]:
    orders = [block_order(settings, BASELINE, block, seed) for block in range(1, blocks + 1)]
    return [m for block, order in enumerate(orders, start=1) for m in server.run_block(order, block)]


def _grid(server: DriftingServer, seed: int) -> Explored:
    rows = _explore(server, LEVELS, BLOCKS, seed)
    return winner_of(rows, Better.LOWER, BASELINE), rows


def _race(server: DriftingServer, seed: int) -> Explored:
    state = start_race(LEVELS, BASELINE, RaceRules(Better.LOWER, MINIMUM_EFFECT, seed=seed))
    while order := next_block(state):
        state = update(state, server.run_block(order, state.blocks_done + 1))
    assert state.leader is not None
    return state.leader, state.measurements


def _confirm(server: DriftingServer, explored: Explored, seed: int) -> tuple[Comparison, ...]:
    """Run fresh blocks of the winner against the baseline; a winner that is the baseline claims nothing."""
    winner, before = explored
    if winner == BASELINE:
        return ()
    orders = [block_order([winner], BASELINE, block, seed) for block in range(1, BLOCKS + 1)]
    rows = [m for block, order in enumerate(orders, start=1) for m in server.run_block(order, block, Phase.CONFIRM)]
    return compare_confirmed(Confirming(tuple(rows), BASELINE, tuple(before), Better.LOWER, MINIMUM_EFFECT))


def _drifting(true_s: Mapping[Setting, float], trials: int, seed: int) -> DriftingServer:
    """Return a server that drifts by 6 % in all over a session of so many trials."""
    return DriftingServer(true_s, CV, math.log1p(DRIFT_PER_SESSION) / trials, seed)


def _counts(found: Sequence[Sequence[Comparison]], covering: int = 0) -> Counts:
    """Count what the comparisons of sessions say."""
    claims = [any(c.verdict in (Verdict.IMPROVEMENT, Verdict.WORSE) for c in each) for each in found]
    return {
        "sessions": len(found),
        "comparing": sum(map(bool, found)),
        "claiming": sum(claims),
        "covering": covering,
        "lower limits": sum(c.low for each in found for c in each),
    }


def _covered(true_s: Mapping[Setting, float], blocks: int, drift: float, seeds: Sequence[int]) -> Counts:
    """Count the sessions all of whose intervals hold the true ratios."""
    found = []
    for seed in seeds:
        server = DriftingServer(true_s, CV, math.log1p(drift) / (len(true_s) * blocks), seed)
        rows = _explore(server, list(true_s), blocks, seed)
        found.append(compare(rows, against(BASELINE), Better.LOWER, MINIMUM_EFFECT, None))
    held = [all(c.low <= true_s[c.candidate] / true_s[BASELINE] <= c.high for c in each) for each in found]
    return _counts(found, sum(held))


def _confirmed(explore: Callable[[DriftingServer, int], Explored], seeds: Sequence[int]) -> Counts:
    found = []
    for seed in seeds:
        server = _drifting(NO_EFFECT, trials=len(LEVELS) * BLOCKS + 2 * BLOCKS, seed=seed)
        found.append(_confirm(server, explore(server, seed), seed))
    return _counts(found)


def _explored(rule: ReferenceRule, seeds: Sequence[int]) -> Counts:
    found = []
    for seed in seeds:
        rows = _explore(_drifting(NO_EFFECT, len(LEVELS) * BLOCKS, seed), LEVELS, BLOCKS, seed)
        found.append(compare(rows, rule, Better.LOWER, MINIMUM_EFFECT, None))
    return _counts(found)


def _one_after_the_other(seeds: Sequence[int]) -> Counts:
    """Run all of one setting, then all of another."""
    found = []
    for seed in seeds:
        server = _drifting(NO_EFFECT, 2 * BLOCKS, seed)
        rows = [m for setting in (BASELINE, level(8)) for _run in range(BLOCKS) for m in server.run_block([setting], 1)]
        found.append(compare(rows, against(BASELINE), Better.LOWER, MINIMUM_EFFECT, None))
    return _counts(found)


def coverage_of(trials: int, drift: float) -> str:
    """Return the name of the series on one comparison at so many runs per setting."""
    return f"coverage at {trials} runs per setting, {drift:.0%} drift"


CLAIMS: Final = Kept(
    __file__,
    {
        coverage_of(trials, drift): Series(partial(_covered, TWO_S, trials, drift), 40, 100, first_seed=0)
        for trials in (3, 5, 10)
        for drift in (0.0, DRIFT_PER_SESSION)
    }
    | {
        f"all of 4 intervals cover, {blocks} blocks": Series(
            partial(_covered, FIVE_S, blocks, 0.0), 20, 100, first_seed=0
        )
        for blocks in (3, 5, 10)
    }
    | {
        "grid": Series(partial(_confirmed, _grid), 20, 100, first_seed=0),
        "race": Series(partial(_confirmed, _race), 20, 100, first_seed=0),
        "against baseline": Series(partial(_explored, against(BASELINE)), 20, 100, first_seed=0),
        "against best": Series(partial(_explored, against_best()), 20, 100, first_seed=0),
        "all A then all B": Series(_one_after_the_other, 20, 100, first_seed=0),
    },
)


if __name__ == "__main__":
    CLAIMS.write()
