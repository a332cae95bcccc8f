"""A plan completed with the values in effect, and notices where it names others."""

from collections.abc import Iterable
from dataclasses import replace

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily, PreflightCheck, Site
from app.domain.plan import Plan
from app.domain.setting import Parameter, Setting, Value, value_text
from app.domain.system import rig_of, system_of
from app.domain.target import Target
from app.domain.work_source import SOURCE, WorkSource
from app.foundation.texts import _


def read_site(target: Target, family: ExperimentFamily) -> Site:
    """Read the site an experiment needs before it begins; of a lab, also the simulated parts.

    Raises:
        BadInput: there is nothing of the family's subject on the target.
        TargetError: it cannot be read.
    """
    system = system_of(family)
    site = system.read_site(target, family.subject)
    return replace(site, simulated=system.lab.simulated.get(family.subject)) if target.is_lab else site


def why_not_simulated(site: Site | None, names: Iterable[str]) -> str:
    """Return one sentence where the site is a lab that one of these parameters would change nothing in, else ""."""
    if site is None or site.simulated is None:
        return ""
    missing = [name for name in names if name not in site.simulated]
    if not missing:
        return ""
    return _("the lab does not simulate {names}; vary another parameter, or measure on a server").format(
        names=", ".join(missing)
    )


def complete_plan(plan: Plan, family: ExperimentFamily, site: Site) -> Plan:
    """Return the plan with the values in effect as baseline where it names none."""
    parameters = {parameter.name: parameter for parameter in family.parameters}
    values: dict[str, Value] = {}
    for factor in plan.factors:
        named = plan.baseline.get(factor.name)
        if named is None:
            effective = site.parameters.get(factor.name)
            named = _in_effect(parameters[factor.name], "" if effective is None else effective.value)
        values[factor.name] = named
    return replace(plan, baseline=Setting.from_mapping(values))


def _in_effect(parameter: Parameter, text: str) -> Value:
    """Return a parameter's value as read from a server, its default where it tells nothing."""
    if parameter.choices:
        return text if text in parameter.choices else parameter.default
    return int(text) if text.isdigit() else parameter.default


def with_work_source(plan: Plan, family: ExperimentFamily, site: Site | None) -> Plan:
    """Return a plan that says where its work comes from, where it leaves that to the site and that has work of its own.

    A run would find the same; a plan that says so is made of windows, and told as it will be run.
    """
    if site is None or SOURCE in plan.load:
        return plan
    try:
        source = rig_of(family).complete_plan(plan, site).load.get(SOURCE)
    except BadInput:
        return plan
    is_own = source is not None and WorkSource(str(source)).is_own_work
    return replace(plan, load=plan.load.but(**{SOURCE: source})) if is_own else plan


def baseline_checks(plan: Plan, site: Site) -> tuple[PreflightCheck, ...]:
    """Warn where a complete plan's baseline is not in effect, so that nothing is measured from there."""
    names = [factor.name for factor in plan.factors if factor.name in plan.baseline and factor.name in site.parameters]
    in_effect = {name: site.parameters[name].value for name in names}
    others = [name for name in names if in_effect[name] not in ("", str(plan.baseline[name]))]
    if not others:
        return ()
    values_in_effect = ", ".join(f"{name} {value_text(in_effect[name])}" for name in others)
    return (
        PreflightCheck(
            title=_("The baseline is what is in effect ({names})").format(names=", ".join(others)),
            passed=False,
            remedy=_(
                "In effect is {found}; every setting is compared with the baseline instead. Take the parameter "
                "out of [baseline] to compare with what is in effect."
            ).format(found=values_in_effect),
        ),
    )


def server_limits(site: Site) -> dict[str, tuple[int | None, int | None]]:
    """Return the limits the server itself reports, by parameter name."""
    return {name: (p.low, p.high) for name, p in site.parameters.items()}
