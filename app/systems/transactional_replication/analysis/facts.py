"""Facts for the rules that every family of replication agents has."""

import numpy as np

from app.analysis.claim import Claim
from app.analysis.compared_facts import Facts, compared_facts
from app.domain.facts import FactValue
from app.domain.family import Evidence, ExperimentFamily
from app.systems.transactional_replication.analysis.measured_facts import level_facts


def agent_facts(family: ExperimentFamily, evidence: Evidence, claim: Claim | None, factor: str) -> Facts:
    """Return the facts every family of replication agents knows about one factor.

    Without a claim, because too few trials could be used, only what was planned is known.
    """
    facts = {**compared_facts(family, evidence, claim, factor), **_workload_facts(evidence)}
    if claim is None:
        return facts
    return {**facts, **level_facts(evidence, claim, factor), **_forecast_facts(evidence, claim)}


def _workload_facts(evidence: Evidence) -> Facts:
    names = ("scenario", "commands_per_transaction", "agent_pairs", "rtt_ms", "network_kbps")
    return {name: evidence.conditions[name] for name in names if name in evidence.conditions}


def _forecast_facts(evidence: Evidence, claim: Claim) -> Facts:
    by_setting = {forecast.setting: forecast for forecast in evidence.forecasts}
    facts: dict[str, FactValue] = {}
    for side, setting in (("baseline", claim.baseline), ("best", claim.best)):
        made = by_setting.get(setting)
        if made is None or not np.isfinite(made.hours):
            continue
        facts["backlog_commands"] = made.backlog_commands
        facts[f"catch_up_{side}_h"] = made.hours
        if made.low_hours > 0 and np.isfinite(made.high_hours):
            facts[f"catch_up_{side}_low_h"] = made.low_hours
            facts[f"catch_up_{side}_high_h"] = made.high_hours
    return facts
