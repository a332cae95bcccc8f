"""Messages before the first statement: PRELOGIN (MS-TDS 2.2.6.5) and LOGIN7 (2.2.6.4)."""

import struct
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from app.drivers.sqlserver.wire.packets import DEFAULT_PACKET_BYTES, LARGEST_PACKET_BYTES, SMALLEST_PACKET_BYTES
from app.drivers.sqlserver.wire.reading import Malformed, utf16

OLDEST_TDS: Final = 0x72090002  # TDS 7.2: before it, requests carry no headers

_OPTION: Final = struct.Struct(">BHH")
_VERSION, _ENCRYPTION, _END = 0x00, 0x01, 0xFF
_FIXED: Final = struct.Struct("<IIIIIIBBBBiI")
_PLACE: Final = struct.Struct("<HH")
_PLACES_AT: Final = 36
_FIXED_BYTES: Final = 94
_TEXTS_FROM: Final = 86  # where TDS 7.1 has them: DB-Library and pymssql say 7.4 and keep to that
_INTEGRATED: Final = 0x80  # of option flags 2
_HAS_FEATURES: Final = 0x10  # of option flags 3


class Encryption(IntEnum):
    """Client's and server's word on TLS."""

    OFF = 0  # the login alone is encrypted
    ON = 1
    NOT_SUPPORTED = 2
    REQUIRED = 3


@dataclass(frozen=True)
class Login:
    """A client's login.

    Attributes:
        is_integrated: it comes with a ticket instead of a password.
        has_features: it lists features, and expects a list of those acknowledged.
        packet_bytes: the packet size both sides use from here on.
    """

    user: str
    password: str = field(repr=False)
    database: str
    program: str
    tds_version: int
    packet_bytes: int
    is_integrated: bool
    has_features: bool


def parse_prelogin(payload: bytes) -> Encryption:
    """Return the client's wish; a client that says nothing wants no TLS.

    Raises:
        Malformed: an option points outside of the message, or the wish is unknown.
    """
    position = 0
    while position < len(payload) and payload[position] != _END:
        if position + _OPTION.size > len(payload):
            raise Malformed("a prelogin that ends within its options")
        token, offset, length = _OPTION.unpack_from(payload, position)
        position += _OPTION.size
        if token == _ENCRYPTION:
            if length < 1 or offset >= len(payload):
                raise Malformed("prelogin says nothing about encryption")
            try:
                return Encryption(payload[offset])
            except ValueError as error:
                raise Malformed("prelogin wants an unknown kind of encryption") from error
    if position >= len(payload):
        raise Malformed("a prelogin without an end")
    return Encryption.NOT_SUPPORTED


def answer_encryption(wish: Encryption, has_certificate: bool) -> Encryption:
    """Return the server's answer to a client's wish; NOT_SUPPORTED to a client that insists ends the connection."""
    if not has_certificate:
        return Encryption.NOT_SUPPORTED
    return {Encryption.REQUIRED: Encryption.ON}.get(wish, wish)


def prelogin_answer(version: tuple[int, int, int], encryption: Encryption) -> bytes:
    """Return the payload of the server's answer: version and encryption."""
    major, minor, build = version
    version_at = 2 * _OPTION.size + 1
    return b"".join(
        (
            _OPTION.pack(_VERSION, version_at, 6),
            _OPTION.pack(_ENCRYPTION, version_at + 6, 1),
            bytes((_END,)),
            struct.pack(">BBHH", major, minor, build, 0),
            bytes((encryption,)),
        )
    )


def parse_login(payload: bytes) -> Login:
    """Take a LOGIN7 apart.

    Raises:
        Malformed: it is shorter than it says, or a text lies outside of it.
    """
    if len(payload) < _TEXTS_FROM:
        raise Malformed("a truncated login")
    length, tds_version, packet_bytes, *_more, _flags1, flags2, _type_flags, flags3, _zone, _locale = (
        _FIXED.unpack_from(payload)
    )
    if length > len(payload):
        raise Malformed("a truncated login")
    wanted = packet_bytes or DEFAULT_PACKET_BYTES
    return Login(
        user=utf16(_field(payload, 1)),
        password=utf16(_revealed(_field(payload, 2))),
        database=utf16(_field(payload, 8)),
        program=utf16(_field(payload, 3)),
        tds_version=tds_version,
        packet_bytes=min(max(wanted, SMALLEST_PACKET_BYTES), LARGEST_PACKET_BYTES),
        is_integrated=bool(flags2 & _INTEGRATED),
        has_features=bool(flags3 & _HAS_FEATURES),
    )


def _field(payload: bytes, number: int) -> bytes:
    """Return the n-th text: host, user, password, program, server, extension, library, language, database."""
    offset, characters = _PLACE.unpack_from(payload, _PLACES_AT + number * _PLACE.size)
    end = offset + characters * 2
    if characters and (offset < _TEXTS_FROM or end > len(payload)):
        raise Malformed("a login whose text lies outside of it")
    return payload[offset:end]


def _revealed(hidden: bytes) -> bytes:
    """Return a password as typed: each byte was turned by four bits, then mixed with A5."""
    return bytes(((byte ^ 0xA5) >> 4) | (((byte ^ 0xA5) << 4) & 0xF0) for byte in hidden)
