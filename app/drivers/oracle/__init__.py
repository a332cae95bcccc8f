"""Oracle through named statements: one database or two, any driver, or the lab.

A driver has one place to go: a `Transport` (see `session.py`); `drivers/` holds them. A target is a pipeline: its URL
names the source database, option `destination` the other one, which the caller resolves (`destination_of`).
"""

from typing import TYPE_CHECKING

from app.drivers.oracle.connection_form import CONNECTION_WAYS
from app.drivers.oracle.installed import installed_drivers
from app.drivers.oracle.url import ENGINE_ID, destination_of, needs_password, with_destination

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.domain.connection import ServerUrl
    from app.domain.ports import StatementSink
    from app.drivers.oracle.connection import OracleConnection
    from app.drivers.oracle.wire.shared_lab import Rows, ServedLab
    from app.foundation.secret import Secret

__all__ = [
    "CONNECTION_WAYS",
    "ENGINE_ID",
    "connect_lab",
    "destination_of",
    "installed_drivers",
    "needs_password",
    "open_server",
    "serve_lab",
    "with_destination",
]


# What follows is imported when used: the process around a driver imports this package, and needs none of it.
def open_server(
    url: "ServerUrl",
    password: "Secret | None",
    on_statement: "StatementSink",
    destination: "ServerUrl | None" = None,
    destination_password: "Secret | None" = None,
) -> "OracleConnection":
    """Open the pipeline whose source database a URL names; see `opening.open_server`."""
    from app.drivers.oracle.opening import open_server as opened

    return opened(url, password, on_statement, destination, destination_password)


def connect_lab(
    host: str, port: int, on_statement: "StatementSink", options: "tuple[tuple[str, str], ...]" = ()
) -> "OracleConnection":
    """Open a lab another process serves on this machine; see `opening.connect_lab`."""
    from app.drivers.oracle.opening import connect_lab as connected

    return connected(host, port, on_statement, options)


def serve_lab(
    lab: "ServedLab",
    port: int,
    announce: "Callable[[str], None]",
    *,
    speed: float | None = None,
    where_absent: "Mapping[str, Rows]",
) -> None:
    """Serve a lab on a loopback port; see `wire.server.serve_lab`."""
    from app.drivers.oracle.wire import serve_lab as served

    served(lab, port, announce, speed=speed, where_absent=where_absent)
