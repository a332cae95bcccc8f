"""Checks before a Log Reader Agent is stopped and started."""

from app.domain.family import PreflightCheck
from app.domain.plan import Plan
from app.foundation.texts import _
from app.systems.transactional_replication.agent_family import history_check, job_checks, test_table_check
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.site import AgentSite


def preflight_checks(plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
    """Return the checks of this family, in the order a person reads them."""
    measured = site.agents[: workload_of(plan.load).agent_pairs]
    shared = sorted({a.publisher_db for a in measured})
    return (
        history_check(site),
        test_table_check(plan, site),
        *job_checks(plan, site),
        PreflightCheck(
            title=_("Restarting the agent pauses every publication of {databases}").format(databases=", ".join(shared)),
            passed=True,
            remedy=_(
                "While the agent is stopped, the Publisher's log cannot be truncated; the plan's log limit watches it."
            ),
        ),
        PreflightCheck(
            title=_("Enough Log Reader Agents for the agent pairs of the plan ({pairs})").format(
                pairs=workload_of(plan.load).agent_pairs
            ),
            passed=len(site.agents) >= workload_of(plan.load).agent_pairs,
            remedy=_("Lower agent_pairs in the plan's [workload]."),
            blocking=True,
        ),
    )
