"""A listener on loopback that speaks as much TNS as it takes to refuse, to be too old, to stall, and to babble."""

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType

from tests.patience import PATIENCE_S

# Packet types: python-oracledb src/oracledb/impl/thin/constants.pxi.
CONNECT, ACCEPT, REFUSE, RESEND = 1, 2, 4, 11

Answer = Callable[[socket.socket, threading.Event], None]


def packet(kind: int, payload: bytes) -> bytes:
    """Return a packet of the first protocol: length, checksum, type, flags, header checksum, payload."""
    return struct.pack(">HHBBH", 8 + len(payload), 0, kind, 0, 0) + payload


def read_packet(connection: socket.socket) -> bytes:
    """Return one packet the other side sent, b"" at the end."""
    header = connection.recv(8)
    if len(header) < 8:
        return b""
    body = b""
    wanted = struct.unpack(">H", header[:2])[0] - 8
    while len(body) < wanted:
        piece = connection.recv(wanted - len(body))
        if not piece:
            break
        body += piece
    return header + body


def _peek_request(connection: socket.socket) -> bytes:
    """Return the opening request, its connect data included, which follows in a packet of its own where it is long."""
    seen, needed = b"", 28
    for _round in range(500):
        seen = connection.recv(8192, socket.MSG_PEEK)
        if len(seen) >= 28 and seen[4] == CONNECT:
            length, offset = struct.unpack(">HH", seen[24:28])
            is_apart = struct.unpack(">H", seen[:2])[0] == offset
            needed = offset + length + (10 if is_apart else 0)
        if len(seen) >= needed or not seen or seen[4:5] != bytes([CONNECT]):
            break
        time.sleep(0.005)  # the second packet is on its way
    return seen


def refuse(code: int) -> Answer:
    """Refuse every connection with a listener's error code, as it does for an unknown service."""
    text = f"(DESCRIPTION=(TMP=)(VSNNUM=186647296)(ERR={code})(ERROR_STACK=(ERROR=(CODE={code})(EMFI=4))))".encode()

    def answer(connection: socket.socket, _over: threading.Event) -> None:
        read_packet(connection)
        connection.sendall(packet(REFUSE, struct.pack(">BBH", 34, 0, len(text)) + text))

    return answer


def accept_as_old(version: int) -> Answer:
    """Accept with the protocol of an old server: 312 is 10.2, 314 is 11.2; 315 came with 12.1."""

    def answer(connection: socket.socket, over: threading.Event) -> None:
        read_packet(connection)
        payload = struct.pack(">HHHHHHHBB", version, 1, 8192, 32767, 1, 0, 32, 0x41, 1) + b"\0" * 8
        connection.sendall(packet(ACCEPT, payload))
        over.wait(PATIENCE_S)

    return answer


def resend_for_ever(connection: socket.socket, over: threading.Event) -> None:
    """Ask for the same packet again, a few times, then go."""
    for _round in range(3):
        if not read_packet(connection) or over.is_set():
            return
        connection.sendall(packet(RESEND, b""))


def babble(connection: socket.socket, _over: threading.Event) -> None:
    """Answer as another kind of server would."""
    read_packet(connection)
    connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")


def keep_silent(_connection: socket.socket, over: threading.Event) -> None:
    """Accept the connection and say nothing."""
    over.wait(PATIENCE_S)


def hang_up(connection: socket.socket, _over: threading.Event) -> None:
    """Close at once."""
    read_packet(connection)


@dataclass
class TnsStub:
    """The listener; a context manager.

    Attributes:
        answer: what it does with each connection.
        requests: the packets that opened the connections, for a look at the connect data in them.
    """

    answer: Answer
    requests: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def port(self) -> int:
        """The port it listens at."""
        port: int = self._listener.getsockname()[1]
        return port

    def __enter__(self) -> "TnsStub":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(PATIENCE_S)

    def _serve(self) -> None:
        workers = []
        while not self._over.is_set():
            try:
                connection, _address = self._listener.accept()
            except OSError:
                break
            worker = threading.Thread(target=self._talk, args=(connection,), daemon=True)
            worker.start()
            workers.append(worker)
        for worker in workers:
            worker.join(PATIENCE_S)

    def _talk(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(PATIENCE_S)
            self.requests.append(_peek_request(connection))
            self.answer(connection, self._over)
