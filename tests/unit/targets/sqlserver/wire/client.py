"""A small TDS client: makes what a driver sends and takes apart what the server answers."""

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from app.drivers.sqlserver.wire.channel import Channel
from app.drivers.sqlserver.wire.client_session import ClientSession
from app.drivers.sqlserver.wire.connection import Connection
from app.drivers.sqlserver.wire.packets import PacketKind, frame, read_message
from app.drivers.sqlserver.wire.reading import FieldReader
from app.drivers.sqlserver.wire.shared_lab import SharedLab
from app.drivers.sqlserver.wire.tokens import Done
from app.drivers.sqlserver.wire.types import NVARCHAR_MAX, wire_type
from app.drivers.sqlserver.wire.values import Decoded, value_reader
from app.lab.faults import Fault
from app.systems.transactional_replication.lab.scenario import load_scenario, scenario_path
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from tests.patience import PATIENCE_S

VERSION = (16, 0, 4125)
HEADERS = struct.pack("<IIHQI", 22, 18, 2, 0, 1)
PRELOGIN_PLAIN = bytes((0x01, 0, 6, 0, 1, 0xFF, 2))
LONGEST_REPLY_BYTES = 100_000_000


def login_payload(
    user: str = "replitune",
    password: str = "lab",
    database: str = "master",
    *,
    version: int = 0x74000004,
    size: int = 0,
) -> bytes:
    """Return a LOGIN7 of the three texts the server reads."""
    hidden = bytes(((byte << 4 | byte >> 4) & 0xFF) ^ 0xA5 for byte in password.encode("utf-16-le"))
    texts = [b"", user.encode("utf-16-le"), hidden, b"", b"", b"", b"", b"", database.encode("utf-16-le")]
    places, data = b"", b""
    for text in texts:
        places += struct.pack("<HH", 94 + len(data), len(text) // 2)
        data += text
    fixed = struct.pack("<IIIIIIBBBBiI", 94 + len(data), version, size, 0, 0, 0, 0xE0, 0x03, 0, 0x10, 0, 0x409)
    return (fixed + places).ljust(94, b"\x00") + data


def batch_payload(text: str) -> bytes:
    """Return a SQL batch."""
    return HEADERS + text.encode("utf-16-le")


def call_payload(procedure: int | str, *values: str | int | float | None) -> bytes:
    """Return a remote procedure call with values by position."""
    name = struct.pack("<HH", 0xFFFF, procedure) if isinstance(procedure, int) else _counted_name(procedure)
    return HEADERS + name + b"\x00\x00" + b"".join(b"\x00\x00" + typed(value) for value in values)


def typed(value: str | int | float | None) -> bytes:
    """Return a value with its TYPE_INFO in front."""
    wire = NVARCHAR_MAX if value is None or isinstance(value, str) else wire_type("float")
    if isinstance(value, int):
        wire = wire_type("bigint")
    return wire.info + (wire.null if value is None else wire.encode(value))


def _counted_name(name: str) -> bytes:
    return struct.pack("<H", len(name)) + name.encode("utf-16-le")


@dataclass
class Reply:
    """What a reply says.

    Attributes:
        sets: rows of each result.
        columns: names of the columns of each result.
        errors: number and text.
        ends: status of each DONE.
        changes: kinds of ENVCHANGE.
        handle: of a prepared statement.
    """

    sets: list[list[tuple[Decoded, ...]]] = field(default_factory=list)
    columns: list[tuple[str, ...]] = field(default_factory=list)
    errors: list[tuple[int, str]] = field(default_factory=list)
    ends: list[Done] = field(default_factory=list)
    changes: list[int] = field(default_factory=list)
    handle: int | None = None
    is_welcome: bool = False


class ReplyReader:
    """Takes a reply apart token by token; fails on one a driver would not know."""

    def __init__(self, payload: bytes) -> None:
        self._reader = FieldReader(payload)
        self._cells: list = []  # type: ignore[type-arg]  # rows of any types
        self.reply = Reply()

    def read(self) -> Reply:
        """Return what the reply says."""
        while not self._reader.at_end:
            self._read_token(self._reader.u8())
        return self.reply

    def _read_token(self, token: int) -> None:
        reader, reply = self._reader, self.reply
        if token in (0xFD, 0xFE, 0xFF):
            reply.ends.append(Done(reader.u16()))
            reader.take(10)
        elif token == 0x81:
            self._read_columns()
        elif token == 0xD1:
            reply.sets[-1].append(tuple(cell(reader) for cell in self._cells))
        elif token == 0x79:
            reader.i32()
        elif token == 0xAE:
            assert reader.u8() == 0xFF
        elif token == 0xAC:
            reader.take(2)
            assert reader.short_text() == "@handle"  # clients such as tedious know it by its name
            reader.take(1 + 4 + 2)
            handle = value_reader(reader)(reader)
            assert isinstance(handle, int)
            reply.handle = handle
        else:
            self._read_counted(token)

    def _read_columns(self) -> None:
        names = []
        self._cells = []
        for _number in range(self._reader.u16()):
            self._reader.take(6)
            self._cells.append(value_reader(self._reader))
            names.append(self._reader.short_text())
        self.reply.columns.append(tuple(names))
        self.reply.sets.append([])

    def _read_counted(self, token: int) -> None:
        body = FieldReader(self._reader.take(self._reader.u16()))
        if token == 0xAA:
            number = body.i32()
            body.take(2)
            self.reply.errors.append((number, body.text(body.u16())))
        elif token == 0xE3:
            self.reply.changes.append(body.u8())
        elif token == 0xAD:
            self.reply.is_welcome = True
        else:
            assert token == 0xAB, f"unknown token {token:#x}"


class Client:
    """One connection to a server thread."""

    def __init__(self, peer: socket.socket) -> None:
        self.peer = peer
        peer.settimeout(PATIENCE_S)

    def send(self, kind: int, payload: bytes) -> None:
        """Send a message."""
        self.peer.sendall(frame(PacketKind(kind), payload))

    def read(self) -> Reply:
        """Read a reply and take it apart."""
        return ReplyReader(self.read_payload()).read()

    def read_payload(self) -> bytes:
        """Read a reply, or what is left of it."""
        message = read_message(self.read_exactly, LONGEST_REPLY_BYTES)
        assert message.kind == PacketKind.REPLY
        return message.payload

    def read_exactly(self, size: int) -> bytes:
        """Read so many bytes; raises EOFError where the server has closed the connection."""
        data = bytearray()
        while len(data) < size:
            part = self.peer.recv(size - len(data))
            if not part:
                raise EOFError
            data += part
        return bytes(data)

    def ask(self, kind: int, payload: bytes) -> Reply:
        """Send a message and return the reply."""
        self.send(kind, payload)
        return self.read()

    def log_in(self, user: str = "replitune", password: str = "lab", database: str = "master") -> Reply:
        """Connect in clear."""
        self.send(PacketKind.PRELOGIN, PRELOGIN_PLAIN)
        assert read_message(self.read_exactly).payload[-1] == 2
        return self.ask(PacketKind.LOGIN, login_payload(user, password, database))

    def is_closed(self) -> bool:
        """Tell whether the server has closed the connection, with or without having read everything."""
        try:
            return self.peer.recv(1 << 16) == b""
        except ConnectionError:
            return True


def make_lab(faults: Sequence[Fault] = (), scenario: str = "lan") -> SharedLab:
    """Return a lab without noise."""
    return SharedLab(LabSqlServer(load_scenario(scenario_path(scenario)), 1, False, faults), None)


def replication_of(shared: SharedLab) -> LabSqlServer:
    """Return the lab behind the ports."""
    assert isinstance(shared.lab, LabSqlServer)
    return shared.lab


@contextmanager
def connected(shared: SharedLab, context: ssl.SSLContext | None = None, server: str = "DIST1") -> Iterator[Client]:
    """Connect a client to a server in another thread, which must end when the client goes away."""
    mine, theirs = socket.socketpair()
    found = replication_of(shared).state.site.server(server)
    assert found is not None
    connection = Connection(Channel(theirs), ClientSession(shared, found), context, VERSION)

    def serve() -> None:
        with theirs:
            connection.serve()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with mine:
            yield Client(mine)
            with contextlib.suppress(OSError):
                mine.shutdown(socket.SHUT_RDWR)
    finally:
        thread.join(PATIENCE_S)
    assert not thread.is_alive(), "the server still serves a client that went away"
