"""A loopback port on which both databases of a lab are reached, each by its service, until the process ends."""

import itertools
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from typing import Final

from app.domain.connection import ServerUrl
from app.domain.errors import BadInput
from app.drivers.oracle.session import End
from app.drivers.oracle.url import ENGINE_ID, LAB_PASSWORD, LAB_USER, with_destination
from app.drivers.oracle.wire.connection import Connection
from app.drivers.oracle.wire.login import Verifier
from app.drivers.oracle.wire.packets import Channel
from app.drivers.oracle.wire.shared_lab import Rows, ServedLab, SharedLab
from app.foundation.texts import _
from app.lab.certificate import make_context

HOST: Final = "127.0.0.1"
_BACKLOG: Final = 32
_USUAL_SPEED: Final = 1.0
# python-oracledb: thin mode reaches 12.1 and later (doc/src/user_guide/appendix_a.rst)
_OLDEST: Final = (12, 1)
NOTHING_ABSENT: Final[Mapping[str, Rows]] = {}


def serve_lab(
    lab: ServedLab,
    port: int,
    announce: Callable[[str], None],
    *,
    speed: float | None = None,
    where_absent: Mapping[str, Rows] = NOTHING_ABSENT,
) -> None:
    """Serve one lab for ever to python-oracledb's thin mode; end it by ending the process.

    Args:
        port: on 127.0.0.1; 0 lets the system choose.
        announce: told, once clients can connect, the lab's key, then each database with its address, then an example.
        speed: virtual seconds in a real one; None for one, as on a server, what lab@ targets let pass at once aside.
        where_absent: taken as other engines do; no system shares these databases with another.

    Raises:
        BadInput: a database of the lab is older than thin mode reaches.
        OSError: the port is taken.
    """
    del where_absent
    check_served(lab)
    with socket.create_server((HOST, port), backlog=_BACKLOG) as listener:
        shared = SharedLab(lab, _USUAL_SPEED if speed is None else speed, leaps=speed is None)
        served = TnsServer(shared, listener, make_context("localhost"))
        for line in served.lines():
            announce(line)
        served.serve_forever()


def check_served(lab: ServedLab) -> None:
    """Raise BadInput where a database of the lab is older than thin mode reaches."""
    for end in End:
        version = lab.version(end)
        if tuple(int(part) for part in version.split(".")[:2]) < _OLDEST:
            raise BadInput(
                _(
                    "{database} is {version}, and python-oracledb reaches databases before 12.1 with an Oracle Client "
                    "only; open this lab in this program (--target lab:…), or serve a scenario of 12.1 or later"
                ).format(database=lab.database_name(end), version=version)
            )


class TnsServer:
    """Accepts clients on one port, a thread for each; one that hangs keeps nobody else waiting."""

    def __init__(self, shared: SharedLab, listener: socket.socket, context: ssl.SSLContext) -> None:
        self._shared = shared
        self._listener = listener
        self._context = context
        self._verifier = Verifier(LAB_PASSWORD)
        self._sessions = itertools.count(100)

    def url(self, end: End) -> ServerUrl:
        """Return the address of a database."""
        service = self._shared.lab.database_name(end)
        return ServerUrl(ENGINE_ID, LAB_USER, HOST, self._listener.getsockname()[1], path=service)

    def lines(self) -> tuple[str, ...]:
        """Return the lab's key, each database with its address, and the pipeline as a server's, with the password."""
        port = self._listener.getsockname()[1]
        target = with_destination(self.url(End.SOURCE), self.url(End.DESTINATION).text).text
        source, destination = (self.url(end).text for end in (End.SOURCE, End.DESTINATION))
        return (
            f"lab@{HOST}:{port}?engine={ENGINE_ID}",
            _("source at {address}").format(address=source),
            _("destination at {address}").format(address=destination),
            _("{target} with the password {password} for both").format(target=target, password=LAB_PASSWORD),
        )

    def serve_forever(self) -> None:
        """Serve; ends with the process, or with OSError when the port is closed."""
        threading.Thread(target=self._shared.turns.run_clock, daemon=True).start()
        while True:
            peer, _address = self._listener.accept()
            threading.Thread(target=self._serve_client, args=(peer,), daemon=True).start()

    def _serve_client(self, peer: socket.socket) -> None:
        """Serve one client to its end; whatever it sends, only its own connection ends."""
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        Connection(Channel(peer), self._shared, self._verifier, self._context, next(self._sessions)).serve()
