"""Checks before delivery over a link is measured."""

from app.domain.family import PreflightCheck
from app.domain.plan import Plan
from app.foundation.texts import _
from app.systems.transactional_replication.agent_family import history_check, job_checks, test_table_check
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.site import AgentSite


def preflight_checks(plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
    """Return the checks of this family, in the order a person reads them."""
    return (
        history_check(site),
        test_table_check(plan, site),
        *job_checks(plan, site),
        PreflightCheck(
            title=_("The round-trip time to the Subscriber is known"),
            passed=site.rtt_ms is not None,
            remedy=_("Without it the findings cannot tell a distant link from a narrow one."),
        ),
        PreflightCheck(
            title=_("The bandwidth to the Subscriber is known"),
            passed=site.network_kbps is not None,
            remedy=_("Without it the use of the line is not shown; ask the network team for the contracted figure."),
        ),
        PreflightCheck(
            title=_("The link is used by the {pairs} Distribution Agents of this plan only").format(
                pairs=workload_of(plan.load).agent_pairs
            )
            if workload_of(plan.load).agent_pairs > 1
            else _("The link is used by the Distribution Agent of this plan only"),
            passed=len(site.agents) <= workload_of(plan.load).agent_pairs,
            remedy=_("Other agents share the link; measure at a quiet hour or expect wider intervals."),
        ),
    )
