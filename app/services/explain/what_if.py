"""A session's advice under another noise or another smallest effect: a look that changes nothing."""

from dataclasses import replace

from app.domain.plan import Plan
from app.domain.session import NOISE_FACT, Advice, Environment, SessionRecord
from app.services.explain.advising import Advisor


def advise_if(
    session: SessionRecord, advisor: Advisor, minimum_effect: float | None = None, noise_cv: float | None = None
) -> Advice:
    """Return a session's advice under other values than its plans have; the session stays as it is.

    Args:
        minimum_effect: smallest effect worth acting on, as a share; None keeps what each plan says.
        noise_cv: run-to-run noise as if it were known from outside, as a share; None keeps what each plan says.

    Raises:
        BadInput: as `Advisor.advise`.
    """
    runs = tuple(replace(run, plan=_plan_if(run.plan, minimum_effect, noise_cv)) for run in session.runs)
    environments = session.environments
    if noise_cv is not None:
        environments = tuple(_environment_if(environment, noise_cv) for environment in environments)
    return advisor.advise(replace(session, runs=runs, environments=environments))


def _plan_if(plan: Plan, minimum_effect: float | None, noise_cv: float | None) -> Plan:
    design = plan.design
    effect = design.minimum_effect if minimum_effect is None else minimum_effect
    noise = design.noise_cv if noise_cv is None else noise_cv
    return replace(plan, design=replace(design, minimum_effect=effect, noise_cv=noise))


def _environment_if(environment: Environment, noise_cv: float) -> Environment:
    """Return an environment with another stated noise, which decides for measurements from elsewhere."""
    others = tuple(fact for fact in environment.facts if fact[0] != NOISE_FACT)
    return replace(environment, facts=(*others, (NOISE_FACT, f"{noise_cv!r}", "share")))
