"""The plan a newcomer is offered, and how long its trials take."""

from app.domain.limits import usual_limits
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.systems.transactional_replication.families.distribution_agent.parameters import SUBSCRIPTION_STREAMS
from app.systems.transactional_replication.limits import AGENT_LIMITS
from app.systems.transactional_replication.load import Scenario, WorkloadSpec, workload_of

# A rough rate for the first estimate of a trial's length: the published study delivered about 1 M commands in 500 s.
ROUGH_READ_RATE_PER_S = 5_000.0
ROUGH_DELIVERY_RATE_PER_S = 2_000.0


def default_plan() -> Plan:
    """Return SubscriptionStreams over the published levels on a drained backlog of a million commands."""
    return Plan(
        family="distribution_agent",
        factors=(Factor(SUBSCRIPTION_STREAMS.name, SUBSCRIPTION_STREAMS.levels),),
        baseline=Setting.of(SubscriptionStreams=SUBSCRIPTION_STREAMS.default),
        load=WorkloadSpec().to_load(),
        design=Design(),
        limits=usual_limits(AGENT_LIMITS),
    )


def estimate_trial_s(plan: Plan) -> float:
    """Return a rough duration of one trial, preparation included, seconds."""
    work = workload_of(plan.load)
    if work.scenario is Scenario.DRAINED:
        return work.commands * (1 / ROUGH_READ_RATE_PER_S + 1 / ROUGH_DELIVERY_RATE_PER_S + 1 / 20_000.0)
    return work.duration_s * 1.2
