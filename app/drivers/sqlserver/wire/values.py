"""Values of parameters as clients send them, decoded to Python's (MS-TDS 2.2.5.5)."""

import struct
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from app.drivers.sqlserver.wire.reading import FieldReader, Malformed, utf16
from app.drivers.sqlserver.wire.types import ANY_LENGTH, CODE_PAGE, PLP_NULL, TypeToken

Decoded = int | float | str | bytes | datetime | None
_Decoder = Callable[[bytes], Decoded]
_ValueReader = Callable[[FieldReader], Decoded]

_1900: Final = datetime(1900, 1, 1, tzinfo=UTC)
_YEAR_1: Final = datetime(1, 1, 1, tzinfo=UTC)
_FIXED_SIZES: Final = {
    TypeToken.NULL: 0,
    TypeToken.INT1: 1,
    TypeToken.BIT: 1,
    TypeToken.INT2: 2,
    TypeToken.INT4: 4,
    TypeToken.INT8: 8,
    TypeToken.FLT4: 4,
    TypeToken.FLT8: 8,
    TypeToken.MONEY: 8,
    TypeToken.MONEY4: 4,
    TypeToken.DATETIME: 8,
    TypeToken.DATETIM4: 4,
}


class UnsupportedType(Exception):
    """A value of a type no statement takes; the bytes behind it cannot be read."""


def read_typed_value(reader: FieldReader) -> Decoded:
    """Read TYPE_INFO and the value after it; NULL is None, times of day are in UTC.

    Raises:
        Malformed: they are cut short, or the value does not fit its type.
        UnsupportedType: table-valued parameters, sql_variant and CLR types.
    """
    return value_reader(reader)(reader)


def value_reader(reader: FieldReader) -> _ValueReader:
    """Read TYPE_INFO and return a reader for values of that type; raises as `read_typed_value` does."""
    number = reader.u8()
    try:
        token = TypeToken(number)
    except ValueError as error:
        raise UnsupportedType(f"0x{number:02X}") from error
    if token in _FIXED_SIZES:
        decode, size = _DECODERS[token], _FIXED_SIZES[token]
        return lambda values: decode(values.take(size))
    if token in _SCALED or token is TypeToken.DATEN:
        scaled = _SCALED.get(token)
        scale = reader.u8() if scaled is not None else 0
        if scale > 7:
            raise Malformed(f"a time with {scale} digits")
        return _with_short_length(lambda data: _date(data) if scaled is None else scaled(data, scale))
    if token in (TypeToken.DECIMALN, TypeToken.NUMERICN):
        _size, _precision, digits = reader.u8(), reader.u8(), reader.u8()
        return _with_short_length(lambda data: _number(data, digits))
    if token in _SHORT:
        reader.u8()
        return _with_short_length(_DECODERS[token])
    return _text_reader(token, reader)


def _text_reader(token: TypeToken, reader: FieldReader) -> _ValueReader:
    decode = _DECODERS[token]
    if token is TypeToken.XML:
        if reader.u8():
            raise UnsupportedType("xml with a schema")
        return lambda values: _plp(values, decode)
    if token in (TypeToken.TEXT, TypeToken.NTEXT, TypeToken.IMAGE):
        reader.u32()
        if token is not TypeToken.IMAGE:
            reader.take(5)
        return lambda values: _with_long_length(values, decode)
    size = reader.u16()
    if token not in (TypeToken.BINARY, TypeToken.VARBINARY):
        reader.take(5)
    if size == ANY_LENGTH:
        return lambda values: _plp(values, decode)
    return lambda values: _with_length(values, decode)


def _with_short_length(decode: _Decoder) -> _ValueReader:
    def read(values: FieldReader) -> Decoded:
        size = values.u8()
        return decode(values.take(size)) if size else None

    return read


def _with_length(values: FieldReader, decode: _Decoder) -> Decoded:
    size = values.u16()
    return None if size == ANY_LENGTH else decode(values.take(size))


def _with_long_length(values: FieldReader, decode: _Decoder) -> Decoded:
    size = values.i32()
    return None if size < 0 else decode(values.take(size))


def _plp(values: FieldReader, decode: _Decoder) -> Decoded:
    if values.u64() == PLP_NULL:
        return None
    parts = []
    while size := values.u32():
        parts.append(values.take(size))
    return decode(b"".join(parts))


def _whole(data: bytes) -> int:
    if len(data) not in (1, 2, 4, 8):
        raise Malformed(f"a whole number of {len(data)} bytes")
    return int.from_bytes(data, "little", signed=len(data) > 1)


