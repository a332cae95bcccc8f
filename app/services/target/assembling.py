"""A target made of an open connection and the systems of its engine."""

from app.domain.system import in_order
from app.domain.target import Connection, Target
from app.services.ports import Systems


def assemble(connection: Connection, systems: Systems, saved_as: str = "") -> Target:
    """Return a target with the ports of each system of the engine; of a lab in this process, the one it simulates.

    Args:
        saved_as: name it is saved under, "" for none.
    """
    own = [system for system in in_order(systems.values()) if system.engine == connection.engine]
    if connection.simulates:
        own = [system for system in own if system.system_id == connection.simulates]
    return Target(connection, {system.system_id: system.offer(connection) for system in own}, saved_as)
