"""Means of settings that make the ratios of their comparisons, so that a table, a figure and a ratio agree."""

import math
from collections.abc import Sequence

from app.analysis.estimate import Estimate
from app.analysis.published_means import runs_behind
from app.domain.comparison import Comparison
from app.domain.measurement import Measurement
from app.domain.setting import Setting


def adjusted_means(
    measured: Sequence[Measurement], compared: Sequence[Comparison], fit: Estimate | None = None
) -> dict[Setting, float]:
    """Return the log mean of each setting measured in one phase.

    The setting that all comparisons share has the mean of its trials, each of the others that one with the ratio of its
    comparison: blocks in which only one of the two ran have no part in it.

    Args:
        measured: the main measure of a phase, values positive.
        compared: its comparisons of that phase.
        fit: of these trials, for settings that no comparison links; None where each has its own mean then.
    """
    logs: dict[Setting, list[Measurement]] = {}
    for m in measured:
        logs.setdefault(m.setting, []).append(m)
    plain = {setting: runs_behind(own).mean for setting, own in logs.items()}
    sides = [{c.reference, c.candidate} for c in compared]
    shared = set.intersection(*sides) if sides else set()
    anchor = next((c.reference for c in compared if c.reference in shared), next(iter(shared), None))
    fitted = {} if fit is None else dict(zip(fit.settings, fit.log_means.tolist(), strict=True))
    made = {setting: fitted.get(setting, log) for setting, log in plain.items()}
    if anchor is None or anchor not in plain:
        return made
    made[anchor] = plain[anchor]
    for c in compared:
        if 0 < c.ratio < math.inf:
            other, sign = (c.candidate, 1) if c.reference == anchor else (c.reference, -1)
            made[other] = made[anchor] + sign * math.log(c.ratio)
    return made
