"""Facts for the rules, made of comparisons and measurements; shared by the families of replication agents."""

from collections.abc import Mapping

import numpy as np

from app.analysis.compare import against_best, best_position, compare
from app.analysis.estimate import Estimate, estimate
from app.analysis.plateau import plateau_start
from app.domain import metrics
from app.domain.comparison import Comparison, Verdict
from app.domain.facts import FactValue
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Better, Measurement, Metric
from app.domain.plan import Phase
from app.domain.setting import Knob, Setting, Value

Facts = Mapping[str, FactValue]

# Commands after which the Distribution Agent commits, unless told otherwise (Replication Distribution Agent page).
DEFAULT_COMMIT_BATCH_THRESHOLD = 1_000


def main_metric_of(family: ExperimentFamily, evidence: Evidence) -> Metric:
    """Return the metric this evidence's claims are about: the one its comparisons carry, else the family's first."""
    names = {comparison.metric for comparison in evidence.comparisons}
    return next((metric for metric in family.main_metrics if metric.name in names), family.main_metrics[0])


def exploring(evidence: Evidence, metric: Metric) -> tuple[Measurement, ...]:
    """Return the exploring measurements of one metric."""
    return tuple(m for m in evidence.measurements if m.metric == metric.name and m.phase is Phase.EXPLORE)


def baseline_of(evidence: Evidence, knobs: tuple[Knob, ...]) -> Setting:
    """Return the setting claims are made against: the plan's, the vendor's defaults, or the lowest."""
    if evidence.plan is not None:
        return evidence.plan.baseline
    settings = sorted({m.setting for m in evidence.measurements}, key=lambda s: tuple(map(str, s.values_by_name)))
    defaults = {knob.name: knob.default for knob in knobs}
    for setting in settings:
        if all(value == defaults.get(name) for name, value in setting.values_by_name):
            return setting
    return min(settings, key=lambda s: tuple(float(v) if isinstance(v, int | float) else 0.0 for v in s.values()))


def decisive_comparison(evidence: Evidence, baseline: Setting, best: Setting) -> Comparison | None:
    """Return the comparison of best against baseline: the confirmation where there is one."""
    found = [c for c in evidence.comparisons if c.reference == baseline and c.candidate == best]
    confirmed = [c for c in found if c.phase is Phase.CONFIRM]
    return next(iter(confirmed or found), None)


def gain_percent(ratio: float, better: Better) -> float:
    """Return the improvement a ratio stands for, percent: 0.82 of a run time is 18 %, 1.2 of a rate is 20 %."""
    return (1 - ratio) * 100 if better is Better.LOWER else (ratio - 1) * 100


def agent_facts(family: ExperimentFamily, evidence: Evidence, factor: str) -> Facts:
    """Return the facts every family of replication agents knows about one factor."""
    metric = main_metric_of(family, evidence)
    explored = exploring(evidence, metric)
    if len({m.setting for m in explored}) < 2:
        return {}
    fit = estimate(explored)
    best = fit.settings[best_position(fit, metric.better)]
    confirmed = [c for c in evidence.comparisons if c.phase is Phase.CONFIRM]
    if confirmed:
        best = confirmed[0].candidate
    baseline = baseline_of(evidence, family.knobs)
    facts: dict[str, FactValue] = {"factor": factor, "best_differs": baseline[factor] != best[factor]}
    facts.update(_level_facts(fit, factor, baseline, best))
    facts.update(_verdict_facts(evidence, metric, baseline, best))
    facts.update(_shape_facts(family, evidence, explored, fit, factor))
    facts.update(_workload_facts(evidence))
    facts.update(_measured_facts(evidence, baseline, best, facts))
    facts.update(_forecast_facts(evidence, baseline, best))
    return facts


def _number(value: Value) -> float | int:
    return value if isinstance(value, int | float) else float("nan")


def _level_facts(fit: Estimate, factor: str, baseline: Setting, best: Setting) -> Facts:
    levels = [_number(setting[factor]) for setting in fit.settings]
    return {
        "baseline_value": _number(baseline[factor]),
        "best_value": _number(best[factor]),
        "smallest_level": min(levels),
        "largest_level": max(levels),
    }


