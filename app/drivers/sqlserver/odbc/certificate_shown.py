"""The certificate a server shows, read without a driver: drivers say only that they do not trust it.

Source: MS-TDS 2.2.6.5 (PRELOGIN) and 2.2.2.2 (the TLS handshake travels in PRELOGIN packets).
"""

import hashlib
import socket
import ssl
from typing import TYPE_CHECKING, Final

from app.domain.connection import CHECKED, ShownCertificate
from app.drivers.sqlserver.wire.packets import PacketKind, frame, read_message
from app.drivers.sqlserver.wire.reading import Malformed

if TYPE_CHECKING:
    from cryptography import x509

_LIMIT_S: Final = 3.0
_FLIGHTS: Final = 10
# Two options, VERSION (6 bytes at 11) and ENCRYPTION (1 byte at 17): version 0, encryption on.
_PRELOGIN: Final = bytes((0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xFF, 0, 0, 0, 0, 0, 0, 1))


def certificate_shown(host: str, port: int, limit_s: float = _LIMIT_S) -> ShownCertificate | None:
    """Return the certificate of a SQL Server, None where it shows none; nothing is proven and no login is sent.

    Args:
        limit_s: longest wait for each answer.
    """
    try:
        with socket.create_connection((host, port), timeout=limit_s) as peer:
            return _read_certificate(_handshake(peer), f"{host}:{port}")
    except (OSError, ValueError, Malformed):  # an ssl.SSLError is an OSError
        return None


def _handshake(peer: socket.socket) -> bytes:
    """Return the certificate in DER that the handshake brings; raises OSError or Malformed."""

    def exactly(count: int) -> bytes:
        received = b""
        while len(received) < count:
            part = peer.recv(count - len(received))
            if not part:
                raise ConnectionResetError
            received += part
        return received

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # it is read in order to be looked at, not to be relied on
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing)
    peer.sendall(frame(PacketKind.PRELOGIN, _PRELOGIN))
    read_message(exactly)
    for _flight in range(_FLIGHTS):
        try:
            tls.do_handshake()
        except ssl.SSLWantReadError:
            peer.sendall(frame(PacketKind.PRELOGIN, outgoing.read()))
            incoming.write(read_message(exactly).payload)
        else:
            break
    return tls.getpeercert(binary_form=True) or b""


def _read_certificate(der: bytes, where: str) -> ShownCertificate:
    """Return the parts of a certificate that a person compares; raises ValueError where it cannot be read."""
    from cryptography import x509  # takes a moment, and few servers need it

    found = x509.load_der_x509_certificate(der)
    digest = hashlib.sha256(der).hexdigest().upper()
    return ShownCertificate(
        where=where,
        subject=_name_of(found.subject),
        issuer=_name_of(found.issuer),
        is_self_signed=found.subject == found.issuer,
        valid_until_utc=found.not_valid_after_utc,
        sha256=":".join(digest[place : place + 2] for place in range(0, len(digest), 2)),
        trusting=("trust", CHECKED),
    )


def _name_of(name: "x509.Name") -> str:
    """Return the common name, else the whole one."""
    from cryptography.x509 import NameOID

    common = name.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(common[0].value) if common else name.rfc4514_string()
