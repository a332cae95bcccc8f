"""Usual length and success rate of each way of stopping, so that one can be recommended before a run."""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.analysis.response.guided import most_exploring
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Plan, Stop
from app.domain.response import HasResponse
from app.services.plan.plan_outlook import PlanOutlook, plan_outlook

_SETTINGS: Final = (5, 30)
_NOISE_CV: Final = (0.03, 0.08)

_Measured = tuple[tuple[float, float], tuple[float, float]]
_RACE_BLOCKS: Final[_Measured] = ((2.3, 2.6), (2.2, 2.3))
_WITH_CURVE: Final[_Measured] = ((3.7, 3.8), (7.6, 9.5))
_WITHOUT: Final[_Measured] = ((4.4, 4.5), (16.4, 17.6))
"""Exploring until a way ends of itself: blocks of a race of three at most, trials by a model; with 5 and with 30
settings, each at 3 and 8 % noise. Measured on 16 to 201 simulated sites (`tests/prove/response_worlds.py`), between
which it is interpolated, by the log of the number of settings; not beyond."""


@dataclass(frozen=True)
class Way:
    """A way of stopping under a plan.

    Attributes:
        trials: it usually runs in all, confirming ones included.
        duration_s: they take.
        is_recommended: it takes the fewest; a model only with a curve of the family, without which it picked a good one
            of 30 settings at 88 % of those sites at 3 % noise, a race at all.
    """

    stop: Stop
    trials: int
    duration_s: float
    is_recommended: bool = False


def ways_of_stopping(plan: Plan, family: ExperimentFamily, site: Site | None = None) -> tuple[Way, ...]:
    """Return the usual cost of each way of stopping; () where every setting is compared and nothing is explored."""
    if family.compares_all:
        return ()
    outlook, made = plan_outlook(plan, family, site), list[Way]()
    for stop in Stop:
        exploring = _exploring(plan, stop, family, outlook)
        trials = math.ceil(exploring) + 2 * plan.design.confirm_blocks
        made.append(Way(stop, trials, trials * outlook.trial_s))
    trusted = [way for way in made if way.stop is not Stop.MODEL or isinstance(family, HasResponse)]
    fewest = min(trusted, key=lambda way: way.trials)
    return tuple(replace(way, is_recommended=way is fewest) for way in made)


def _exploring(plan: Plan, stop: Stop, family: ExperimentFamily, outlook: PlanOutlook) -> float:
    """Return how many trials usually explore."""
    blocks: float = plan.design.blocks
    if stop is Stop.MODEL:
        usual = _between(_WITH_CURVE if isinstance(family, HasResponse) else _WITHOUT, outlook)
        return min(usual, most_exploring(plan, family.parameters))
    if stop is Stop.RACE:
        blocks = min(blocks, _between(_RACE_BLOCKS, outlook))
    return outlook.settings * blocks


def _between(measured: _Measured, outlook: PlanOutlook) -> float:
    """Return a value interpolated between the measured figures."""
    few, many = (float(np.interp(outlook.noise_cv, _NOISE_CV, row)) for row in measured)
    return float(np.interp(math.log(outlook.settings), np.log(_SETTINGS), (few, many)))
