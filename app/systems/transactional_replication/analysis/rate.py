"""Whether a measured rate is the agent's own."""

from app.domain.plan import Plan
from app.domain.setting import Setting
from app.domain.work_source import WorkSource, work_source_of
from app.systems.transactional_replication.load import Scenario, workload_of


def agent_sets_the_rate(plan: Plan | None, conditions: Setting) -> bool:
    """Tell whether a measured rate is the agent's own: it had a backlog in front of it all the time.

    Behind a steady workload that it keeps up with, its rate is that of the workload.
    """
    source = work_source_of(plan.load) if plan is not None else conditions.get("source")
    if source in set(WorkSource) - {WorkSource.TEST_TABLE}:
        return WorkSource(str(source)).shows_capacity
    if plan is not None:
        return workload_of(plan.load).scenario is Scenario.DRAINED or workload_of(plan.load).rate_per_s is None
    return conditions.get("scenario") != str(Scenario.CONTINUOUS)
