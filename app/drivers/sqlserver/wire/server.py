"""Loopback ports, one for each server of a scenario, served until the process ends."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from app.drivers.sqlserver.lab.logins import ADMIN, Rows
from app.drivers.sqlserver.lab.servers import LabServer
from app.drivers.sqlserver.wire.channel import Channel
from app.drivers.sqlserver.wire.client_session import PASSWORD, ClientSession
from app.drivers.sqlserver.wire.connection import Connection
from app.drivers.sqlserver.wire.shared_lab import NOTHING_ABSENT, ServedLab, SharedLab
from app.drivers.sqlserver.wire.tls import make_context
from app.foundation.texts import _

HOST: Final = "127.0.0.1"
_BACKLOG: Final = 32


def serve_lab(
    lab: ServedLab,
    port: int,
    announce: Callable[[str], None],
    *,
    speed: float | None = None,
    where_absent: Mapping[str, Rows] = NOTHING_ABSENT,
) -> None:
    """Serve one lab for ever to clients that speak TDS 7.2 to 7.4; end it by ending the process.

    Args:
        port: of the server a target is opened with, on 127.0.0.1; 0 lets the system choose, as it does for the others.
        announce: told, once clients can connect, the lab's key, then each server with its address, then an example.
        speed: virtual seconds in a real one; None lets time pass by statements alone, at once.
        where_absent: what it answers to the discovery of systems it has nothing of, by statement.

    Raises:
        OSError: the port is taken.
    """
    with open_ports(lab, port) as listeners:
        served = TdsServer(SharedLab(lab, speed, where_absent), listeners, make_context(HOST))
        for line in served.lines():
            announce(line)
        served.serve_forever()


@contextmanager
def open_ports(lab: ServedLab, port: int) -> Iterator[Mapping[str, socket.socket]]:
    """Open a port for each server, and have the first one know where; they are closed in the end."""
    listeners: dict[str, socket.socket] = {}
    try:
        for server in lab.state.site.servers:
            wanted = port if server.name == lab.own_server else 0
            listeners[server.name] = socket.create_server((HOST, wanted), backlog=_BACKLOG)
            lab.state.addresses[server.name] = f"{HOST},{listeners[server.name].getsockname()[1]}"
        yield listeners
    finally:
        for listener in listeners.values():
            listener.close()


class TdsServer:
    """Accepts clients on every port, a thread for each; one that hangs keeps nobody else waiting."""

    def __init__(self, shared: SharedLab, listeners: Mapping[str, socket.socket], context: ssl.SSLContext) -> None:
        self._shared = shared
        self._listeners = listeners
        self._context = context
        self._servers = {server.name: server for server in shared.lab.state.site.servers}

    def lines(self) -> tuple[str, ...]:
        """Return the lab's key, each server with its address, and an example of a target."""
        port = self._listeners[self._shared.lab.own_server].getsockname()[1]
        servers = tuple(
            _("{server} ({role}) at {address}").format(
                server=name, role=server.role, address=self._shared.lab.state.addresses[name]
            )
            for name, server in self._servers.items()
        )
        example = _("sqlserver://{user}@{host}:{port}?trust=yes with the password {password}").format(
            user=ADMIN, host=HOST, port=port, password=PASSWORD
        )
        if self._shared.turns.speed is None:
            example = _("{example}; its time stands still for that one without --speed 1").format(example=example)
        return (f"lab@{HOST}:{port}", *servers, example)

    def serve_forever(self) -> None:
        """Serve; ends with the process, or with OSError when the first server's port is closed."""
        threading.Thread(target=self._shared.turns.run_clock, daemon=True).start()
        home = self._shared.lab.own_server
        for name, server in self._servers.items():
            if name != home:
                threading.Thread(target=self._accept_until_closed, args=(server,), daemon=True).start()
        self._accept(self._servers[home])

    def _accept_until_closed(self, server: LabServer) -> None:
        try:
            self._accept(server)
        except OSError:
            return  # the process ends

    def _accept(self, server: LabServer) -> None:
        while True:
            peer, _address = self._listeners[server.name].accept()
            threading.Thread(target=self.serve_client, args=(server, peer), daemon=True).start()

    def serve_client(self, server: LabServer, peer: socket.socket) -> None:
        """Serve one client of a server to its end; whatever it sends, only its own connection ends."""
        with peer:
            if peer.family == socket.AF_INET:
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            version = version_numbers(self._shared.lab.product_version(server.name))
            session = ClientSession(self._shared, server)
            try:
                Connection(Channel(peer), session, self._context, version).serve()
            finally:
                session.leave()


def version_numbers(product_version: str) -> tuple[int, int, int]:
    """Return major, minor and build of a product version; a part that is no number is 0."""
    parts = [int(part) for part in product_version.split(".") if part.isdigit()]
    major, minor, build, *_rest = (*parts, 0, 0, 0)
    return major % 256, minor % 256, build % 65_536
