"""One client's socket: whole messages in, packets out, in clear or through TLS; used by one thread."""

import select
import socket
import ssl
import struct
import time
from typing import Final

from app.drivers.sqlserver.wire.packets import HEADER_BYTES, Message, PacketKind, frame, read_message
from app.drivers.sqlserver.wire.reading import Malformed
from app.drivers.sqlserver.wire.tls import TlsLayer

_HANDSHAKE_FLIGHTS: Final = 10
_RESET_AT_CLOSE: Final = struct.pack("ii", 1, 0)


class Disconnected(Exception):
    """The client went away."""


class Cancelled(Exception):
    """The client sent an attention: it wants the running request to end."""


class Channel:
    """Reads and writes; time limits of the socket end a read with TimeoutError, an OSError."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer
        self._plain = bytearray()
        self._tls: TlsLayer | None = None

    def read_message(self, *, reads_past: bool = False) -> Message:
        """Return the client's next message; `reads_past` one that is too long, of which it then says that it is.

        Raises:
            Disconnected: the client closed the connection.
            Malformed: it sent something else.
            OSError: the connection broke (an ssl.SSLError is one), or its time limit ended.
        """
        return read_message(self._read_exactly, reads_past=reads_past)

    def send(self, data: bytes) -> None:
        """Send bytes; raises OSError where the connection broke."""
        self._peer.sendall(data if self._tls is None else self._tls.encrypt(data))

    def start_tls(self, context: ssl.SSLContext) -> None:
        """Shake hands, each flight wrapped in PRELOGIN packets.

        Raises:
            Malformed: no handshake came.
            OSError: no agreement, or the connection broke.
        """
        tls = TlsLayer(context)
        for _flight in range(_HANDSHAKE_FLIGHTS):
            message = self.read_message()
            if message.kind != PacketKind.PRELOGIN:
                raise Malformed("no TLS handshake where one was agreed on")
            flight, is_done = tls.shake_hands(message.payload)
            if flight:
                self._peer.sendall(frame(PacketKind.PRELOGIN, flight))
            if is_done:
                # What was read beyond the handshake belongs to the first encrypted message.
                beyond, self._plain = bytes(self._plain), bytearray()
                self._plain += tls.decrypt(beyond)
                self._tls = tls
                return
        raise Malformed("a TLS handshake without end")

    def end_tls(self) -> None:
        """Go on in clear, as after a login that alone was encrypted."""
        self._tls = None

    def watch(self, wait_s: float) -> None:
        """Look for an attention, waiting for it at most so long.

        Raises:
            Cancelled: one came.
            Disconnected: the client went away.
            Malformed: it sent something else while its request runs.
        """
        deadline_s = time.perf_counter() + wait_s
        while True:
            if len(self._plain) >= HEADER_BYTES:
                if self.read_message().kind != PacketKind.ATTENTION:
                    raise Malformed("a second request while one runs")
                raise Cancelled
            left_s = max(0.0, deadline_s - time.perf_counter())
            if not select.select((self._peer,), (), (), left_s)[0]:
                return
            self._receive()

    def limit(self, seconds: float | None) -> None:
        """Set the time limit of each read and write, None for none."""
        self._peer.settimeout(seconds)

    def reset(self) -> None:
        """Break the connection as a crashed host does: the client sees a reset, not an end."""
        self._peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
        self._peer.close()

    def _read_exactly(self, size: int) -> bytes:
        while len(self._plain) < size:
            self._receive()
        part = bytes(self._plain[:size])
        del self._plain[:size]
        return part

    def _receive(self) -> None:
        received = self._peer.recv(1 << 16)
        if not received:
            raise Disconnected
        self._plain += received if self._tls is None else self._tls.decrypt(received)
