"""Facts for the rules on the ways to seed a replica."""

import math
from collections.abc import Mapping

from app.analysis.compared_facts import effect_facts, gain_percent, trials_facts
from app.domain.comparison import Comparison, Verdict
from app.domain.effect import has_interval
from app.domain.facts import FactValue
from app.domain.setting import Setting, typed_text
from app.foundation.texts import in_sentence
from app.systems.availability_groups.analysis.decided import decided_facts
from app.systems.availability_groups.copies import SeedingMethod
from app.systems.availability_groups.families.seeding import measures
from app.systems.availability_groups.families.seeding.arms import Arms
from app.systems.availability_groups.families.seeding.parameters import (
    BACKUP,
    COMPRESSED,
    DIRECT,
    PARAMETERS,
    SEEDING_METHOD,
)
from app.systems.availability_groups.families.seeding.plan import method_of
from app.systems.availability_groups.readings import REDO_AFTER_JOINING, REDO_RATE

Facts = dict[str, FactValue]

_SHORT = {
    SeedingMethod.BACKUP_RESTORE: "backup",
    SeedingMethod.DIRECT: "direct",
    SeedingMethod.DIRECT_COMPRESSED: "compressed",
}
_MB_PER_TB = 1e6
# What an uncompressed stream at least sends of what it reads (headers of its own come on top).
_COMPRESSED_BELOW = 0.9


def seeding_facts(arms: Arms, factor: str) -> Mapping[str, FactValue]:
    """Return the facts of one factor; those that are not known are absent."""
    facts: Facts = {
        "factor": factor,
        "measure": in_sentence(arms.metric.title),
        "minimum_effect_percent": arms.evidence.minimum_effect * 100,
        "factors_varied": len(arms.baseline),
    }
    facts |= _site_facts(arms)
    if factor == SEEDING_METHOD.name:
        return facts | _method_facts(arms) | _compression_facts(arms) | _level_facts(arms)
    return facts | _option_facts(arms, factor)


def _site_facts(arms: Arms) -> Facts:
    facts: Facts = {}
    fact_values = {
        "server_major": arms.major,
        "primary_cpus": arms.cpus,
        "seeded_mb": arms.database_mb,
        "link_mbps": arms.link_mbps,
    }
    for name, value in fact_values.items():
        if value is not None:
            facts[name] = value
    return facts


def _method_facts(arms: Arms) -> Facts:
    """Return the gain of direct seeding, compressed or not, over backup and restore."""
    backup = arms.of_method(SeedingMethod.BACKUP_RESTORE)
    made = [c for m in (DIRECT, COMPRESSED) if (c := _pair(arms, backup, SeedingMethod(m))) is not None]
    if not made:
        return _compression_only(arms)
    best = min(made, key=lambda c: (c.verdict is not Verdict.IMPROVEMENT, c.verdict is Verdict.WORSE))
    among = _pair(arms, arms.of_method(SeedingMethod.DIRECT), SeedingMethod.DIRECT_COMPRESSED)
    if among is not None and among.verdict is Verdict.IMPROVEMENT and made[-1].verdict is Verdict.IMPROVEMENT:
        best = made[-1]
    improves = best.verdict is Verdict.IMPROVEMENT
    choice = str(method_of(best.candidate))
    took_s = arms.mean(measures.TOTAL_TIME, best.candidate)
    return (
        decided_facts(best, arms.metric)
        | ({} if took_s is None else {"best_s": took_s})
        | {
            "baseline_choice": BACKUP,
            "best_choice": choice if improves else BACKUP,
            "best_differs": improves,
        }
    )


def _pair(arms: Arms, reference: Setting | None, method: SeedingMethod) -> Comparison | None:
    """Return the comparison of a method with a reference, turned where it was made the other way round."""
    candidate = arms.of_method(method)
    pair = arms.compared(reference, candidate)
    if pair is not None:
        return pair
    turned = arms.compared(candidate, reference)
    return None if turned is None else _turned(turned)


