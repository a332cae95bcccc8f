"""Trials that something disturbed: those that setting and block explain far worse than all others.

They are shown and stay in every table; only the noise is judged without them, and which setting goes on to be
confirmed, or one backup during one trial would drown every difference. Where trials of one setting stand out and none
of any other, and the server tells of nothing that ran in them, it may be the setting's own doing: they count as all
others do.

Two disturbed trials hide each other: beside the second the first does not stand out. So the farthest are taken away one
after another, and all are disturbed up to the last that stands out from what is left. Of 15 trials at 3 % noise with
two that took 1.5 to 2 times as long, both and no other are found in 83 % of sessions, instead of 5 % where looking ends
at the first that does not stand out.

Source: externally studentized residuals, Cook & Weisberg (1982), Residuals and Influence in Regression, section 2.2,
with Bonferroni's limit over all trials, in the order of the generalized extreme studentized deviates, Rosner (1983),
Technometrics 25: 165-172, for regressions Paul & Fung (1991), Technometrics 33: 339-348; limit and share were chosen by
simulation (`tests/prove/test_disturbed_trials.py`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeGuard

import numpy as np

from app.analysis.confirmation import Apart
from app.analysis.distributions import t_quantile
from app.analysis.estimate import Estimate, estimate
from app.analysis.noise import SMALLEST_LOG_SD, Noise
from app.analysis.outcomes import NOTHING_KNOWN, Circumstances
from app.domain.measurement import Measurement

ERROR: Final = 0.02
"""Of one look; several are taken, so that an undisturbed session has a trial flagged in at most 5 %."""

MOST_HIDING: Final = 2
"""So many may hide one behind them; no longer is looked where nothing stands out."""

MOST_SHARE: Final = 0.2
"""Where more trials than this stand out, that is the server's noise."""

FEWEST_DEGREES: Final = 3
MOST_TRIALS: Final = 2_000
"""More than any run has; files with more rows are judged as they are."""


@dataclass(frozen=True)
class Undisturbed:
    """The result of the trials that stand out from none.

    Attributes:
        disturbed: measurements flagged, in the order they were.
        clear: all others, in the order given; at least one.
        noise: of those that stand out from none and that no setting brought about, None without degrees of freedom.
        own: those that stand out by what may be the same setting's doing, all of one; they are among the clear ones.
    """

    disturbed: tuple[Measurement, ...]
    clear: tuple[Measurement, ...]
    noise: Noise | None
    own: tuple[Measurement, ...] = ()


def undisturbed(measurements: Sequence[Measurement], circumstances: Circumstances = NOTHING_KNOWN) -> Undisturbed:
    """Flag the trials that stand out from those left when they and all farther ones are taken away.

    Args:
        circumstances: of these trials. Those whose setting itself brought about what happened in them are not flagged,
            and the noise is judged without them where others are left.

    Raises:
        ValueError: as in `estimate`.
    """
    flagged, noise = _looked_through(tuple(measurements), circumstances.outcomes)
    standing_out = [measurements[place] for place in flagged]
    is_of_one = len({m.setting for m in standing_out}) == 1
    own = tuple(m for m in standing_out if is_of_one and m.trial_id not in circumstances.met)
    disturbed = tuple(m for m in standing_out if m not in own)
    return Undisturbed(disturbed, tuple(m for m in measurements if m not in disturbed), noise, own)


@lru_cache(maxsize=32)  # a run asks again and again what its exploring trials say while it confirms
def _looked_through(
    measurements: tuple[Measurement, ...], outcomes: frozenset[str]
) -> tuple[tuple[int, ...], Noise | None]:
    """Return the places of the trials that stand out, the farthest first, and the noise of the others."""
    places = [place for place, m in enumerate(measurements) if m.trial_id not in outcomes]
    places = places or list(range(len(measurements)))
    flagged: list[int] = []
    hiding: list[int] = []
    kept = [measurements[place] for place in places]
    fit = estimate(kept)
    noise = fit.noise
    most = int(MOST_SHARE * len(kept)) if len(kept) <= MOST_TRIALS else 0
    while len(flagged) + len(hiding) < most and len(hiding) <= MOST_HIDING and _tells_apart(fit.noise):
        apart = farthest(kept, fit, fit.noise, len(measurements))
        del kept[apart.position]
        hiding.append(places.pop(apart.position))
        fit = estimate(kept)
        if apart.is_disturbed:
            flagged, hiding, noise = [*flagged, *hiding], [], fit.noise
    return tuple(flagged), noise


def _tells_apart(noise: Noise | None) -> TypeGuard[Noise]:
    return noise is not None and noise.degrees_of_freedom >= FEWEST_DEGREES


def farthest(kept: Sequence[Measurement], fit: Estimate, noise: Noise, trials: int) -> Apart:
    """Return the trial whose externally studentized residual is largest.

    Args:
        fit, noise: of these trials.
        trials: how many share the error.
    """
    design = _design(kept, fit)
    orthonormal, values, _right = np.linalg.svd(design, full_matrices=False)
    orthonormal = orthonormal[:, values > 1e-9 * values[0]]
    logs = np.log(np.array([m.value for m in kept], dtype=float))
    residuals = logs - orthonormal @ (orthonormal.T @ logs)
    free = 1 - np.sum(orthonormal**2, axis=1)  # 1 - leverage; 0 where a trial is all its block or setting has
    own = np.where(free > 1e-9, residuals**2 / np.maximum(free, 1e-9), 0.0)
    position = int(own.argmax())
    rest = max(float(residuals @ residuals) - float(own[position]), 0.0)
    freedom = noise.degrees_of_freedom - 1
    spread = max(math.sqrt(rest / freedom), SMALLEST_LOG_SD)
    limit = t_quantile(1 - ERROR / (2 * trials), freedom)
    return Apart(position, math.sqrt(float(own[position])) / spread, limit)


def _design(kept: Sequence[Measurement], fit: Estimate) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the indicators of settings and blocks, shape (trials, settings + blocks)."""
    positions = {setting: position for position, setting in enumerate(fit.settings)}
    blocks = sorted({m.block for m in kept})
    design = np.zeros((len(kept), len(positions) + len(blocks)))
    rows = np.arange(len(kept))
    design[rows, [positions[m.setting] for m in kept]] = 1
    design[rows, [len(positions) + blocks.index(m.block) for m in kept]] = 1
    return design