def _verdict_facts(evidence: Evidence, metric: Metric, baseline: Setting, best: Setting) -> Facts:
    """Return verdict, gain with interval, and how firmly it stands."""
    decisive = decisive_comparison(evidence, baseline, best)
    facts: dict[str, FactValue] = {"minimum_effect_percent": evidence.minimum_effect * 100, "confirmed": False}
    counts = _trials_by_setting(evidence, metric)
    facts["trials_per_setting"] = min(counts.values(), default=0)
    if decisive is None:
        others = [c for c in evidence.comparisons if baseline in (c.reference, c.candidate)]
        settled = bool(others) and all(c.verdict is not Verdict.CANNOT_TELL for c in others)
        facts["verdict"] = str(Verdict.NO_DIFFERENCE if settled else Verdict.CANNOT_TELL)
        facts["trials_needed"] = max((c.trials_needed for c in others), default=0)
        facts["gain_percent"] = 0.0
        return facts
    ends = sorted((gain_percent(decisive.low, metric.better), gain_percent(decisive.high, metric.better)))
    facts.update(
        {
            "verdict": str(decisive.verdict),
            "confirmed": decisive.phase is Phase.CONFIRM,
            "trials_needed": decisive.trials_needed,
            "trials_per_setting": min(len(decisive.reference_trials), len(decisive.candidate_trials)),
            "gain_percent": gain_percent(decisive.ratio, metric.better),
        }
    )
    if np.isfinite(ends).all():
        facts.update({"gain_low_percent": ends[0], "gain_high_percent": ends[1]})
    if np.isfinite(decisive.smallest_effect):
        facts["smallest_effect_percent"] = decisive.smallest_effect * 100
    return facts


def _trials_by_setting(evidence: Evidence, metric: Metric) -> dict[Setting, int]:
    counts: dict[Setting, int] = {}
    for measurement in evidence.measurements:
        if measurement.metric == metric.name:
            counts[measurement.setting] = counts.get(measurement.setting, 0) + 1
    return counts


def _shape_facts(
    family: ExperimentFamily, evidence: Evidence, explored: tuple[Measurement, ...], fit: Estimate, factor: str
) -> Facts:
    """Return what the ends of the sweep and the vendor's default lose against the best; one-factor sweeps only."""
    metric = main_metric_of(family, evidence)
    if any(len(setting) != 1 for setting in fit.settings):
        return {}
    facts: dict[str, FactValue] = {}
    against = compare(explored, against_best(), metric.better, evidence.minimum_effect, evidence.noise_cv)
    by_level = {_number(c.reference[factor]): c for c in against}
    best_level = _number(against[0].candidate[factor]) if against else None
    largest = max(_number(setting[factor]) for setting in fit.settings)
    if largest in by_level:
        low, middle = _loss_percent(by_level[largest], metric.better)
        facts["largest_level_loss_percent"] = middle
        if np.isfinite(low):
            facts["largest_level_loss_low_percent"] = low
    elif largest == best_level:
        facts["largest_level_loss_percent"] = 0.0
        facts["largest_level_loss_low_percent"] = 0.0
    default = next((knob.default for knob in family.knobs if knob.name == factor), None)
    if default == best_level:
        facts["default_loss_percent"] = 0.0
    elif default in by_level:
        facts["default_loss_percent"] = _loss_percent(by_level[default], metric.better)[1]
    start = plateau_start(explored, evidence.minimum_effect)
    if start is not None:
        facts["plateau_from_value"] = _number(start[factor])
    return facts


def _loss_percent(comparison: Comparison, better: Better) -> tuple[float, float]:
    """Return (lower end, middle) of what the reference loses against the candidate, which is the best, percent."""
    ratios = (_inverse(comparison.low), _inverse(comparison.high), 1 / comparison.ratio)
    losses = [(ratio - 1) * 100 if better is Better.LOWER else (1 - ratio) * 100 for ratio in ratios]
    return min(losses[:2]), losses[2]


def _inverse(value: float) -> float:
    return 1 / value if value > 0 else float("inf")


def _workload_facts(evidence: Evidence) -> Facts:
    names = ("scenario", "commands_per_transaction", "agent_pairs", "rtt_ms", "network_kbps")
    return {name: evidence.conditions[name] for name in names if name in evidence.conditions}


def median_of(evidence: Evidence, metric: Metric, setting: Setting) -> float | None:
    """Return the median of a metric over the used trials of one setting, None where it was not measured."""
    values = [m.value for m in evidence.measurements if m.metric == metric.name and m.setting == setting]
    return float(np.median(values)) if values else None


def _measured_facts(evidence: Evidence, baseline: Setting, best: Setting, facts: Facts) -> Facts:
    """Return latency, waits and gaps at the baseline, the best and the largest level."""
    settings = {m.setting for m in evidence.measurements}
    factor = str(facts["factor"])
    largest = max(settings, key=lambda setting: _number(setting[factor])) if settings else baseline
    wanted = (
        ("latency_baseline_s", metrics.LATENCY, baseline, 1e-3),
        ("latency_best_s", metrics.LATENCY, best, 1e-3),
        ("reader_wait_share", metrics.READER_WAIT, baseline, 1.0),
        ("writer_wait_share", metrics.WRITER_WAIT, baseline, 1.0),
        ("lock_wait_share", metrics.LOCK_WAIT, largest, 1.0),
        ("longest_gap_s", metrics.LONGEST_GAP, largest, 1.0),
        ("longest_gap_baseline_s", metrics.LONGEST_GAP, baseline, 1.0),
    )
    found = {name: (median_of(evidence, metric, setting), scale) for name, metric, setting, scale in wanted}
    return {name: value * scale for name, (value, scale) in found.items() if value is not None}


