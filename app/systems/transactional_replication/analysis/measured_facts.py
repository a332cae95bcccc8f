"""Facts that trials of replication agents measured, for the rules."""

import math

from app.analysis.claim import Claim, decisive_comparison
from app.analysis.compared_facts import gain_percent
from app.analysis.measured_facts import Facts, medians, values_used
from app.analysis.outcomes import outcome_trials, ratio_without, share_of
from app.domain.facts import FactValue
from app.domain.family import Evidence
from app.domain.setting import Parameter, Setting, number_of
from app.systems.transactional_replication import metrics
from app.systems.transactional_replication.load import agent_sets_the_rate, workload_of
from app.systems.transactional_replication.server.documented import streams_of
from app.systems.transactional_replication.site import AgentSite


def level_facts(evidence: Evidence, claim: Claim, factor: str) -> Facts:
    """Return latency, waits and gaps at the baseline, the best and the largest level.

    Where several parameters were varied, the others stand at their baseline beside the largest level.
    """
    top = max((setting[factor] for setting in claim.fit.settings), key=number_of)
    largest = Setting.from_mapping({**claim.baseline, factor: top})
    wanted = (
        ("latency_baseline_s", metrics.LATENCY, claim.baseline, 1e-3),
        ("latency_best_s", metrics.LATENCY, claim.best, 1e-3),
        ("latency_largest_s", metrics.LATENCY, largest, 1e-3),
        ("reader_wait_share", metrics.READER_WAIT, claim.baseline, 1.0),
        ("writer_wait_share", metrics.WRITER_WAIT, claim.baseline, 1.0),
        ("lock_wait_s_per_agent_s", metrics.LOCK_WAIT, largest, 1.0),
        ("longest_gap_s", metrics.LONGEST_GAP, largest, 1.0),
        ("longest_gap_baseline_s", metrics.LONGEST_GAP, claim.baseline, 1.0),
    )
    asked = [(metric, setting) for _name, metric, setting, _scale in wanted]
    used, middle = values_used(evidence, asked), medians(evidence, asked)
    made: dict[str, FactValue] = {}
    for name, metric, setting, scale in wanted:
        if values := used.get((metric.name, setting)):
            made[name] = middle[metric.name, setting] * scale
            if metric == metrics.LATENCY:
                at = name.removesuffix("_s")
                made[f"{at}_low_s"], made[f"{at}_high_s"] = min(values) * scale, max(values) * scale
    return made


COMMIT_BATCH_THRESHOLD = "CommitBatchThreshold"

# Commands after which the Distribution Agent commits, unless told otherwise (Replication Distribution Agent page).
DEFAULT_COMMIT_BATCH_THRESHOLD = 1_000


def batch_facts(evidence: Evidence, claim: Claim | None, factor: str) -> Facts:
    """Return how many commands a read batch holds and for how long it stays invisible.

    A batch is visible to the Distribution Agent only when it is committed: ReadBatchSize × commands per transaction,
    divided by the rate the agent reads at, where that is what the agent can do.
    """
    per_transaction = evidence.conditions.get("commands_per_transaction")
    if claim is None or not isinstance(per_transaction, int | float):
        return {}
    made: dict[str, FactValue] = {
        "batch_commands_baseline": number_of(claim.baseline[factor]) * per_transaction,
        "batch_commands_best": number_of(claim.best[factor]) * per_transaction,
    }
    rate = medians(evidence, [(metrics.THROUGHPUT, claim.best)]).get((metrics.THROUGHPUT.name, claim.best))
    if rate and agent_sets_the_rate(evidence.plan, evidence.conditions):
        pairs = number_of(evidence.conditions.get("agent_pairs", 1))
        made["batch_hold_s_best"] = number_of(claim.best[factor]) * per_transaction / (rate / pairs)
    return made


def rollback_facts(evidence: Evidence, claim: Claim | None, commit_batch_size: Parameter) -> Facts:
    """Return how many commands are redone when a commit batch fails.

    A batch ends after CommitBatchSize transactions, or with the transaction that reaches CommitBatchThreshold commands;
    transactions are never split.
    """
    per_transaction = evidence.conditions.get("commands_per_transaction")
    if claim is None or not isinstance(per_transaction, int | float):
        return {}
    made: dict[str, FactValue] = {}
    for name, setting in (("rollback_commands_baseline", claim.baseline), ("rollback_commands_best", claim.best)):
        transactions = _in_effect(evidence, setting, commit_batch_size.name, commit_batch_size.default_number)
        limit = _in_effect(evidence, setting, COMMIT_BATCH_THRESHOLD, DEFAULT_COMMIT_BATCH_THRESHOLD)
        made[name] = min(transactions, math.ceil(limit / per_transaction)) * per_transaction
    return made


