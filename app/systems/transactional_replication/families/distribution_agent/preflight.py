"""Checks before a Distribution Agent is stopped and started."""

from app.domain.family import PreflightCheck
from app.domain.plan import Plan
from app.foundation.texts import _
from app.systems.transactional_replication.agent_family import history_check, job_checks, test_table_check
from app.systems.transactional_replication.load import workload_of
from app.systems.transactional_replication.server.documented import may_fall_back
from app.systems.transactional_replication.site import AgentSite


def preflight_checks(plan: Plan, site: AgentSite) -> tuple[PreflightCheck, ...]:
    """Return the checks of this family, in the order a person reads them."""
    skipped = site.parameters.get("SkipErrors")
    several = any(may_fall_back(factor.name) for factor in plan.factors)
    objects = site.subscriber_objects
    work = workload_of(plan.load)
    pairs = site.topology.pairs(work.named)[: work.agent_pairs]
    deliverers = [deliverer for _reader, deliverer in pairs if deliverer is not None]
    checks = [
        history_check(site),
        test_table_check(plan, site),
        *job_checks(plan, site),
        PreflightCheck(
            title=_("No errors are skipped silently (SkipErrors)"),
            passed=skipped is None or not skipped.value.strip("' "),
            remedy=_("SkipErrors hides rows that differ between Publisher and Subscriber; check them before tuning."),
        ),
        PreflightCheck(
            title=_("Only push subscriptions take part"),
            passed=all(agent.subscription_type == "push" for agent in deliverers or site.agents),
            remedy=_(
                "The job of a pull subscription runs at the Subscriber and is left alone: measure a push subscription, "
                "if need be one made for this in a test database of the Subscriber."
            ),
            blocking=True,
        ),
    ]
    if several and objects is not None:
        checks.append(
            PreflightCheck(
                title=_("No objects at the Subscriber that block several streams"),
                passed=objects.total == 0,
                remedy=_(
                    "{fk} foreign keys, {ix} unique nonclustered indexes, {iv} indexed views and {tr} triggers may "
                    "make the agent fall back to one stream; the trials will show it."
                ).format(
                    fk=objects.foreign_keys,
                    ix=objects.unique_nonclustered_indexes,
                    iv=objects.indexed_views,
                    tr=objects.triggers,
                ),
            )
        )
    return tuple(checks)
