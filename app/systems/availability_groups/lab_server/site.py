"""The servers of an availability lab with their roles, and ids made from names."""

import uuid
from typing import Final

from app.drivers.sqlserver.catalogue import COMMON_DATABASES
from app.drivers.sqlserver.lab.servers import LabServer
from app.systems.availability_groups.lab.lab import AvailabilityLab
from app.systems.availability_groups.places import REPLICA

_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "replitune/lab/groups")
_DATABASES: Final = tuple((name, name) for name in sorted(COMMON_DATABASES))


def id_of(*names: str) -> str:
    """Return the GUID of a group, replica or database."""
    return str(uuid.uuid5(_NAMESPACE, "\n".join(names))).upper()


class GroupSite:
    """The servers of an availability lab; every replica takes every statement on groups, as a real one does.

    Args:
        opened_at: server or listener a client connects to, "" for the primary of the first group.
    """

    def __init__(self, lab: AvailabilityLab, opened_at: str = "") -> None:
        self._lab = lab
        self._opened_at = opened_at
        databases = (*_DATABASES, *((database.name, database.name) for database in lab.databases()))
        self._servers = {
            reading.name: LabServer(reading.name, REPLICA, reading.cpus, databases) for reading in lab.servers()
        }

    @property
    def home(self) -> str:
        """The server a target is opened with: that of the scenario, else the first group's primary or first server."""
        if self._opened_at in self._servers:
            return self._opened_at
        groups = self._lab.groups()
        return groups[0].primary if groups and groups[0].primary else next(iter(self._servers))

    @property
    def servers(self) -> tuple[LabServer, ...]:
        """The servers, the home first."""
        home = self.home
        return tuple(sorted(self._servers.values(), key=lambda server: server.name != home))

    def server(self, name: str) -> LabServer | None:
        """Return a server by name."""
        return self._servers.get(name)
