"""TLS inside of TDS: the handshake travels in PRELOGIN packets, after it TLS records carry the packets."""

import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

_VALID_FOR: Final = timedelta(days=30)


def make_context(host: str) -> ssl.SSLContext:
    """Return a TLS context with a new self-signed certificate for a host, kept in memory only.

    The files Python needs to read it from are removed before this returns.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + _VALID_FOR)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # With 1.3 a client's last flight of the handshake comes unwrapped, and drivers hang.
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lab.pem"
        path.touch(mode=0o600)
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        context.load_cert_chain(path)
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
        """Return what the received records hold so far; raises ssl.SSLError on anything else than TLS."""
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
