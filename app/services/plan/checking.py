"""Checking a plan against the target it is to run on, before anything is changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.errors import BadInput, NotRestored
from app.domain.family import ExperimentFamily, PreflightCheck, Site
from app.domain.measurement import TrialResult
from app.domain.plan import Plan
from app.domain.system import missing_needs, system_of
from app.domain.target import Target
from app.foundation.texts import _
from app.services.plan.completing import baseline_checks, complete_plan, read_site, server_limits, why_not_simulated
from app.services.plan.deadline import deadline_checks
from app.services.plan.plan_file import check_factors
from app.services.plan.run_time import with_time_agreed


@dataclass(frozen=True)
class PreparedRun:
    """A plan that fits its target, before anything is changed."""

    plan: Plan
    family: ExperimentFamily
    site: Site
    checks: tuple[PreflightCheck, ...]


def prepare_run(
    plan: Plan,
    family: ExperimentFamily,
    target: Target,
    where: str,
    *,
    kept: Sequence[TrialResult] = (),
    agreed_s: float | None = None,
) -> PreparedRun:
    """Read the target and check that the plan can run there.

    Args:
        where: file or form the plan comes from, for error sentences.
        kept: of a run that goes on: its earlier trials.
        agreed_s: how long the run may take, where somebody agreed to it; None for what is known now.

    Raises:
        BadInput: as of `check_run`, or a blocking check fails.
        NotRestored: so it is, and an earlier session left something there, which may be why.
    """
    try:
        prepared = check_run(plan, family, target, where, kept=kept, agreed_s=agreed_s)
        for check in prepared.checks:
            if check.blocking and not check.passed:
                raise BadInput(f"{where}: {check.refusal}")
    except BadInput:
        if not missing_needs(family, target):
            refuse_leftovers(family, target, read_site(target, family))
        raise
    return prepared


def refuse_leftovers(family: ExperimentFamily, target: Target, site: Site) -> None:
    """Raise NotRestored where another session's changes stand: they would be taken for originals."""
    if notice := leftover_notice(target.label, system_of(family).read_leftovers(target, site)):
        raise NotRestored(notice)


def leftover_notice(target: str, left: Sequence[str]) -> str:
    """Return the leftovers of earlier sessions at a target with the way on, "" where there are none."""
    if not left:
        return ""
    return _(
        "{target} is not as an earlier session found it ({what}); unless that session still runs, or keeps a "
        "setting on purpose (`replitune undo` ends that), run `replitune restore` where it ran, or its rollback.sql, "
        "before you measure here"
    ).format(target=target, what="; ".join(left))


def check_run(
    plan: Plan,
    family: ExperimentFamily,
    target: Target,
    where: str,
    *,
    kept: Sequence[TrialResult] = (),
    agreed_s: float | None = None,
) -> PreparedRun:
    """Read the target and make the checks, also those that forbid the run: to be shown, not to be run.

    Args:
        where, kept, agreed_s: as in `prepare_run`.

    Raises:
        BadInput: a capability is missing, the site lacks what the plan needs, a value is outside the server's own
            limits, or the target is a lab that does not simulate what is varied.
    """
    missing = missing_needs(family, target)
    if missing:
        raise BadInput(
            _(
                "{family} needs {missing}, which {target} does not offer; choose another target, or an experiment that "
                "is possible there (`replitune doctor` lists them)"
            ).format(family=family.family_id, missing=", ".join(missing), target=target.key)
        )
    system = system_of(family)
    rig = system.rig_kind(family.subject)
    site = rig.complete_site(plan, read_site(target, family), target)
    complete = rig.complete_plan(complete_plan(plan, family, site), site)
    check_factors(complete, family, server_limits(site), where)
    if reason := why_not_simulated(site, (factor.name for factor in complete.factors)):
        raise BadInput(f"{where}: {reason}")
    complete = with_time_agreed(complete, family, site, target.clock, kept, agreed_s)
    checks = (
        *family.preflight(complete, site),
        *baseline_checks(complete, site),
        *deadline_checks(complete.limits, target.clock, is_lab=target.is_lab),
    )
    return PreparedRun(complete, family, site, checks)
