"""Racing: run block after block and drop the settings that are clearly slower, until one is left or the rest are equal.

Racing explores. It looks after every block, and looking often finds differences that are not there (19.5 % false alarms
when testing after every block), so it names a candidate and claims nothing: the claim comes from fresh confirmation
blocks of that candidate against the baseline.

Source: Maron & Moore (1994), Hoeffding races, NIPS 6; Birattari et al. (2002), A racing algorithm for configuring
metaheuristics, GECCO: eliminate whatever is shown to be worse than the best so far, here by its confidence interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.analysis.compare import best_position
from app.analysis.estimate import Estimate, estimate
from app.analysis.noise import judging_noise
from app.analysis.order import block_order
from app.analysis.settings_order import setting_key
from app.analysis.student import CONFIDENCE
from app.analysis.verdicts import judge
from app.domain.comparison import Verdict
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting


class RaceEnd(StrEnum):
    """Why a race is over: one setting is left, the rest are equal for all practical purposes, or enough blocks ran."""

    WINNER = "winner"
    EQUIVALENT = "equivalent"
    MOST_BLOCKS = "most_blocks"


@dataclass(frozen=True)
class RaceRules:
    """How a race is run.

    Attributes:
        better: direction of an improvement.
        minimum_effect: settings closer than this (a share, > 0) are equal for all practical purposes.
        most_blocks: the race ends after so many; from the fourth block on, settings that do not differ only cost time.
        seed: orders the trials.
        noise_cv: noise stated from outside, as a share; replaces the residual, so that the first block already counts.
        confidence: of the intervals of one look, all settings still racing together.
    """

    better: Better
    minimum_effect: float
    most_blocks: int = 4
    seed: int = 1
    noise_cv: float | None = None
    confidence: float = CONFIDENCE


@dataclass(frozen=True)
class Elimination:
    """Why a setting is out: the interval of the best one's ratio to it, `low`–`high`, excluded 1 after `block`."""

    setting: Setting
    best: Setting
    block: int
    low: float
    high: float


@dataclass(frozen=True)
class RaceState:
    """A race after a number of blocks.

    Attributes:
        rules, baseline: fixed from the start; the baseline runs in every block, also when it is out.
        racing: settings not eliminated, by level.
        eliminated: those that are, in the order they went.
        blocks_done: blocks measured, also those with failed trials.
        measurements: all used ones so far.
        leader: the best mean among those racing, None before the first measurement.
        end: None while the race goes on.
    """

    rules: RaceRules
    baseline: Setting
    racing: tuple[Setting, ...]
    eliminated: tuple[Elimination, ...] = ()
    blocks_done: int = 0
    measurements: tuple[Measurement, ...] = ()
    leader: Setting | None = None
    end: RaceEnd | None = None


def start_race(settings: Sequence[Setting], baseline: Setting, rules: RaceRules) -> RaceState:
    """Return a race between the settings and the baseline, before its first block."""
    return RaceState(rules, baseline, tuple(sorted({*settings, baseline}, key=setting_key)))


def next_block(state: RaceState) -> tuple[Setting, ...]:
    """Return the settings of the next block in the order to run them; empty when the race is over."""
    if state.end is not None:
        return ()
    return block_order(state.racing, state.baseline, state.blocks_done + 1, state.rules.seed)


def update(state: RaceState, measurements: Sequence[Measurement]) -> RaceState:
    """Return the race after one more block.

    Args:
        state: the race so far; one that is over does not change.
        measurements: the used ones of that block, main metric only; settings whose trial failed are missing and stay
            in the race.

    Raises:
        ValueError: measurements that may not be compared with each other or with those before.
    """
    if state.end is not None:
        return state
    measurements_so_far = (*state.measurements, *measurements)
    moved = replace(state, blocks_done=state.blocks_done + 1, measurements=measurements_so_far)
    if measurements_so_far:
        moved = _eliminate(moved, estimate(measurements_so_far))
    if moved.end is None and moved.blocks_done >= moved.rules.most_blocks:
        moved = replace(moved, end=RaceEnd.MOST_BLOCKS)
    return moved


def _eliminate(state: RaceState, fit: Estimate) -> RaceState:
    """Drop settings shown to be worse than the best, and end the race where nothing is left to find out."""
    rules = state.rules
    running = [position for position, setting in enumerate(fit.settings) if setting in state.racing]
    if not running:
        return state
    best = best_position(fit, rules.better, among=running)
    state = replace(state, leader=fit.settings[best])
    noise = judging_noise(fit.noise, rules.noise_cv).noise
    if noise is None or len(state.racing) < 2:
        return state
    out: list[Elimination] = []
    equal = 0
    for other in running:
        if other == best or not fit.is_linked(best, other):
            continue
        low, high = fit.interval(best, other, noise, rules.confidence, comparisons=len(state.racing) - 1)
        verdict = judge(low, high, rules.better, rules.minimum_effect)
        if verdict is Verdict.IMPROVEMENT:
            out.append(Elimination(fit.settings[other], fit.settings[best], state.blocks_done, low, high))
        equal += verdict is Verdict.NO_DIFFERENCE
    gone = {elimination.setting for elimination in out}
    racing = tuple(setting for setting in state.racing if setting not in gone)
    end = RaceEnd.WINNER if len(racing) == 1 else RaceEnd.EQUIVALENT if equal == len(racing) - 1 else None
    return replace(state, racing=racing, eliminated=(*state.eliminated, *out), end=end)
