"""TNS packets on one client's socket: headers, markers, limits; used by one thread."""

import select
import socket
import ssl
import struct
import time
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

HEADER_BYTES: Final = 8
_LONGEST_PACKET_BYTES: Final = 1 << 20
_END_OF_FILE: Final = 0x0040
_PART_BYTES: Final = 30_000
_RESET_AT_CLOSE: Final = struct.pack("ii", 1, 0)


class PacketKind(IntEnum):
    """Kinds of packets (fifth byte of the header)."""

    CONNECT = 1
    ACCEPT = 2
    REFUSE = 4
    DATA = 6
    MARKER = 12


class Marker(IntEnum):
    """The meaning of a marker (third byte of its body)."""

    BREAK = 1
    RESET = 2
    INTERRUPT = 3


class Malformed(Exception):
    """The client sent a packet that is no TNS, or that this lab does not speak."""


class Disconnected(Exception):
    """The client went away."""


class Interrupted(Exception):
    """The client wants the running request to end."""


@dataclass(frozen=True)
class Packet:
    """One packet without its header."""

    kind: int
    body: bytes


class Channel:
    """Reads and writes packets; a socket's time limit ends a read with TimeoutError, an OSError."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer
        self._received = bytearray()
        self._has_long_lengths = False

    def start_tls_if_asked(self, context: ssl.SSLContext) -> None:
        """Shake hands where the client begins with TLS; raises Disconnected, or OSError where they do not agree."""
        first = self._peer.recv(1, socket.MSG_PEEK)
        if not first:
            raise Disconnected
        if first == b"\x16":
            self._peer = context.wrap_socket(self._peer, server_side=True)

    def accepted(self) -> None:
        """From here on lengths have four bytes, both ways."""
        self._has_long_lengths = True

    def limit(self, seconds: float | None) -> None:
        """Set the time limit of each read and write, None for none."""
        self._peer.settimeout(seconds)

    def read(self) -> Packet:
        """Return the next packet; raises Disconnected, Malformed or OSError."""
        header = self._read_exactly(HEADER_BYTES)
        length = int.from_bytes(header[: 4 if self._has_long_lengths else 2], "big")
        if not HEADER_BYTES <= length <= _LONGEST_PACKET_BYTES:
            raise Malformed(f"a packet of {length} bytes")
        return Packet(header[4], self._read_exactly(length - HEADER_BYTES))

    def read_data(self) -> bytes:
        """Return the next part of a request; raises Interrupted where the client breaks it off, else as `read`."""
        packet = self.read()
        if packet.kind == PacketKind.MARKER:
            raise Interrupted
        if packet.kind != PacketKind.DATA or len(packet.body) < 2:
            raise Malformed(f"a packet of kind {packet.kind} where a request was due")
        if int.from_bytes(packet.body[:2], "big") & _END_OF_FILE:
            raise Disconnected
        return packet.body[2:]

    def send(self, kind: PacketKind, body: bytes) -> None:
        """Send one packet; raises OSError where the connection broke."""
        self._peer.sendall(self._framed(kind, body))

    def send_data(self, message: bytes) -> None:
        """Send messages, in as many packets as they need."""
        parts = [message[start : start + _PART_BYTES] for start in range(0, len(message), _PART_BYTES)]
        self._peer.sendall(b"".join(self._framed(PacketKind.DATA, b"\0\0" + part) for part in parts))

    def send_marker(self, marker: Marker) -> None:
        """Send a marker."""
        self.send(PacketKind.MARKER, bytes((1, 0, marker)))

    def break_off(self) -> None:
        """Answer a marker: no request from before the client's own reset is answered."""
        self.send_marker(Marker.BREAK)
        while True:
            packet = self.read()
            if packet.kind == PacketKind.MARKER and packet.body[2:3] == bytes((Marker.RESET,)):
                break
        self.send_marker(Marker.RESET)

    def watch(self, wait_s: float) -> None:
        """Look for a marker, waiting for it at most so long.

        Raises:
            Interrupted: one came.
            Disconnected: the client went away.
            Malformed: it sent something else while its request runs.
        """
        deadline_s = time.perf_counter() + wait_s
        while True:
            if len(self._received) >= HEADER_BYTES:
                if self.read().kind != PacketKind.MARKER:
                    raise Malformed("a second request while one runs")
                raise Interrupted
            left_s = max(0.0, deadline_s - time.perf_counter())
            has_more = isinstance(self._peer, ssl.SSLSocket) and self._peer.pending() > 0
            if not has_more and not select.select((self._peer,), (), (), left_s)[0]:
                return
            self._receive()

    def reset(self) -> None:
        """Break the connection as a crashed host does: the client sees a reset, not an end."""
        self._peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
        self._peer.close()

    def close(self) -> None:
        """Close the connection."""
        self._peer.close()

    def _framed(self, kind: PacketKind, body: bytes) -> bytes:
        length = HEADER_BYTES + len(body)
        told = struct.pack(">I", length) if self._has_long_lengths else struct.pack(">HH", length, 0)
        return told + struct.pack(">BBH", kind, 0, 0) + body

    def _read_exactly(self, size: int) -> bytes:
        while len(self._received) < size:
            self._receive()
        part = bytes(self._received[:size])
        del self._received[:size]
        return part

    def _receive(self) -> None:
        received = self._peer.recv(1 << 16)
        if not received:
            raise Disconnected
        self._received += received
