"""SQL Server's types on the wire (MS-TDS 2.2.5.4): how columns and results are described and encoded."""

import struct
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from typing import Final

from app.foundation.rows import Cell

# Latin1_General_CI_AS, code page 1252: every text of the lab's servers has it.
COLLATION: Final = bytes((0x09, 0x04, 0xD0, 0x00, 0x34))
CODE_PAGE: Final = "cp1252"
ANY_LENGTH: Final = 0xFFFF
PLP_NULL: Final = 0xFFFFFFFFFFFFFFFF

_NULL_SHORT: Final = b"\x00"
_NULL_LONG: Final = b"\xff\xff"
_PLP_CHUNK_BYTES: Final = 1 << 16
_YEAR_1: Final = datetime(1, 1, 1, tzinfo=UTC)


class TypeToken(IntEnum):
    """Types by their byte in TYPE_INFO."""

    NULL = 0x1F
    IMAGE = 0x22
    TEXT = 0x23
    GUID = 0x24
    OLD_VARBINARY = 0x25
    INTN = 0x26
    OLD_VARCHAR = 0x27
    DATEN = 0x28
    TIMEN = 0x29
    DATETIME2N = 0x2A
    DATETIMEOFFSETN = 0x2B
    OLD_BINARY = 0x2D
    OLD_CHAR = 0x2F
    INT1 = 0x30
    BIT = 0x32
    INT2 = 0x34
    INT4 = 0x38
    DATETIM4 = 0x3A
    FLT4 = 0x3B
    MONEY = 0x3C
    DATETIME = 0x3D
    FLT8 = 0x3E
    NTEXT = 0x63
    BITN = 0x68
    DECIMALN = 0x6A
    NUMERICN = 0x6C
    FLTN = 0x6D
    MONEYN = 0x6E
    DATETIMN = 0x6F
    MONEY4 = 0x7A
    INT8 = 0x7F
    VARBINARY = 0xA5
    VARCHAR = 0xA7
    BINARY = 0xAD
    CHAR = 0xAF
    NVARCHAR = 0xE7
    NCHAR = 0xEF
    XML = 0xF1


@dataclass(frozen=True)
class WireType:
    """A type of results: its TYPE_INFO and how a value that is not NULL becomes bytes, length included."""

    info: bytes
    null: bytes
    encode: Callable[[Cell], bytes]


@dataclass(frozen=True)
class WireColumn:
    """A column of a result."""

    name: str
    wire_type: WireType
    is_nullable: bool


def _of_int(size: int) -> Callable[[Cell], bytes]:
    layout = struct.Struct({1: "<BB", 2: "<Bh", 4: "<Bi", 8: "<Bq"}[size])

    def encode(value: Cell) -> bytes:
        assert isinstance(value, int)
        return layout.pack(size, value)

    return encode


def _of_bit(value: Cell) -> bytes:
    return b"\x01\x01" if value else b"\x01\x00"


def _of_float(value: Cell) -> bytes:
    assert isinstance(value, int | float)
    return struct.pack("<Bd", 8, value)


def _of_guid(value: Cell) -> bytes:
    return b"\x10" + uuid.UUID(str(value)).bytes_le


def _of_text(encoding: str) -> Callable[[Cell], bytes]:
    def encode(value: Cell) -> bytes:
        data = _text_bytes(value, encoding)
        return struct.pack("<H", len(data)) + data

    return encode


def _of_long_text(encoding: str) -> Callable[[Cell], bytes]:
    def encode(value: Cell) -> bytes:
        return plp(_text_bytes(value, encoding))

    return encode


def _text_bytes(value: Cell, encoding: str) -> bytes:
    text = str(value)
    if encoding == CODE_PAGE and text.isascii():
        return text.encode("ascii")  # the same bytes, in a fifteenth of the time: megabytes probe the line
    return text.encode(encoding, "surrogatepass" if encoding == "utf-16-le" else "replace")


def _of_datetime2(value: Cell) -> bytes:
    assert isinstance(value, datetime)
    passed = (value if value.tzinfo else value.replace(tzinfo=UTC)) - _YEAR_1
    ticks = (passed.seconds * 1_000_000 + passed.microseconds) * 10
    return b"\x08" + ticks.to_bytes(5, "little") + passed.days.to_bytes(3, "little")


def plp(data: bytes) -> bytes:
    """Return data of any length in chunks (PLP), its length in front."""
    parts = [struct.pack("<Q", len(data))]
    for start in range(0, len(data), _PLP_CHUNK_BYTES):
        chunk = data[start : start + _PLP_CHUNK_BYTES]
        parts += (struct.pack("<I", len(chunk)), chunk)
    parts.append(b"\x00\x00\x00\x00")
    return b"".join(parts)


def _int_type(size: int) -> WireType:
    return WireType(bytes((TypeToken.INTN, size)), _NULL_SHORT, _of_int(size))


def text_type(token: TypeToken, most_bytes: int) -> WireType:
    """Return a text type of at most so many bytes; ANY_LENGTH makes it a (max) type."""
    encoding = CODE_PAGE if token in (TypeToken.VARCHAR, TypeToken.CHAR) else "utf-16-le"
    info = struct.pack("<BH", token, most_bytes) + COLLATION
    if most_bytes == ANY_LENGTH:
        return WireType(info, struct.pack("<Q", PLP_NULL), _of_long_text(encoding))
    return WireType(info, _NULL_LONG, _of_text(encoding))


NVARCHAR_MAX: Final = text_type(TypeToken.NVARCHAR, ANY_LENGTH)
INT: Final = _int_type(4)

# A header says `nvarchar` for texts of any declared length, and clients reserve memory for the declared one: the result
# tells the narrowest of these, in characters, that holds its texts.
_NVARCHAR_CHARACTERS: Final = (128, 512, 4000)
# A header's `datetime` travels as datetime2(7): a datetime has steps of 1/300 s, the lab's clock has microseconds.
_BY_NAME: Final = {
    "bigint": _int_type(8),
    "bit": WireType(bytes((TypeToken.BITN, 1)), _NULL_SHORT, _of_bit),
    "datetime": WireType(bytes((TypeToken.DATETIME2N, 7)), _NULL_SHORT, _of_datetime2),
    "float": WireType(bytes((TypeToken.FLTN, 8)), _NULL_SHORT, _of_float),
    "int": INT,
    "smallint": _int_type(2),
    "sysname": text_type(TypeToken.NVARCHAR, 128 * 2),
    "tinyint": _int_type(1),
    "uniqueidentifier": WireType(bytes((TypeToken.GUID, 16)), _NULL_SHORT, _of_guid),
    "varchar": text_type(TypeToken.VARCHAR, ANY_LENGTH),
}


_NVARCHAR: Final = tuple((most, text_type(TypeToken.NVARCHAR, most * 2)) for most in _NVARCHAR_CHARACTERS)


def wire_type(sql_type: str, longest: int = 0) -> WireType:
    """Return how a type of the catalogue's headers travels.

    Args:
        longest: characters of the longest text of the result; an nvarchar beyond 4,000 travels as nvarchar(max).

    Raises:
        KeyError: no statement of the catalogue returns this type; a fault of the program.
    """
    if sql_type == "nvarchar":
        return next((narrow for most, narrow in _NVARCHAR if longest <= most), NVARCHAR_MAX)
    return _BY_NAME[sql_type]
