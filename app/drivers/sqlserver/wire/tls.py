"""TLS inside of TDS: the handshake travels in PRELOGIN packets, after it TLS records carry the packets."""

import ssl

from app.lab import certificate


def make_context(host: str) -> ssl.SSLContext:
    """Return a TLS context with a new self-signed certificate for a host, kept in memory only."""
    context = certificate.make_context(host)
    # With 1.3 a client's last flight of the handshake comes unwrapped, and drivers hang.
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    return context


class TlsLayer:
    """One connection's TLS over buffers: bytes go in and out, nobody reads a socket here."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)

    def shake_hands(self, received: bytes) -> tuple[bytes, bool]:
        """Take a flight of the client; return the one to send, and whether the handshake is done.

        Raises:
            ssl.SSLError: no agreement, or the client does not trust the certificate.
        """
        self._incoming.write(received)
        try:
            self._tls.do_handshake()
            is_done = True
        except ssl.SSLWantReadError:
            is_done = False
        return self._outgoing.read(), is_done

    def decrypt(self, received: bytes) -> bytes:
        """Return the content of the records received so far; raises ssl.SSLError on anything else than TLS."""
        self._incoming.write(received)
        plain = bytearray()
        try:
            while part := self._tls.read(1 << 16):
                plain += part
        except ssl.SSLWantReadError:
            pass
        return bytes(plain)

    def encrypt(self, plain: bytes) -> bytes:
        """Return records to send."""
        self._tls.write(plain)
        return self._outgoing.read()
