"""The history a Distributor keeps of the agents an experiment was about."""

from collections.abc import Sequence

from app.domain.past import Past, PastHour
from app.domain.plan import Plan
from app.domain.session import Environment
from app.domain.target import Target
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.analysis.history import SATURATED_LATENCY_MS, is_saturated
from app.systems.transactional_replication.naming import AgentName
from app.systems.transactional_replication.observed import AgentHour
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.rig.participants import choose_participants, of_kind
from app.systems.transactional_replication.site import kept_replication
from app.systems.transactional_replication.topology import Agent


def read_agent_pasts(target: Target, plan: Plan, kind: AgentKind, window_h: int) -> tuple[Past, ...]:
    """Read the history and the parameters in effect of each agent under test in a plan.

    Raises:
        BadInput: an agent that the plan names is not there.
        TargetError: the Distributor cannot be read.
    """
    agents = agent_ports(target).agents
    tested = of_kind(choose_participants(agents.discover(), plan.load), kind)
    hours = agents.read_hours(window_h)
    taken_utc = agents.read_time_utc()
    return tuple(
        Past(
            agent.name,
            taken_utc,
            _hours_of(agent, hours),
            agents.read_session_start(agent),
            agents.read_parameters(agent),
        )
        for agent in tested
    )


def kept_agent_hours(environment: Environment, kind: AgentKind, name: AgentName) -> tuple[PastHour, ...]:
    """Return the hours of an agent that were read with an environment, () where it was not there, or none were."""
    read = kept_replication(environment)
    if read is None:
        return ()
    agent = next((one for one in read.topology.agents_of(kind) if one.name == name), None)
    return () if agent is None else _hours_of(agent, read.hours or ())


def _hours_of(agent: Agent, hours: Sequence[AgentHour]) -> tuple[PastHour, ...]:
    return tuple(past_hour(h) for h in hours if (h.kind, h.agent_id) == (agent.kind, agent.agent_id))


def past_hour(hour: AgentHour) -> PastHour:
    """Return an hour as the outcome of a setting is told by it."""
    return PastHour(
        hour_utc=hour.hour_utc,
        transactions=hour.transactions,
        commands=hour.commands,
        busy_s=hour.busy_s,
        latency_ms=hour.latency_ms,
        is_behind=is_saturated(hour),
        was_late=(hour.worst_latency_ms or 0.0) >= SATURATED_LATENCY_MS,
    )
