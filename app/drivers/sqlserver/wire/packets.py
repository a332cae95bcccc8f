"""Packets: eight bytes of header, then part of a message (MS-TDS 2.2.3)."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from app.drivers.sqlserver.wire.reading import Malformed

HEADER: Final = struct.Struct(">BBHHBB")
HEADER_BYTES: Final = 8
DEFAULT_PACKET_BYTES: Final = 4096
SMALLEST_PACKET_BYTES: Final = 512
LARGEST_PACKET_BYTES: Final = 32_767
# The largest request is a batch of a script of this program; what is longer is read past and not kept.
LONGEST_MESSAGE_BYTES: Final = 1 << 20

_LAST: Final = 0x01
_IGNORE: Final = 0x02
_RESET: Final = 0x08 | 0x10

ReadExactly = Callable[[int], bytes]
Send = Callable[[bytes], None]


class PacketKind(IntEnum):
    """Types of packets a client sends, and the one a server answers with."""

    BATCH = 0x01
    RPC = 0x03
    REPLY = 0x04
    ATTENTION = 0x06
    TRANSACTION = 0x0E
    LOGIN = 0x10
    PRELOGIN = 0x12


_KNOWN_KINDS: Final = frozenset(PacketKind)


@dataclass(frozen=True)
class Message:
    """One message of a client.

    Attributes:
        kind: type of its packets.
        is_ignored: the client gave it up while sending it and expects no answer.
        is_reset: the client wants the session as it was after login, as pools do when they hand it out again.
        is_too_long: it was longer than is kept, and has no payload.
    """

    kind: int
    payload: bytes
    is_ignored: bool = False
    is_reset: bool = False
    is_too_long: bool = False


def read_message(
    read_exactly: ReadExactly, longest_bytes: int = LONGEST_MESSAGE_BYTES, *, reads_past: bool = False
) -> Message:
    """Read one message.

    Args:
        reads_past: one that is too long is read to its end.

    Raises:
        Malformed: a packet's type or length cannot be, its type changes in mid-message, or the message is too long.
    """
    payload = bytearray()
    first_kind: int | None = None
    is_reset = is_too_long = False
    while True:
        kind, status, length, _spid, _number, _window = HEADER.unpack(read_exactly(HEADER_BYTES))
        if kind not in _KNOWN_KINDS:
            raise Malformed(f"a packet of type {kind}")
        if not HEADER_BYTES <= length <= LARGEST_PACKET_BYTES:
            raise Malformed(f"a packet of {length} bytes")
        if first_kind is None:
            first_kind, is_reset = kind, bool(status & _RESET)
        if kind != first_kind:
            raise Malformed(f"a packet of type {kind} within a message of type {first_kind}")
        if len(payload) + length > longest_bytes:
            if not reads_past:
                raise Malformed("the message is too long")
            is_too_long = True
        part = read_exactly(length - HEADER_BYTES)
        payload += b"" if is_too_long else part
        if status & _LAST:
            kept = b"" if is_too_long else bytes(payload)
            return Message(kind, kept, bool(status & _IGNORE), is_reset, is_too_long)


def frame(kind: PacketKind, payload: bytes, packet_bytes: int = DEFAULT_PACKET_BYTES) -> bytes:
    """Return a whole message in packets."""
    framed = bytearray()
    writer = PacketWriter(framed.extend, kind, packet_bytes)
    writer.write(payload)
    writer.finish()
    return bytes(framed)


def is_last(packet: bytes) -> bool:
    """Tell whether a packet ends its message."""
    return bool(packet[1] & _LAST)


class PacketWriter:
    """Sends one message packet by packet while it is made, so that a client can interrupt it."""

    def __init__(self, send: Send, kind: PacketKind, packet_bytes: int) -> None:
        self._send = send
        self._kind = kind
        self._room = packet_bytes - HEADER_BYTES
        self._waiting = bytearray()
        self._number = 0

    def write(self, data: bytes) -> None:
        """Add to the message; whole packets are sent at once, the last one is kept until `finish`.

        What `send` raises leaves the rest waiting: the message can go on where it was.
        """
        self._waiting += data
        while len(self._waiting) > self._room:
            packet = self._waiting[: self._room]
            del self._waiting[: self._room]
            self._send_packet(packet, 0)

    def finish(self) -> None:
        """Send the rest as the last packet."""
        self._send_packet(self._waiting, _LAST)
        self._waiting = bytearray()

    def _send_packet(self, payload: bytearray, status: int) -> None:
        self._number = (self._number + 1) % 256
        header = HEADER.pack(self._kind, status, HEADER_BYTES + len(payload), 0, self._number, 0)
        self._send(header + payload)