def _turned(c: Comparison) -> Comparison:
    verdict = {Verdict.IMPROVEMENT: Verdict.WORSE, Verdict.WORSE: Verdict.IMPROVEMENT}.get(c.verdict, c.verdict)
    return Comparison(
        family=c.family,
        factor=c.factor,
        reference=c.candidate,
        candidate=c.reference,
        conditions=c.conditions,
        metric=c.metric,
        unit=c.unit,
        ratio=1 / c.ratio,
        low=1 / c.high if math.isfinite(c.high) else 0.0,
        high=1 / c.low if c.low > 0 else math.inf,
        p_adjusted=c.p_adjusted,
        reference_trials=c.candidate_trials,
        candidate_trials=c.reference_trials,
        verdict=verdict,
        smallest_effect=c.smallest_effect,
        trials_needed=c.trials_needed,
        minimum_effect=c.minimum_effect,
        phase=c.phase,
    )


def _compression_only(arms: Arms) -> Facts:
    """Return the facts where only direct seeding was measured: compressed against not compressed."""
    pair = _pair(arms, arms.of_method(SeedingMethod.DIRECT), SeedingMethod.DIRECT_COMPRESSED)
    if pair is None:
        return {}
    improves = pair.verdict is Verdict.IMPROVEMENT
    return decided_facts(pair, arms.metric) | {
        "baseline_choice": DIRECT,
        "best_choice": COMPRESSED if improves else DIRECT,
        "best_differs": improves,
    }


def _compression_facts(arms: Arms) -> Facts:
    """Return the effect of compressing direct seeding, and whether it was on at all, by bytes."""
    direct = arms.of_method(SeedingMethod.DIRECT)
    compressed = arms.of_method(SeedingMethod.DIRECT_COMPRESSED)
    facts: Facts = {}
    pair = _pair(arms, direct, SeedingMethod.DIRECT_COMPRESSED)
    if pair is not None:
        facts["compression_verdict"] = str(pair.verdict)
        facts |= {f"compression_{name}": value for name, value in trials_facts((pair,)).items()}
        facts |= effect_facts(pair, arms.metric, "compression_effect")
        facts["compression_gain_percent"] = gain_percent(pair.ratio, arms.metric.better)
        if has_interval(pair.low, pair.high):
            ends = sorted(gain_percent(end, arms.metric.better) for end in (pair.low, pair.high))
            facts["compression_gain_low_percent"], facts["compression_gain_high_percent"] = ends
    sent = _sent_share(arms, direct, compressed)
    if sent is not None:
        facts["sent_share_percent"] = sent * 100
        facts["compression_was_on"] = sent < _COMPRESSED_BELOW
    before, after = (arms.mean(measures.NETWORK_RATE, setting) for setting in (direct, compressed))
    if before and after is not None:
        facts["network_saved_percent"] = (1 - after / before) * 100
    cpus = arms.cpus
    used, plain = (arms.mean(measures.PRIMARY_CPU, setting) for setting in (compressed, direct))
    if cpus is not None and used is not None and plain is not None:
        facts["compression_cores"] = round((used - plain) * cpus, 2)
    return facts


def _sent_share(arms: Arms, direct: Setting | None, compressed: Setting | None) -> float | None:
    """Return bytes sent with compression for each byte read; where neither was counted, for each sent without.

    The latter from network use × time, as published tests give them.
    """
    counted = arms.mean(measures.SENT_SHARE, compressed)
    if counted is not None:
        return counted
    amounts = []
    for setting in (compressed, direct):
        rate, time_s = (arms.mean(metric, setting) for metric in (measures.NETWORK_RATE, measures.TOTAL_TIME))
        amounts.append(None if rate is None or time_s is None else rate * time_s)
    sent, raw = amounts
    return sent / raw if sent is not None and raw else None


