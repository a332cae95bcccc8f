"""The ports of transactional replication on a target, typed, and who makes the changes."""

from dataclasses import dataclass

from app.domain.target import HANDS_ON, Connection, Gate, Offer, Target
from app.systems.transactional_replication.server.agents import SqlServerAgents
from app.systems.transactional_replication.server.changes import CHANGE_DETAILS, MARKS, SqlServerChanges
from app.systems.transactional_replication.server.network import SqlServerNetwork
from app.systems.transactional_replication.server.workload import SqlServerWorkload
from app.systems.transactional_replication.subjects import CAPABILITIES, SYSTEM_ID


@dataclass(frozen=True)
class AgentPorts:
    """The ports for experiments with replication agents."""

    agents: SqlServerAgents
    agent_changes: SqlServerChanges
    workload: SqlServerWorkload
    network: SqlServerNetwork
    gate: Gate


def agent_ports(target: Target) -> AgentPorts:
    """Return the ports of a target; raises Unsupported where it offers none."""
    ports: AgentPorts = target.ports(SYSTEM_ID)
    return ports


def offer_agents(connection: Connection, gate: Gate = HANDS_ON) -> Offer:
    """Return the ports of a Distributor, where agents are started and stopped by a gate."""
    session, clock = connection.session, connection.clock
    agents = SqlServerAgents(session, clock)
    changes = SqlServerChanges(session, clock, agents, posts_tokens=not gate.is_by_hand)
    ports = AgentPorts(agents, changes, SqlServerWorkload(session), SqlServerNetwork(session, clock), gate)
    return Offer(frozenset(CAPABILITIES), ports, gate.changes(changes), frozenset(CHANGE_DETAILS), MARKS)
