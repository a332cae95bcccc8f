"""What must hold, or be known, before a Log Reader Agent is stopped and started."""

from app.domain.family import PreflightCheck
from app.domain.plan import Plan
from app.foundation.texts import _
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.site import AgentSite


def preflight_checks(plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
    """Return the checks of this family, in the order a person reads them."""
    verbose = site.parameters.get("HistoryVerboseLevel")
    measured = site.agents[: workload_of(plan.load).agent_pairs]
    shared = sorted({a.publisher_db for a in measured})
    return (
        PreflightCheck(
            title=_("The agent writes its history (HistoryVerboseLevel is not 0)"),
            passed=verbose is None or verbose.value != "0",
            remedy=_("Raise HistoryVerboseLevel to 1 or 2; at 0 the agent logs nothing and cannot be measured."),
            blocking=True,
        ),
        PreflightCheck(
            title=_("Restarting the agent pauses every publication of {databases}").format(databases=", ".join(shared)),
            passed=True,
            remedy=_(
                "While the agent stands, the Publisher's log cannot be truncated; the plan's log limit watches it."
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
