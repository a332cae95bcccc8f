"""The real drivers, as a URL's `driver=` names them, and servers that behave badly."""

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import mssql_python
import pytest

from app.drivers.sqlserver.odbc.drivers import find_installed
from tests.patience import PATIENCE_S, PAUSE_S


def microsoft_library() -> str:
    """Return the path of Microsoft's ODBC driver out of mssql-python's wheel, which pyodbc takes as a driver."""
    return str(mssql_python.get_native_provider_info()["driver_path"])


# pytest id → what `driver=` takes
DRIVERS: Final = {"microsoft": microsoft_library(), "freetds": "freetds", "mssql-python": "mssql-python"}


def usable_driver(name: str) -> str:
    """Return a driver as `driver=` takes it; the test that asks is skipped where this computer has none of the name."""
    if not has_driver(name):
        pytest.skip(f"{name} is not installed")
    return DRIVERS[name]


def has_driver(name: str) -> bool:
    """Tell whether a driver is on this computer."""
    installed = find_installed()
    if name == "freetds":
        return "FreeTDS" in installed.registered
    return Path(DRIVERS[name]).is_file() if name == "microsoft" else installed.has_mssql_python


Behaviour = Callable[[socket.socket, threading.Event], None]


def stay_silent(peer: socket.socket, ended: threading.Event) -> None:
    """Accept and never answer."""
    del peer
    ended.wait(PATIENCE_S)


def send_garbage(peer: socket.socket, ended: threading.Event) -> None:
    """Answer as a web server would."""
    peer.recv(4096)
    peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 20)
    ended.wait(PAUSE_S)


def hang_up(peer: socket.socket, ended: threading.Event) -> None:
    """Close at once."""
    del peer, ended


def reset(peer: socket.socket, ended: threading.Event) -> None:
    """Break the connection as a crashed host does."""
    del ended
    peer.recv(4096)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@contextmanager
def bad_server(behave: Behaviour) -> Iterator[int]:
    """Serve badly on a loopback port and give it."""
    ended = threading.Event()

    def serve_one(peer: socket.socket) -> None:
        with peer, contextlib.suppress(OSError):
            behave(peer, ended)

    def serve(listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                peer, _address = listener.accept()
                threading.Thread(target=serve_one, args=(peer,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        acceptor = threading.Thread(target=serve, args=(listener,), daemon=True)
        acceptor.start()
        try:
            yield listener.getsockname()[1]
        finally:
            ended.set()
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)


def closed_port() -> int:
    """Return a loopback port nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
