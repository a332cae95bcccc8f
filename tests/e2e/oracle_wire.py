"""The Oracle lab behind a real socket, and python-oracledb's thin mode in front of it."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import NoReturn

import pytest

from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.clients.database import Deadlines
from app.drivers.oracle.clients.library import DbApiLibrary, RawConnection, load_thin
from app.drivers.oracle.clients.opening import DatabaseAccess, PipelineTransport, local_database, open_transport
from app.drivers.oracle.session import End
from app.drivers.oracle.settings import OracleSettings
from app.drivers.oracle.url import LAB_PASSWORD as PASSWORD
from app.drivers.oracle.url import read_settings
from app.drivers.oracle.wire.packets import Disconnected
from app.drivers.oracle.wire.server import HOST, TnsServer
from app.drivers.oracle.wire.shared_lab import Rows, ServedLab, SharedLab
from app.foundation.secret import Secret
from app.foundation.worker import Signal
from app.lab.certificate import make_context
from app.lab.turns import Watch
from tests.patience import PAUSE_S

# python-oracledb leaves the socket of a broken connection to the garbage collector
LEAVES_SOCKETS = (
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning"),
)


@dataclass
class OraclePort:
    """A lab that is served in this process."""

    shared: SharedLab
    port: int
    listening: "Listening"

    @property
    def server(self) -> TnsServer:
        """What listens now: another one once the port was closed for a while."""
        return self.listening.server

    @property
    def key(self) -> str:
        """The lab as a client with its clock calls it."""
        return self.server.lines()[0]

    def settings(self, end: End, **changes: object) -> OracleSettings:
        """Return how one of its databases is reached."""
        return replace(read_settings(self.server.url(end)), **changes)  # type: ignore[arg-type]  # by attribute

    def transport(self, **changes: object) -> PipelineTransport:
        """Open both databases through the driver."""
        accesses = [DatabaseAccess(self.settings(end, **changes), Secret(PASSWORD)) for end in End]
        return open_transport(*accesses)

    def timed_transport(
        self,
        deadlines: Deadlines,
        patience_s: float = 0.0,
        before_connect: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> PipelineTransport:
        """Return both databases through the driver, which is waited for as a test says; nothing is connected yet.

        Args:
            before_connect: makes what surrounds each attempt to connect.
        """
        library = SurroundedLibrary(load_thin(), before_connect)
        accesses = {end: DatabaseAccess(self.settings(end), Secret(PASSWORD)) for end in End}
        databases = {end: local_database(library, access, deadlines, patience_s) for end, access in accesses.items()}
        return PipelineTransport(databases, {end: access.settings.label for end, access in accesses.items()})

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Have nothing listen at the port within the block."""
        self.listening.stop()
        try:
            yield
        finally:
            self.listening.start(self.port)


class SurroundedLibrary:
    """A loaded driver, with something around each attempt to connect."""

    def __init__(self, library: DbApiLibrary, before_connect: Callable[[], AbstractContextManager[None]]) -> None:
        self.label, self.errors, self.kinds = library.label, library.errors, library.kinds
        self.has_call_timeout = library.has_call_timeout
        self._library = library
        self._before_connect = before_connect

    def connect(
        self, settings: OracleSettings, password: Secret | None, wallet_password: Secret | None
    ) -> RawConnection:
        """Connect; raises one of `errors`."""
        with self._before_connect():
            return self._library.connect(settings, password, wallet_password)


class SilentLab(SharedLab):
    """A lab that answers nothing more on a connection after a chosen statement; its host still acknowledges.

    Attributes:
        at: name of the statement, "" for none; it happens once.
        has_fallen: it is silent to a client that waits for it.
    """

    def __init__(self, lab: ServedLab) -> None:
        super().__init__(lab, None)
        self.at = ""
        self.has_fallen = threading.Event()
        self._is_over = threading.Event()

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue], watch: Watch) -> Rows:
        """Run a statement, or answer nothing more."""
        if statement.name != self.at:
            return super().run(statement, end, binds, watch)
        self.at = ""
        self.be_silent()

    def be_silent(self) -> NoReturn:
        """Answer nothing more on this connection."""
        self.has_fallen.set()
        self._is_over.wait()
        raise Disconnected

    def wait(self, event: Signal, seconds: float) -> bool:
        """Wait for a driver that is answered; the time of one that is not passes at once."""
        del seconds
        while not event.wait(PAUSE_S):
            if self.has_fallen.is_set():
                self.has_fallen.clear()
                return False
        return True

    def end(self) -> None:
        """Let go of those kept waiting."""
        self._is_over.set()


class Listening:
    """Accepts clients in a thread, until it is told to stop."""

    def __init__(self, make_server: Callable[[socket.socket], TnsServer]) -> None:
        self._make_server = make_server
        self.start(0)

    def start(self, port: int) -> None:
        """Listen at a port, 0 for any."""
        self._listener = socket.create_server((HOST, port))
        self.server = self._make_server(self._listener)
        self._accepting = threading.Thread(target=_accept, args=(self.server,), daemon=True)
        self._accepting.start()

    def stop(self) -> None:
        """Listen no more; who is connected stays so."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()


@contextmanager
def served(
    lab: ServedLab | SharedLab,
    context: ssl.SSLContext | None = None,
    make_server: Callable[[SharedLab, socket.socket, ssl.SSLContext], TnsServer] = TnsServer,
) -> Iterator[OraclePort]:
    """Serve a lab whose time passes by what moves it in this process alone, until the block ends."""
    shared = lab if isinstance(lab, SharedLab) else SharedLab(lab, None)
    used = context or make_context("localhost")
    listening = Listening(lambda listener: make_server(shared, listener, used))
    try:
        yield OraclePort(shared, listening.server.url(End.SOURCE).port or 0, listening)
    finally:
        listening.stop()


def _accept(server: TnsServer) -> None:
    try:
        server.serve_forever()
    except OSError:
        return  # closed
