"""Values of the catalogue's types as they travel."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from app.drivers.oracle.catalogue import Column, OracleType
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.wire.packets import Malformed
from app.foundation.rows import Cell

VARCHAR: Final = 1
NUMBER: Final = 2
DATE: Final = 12
WIRE_TYPES: Final = {
    OracleType.INTEGER: NUMBER,
    OracleType.NUMBER: NUMBER,
    OracleType.VARCHAR2: VARCHAR,
    OracleType.DATE: DATE,
}
_SENT: Final = {VARCHAR: OracleType.VARCHAR2, 96: OracleType.VARCHAR2, NUMBER: OracleType.NUMBER, 3: OracleType.NUMBER}
_MOST_PAIRS: Final = 20
_ZERO: Final = b"\x80"


def type_sent(kind: int) -> OracleType:
    """Return the type of a client's bind; raises OracleError for one that no script takes."""
    if kind not in _SENT:
        raise OracleError.of_text(f"ORA-00932: inconsistent datatypes: texts and numbers are taken, not type {kind}")
    return _SENT[kind]


def encoded(value: Cell) -> bytes | None:
    """Return a value as it travels, without its length; None for NULL."""
    if value is None:
        return None
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, datetime):
        return _encoded_date(value)
    assert isinstance(value, int | float)
    return encoded_number(Decimal(value) if isinstance(value, int) else Decimal(repr(value)))


def decoded(column: Column, value: bytes | None) -> BindValue:
    """Return the value of a bind as the type it is declared with."""
    if value is None:
        return None
    if column.oracle_type is OracleType.VARCHAR2:
        return value.decode()
    if column.oracle_type is OracleType.DATE:
        raise Malformed(f"bind {column.name} is a DATE")  # no statement takes one
    told = decoded_number(value)
    return int(told) if told == told.to_integral_value() else float(told)


def _encoded_date(moment: datetime) -> bytes:
    utc = moment.astimezone(UTC) if moment.tzinfo else moment
    century, year = divmod(utc.year, 100)
    return bytes((century + 100, year + 100, utc.month, utc.day, utc.hour + 1, utc.minute + 1, utc.second + 1))


def encoded_number(value: Decimal) -> bytes:
    """Return a NUMBER: an exponent of 100 and up to twenty pairs of digits, those of a negative one as 101 less."""
    if not value:
        return _ZERO
    is_negative, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits)).lstrip("0")
    if exponent % 2:
        text, exponent = f"{text}0", exponent - 1
    if len(text) % 2:
        text = f"0{text}"
    pairs = [int(text[start : start + 2]) for start in range(0, len(text), 2)]
    leading = exponent // 2 + len(pairs) - 1
    pairs = pairs[:_MOST_PAIRS]
    while pairs[-1] == 0:
        pairs.pop()
    if not is_negative:
        return bytes((193 + leading, *(pair + 1 for pair in pairs)))
    ending = (102,) if len(pairs) < _MOST_PAIRS else ()
    return bytes((62 - leading, *(101 - pair for pair in pairs), *ending))


def decoded_number(value: bytes) -> Decimal:
    """Return the value of a NUMBER; the reverse of `encoded_number`."""
    if value == _ZERO:
        return Decimal(0)
    is_negative = value[0] < 0x80
    leading = 62 - value[0] if is_negative else value[0] - 193
    pairs = [101 - pair if is_negative else pair - 1 for pair in value[1:] if not (is_negative and pair == 102)]
    digits = tuple(digit for pair in pairs for digit in divmod(pair, 10))
    return Decimal((int(is_negative), digits, 2 * (leading - len(pairs) + 1)))
