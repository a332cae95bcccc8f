"""Reading a target before anything is changed: what a family checks and explains with, whatever its subject."""

from dataclasses import replace

from app.domain.family import AgentSite, ExperimentFamily, GroupSite, PreflightCheck, Site, StreamsSite
from app.domain.plan import Plan
from app.domain.ports import Target
from app.domain.session import Environment
from app.domain.setting import Knob, Setting, Subject, Value
from app.foundation.texts import _
from app.services.agent_site import agent_environment, agent_site_of, read_agent_site
from app.services.group_site import group_environment, group_site_of, read_group_site
from app.services.streams_site import read_streams_site, streams_environment, streams_site_of


def read_site(target: Target, subject: Subject) -> Site:
    """Read what an experiment on this subject needs to know.

    Raises:
        BadInput: there is no such subject on the target.
        TargetError: it cannot be read.
    """
    kind = subject.agent_kind
    if kind is not None:
        return read_agent_site(target, kind)
    return read_streams_site(target) if subject is Subject.STREAMS else read_group_site(target)


def read_environment(target: Target, site: Site) -> Environment:
    """Read what the report says about where the measurements hold."""
    match site:
        case AgentSite():
            found = agent_environment(target, site)
        case GroupSite():
            found = group_environment(target, site)
        case StreamsSite():
            found = streams_environment(target, site)
        case _:
            raise ValueError(f"no environment of a {type(site).__name__}")
    return replace(found, facts=(*((name, value, "") for name, value in target.connection), *found.facts))


def site_of(environment: Environment, subject: Subject) -> Site | None:
    """Return the site an environment was read from, None for measurements from elsewhere or of another subject."""
    kind = subject.agent_kind
    if kind is not None:
        return agent_site_of(environment, kind)
    return streams_site_of(environment) if subject is Subject.STREAMS else group_site_of(environment)


def complete_plan(plan: Plan, family: ExperimentFamily, site: Site) -> Plan:
    """Return the plan with the values in effect as baseline where it names none."""
    knobs = {knob.name: knob for knob in family.knobs}
    values: dict[str, Value] = {}
    for factor in plan.factors:
        named = plan.baseline.get(factor.name)
        if named is None:
            parameter = site.parameters.get(factor.name)
            named = _in_effect(knobs[factor.name], "" if parameter is None else parameter.value)
        values[factor.name] = named
    return replace(plan, baseline=Setting.from_mapping(values))


def _in_effect(knob: Knob, text: str) -> Value:
    """Return a parameter's value as read from a server, its default where it tells nothing."""
    if knob.choices:
        return text if text in knob.choices else knob.default
    return int(text) if text.isdigit() else knob.default


def baseline_checks(plan: Plan, site: Site) -> tuple[PreflightCheck, ...]:
    """Warn where a complete plan's baseline is not what is in effect, so that nothing is measured from there."""
    names = [factor.name for factor in plan.factors if factor.name in plan.baseline and factor.name in site.parameters]
    in_effect = {name: site.parameters[name].value for name in names}
    others = [name for name in names if in_effect[name] not in ("", str(plan.baseline[name]))]
    if not others:
        return ()
    found = ", ".join(f"{name} {in_effect[name]}" for name in others)
    return (
        PreflightCheck(
            title=_("The baseline is what is in effect ({names})").format(names=", ".join(others)),
            passed=False,
            remedy=_(
                "In effect is {found}, and every setting is compared with the baseline instead. Take the parameter out "
                "of [baseline] to compare with what is in effect."
            ).format(found=found),
        ),
    )


def place_of_scripts(site: Site, otherwise: str) -> str:
    """Return where scripts for a DBA are to be run, `otherwise` where that is not known."""
    match site:
        case AgentSite():
            return next((server.name for server in site.topology.servers if server.role == "Distributor"), otherwise)
        case GroupSite():
            return site.topology.connected_to
        case StreamsSite():
            return _("the database the script names")
        case _:
            return otherwise


def server_limits(site: Site) -> dict[str, tuple[int | None, int | None]]:
    """Return the limits the server itself reports, by parameter name."""
    return {name: (p.low, p.high) for name, p in site.parameters.items()}