def _level_facts(arms: Arms) -> Facts:
    """Return times and load of each method, and their meaning for larger databases."""
    facts: Facts = {}
    for method, short in _SHORT.items():
        setting = arms.of_method(method)
        for name, metric, scale in (
            (f"{short}_s", measures.TOTAL_TIME, 1.0),
            (f"network_{short}_mbps", measures.NETWORK_RATE, 1.0),
            (f"primary_cpu_{short}_percent", measures.PRIMARY_CPU, 100.0),
            (f"secondary_cpu_{short}_percent", measures.SECONDARY_CPU, 100.0),
        ):
            value = arms.mean(metric, setting)
            if value is not None:
                facts[name] = value * scale
    backups = [s for s in arms.settings if method_of(s) is SeedingMethod.BACKUP_RESTORE]
    times = [time_s for s in backups if (time_s := arms.mean(measures.TOTAL_TIME, s)) is not None]
    if len(times) > 1:
        facts["fastest_backup_s"] = min(times)
    return facts | _size_facts(arms) | _redo_facts(arms)


def _size_facts(arms: Arms) -> Facts:
    """Return the facts that follow from the size: time for a terabyte, use of the line, growth of the log."""
    facts: Facts = {}
    direct = arms.of_method(SeedingMethod.DIRECT) or arms.of_method(SeedingMethod.DIRECT_COMPRESSED)
    size, time_s = arms.database_mb, arms.mean(measures.TOTAL_TIME, direct)
    if size and time_s is not None:
        facts["direct_h_per_tb"] = time_s / size * _MB_PER_TB / 3600
    backup_s = arms.mean(measures.TOTAL_TIME, arms.of_method(SeedingMethod.BACKUP_RESTORE))
    if size and backup_s is not None:
        facts["backup_h_per_tb"] = backup_s / size * _MB_PER_TB / 3600
    rate = arms.mean(measures.NETWORK_RATE, arms.of_method(SeedingMethod.DIRECT))
    if rate is not None and arms.link_mbps:
        facts["link_use_percent"] = rate / arms.link_mbps * 100
    plain_s = arms.mean(measures.TOTAL_TIME, arms.of_method(SeedingMethod.DIRECT))
    if rate is not None and plain_s is not None and size:
        facts["sent_by_rate_mb"] = rate / 8 * plain_s
        facts["sent_by_rate_percent"] = rate / 8 * plain_s / size * 100
    growth = [v for s in arms.settings if (v := arms.mean(measures.LOG_GROWTH, s)) is not None]
    if growth:
        facts["log_growth_percent"] = max(growth) * 100
    return facts


def _redo_facts(arms: Arms) -> Facts:
    """Return how the secondary redid the log written meanwhile, all of the method that left it most."""
    queues = [(v, s) for s in arms.settings if (v := arms.mean(REDO_AFTER_JOINING, s)) is not None]
    longest = max(queues, key=lambda pair: pair[0], default=None)
    if longest is None:
        return {}
    facts: Facts = {REDO_AFTER_JOINING.fact: longest[0]}
    for name, metric in (
        ("redo_mb_per_s", REDO_RATE),
        ("redo_threads", measures.REDO_THREADS),
        ("catch_up_s", measures.CATCH_UP_TIME),
    ):
        value = arms.mean(metric, longest[1])
        if value is not None:
            facts[name] = value
    return facts


def _option_facts(arms: Arms, factor: str) -> Facts:
    """Return the gain of one backup option's best value over the baseline's, all else equal."""
    comparisons = [
        c
        for c in arms.evidence.comparisons
        if c.reference == arms.baseline and _differs_only_in(factor, c.reference, c.candidate)
    ]
    if not comparisons:
        return {}
    best = max(comparisons, key=lambda c: gain_percent(c.ratio, arms.metric.better))
    improves = best.verdict is Verdict.IMPROVEMENT
    facts = decided_facts(best, arms.metric) | {"best_differs": improves}
    if not improves and all(c.verdict is not Verdict.CANNOT_TELL for c in comparisons):
        facts["verdict"] = str(Verdict.NO_DIFFERENCE)
    chosen = best.candidate if improves else arms.baseline
    values = {"baseline_level": arms.baseline.get(factor), "best_level": chosen.get(factor)}
    return facts | {name: typed_text(value) for name, value in values.items() if value is not None}


def _differs_only_in(factor: str, first: Setting, second: Setting) -> bool:
    return [k.name for k in PARAMETERS if first.get(k.name) != second.get(k.name)] == [factor]
