"""Servers, agents and their parameters as tables, described once for window, report and terminal."""

from collections.abc import Sequence
from typing import Final

from app.domain.server import EffectiveParameter, differs
from app.domain.view import Column, Row, TableContent, number_cell, text_cell
from app.foundation.texts import _
from app.reporting.tables import servers
from app.reporting.tables.parameters import ParameterLine, parameters_table
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.origins import STEP, STEP_PROFILE
from app.systems.transactional_replication.topology import Agent, Topology

ROLES: Final = {"Publisher": _("Publisher"), "Distributor": _("Distributor"), "Subscriber": _("Subscriber")}
"""What the roles of servers are called."""


def servers_table(topology: Topology) -> TableContent:
    """Return Publishers, Distributor and Subscribers, those that did not answer first."""
    return servers.servers_table(topology.servers, ROLES, [(s.name, s.role, s.reason) for s in topology.unreached])


def agent_kind_title(kind: AgentKind) -> str:
    """Return the vendor's name of a kind of agent."""
    return _("Log Reader Agent") if kind is AgentKind.LOG_READER else _("Distribution Agent")


def agents_table(topology: Topology) -> TableContent:
    """Return the agents with the route of each."""
    columns = (
        Column("agent", _("Agent"), width=2.4),
        Column("kind", _("Kind"), width=1.2),
        Column("from", _("From"), width=1.6),
        Column("to", _("To"), width=1.6),
        Column("profile", _("Profile id"), is_number=True),
    )
    return TableContent(columns, tuple(_agent_row(agent, topology.distribution_db) for agent in topology.agents))


def _agent_row(agent: Agent, distribution_db: str) -> Row:
    source = ", ".join(part for part in (agent.publisher, agent.publisher_db, agent.publication) if part)
    goal = f"{agent.subscriber}, {agent.subscriber_db} ({agent.subscription_type})" if agent.subscriber else ""
    return Row(
        agent.name,
        (
            text_cell(agent.name),
            text_cell(agent_kind_title(agent.kind)),
            text_cell(source),
            text_cell(goal or distribution_db),
            number_cell(agent.profile_id),
        ),
    )


def origin_text(origin: str) -> str:
    """Return where a value comes from, as shown."""
    return {
        STEP: _("job step"),
        STEP_PROFILE: _("profile named in the job step"),
        "profile": _("agent profile"),
        "subscription": _("subscription"),
        "default": _("default"),
    }.get(origin, origin)


def origin_hint(origin: str) -> str:
    """Return in one sentence the meaning of a value's origin."""
    return {
        STEP_PROFILE: _("The job step names a profile, which is used instead of the assigned one."),
        STEP: _("Named in the command of the agent's job step, which beats its profile."),
        "profile": _("Named in the profile assigned to this agent."),
        "subscription": _("Set for the subscription itself."),
        "default": _("Named nowhere: the agent uses its default."),
    }.get(origin, "")


def agent_parameters_table(parameters: Sequence[EffectiveParameter]) -> TableContent:
    """Return the parameters of one agent; values other than the default stand out."""
    return parameters_table([_line(parameter) for parameter in parameters])


def _line(parameter: EffectiveParameter) -> ParameterLine:
    is_other = differs(parameter)
    return ParameterLine(
        parameter,
        origin_text(parameter.origin),
        origin_hint(parameter.origin),
        stands_out=is_other,
        hint=_("Not the default, {default}.").format(default=parameter.default) if is_other else "",
    )
