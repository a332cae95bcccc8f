"""The Oracle lab behind a real socket, and python-oracledb's thin mode in front of it."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from app.drivers.oracle.clients.opening import DatabaseAccess, PipelineTransport, open_transport
from app.drivers.oracle.session import End
from app.drivers.oracle.settings import OracleSettings
from app.drivers.oracle.url import read_settings
from app.drivers.oracle.wire.connection import PASSWORD
from app.drivers.oracle.wire.server import HOST, TnsServer
from app.drivers.oracle.wire.shared_lab import ServedLab, SharedLab
from app.foundation.secret import Secret
from app.lab.certificate import make_context


@dataclass
class OraclePort:
    """A lab that is served in this process."""

    server: TnsServer
    shared: SharedLab
    port: int

    @property
    def target(self) -> str:
        """The target of the pipeline, both of its databases named."""
        return self.server.lines()[0]

    def settings(self, end: End, **changes: object) -> OracleSettings:
        """Return how one of its databases is reached."""
        return replace(read_settings(self.server.url(end)), **changes)  # type: ignore[arg-type]  # by attribute

    def transport(self, **changes: object) -> PipelineTransport:
        """Open both databases through the driver."""
        accesses = [DatabaseAccess(self.settings(end, **changes), Secret(PASSWORD)) for end in End]
        return open_transport(*accesses)


@contextmanager
def served(lab: ServedLab | SharedLab, context: ssl.SSLContext | None = None) -> Iterator[OraclePort]:
    """Serve a lab whose time passes by what moves it in this process alone, until the block ends."""
    shared = lab if isinstance(lab, SharedLab) else SharedLab(lab, None)
    listener = socket.create_server((HOST, 0))
    server = TnsServer(shared, listener, context or make_context("localhost"))
    accepting = threading.Thread(target=_accept, args=(server,), daemon=True)
    accepting.start()
    try:
        yield OraclePort(server, shared, listener.getsockname()[1])
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        accepting.join()
        listener.close()


def _accept(server: TnsServer) -> None:
    try:
        server.serve_forever()
    except OSError:
        return  # closed