def _forecast_facts(evidence: Evidence, baseline: Setting, best: Setting) -> Facts:
    by_setting = {forecast.setting: forecast for forecast in evidence.forecasts}
    facts: dict[str, FactValue] = {}
    if baseline in by_setting and np.isfinite(by_setting[baseline].hours):
        facts["catch_up_baseline_h"] = by_setting[baseline].hours
        facts["backlog_commands"] = by_setting[baseline].backlog_commands
    if best in by_setting and np.isfinite(by_setting[best].high_hours):
        forecast = by_setting[best]
        facts["catch_up_best_h"] = forecast.hours
        facts["catch_up_best_low_h"] = forecast.low_hours
        facts["catch_up_best_high_h"] = forecast.high_hours
        facts["backlog_commands"] = forecast.backlog_commands
    return facts


def batch_facts(facts: Facts, evidence: Evidence) -> Facts:
    """Return how many commands a read batch holds and for how long it stays invisible.

    A batch is visible to the Distribution Agent only when it is committed: ReadBatchSize × commands per transaction,
    divided by the rate the agent reads at.
    """
    if "commands_per_transaction" not in facts or "best_value" not in facts:
        return {}
    per_transaction = float(facts["commands_per_transaction"])
    made: dict[str, FactValue] = {
        "batch_commands_baseline": float(facts["baseline_value"]) * per_transaction,
        "batch_commands_best": float(facts["best_value"]) * per_transaction,
    }
    factor = str(facts["factor"])
    at_best = [s for s in {m.setting for m in evidence.measurements} if s.get(factor) == facts["best_value"]]
    rate = median_of(evidence, metrics.THROUGHPUT, at_best[0]) if at_best else None
    if rate:
        pairs = float(facts.get("agent_pairs", 1))
        made["batch_hold_s_best"] = float(made["batch_commands_best"]) / (rate / pairs)
    return made


def rollback_facts(facts: Facts) -> Facts:
    """Return how many commands are redone when a commit batch fails: whole transactions up to the threshold."""
    if "commands_per_transaction" not in facts or "best_value" not in facts:
        return {}
    per_transaction = float(facts["commands_per_transaction"])
    limit = float(facts.get("commit_batch_threshold", DEFAULT_COMMIT_BATCH_THRESHOLD))
    return {
        name: max(per_transaction, min(float(facts[value]) * per_transaction, limit))
        for name, value in (
            ("rollback_commands_baseline", "baseline_value"),
            ("rollback_commands_best", "best_value"),
        )
    }


def subscriber_facts(evidence: Evidence) -> Facts:
    """Return what was read from the Subscriber, and how often the agent fell back to one stream."""
    facts: dict[str, FactValue] = {}
    counted = [m.value for m in evidence.measurements if m.metric == metrics.FALLBACKS.name]
    failed = [m.value for t in evidence.trials for m in t.measurements if m.metric == metrics.FALLBACKS.name]
    if counted or failed:
        facts["stream_fallbacks"] = int(sum(failed or counted))
    site = evidence.site
    if site is None:
        return facts
    threshold = site.parameters.get("CommitBatchThreshold")
    if threshold is not None and threshold.value.isdigit():
        facts["commit_batch_threshold"] = int(threshold.value)
    if site.subscriber_objects is not None:
        objects = site.subscriber_objects
        facts.update(
            {
                "foreign_keys": objects.foreign_keys,
                "unique_nonclustered_indexes": objects.unique_nonclustered_indexes,
                "indexed_views": objects.indexed_views,
                "triggers": objects.triggers,
                "stream_blockers": objects.total,
            }
        )
    subscribers = {agent.subscriber for agent in site.agents}
    cpus = [s.cpu_count for s in site.topology.servers if s.role == "Subscriber" and s.name in subscribers]
    if cpus:
        facts["subscriber_cpus"] = min(cpus)
    return facts


def link_facts(evidence: Evidence, factor: str, facts: Facts) -> Facts:
    """Return the use of the link at baseline and best: command data only, so a lower bound."""
    site = evidence.site
    if site is None or site.command_bytes is None or site.network_kbps is None or "best_value" not in facts:
        return {}
    made: dict[str, FactValue] = {}
    for name, value in (
        ("bandwidth_use_baseline_percent", facts["baseline_value"]),
        ("bandwidth_use_best_percent", facts["best_value"]),
    ):
        settings = [s for s in {m.setting for m in evidence.measurements} if s.get(factor) == value]
        rate = median_of(evidence, metrics.THROUGHPUT, settings[0]) if settings else None
        if rate is not None:
            made[name] = rate * site.command_bytes * 8 / (site.network_kbps * 1000) * 100
    return made
