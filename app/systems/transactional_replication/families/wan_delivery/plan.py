"""The plan a newcomer is offered, and how long its trials take."""

from dataclasses import replace
from typing import Any, Final

from app.domain.plan import Plan
from app.domain.work_source import work_source_of
from app.systems.transactional_replication.agent_family import window_s
from app.systems.transactional_replication.load import AGENT_LOAD, Scenario, workload_of

# A rough rate for the first estimate of a trial's length: one stream at 300 ms delivered 6 to 7 commands/s, many more.
ROUGH_DELIVERY_RATE_PER_S = 20.0
# "Hundreds of transactions" of 5 to 10 commands, as the published study primed its Publisher.
BACKLOG_COMMANDS = 15_000

_OWN: Final[dict[str, dict[str, Any]]] = {
    "commands": {"default": BACKLOG_COMMANDS, "quick": BACKLOG_COMMANDS // 10},
    "commands_per_transaction": {"default": (5, 10)},
}

LOAD_FIELDS: Final = tuple(replace(field, **_OWN.get(field.name, {})) for field in AGENT_LOAD)


def estimate_trial_s(plan: Plan) -> float:
    """Return a rough duration of one trial, seconds."""
    work = workload_of(plan.load)
    if work_source_of(plan.load).is_own_work:
        return window_s(plan)
    return work.commands / ROUGH_DELIVERY_RATE_PER_S if work.scenario is Scenario.DRAINED else work.duration_s * 1.2
