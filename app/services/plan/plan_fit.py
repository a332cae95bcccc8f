"""Whether a plan fits the site as read, told while it is typed; the target itself is not asked again."""

from dataclasses import dataclass

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily, PreflightCheck, Site
from app.domain.plan import Plan
from app.domain.system import rig_of


@dataclass(frozen=True)
class PlanFit:
    """The objections to a plan.

    Attributes:
        problem: one sentence what the site lacks, "" where it has everything.
        forbidding: the checks that would forbid the run.
    """

    problem: str = ""
    forbidding: tuple[PreflightCheck, ...] = ()


def plan_fit(plan: Plan, family: ExperimentFamily, site: Site) -> PlanFit:
    """Return the known objections to a plan; more may be found when the target is asked."""
    try:
        complete = rig_of(family).complete_plan(plan, site)
    except BadInput as error:
        return PlanFit(str(error))
    checks = family.preflight(complete, site)
    return PlanFit("", tuple(check for check in checks if check.blocking and not check.passed))


def site_for_plan(plan: Plan, family: ExperimentFamily, site: Site | None) -> Site | None:
    """Return the site with the values in effect for the subject of the plan, such as one of several paths."""
    if site is None:
        return None
    return rig_of(family).site_of_plan(plan, site)