def _float(data: bytes) -> float:
    if len(data) not in (4, 8):
        raise Malformed(f"a float of {len(data)} bytes")
    return float(struct.unpack("<f" if len(data) == 4 else "<d", data)[0])


def _money(data: bytes) -> float:
    if len(data) == 4:
        return int.from_bytes(data, "little", signed=True) / 10_000.0
    if len(data) == 8:
        high, low = struct.unpack("<iI", data)
        return float((high << 32) | low) / 10_000.0
    raise Malformed(f"money of {len(data)} bytes")


def _number(data: bytes, digits: int) -> int | float:
    magnitude = int.from_bytes(data[1:], "little")
    value = magnitude if data[0] else -magnitude
    return value if digits == 0 else value / 10**digits


def _guid(data: bytes) -> str:
    if len(data) != 16:
        raise Malformed(f"a uniqueidentifier of {len(data)} bytes")
    return str(uuid.UUID(bytes_le=data)).upper()


def _old_datetime(data: bytes) -> datetime:
    if len(data) == 4:
        days, minutes = struct.unpack("<HH", data)
        return _moment(_1900, days, minutes * 60_000_000)
    if len(data) == 8:
        days, ticks = struct.unpack("<iI", data)
        return _moment(_1900, days, ticks * 10_000 // 3)
    raise Malformed(f"a datetime of {len(data)} bytes")


def _date(data: bytes) -> datetime:
    return _moment(_YEAR_1, int.from_bytes(data, "little"), 0)


def _time(data: bytes, scale: int) -> datetime:
    return _moment(_1900, 0, _microseconds(data, scale))


def _datetime2(data: bytes, scale: int) -> datetime:
    return _moment(_YEAR_1, int.from_bytes(data[-3:], "little"), _microseconds(data[:-3], scale))


def _datetimeoffset(data: bytes, scale: int) -> datetime:
    return _datetime2(data[:-2], scale)  # the time on the wire is UTC; the offset says only how to show it


def _microseconds(data: bytes, scale: int) -> int:
    ticks = int.from_bytes(data, "little")
    return ticks * 1_000_000 // int(10**scale)


def _moment(origin: datetime, days: int, microseconds: int) -> datetime:
    try:
        return origin + timedelta(days=days, microseconds=microseconds)
    except OverflowError as error:
        raise Malformed("a date beyond the calendar") from error


def _narrow(data: bytes) -> str:
    return data.decode(CODE_PAGE, "replace")


_SCALED: Final = {
    TypeToken.TIMEN: _time,
    TypeToken.DATETIME2N: _datetime2,
    TypeToken.DATETIMEOFFSETN: _datetimeoffset,
}
_SHORT: Final = frozenset(
    {
        TypeToken.GUID,
        TypeToken.INTN,
        TypeToken.BITN,
        TypeToken.FLTN,
        TypeToken.MONEYN,
        TypeToken.DATETIMN,
        TypeToken.OLD_BINARY,
        TypeToken.OLD_VARBINARY,
        TypeToken.OLD_CHAR,
        TypeToken.OLD_VARCHAR,
    }
)
_DECODERS: Final[dict[TypeToken, _Decoder]] = {
    TypeToken.NULL: lambda _data: None,
    **dict.fromkeys((TypeToken.INT1, TypeToken.INT2, TypeToken.INT4, TypeToken.INT8, TypeToken.INTN), _whole),
    **dict.fromkeys((TypeToken.BIT, TypeToken.BITN), _whole),
    **dict.fromkeys((TypeToken.FLT4, TypeToken.FLT8, TypeToken.FLTN), _float),
    **dict.fromkeys((TypeToken.MONEY, TypeToken.MONEY4, TypeToken.MONEYN), _money),
    **dict.fromkeys((TypeToken.DATETIME, TypeToken.DATETIM4, TypeToken.DATETIMN), _old_datetime),
    TypeToken.GUID: _guid,
    **dict.fromkeys((TypeToken.OLD_CHAR, TypeToken.OLD_VARCHAR, TypeToken.CHAR, TypeToken.VARCHAR), _narrow),
    TypeToken.TEXT: _narrow,
    **dict.fromkeys((TypeToken.NCHAR, TypeToken.NVARCHAR, TypeToken.NTEXT, TypeToken.XML), utf16),
    **dict.fromkeys((TypeToken.OLD_BINARY, TypeToken.OLD_VARBINARY, TypeToken.BINARY, TypeToken.VARBINARY), bytes),
    TypeToken.IMAGE: bytes,
}
