"""One simulated SQL Server by itself, which is never restarted and whose databases let everybody in."""

from collections.abc import Sequence
from typing import Final

from app.drivers.sqlserver.catalogue import ANY_SERVER, COMMON_DATABASES
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Parameters, Result
from app.drivers.sqlserver.lab.logins import Doorkeeper
from app.drivers.sqlserver.lab.servers import LabServer
from app.drivers.sqlserver.lab.simulated import SimulatedSqlServers
from app.drivers.sqlserver.parameters import DeclaredParameters
from app.drivers.sqlserver.session import Place
from app.lab.faults import Fault

VERSION: Final = "16.0.1000.6"
EDITION: Final = "Developer Edition (64-bit)"
_RESTART_S: Final = 5.0


class OneServerState:
    """The server, and the time that passes in it.

    Attributes:
        addresses: where it is reached, by name.
        now_s: virtual time, seconds.
    """

    def __init__(self, server: LabServer) -> None:
        self.servers = (server,)
        self.addresses: dict[str, str] = {}
        self.now_s = 0.0

    @property
    def lab(self) -> "OneServerState":
        """Return the state itself: it has the clock."""
        return self

    @property
    def site(self) -> "OneServerState":
        """Return the state itself: it has the servers."""
        return self

    def advance(self, seconds: float) -> None:
        """Let virtual time pass."""
        self.now_s += seconds

    def instance_of(self, server: str) -> str:
        """Return the instance at a server's address: always the same."""
        return server

    def closed(self, server: str, database: str) -> SqlError | None:
        """Return None: every database lets everybody in."""
        return None


class OneServerLab(SimulatedSqlServers):
    """The server; a system's own adds the answers to its statements."""

    def __init__(self, name: str, title: str, faults: Sequence[Fault], *databases: tuple[str, str]) -> None:
        """Set the server up.

        Args:
            databases: those besides the common ones, with the role by which headers of statements name each.
        """
        self.own_server, self.title = name, title
        common = ((database, database) for database in sorted(COMMON_DATABASES))
        self._server = LabServer(name, ANY_SERVER, 4, (*common, *databases))
        self.state = OneServerState(self._server)
        super().__init__(self.state, Doorkeeper(), faults, "server_rights")
        self.answers |= {"server_info": self._info, "server_addresses": self._addresses}

    def product_version(self, server: str) -> str:
        """Return the product version of the server."""
        return VERSION

    def server_there(self, place: Place) -> LabServer | None:
        """Return the server, None for any other name."""
        return self._server if place.server == self.own_server else None

    def _info(self, _place: Place, _values: Parameters) -> Result:
        return [(self.own_server, VERSION, EDITION, self._server.cpu_count)]

    def _addresses(self, _place: Place, _values: Parameters) -> Result:
        return [(self.own_server, self.state.addresses.get(self.own_server), 1)]


class TunedServerLab(OneServerLab):
    """The server with declared parameters, each at its default at first.

    Attributes:
        in_effect: values that count since the last start, by name.
    """

    def __init__(self, name: str, title: str, faults: Sequence[Fault], declared: DeclaredParameters) -> None:
        super().__init__(name, title, faults)
        self._declared = declared
        self._given = {parameter.name: str(parameter.default) for parameter in declared.parameters}
        self.in_effect = dict(self._given)
        self.answers |= {declared.read: self._read, declared.set: self._set, declared.restart: self._restart}

    def _read(self, _place: Place, _values: Parameters) -> Result:
        return [(name, value, self.in_effect[name]) for name, value in self._given.items()]

    def _set(self, _place: Place, values: Parameters) -> Result:
        name, value = str(values["parameter"]), str(values["value"])
        self._given[name] = value
        if name not in self._declared.counts_from_restart:
            self.in_effect[name] = value
        return []

    def _restart(self, _place: Place, _values: Parameters) -> Result:
        self.state.advance(_RESTART_S)
        self.in_effect = dict(self._given)
        return []
