"""Which servers of a topology a plan touches."""

from app.domain.errors import BadInput
from app.domain.topology import ServerInfo, Topology
from app.runner.participants import choose_participants


def servers_of(topology: Topology, agent_pairs: int) -> tuple[ServerInfo, ...]:
    """Return the servers of the agents that take part, the Distributor always among them, in topology order.

    Where an agent names a server the topology does not list, or there are too few agents, every server is returned:
    rather one too many is agreed to than one too few.
    """
    try:
        participants = choose_participants(topology, agent_pairs)
    except BadInput:
        return topology.servers
    publishers = {agent.publisher for agent in participants}
    subscribers = {agent.subscriber for agent in participants if agent.subscriber}
    listed = {(server.role, server.name) for server in topology.servers}
    wanted = {("Publisher", name) for name in publishers} | {("Subscriber", name) for name in subscribers}
    if not wanted <= listed:
        return topology.servers
    return tuple(
        server for server in topology.servers if server.role == "Distributor" or (server.role, server.name) in wanted
    )
