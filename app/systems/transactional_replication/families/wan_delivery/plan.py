"""The plan a newcomer is offered, and how long its trials take."""

from app.domain.plan import Design, Factor, Plan, Scenario, WorkloadSpec
from app.domain.setting import Setting
from app.systems.transactional_replication.families.wan_delivery.knobs import SUBSCRIPTION_STREAMS

# A rough rate for the first estimate of a trial's length: one stream at 300 ms delivered 6 to 7 commands/s, many more.
ROUGH_DELIVERY_RATE_PER_S = 20.0
# "Hundreds of transactions" of 5 to 10 commands, as the published study primed its Publisher.
BACKLOG_COMMANDS = 15_000


def default_plan() -> Plan:
    """Return SubscriptionStreams 1, 8 and 16 on a backlog of small transactions."""
    return Plan(
        family="wan_delivery",
        factors=(Factor(SUBSCRIPTION_STREAMS.name, SUBSCRIPTION_STREAMS.levels),),
        baseline=Setting.of(SubscriptionStreams=SUBSCRIPTION_STREAMS.default),
        workload=WorkloadSpec(commands_per_transaction=(5, 10), commands=BACKLOG_COMMANDS),
        design=Design(),
    )


def estimate_trial_s(plan: Plan) -> float:
    """Return a rough duration of one trial, seconds."""
    work = plan.workload
    return work.commands / ROUGH_DELIVERY_RATE_PER_S if work.scenario is Scenario.DRAINED else work.duration_s * 1.2
