"""Which setting of a run leads while it goes on."""

from collections.abc import Sequence

from app.analysis.compare import best_position
from app.analysis.estimate import estimate
from app.domain.measurement import Metric, TrialResult, TrialStatus
from app.domain.plan import Phase
from app.domain.setting import Setting


def confirmed_setting(trials: Sequence[TrialResult], baseline: Setting) -> Setting | None:
    """Return the setting that confirming trials hold against the baseline, None before any of them."""
    confirmed = [t.setting for t in trials if t.phase is Phase.CONFIRM and t.setting != baseline]
    return confirmed[-1] if confirmed else None


def leading_setting(metric: Metric, trials: Sequence[TrialResult], baseline: Setting) -> Setting | None:
    """Return the setting that is confirmed, else the best of those explored; None before any is measured."""
    confirmed = confirmed_setting(trials, baseline)
    if confirmed is not None:
        return confirmed
    used = (m for trial in trials if trial.status is TrialStatus.USED for m in trial.measurements)
    explored = [m for m in used if m.metric == metric.name and m.phase is Phase.EXPLORE]
    if not explored:
        return None
    fit = estimate(explored)
    return fit.settings[best_position(fit, metric.better)]
