"""Which of the settings that were explored goes on to be confirmed."""

from collections.abc import Sequence

import numpy as np

from app.analysis.compare import best_position
from app.analysis.disturbed import undisturbed
from app.analysis.estimate import estimate
from app.analysis.factorial import factorial_of
from app.analysis.settings_order import setting_key
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting


def winner_of(
    explored: Sequence[Measurement], better: Better, baseline: Setting, outcomes: frozenset[str] = frozenset()
) -> Setting:
    """Return the setting that goes on: where two factors can be taken apart, the levels that help by themselves.

    Else the one with the best mean, or with the best median where a trial was disturbed.

    The median is taken of log(value) minus its block's median: with a tenth of the trials disturbed it finds a setting
    that is 10 % better more often (80 % instead of 73 % of sessions, by simulation), and costs hardly anything else.

    Args:
        outcomes: as in `disturbed.undisturbed`; what happened in these trials is a part of what their setting does.

    Raises:
        ValueError: as in `estimate`.
    """
    apart_by_factor = factorial_of(explored, baseline, better)
    if apart_by_factor is not None:
        return apart_by_factor.recommended
    if not undisturbed(explored, outcomes).disturbed:
        fit = estimate(explored)
        return fit.settings[best_position(fit, better)]
    logs: dict[int, list[float]] = {}
    for m in explored:
        logs.setdefault(m.block, []).append(float(np.log(m.value)))
    middles = {block: float(np.median(values)) for block, values in logs.items()}
    apart: dict[Setting, list[float]] = {}
    for m in explored:
        apart.setdefault(m.setting, []).append(float(np.log(m.value)) - middles[m.block])
    sign = 1 if better is Better.LOWER else -1
    return min(sorted(apart, key=setting_key), key=lambda setting: sign * float(np.median(apart[setting])))
