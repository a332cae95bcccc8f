"""The parameters an agent really uses: each value with where it comes from, its default and its limits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from app.domain.errors import BadInput, TargetError
from app.domain.server import EffectiveParameter
from app.domain.setting import Setting, Value
from app.drivers.sqlserver.session import Place, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.model.reading import Column, read_as
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.origins import STEP, STEP_PROFILE
from app.systems.transactional_replication.server.documented import AGENT_TYPES, DocumentedParameter, documented
from app.systems.transactional_replication.server.job_steps import JobStep, read_job_step
from app.systems.transactional_replication.topology import Agent


@dataclass(frozen=True)
class AgentProfile:
    """The profile assigned to an agent now, and the streams its subscription asks for (None where unset)."""

    profile_id: int
    name: Annotated[str, Column("profile_name")]
    subscription_streams: int | None


def read_agent_profile(session: Session, distribution_db: str, agent: Agent) -> AgentProfile:
    """Read which profile an agent uses; one that was renamed is known by its job.

    Raises:
        TargetError: the Distributor has no such agent any more.
    """
    rows = session.run(
        "agent_profile",
        Place(session.own_server, distribution_db),
        agent_type=AGENT_TYPES[agent.kind],
        agent_id=agent.agent_id,
    )
    if not rows or (rows[0].text("agent_name") != agent.name and _job_of(rows[0]) != agent.job_id.upper()):
        raise TargetError(
            _("agent {name} is no longer at {server}; read the topology again").format(
                name=agent.name, server=session.own_server
            )
        )
    return read_as(AgentProfile, rows[0])


def _job_of(row: Row) -> str | None:
    return None if row.is_null("job_id") else row.text("job_id").upper()


def read_profile_values(session: Session, profile_id: int) -> dict[str, str]:
    """Return the values of a profile by parameter name with its leading dash, as the server spells it."""
    return profile_values(session.run("profile_parameters", Place(session.own_server, "msdb"), profile_id=profile_id))


def profile_values(rows: Sequence[Row]) -> dict[str, str]:
    """Return the values that rows of `profile_parameters` hold, as `read_profile_values` does."""
    return {row.text("parameter_name"): row.text("value") for row in rows if not row.is_null("value")}


@dataclass(frozen=True)
class KnownParameter:
    """A parameter without its value: spelling, unit, default, limits."""

    name: str
    unit: str
    default: str
    low: int | None
    high: int | None


def read_known_parameters(session: Session, kind: AgentKind) -> dict[str, KnownParameter]:
    """Return every legal numeric parameter of an agent by name in lower case: the server's list, then the vendor's."""
    parameter_by_name = {name: _from_documentation(parameter) for name, parameter in documented(kind).items()}
    rows = session.run("parameter_limits", Place(session.own_server, "msdb"), agent_type=AGENT_TYPES[kind])
    for row in rows:
        name = row.text("parameter_name").removeprefix("-")
        page = parameter_by_name.get(name.lower())
        parameter_by_name[name.lower()] = KnownParameter(
            name=page.name if page else name,
            unit=page.unit if page else "",
            default=row.text("default_value") or (page.default if page else ""),
            low=_limit(row, "min_value", page.low if page else None),
            high=_limit(row, "max_value", page.high if page else None),
        )
    return parameter_by_name


def _limit(row: Row, column: str, documented: int | None) -> int | None:
    """Return the server's limit, the vendor's where it has none."""
    return documented if row.is_null(column) else row.whole(column)


def _from_documentation(parameter: DocumentedParameter) -> KnownParameter:
    return KnownParameter(parameter.name, parameter.unit, parameter.default, parameter.low, parameter.high)


def read_effective_parameters(session: Session, distribution_db: str, agent: Agent) -> tuple[EffectiveParameter, ...]:
    """Read the parameters in effect for an agent, by name.

    The strongest source that names a parameter wins: job step, profile, subscription, default. Microsoft documents
    that the command line beats the profile (replication-agent-profiles.md), and that -ProfileName says which profile
    is used; that the subscription's SubscriptionStreams comes last is an assumption, the vendor states no order among
    the three. What a step or a profile names is in effect whether or not the server lists it.
    """
    profile = read_agent_profile(session, distribution_db, agent)
    step = read_job_step(session, agent) or JobStep({})
    profile_id = (
        _profile_in_step(session, distribution_db, agent, step.profile) if step.has_profile else profile.profile_id
    )
    named = {} if profile_id is None else read_profile_values(session, profile_id)
    in_step, in_profile = _by_plain_name(step.values), _by_plain_name(named)
    by_profile, unset = (STEP_PROFILE, STEP_PROFILE) if step.has_profile else ("profile", "default")
    known = read_known_parameters(session, agent.kind)
    for spelled in (*named, *step.values):
        plain = spelled.removeprefix("-")
        known.setdefault(plain.lower(), KnownParameter(plain, "", "", None, None))
    in_subscription = {}
    if profile.subscription_streams:
        in_subscription["subscriptionstreams"] = str(profile.subscription_streams)
    effective = []
    for key, parameter in sorted(known.items()):
        sources = ((STEP, in_step), (by_profile, in_profile), ("subscription", in_subscription))
        found = next(((name, values[key]) for name, values in sources if key in values), None)
        origin, value = found or (unset, parameter.default)
        effective.append(
            EffectiveParameter(
                name=parameter.name,
                value=value,
                origin=origin,
                default=parameter.default,
                low=parameter.low,
                high=parameter.high,
                unit=parameter.unit,
            )
        )
    return tuple(effective)


def _profile_in_step(session: Session, distribution_db: str, agent: Agent, name: str) -> int | None:
    """Return the id of the profile a step names, None where there is none of that name."""
    place = Place(session.own_server, distribution_db)
    rows = session.run("profile_by_name", place, agent_type=AGENT_TYPES[agent.kind], profile_name=name) if name else ()
    return rows[0].whole("profile_id") if rows else None


def _by_plain_name(values: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix("-").lower(): value for name, value in values.items()}


def check_setting(
    agent: Agent, setting: Setting, parameters: tuple[EffectiveParameter, ...]
) -> tuple[tuple[EffectiveParameter, int], ...]:
    """Return each parameter of a setting as it is now, with the value wanted.

    Raises:
        BadInput: a parameter this agent does not have, a value that is no whole number, or one outside its limits.
    """
    parameter_by_name = {parameter.name: parameter for parameter in parameters}
    wanted = []
    for name, value in setting.items():
        if name not in parameter_by_name:
            raise BadInput(
                _('{agent} has no parameter "{name}"; check its spelling and which agent it belongs to').format(
                    agent=agent.name, name=name
                )
            )
        wanted.append((parameter_by_name[name], _within_limits(agent, parameter_by_name[name], value)))
    return tuple(wanted)


def _within_limits(agent: Agent, parameter: EffectiveParameter, value: Value) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(
            _('{name} of {agent} must be a whole number, not "{value}"').format(
                name=parameter.name, agent=agent.name, value=value
            )
        )
    low = 0 if parameter.low is None else parameter.low
    high = 2**31 - 1 if parameter.high is None else parameter.high
    if not low <= value <= high:
        raise BadInput(
            _("{name} = {value} is outside the limits of {agent}, {low} to {high}").format(
                name=parameter.name, value=value, agent=agent.name, low=low, high=high
            )
        )
    return value
