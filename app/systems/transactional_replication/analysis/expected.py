"""The delivery curve's expectation of a parameter before any trial: a band over the possible constants of a site."""

from dataclasses import replace
from typing import Final

import numpy as np

from app.domain.plan import Plan, Stop
from app.domain.setting import Setting, Value
from app.systems.transactional_replication.analysis.delivery_response import delivery_response, with_site_frozen
from app.systems.transactional_replication.site import AgentSite

_DRAWS: Final = 400
_BAND: Final = (10.0, 90.0)
"""Percentiles of the draws: in eight of ten sites like this one the curve lies between them."""


def expected_change(plan: Plan, baseline: Value, site: AgentSite) -> tuple[Value, float, float] | None:
    """Return the level with the lowest median time, and the band of its change against the baseline as shares.

    The constants are drawn from what is believed before any trial (`delivery_curve`), so the band is wide; the best
    level is picked by its median, not draw by draw, so that the band does not flatter it.

    Args:
        plan: of one factor.
        baseline: the value in effect.

    Returns:
        None where the curve says nothing of this plan, or no level is better than the baseline.
    """
    frozen = with_site_frozen(replace(plan, design=replace(plan.design, stop=Stop.MODEL)), site)
    curve = delivery_response(frozen, is_rate=False)
    factor = plan.factors[0]
    levels = [level for level in factor.levels if level != baseline]
    if curve is None or not levels:
        return None
    settings = [Setting.from_mapping({factor.name: value}) for value in (baseline, *levels)]
    median = np.log([constant.median for constant in curve.constants])
    spread = np.array([constant.log_sd for constant in curve.constants])
    draws = np.random.default_rng(1).standard_normal((_DRAWS, len(spread)))
    logs = curve.log_values(median + spread * draws, settings)
    change = np.expm1(logs[:, 1:] - logs[:, :1])
    best = int(np.argmin(np.median(change, axis=0)))
    if float(np.median(change[:, best])) >= 0.0:
        return None
    low, high = np.percentile(change[:, best], _BAND)
    return levels[best], float(low), float(high)
