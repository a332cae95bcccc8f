"""Facts for the rules on a Streams pipeline and its parameters."""

import math
from collections.abc import Mapping

from app.analysis.claim import Claim, claim_of
from app.analysis.compared_facts import compared_facts
from app.analysis.measured_facts import medians
from app.domain.facts import FactValue
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Metric
from app.domain.setting import Setting, Value, typed_text
from app.foundation.texts import _
from app.systems.oracle_streams import metrics
from app.systems.oracle_streams.analysis.growth import staged_messages
from app.systems.oracle_streams.analysis.stages import Stage
from app.systems.oracle_streams.families.streams_apply.load import OPERATION, ROWS, ROWS_PER_COMMIT
from app.systems.oracle_streams.families.streams_apply.parameters import PARALLELISM, TXN_LCR_SPILL_THRESHOLD
from app.systems.oracle_streams.pipeline import StreamsPath, StreamsTopology
from app.systems.oracle_streams.server.documented import LARGEST
from app.systems.oracle_streams.site import StreamsSite

Facts = dict[str, FactValue]

# Facts of a level as a number, which a parameter that is one of a few words does not have.
_OF_NUMBERS = (
    "baseline_value",
    "best_value",
    "smallest_level",
    "largest_level",
    "plateau_from_value",
    "largest_not_worse_value",
)
_OF_LARGEST = (
    "largest_level_loss_percent",
    "largest_level_loss_low_percent",
    "largest_level_effect",
    "largest_level_effect_interval",
    "next_level_loss_low_percent",
)
_WHOLE_MINUTE_S = 60.0

STAGE_NAMES: Mapping[Stage, str] = {
    Stage.CAPTURE: _("the capture process"),
    Stage.PROPAGATION: _("the propagation"),
    Stage.READER: _("the apply reader"),
    Stage.SERVERS: _("the apply servers"),
}
_PACE: Mapping[Stage, Metric] = {
    Stage.CAPTURE: metrics.LIMITED_BY_CAPTURE,
    Stage.PROPAGATION: metrics.LIMITED_BY_PROPAGATION,
    Stage.READER: metrics.LIMITED_BY_READER,
    Stage.SERVERS: metrics.LIMITED_BY_SERVERS,
}
_MEASURED: tuple[tuple[str, Metric, float], ...] = (
    ("run_time_{side}_s", metrics.RUN_TIME, 1.0),
    ("messages_per_min_{side}", metrics.MESSAGE_RATE, 1.0),
    ("spilled_source_{side}", metrics.SPILLED_SOURCE, 1.0),
    ("spilled_destination_{side}", metrics.SPILLED_DESTINATION, 1.0),
    ("staged_{side}", metrics.STAGED_MESSAGES, 1.0),
    ("source_redo_{side}_mb", metrics.SOURCE_REDO, 1.0),
    ("destination_redo_{side}_mb", metrics.DESTINATION_REDO, 1.0),
    ("reader_busy_{side}_percent", metrics.READER_BUSY, 100.0),
    ("servers_busy_{side}_percent", metrics.SERVERS_BUSY, 100.0),
    ("wait_dependency_{side}_percent", metrics.SERVERS_WAIT_DEPENDENCY, 100.0),
    ("wait_commit_{side}_percent", metrics.SERVERS_WAIT_COMMIT, 100.0),
)


def streams_facts(family: ExperimentFamily, evidence: Evidence, factor: str) -> Mapping[str, FactValue]:
    """Return the facts of one factor; those that are not known are absent."""
    claim = claim_of(family, evidence)
    facts = _without_nan(compared_facts(family, evidence, claim, factor))
    facts |= _load_facts(evidence)
    facts |= _site_facts(evidence)
    if claim is not None:
        facts |= _level_facts(claim, factor)
        for side, setting in (("baseline", claim.baseline), ("best", claim.best)):
            facts |= _measured_facts(evidence, setting, side)
            facts |= _staging_facts(evidence, setting, side)
        facts |= _rounding_facts(evidence, claim)
    return facts


def _without_nan(facts: Mapping[str, FactValue]) -> Facts:
    """Return the facts without those that have no number, and without those derived from them."""
    kept = {name: v for name, v in facts.items() if not (isinstance(v, float) and math.isnan(v))}
    if "best_value" in facts and "best_value" not in kept:
        for name in (*_OF_NUMBERS, *_OF_LARGEST):
            kept.pop(name, None)
    return kept


def _load_facts(evidence: Evidence) -> Facts:
    facts: Facts = {}
    operation = evidence.conditions.get(OPERATION)
    if isinstance(operation, str):
        facts["load_operation"] = operation
    for name, key in (("load_rows", ROWS), ("transaction_rows", ROWS_PER_COMMIT)):
        value = evidence.conditions.get(key)
        if isinstance(value, int | float):
            facts[name] = value
    return facts


def _level_facts(claim: Claim, factor: str) -> Facts:
    return {"baseline_level": typed_text(claim.baseline[factor]), "best_level": typed_text(claim.best[factor])}


