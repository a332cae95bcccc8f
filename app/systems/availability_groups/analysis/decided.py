"""Facts on the one comparison that decides: its verdict, its effect, and the trials behind it."""

from app.analysis.compared_facts import effect_facts, gain_percent, power_facts, trials_facts
from app.domain.comparison import Comparison
from app.domain.effect import has_interval
from app.domain.facts import FactValue
from app.domain.measurement import Better, Metric
from app.domain.plan import Phase


def decided_facts(c: Comparison, metric: Metric) -> dict[str, FactValue]:
    """Return the verdict of one comparison with its interval."""
    facts: dict[str, FactValue] = {
        "verdict": str(c.verdict),
        "confirmed": c.phase is Phase.CONFIRM,
        **effect_facts(c, metric),
        **trials_facts((c,)),
        "trials_per_setting": min(len(c.reference_trials), len(c.candidate_trials)),
        "gain_percent": gain_percent(c.ratio, metric.better),
        "times_as_fast": round(1 / c.ratio if metric.better is Better.LOWER else c.ratio, 2),
    }
    if has_interval(c.low, c.high):
        ends = sorted(gain_percent(end, metric.better) for end in (c.low, c.high))
        facts["gain_low_percent"], facts["gain_high_percent"] = ends
    return facts | power_facts(c)
