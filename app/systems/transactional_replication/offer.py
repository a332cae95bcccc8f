"""The ports of transactional replication on a target, typed, and who makes the changes."""

from dataclasses import dataclass

from app.domain.change import Change
from app.domain.errors import Unsupported
from app.domain.target import Connection, Offer, Target
from app.foundation.texts import _
from app.runner.by_hand import HandGate
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.server.changes import CHANGE_DETAILS, MARKS, SqlServerChanges
from app.systems.transactional_replication.server.network import SqlServerNetwork
from app.systems.transactional_replication.server.workload import SqlServerWorkload
from app.systems.transactional_replication.subjects import CAPABILITIES, SYSTEM_ID
from app.systems.transactional_replication.topology import Agent


@dataclass(frozen=True)
class AgentPorts:
    """The ports for experiments with replication agents."""

    agents: SqlServerAgents
    agent_changes: SqlServerChanges
    workload: SqlServerWorkload
    network: SqlServerNetwork


def agent_ports(target: Target) -> AgentPorts:
    """Return the ports of a target; raises Unsupported where it offers none."""
    ports: AgentPorts = target.ports(SYSTEM_ID)
    return ports


def offer_agents(connection: Connection) -> Offer:
    """Return the ports of a Distributor."""
    agents = SqlServerAgents(connection.session, connection.clock)
    changes = SqlServerChanges(connection.session, connection.clock, agents)
    ports = AgentPorts(
        agents, changes, SqlServerWorkload(connection.session), SqlServerNetwork(connection.session, connection.clock)
    )
    return Offer(frozenset(CAPABILITIES), ports, changes, frozenset(CHANGE_DETAILS), MARKS)


class AgentsByHand(SqlServerAgents):
    """Replication agents that somebody else starts and stops."""

    def __init__(self, connection: Connection, gate: HandGate) -> None:
        super().__init__(connection.session, connection.clock)
        self._gate = gate
        self._plans = SqlServerChanges(connection.session, connection.clock, self)

    def start(self, agent: Agent) -> None:
        """Have the agent started and wait until it runs."""
        change = self._plans.plan_start(agent)
        self._gate.switch(_("Start {name}"), change, change.apply_sql, lambda: self.is_running(agent))

    def stop(self, agent: Agent) -> None:
        """Have the agent stopped and wait until it stands."""
        change = self._plans.plan_stop(agent)
        self._gate.switch(_("Stop {name}"), change, change.apply_sql, lambda: not self.is_running(agent))


class PlansByHand(SqlServerChanges):
    """Plans of changes asked of somebody else, who is not asked every half minute."""

    def plan_tracer_token(self, _agent: Agent) -> Change:
        """Refuse: a token is posted, and deleted again, while a trial is measured."""
        raise Unsupported(_("no tracer tokens are posted while somebody else makes every change"))


def offer_by_hand(connection: Connection, gate: HandGate) -> Offer:
    """Return the ports of a Distributor where the client's DBA starts and stops agents, and makes every change."""
    agents = AgentsByHand(connection, gate)
    plans = PlansByHand(connection.session, connection.clock, agents)
    ports = AgentPorts(
        agents, plans, SqlServerWorkload(connection.session), SqlServerNetwork(connection.session, connection.clock)
    )
    return Offer(frozenset(CAPABILITIES), ports, gate.changes(plans), frozenset(CHANGE_DETAILS), MARKS)