def _measured_facts(evidence: Evidence, setting: Setting, side: str) -> Facts:
    """Return the medians of a setting's measures, and which stage set the pace."""
    wanted = [*(metric for _name, metric, _scale in _MEASURED), *_PACE.values()]
    wanted += [metrics.CAPTURE_PAUSE, metrics.SOURCE_POOL, metrics.DESTINATION_POOL]
    spreads = medians(evidence, [(metric, setting) for metric in wanted])
    values = {metric: spreads[metric.name, setting] for metric in wanted if (metric.name, setting) in spreads}
    facts: Facts = {
        name.format(side=side): values[metric] * scale for name, metric, scale in _MEASURED if metric in values
    }
    if metrics.CAPTURE_PAUSE in values and values.get(metrics.RUN_TIME):
        share = values[metrics.CAPTURE_PAUSE] / values[metrics.RUN_TIME]
        facts[f"capture_pause_{side}_percent"] = min(1.0, share) * 100
    pools = [values[metric] for metric in (metrics.SOURCE_POOL, metrics.DESTINATION_POOL) if metric in values]
    if pools:
        facts[f"pool_{side}_percent"] = max(pools) * 100
    pace = {stage: values[metric] for stage, metric in _PACE.items() if metric in values}
    if pace and max(pace.values()) > 0:
        slowest = max(pace, key=lambda stage: pace[stage])
        facts[f"bottleneck_{side}"] = STAGE_NAMES[slowest]
        facts[f"bottleneck_{side}_percent"] = pace[slowest] * 100
    return facts


def _staging_facts(evidence: Evidence, setting: Setting, side: str) -> Facts:
    """Return how many messages of each transaction the threshold sends through the staging table."""
    size = evidence.conditions.get(ROWS_PER_COMMIT)
    threshold = _in_effect(evidence, setting, TXN_LCR_SPILL_THRESHOLD.name)
    facts: Facts = {}
    if threshold is not None:
        facts[f"spill_threshold_{side}"] = threshold
        if isinstance(size, int | float):
            facts[f"expected_staged_{side}"] = staged_messages(int(size), threshold)
    parallelism = _in_effect(evidence, setting, PARALLELISM.name)
    if parallelism is not None:
        facts[f"apply_servers_{side}"] = parallelism
    return facts


def _in_effect(evidence: Evidence, setting: Setting, name: str) -> float | None:
    """Return a parameter's number under a setting: varied, held, or as it was found."""
    named: Value | None = setting.get(name, evidence.conditions.get(name))
    value = _found(evidence, name) if named is None else named
    if isinstance(value, str):
        return float(value) if value.isdigit() else None
    return float(value)


def _found(evidence: Evidence, name: str) -> str:
    """Return the value a parameter of the path under test was found with, INFINITE as a number, "" where not known."""
    site = evidence.site
    if not isinstance(site, StreamsSite):
        return ""
    processes = {name for path in _paths(evidence, site.topology) for name in (path.capture, path.apply)}
    values = [
        p.effective.value for p in site.topology.parameters if p.effective.name == name and p.process in processes
    ]
    value = next(iter(values), "")
    return str(LARGEST) if value == "INFINITE" else value


def _rounding_facts(evidence: Evidence, claim: Claim) -> Facts:
    """Return by how much a run time may be off where all of them are whole minutes, as in a written report."""
    times = [m.value for m in evidence.measurements if m.metric == metrics.RUN_TIME.name]
    shortest = min(times, default=0.0)
    if shortest <= 0:
        return {}
    if evidence.plan is not None or any(value % _WHOLE_MINUTE_S for value in times):
        return {"rounding_percent": 0.0}
    return {"rounding_percent": _WHOLE_MINUTE_S / 2 / shortest * 100}


def _site_facts(evidence: Evidence) -> Facts:
    site = evidence.site
    if not isinstance(site, StreamsSite):
        return {}
    topology = site.topology
    facts: Facts = {
        "apply_errors": topology.apply_errors,
        "processes_not_enabled": sum(process.status != "ENABLED" for process in topology.processes),
        "combined_capture_apply": any(path.is_combined for path in _paths(evidence, topology)),
        "long_transactions": topology.long_transactions,
    }
    releases = [release for d in topology.databases if (release := _release(d.version)) is not None]
    if releases:
        facts["streams_release"] = max(releases)
    pools = [database.streams_pool_mib for database in topology.databases if database.streams_pool_mib > 0]
    if pools:
        facts["streams_pool_mib"] = min(pools)
    return facts


def _paths(evidence: Evidence, topology: StreamsTopology) -> tuple[StreamsPath, ...]:
    name = evidence.plan.load.get("path", "") if evidence.plan is not None else ""
    named = tuple(path for path in topology.paths if name in (path.name, path.apply))
    return named or topology.paths


def _release(version: str) -> float | None:
    """Return a release such as 11.2 of a version such as 11.2.0.4.0."""
    parts = version.split(".")
    text = ".".join(parts[:2])
    return float(text) if all(part.isdigit() for part in parts[:2]) else None
