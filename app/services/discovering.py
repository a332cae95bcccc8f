"""Reading what is there: topology, agents, the parameters in effect and where each comes from."""

from dataclasses import dataclass

from app.domain.session import AgentParameters
from app.domain.statement import StatementRecord
from app.domain.topology import Topology
from app.services.ports import TargetOpener


@dataclass(frozen=True)
class Discovery:
    """What was found on a target."""

    target: str
    topology: Topology
    agents: tuple[AgentParameters, ...]


def discover(target: str, open_target: TargetOpener) -> Discovery:
    """Read a target; changes nothing.

    Raises:
        BadInput: no such target.
        TargetError: it cannot be reached or read.
    """
    opened = open_target(target, 1, _ignore_statement)
    try:
        topology = opened.agents.discover()
        agents = tuple(AgentParameters(agent.name, opened.agents.read_parameters(agent)) for agent in topology.agents)
        return Discovery(opened.key, topology, agents)
    finally:
        opened.close()


def _ignore_statement(_record: StatementRecord) -> None:
    """Discovery outside a session keeps no statement log."""
