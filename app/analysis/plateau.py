"""The shape of a sweep of one parameter: from where on raising it makes no difference."""

import math

import numpy as np

from app.analysis.estimate import Estimate
from app.analysis.settings_order import varied_parameters
from app.domain.setting import Setting


def plateau_of(fit: Estimate, minimum_effect: float) -> Setting | None:
    """Return the setting with the smallest level from which on no two levels differ by the minimum effect.

    All levels of the plateau, not only neighbours, lie within the minimum effect of each other, so a slow slope is no
    plateau. This describes the means: it is no claim that there is no difference.

    Returns:
        None where the two largest levels already differ, or where not exactly one numeric parameter varies.
    """
    varied = varied_parameters(fit.settings)
    if len(varied) != 1 or any(isinstance(setting.get(varied[0], ""), str) for setting in fit.settings):
        return None
    from_the_end = fit.log_means[::-1]
    spread = np.maximum.accumulate(from_the_end) - np.minimum.accumulate(from_the_end)
    levels = int(np.count_nonzero(spread < math.log1p(minimum_effect)))
    return fit.settings[-levels] if levels > 1 else None