def _in_effect(evidence: Evidence, setting: Setting, name: str, default: int) -> float:
    """Return a parameter's value in a trial: varied, held fixed, in effect on the server, or the vendor's default."""
    for values in (setting, evidence.conditions):
        if name in values:
            return number_of(values[name])
    read = _read_parameter(evidence, name)
    return default if read is None else read


def _read_parameter(evidence: Evidence, name: str) -> int | None:
    """Return the value in effect when the run began, None where it is not known."""
    read = evidence.site.parameters.get(name) if evidence.site is not None else None
    return int(read.value) if read is not None and read.value.isdigit() else None


def threshold_facts(evidence: Evidence) -> Facts:
    """Return the CommitBatchThreshold all trials ran with, nothing where it was varied or is not known."""
    if any(COMMIT_BATCH_THRESHOLD in m.setting for m in evidence.measurements[:1]):
        return {}
    if COMMIT_BATCH_THRESHOLD in evidence.conditions:
        return {"commit_batch_threshold": number_of(evidence.conditions[COMMIT_BATCH_THRESHOLD])}
    read = _read_parameter(evidence, COMMIT_BATCH_THRESHOLD)
    return {} if read is None else {"commit_batch_threshold": read}


def fallback_facts(evidence: Evidence, claim: Claim | None) -> Facts:
    """Return the number of trials in which an agent fell back to one stream, of those with several, and the cost of it.

    Of the best setting with the interval of the share; the gain without those trials stands beside the one with them.
    """
    own = [m for t in evidence.trials for m in t.measurements] or evidence.measurements
    counted = [m for m in own if m.metric == metrics.FALLBACKS.name and streams_of(m.setting) > 1]
    if not counted:
        return {}
    made: dict[str, FactValue] = {
        "stream_fallbacks": sum(m.value > 0 for m in counted),
        "stream_trials": len(counted),
    }
    at_best = [m.value > 0 for m in counted if claim is not None and m.setting == claim.best]
    if claim is not None and at_best:
        share = share_of(sum(at_best), len(at_best))
        made["best_fallbacks"], made["best_stream_trials"] = share.happened, share.trials
        made["best_fallback_low_percent"] = share.low * 100
        made["best_fallback_high_percent"] = share.high * 100
        made.update(_gain_without_fallbacks(evidence, claim) if share.happened else {})
    return made


def _gain_without_fallbacks(evidence: Evidence, claim: Claim) -> Facts:
    decisive = decisive_comparison(evidence, claim.baseline, claim.best)
    if decisive is None:
        return {}
    compared = [m for m in evidence.measurements if m.metric == decisive.metric and m.phase is decisive.phase]
    fell_back = outcome_trials((metrics.FALLBACKS,), evidence.measurements)
    ratio = ratio_without(decisive, compared, fell_back)
    if ratio is None or fell_back.isdisjoint(decisive.candidate_trials):
        return {}
    return {"gain_without_fallbacks_percent": gain_percent(ratio, claim.metric.better)}


def subscriber_facts(evidence: Evidence) -> Facts:
    """Return the facts read from the Subscriber."""
    facts: dict[str, FactValue] = {}
    site = evidence.site
    if not isinstance(site, AgentSite):
        return facts
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
    pairs = 1 if evidence.plan is None else workload_of(evidence.plan.load).agent_pairs
    subscribers = {agent.subscriber for agent in site.agents[:pairs]}
    cpus = [s.cpu_count for s in site.topology.servers if s.role == "Subscriber" and s.name in subscribers]
    if cpus:
        facts["subscriber_cpus"] = min(cpus)
    return facts


def link_facts(evidence: Evidence, claim: Claim | None) -> Facts:
    """Return the use of the link at baseline and best, command data only, so a lower bound; and a command's size."""
    if claim is None:
        return {}
    wanted = (
        ("bandwidth_use_baseline_percent", metrics.BANDWIDTH_USE, claim.baseline),
        ("bandwidth_use_best_percent", metrics.BANDWIDTH_USE, claim.best),
        ("command_bytes", metrics.COMMAND_BYTES, claim.best),
    )
    spreads = medians(evidence, [(metric, setting) for _name, metric, setting in wanted])
    return {
        name: spreads[metric.name, setting] for name, metric, setting in wanted if (metric.name, setting) in spreads
    }
