"""Types: what the server encodes, a client decodes to the same value; parameters of every type drivers send."""

import struct
import uuid
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.drivers.sqlserver.wire.reading import FieldReader, Malformed
from app.drivers.sqlserver.wire.types import COLLATION, plp, wire_type
from app.drivers.sqlserver.wire.values import Decoded, UnsupportedType, read_typed_value
from app.foundation.rows import Cell

SQL_TYPES = ["bigint", "bit", "datetime", "float", "int", "nvarchar", "smallint", "sysname", "tinyint", "varchar"]


def there_and_back(sql_type: str, value: Cell, longest: int = 0) -> Decoded:
    """Encode a result's value and decode it as a typed one."""
    wire = wire_type(sql_type, longest)
    reader = FieldReader(wire.info + (wire.null if value is None else wire.encode(value)))
    decoded = read_typed_value(reader)
    assert reader.at_end
    return decoded


@pytest.mark.parametrize("sql_type", SQL_TYPES)
def test_null_is_null(sql_type: str) -> None:
    """NULL of each type arrives as None."""
    assert there_and_back(sql_type, None) is None


@given(value=st.integers(-(2**63), 2**63 - 1))
def test_whole_numbers(value: int) -> None:
    """Every bigint arrives, and every int that is one."""
    assert there_and_back("bigint", value) == value
    if -(2**31) <= value < 2**31:
        assert there_and_back("int", value) == value


@given(value=st.floats(allow_nan=False))
def test_floats(value: float) -> None:
    """Every float arrives to the last bit."""
    assert there_and_back("float", value) == value


@given(value=st.text(max_size=300))
def test_texts(value: str) -> None:
    """Every text arrives, emoji and NUL included, as nvarchar and as nvarchar(max)."""
    assert there_and_back("nvarchar", value) == value
    assert there_and_back("nvarchar", value, longest=5000) == value


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 200_000])
def test_long_texts(size: int) -> None:
    """A varchar(max) of any number of chunks arrives."""
    assert there_and_back("varchar", "x" * size) == "x" * size


@given(value=st.datetimes(timezones=st.just(UTC)))
def test_times_of_day(value: datetime) -> None:
    """Every moment arrives to the microsecond."""
    assert there_and_back("datetime", value) == value


def test_moment_of_another_zone_travels_in_utc() -> None:
    """A moment is sent as UTC whatever zone it is told in."""
    moment = datetime.fromisoformat("2026-01-05T10:00:00.123456+02:00")
    assert there_and_back("datetime", moment) == moment


@given(value=st.uuids())
def test_guids(value: uuid.UUID) -> None:
    """A uniqueidentifier arrives in upper case, as SQL Server writes it."""
    assert there_and_back("uniqueidentifier", str(value)) == str(value).upper()


def with_collation(head: str) -> bytes:
    """Return a TYPE_INFO in hexadecimal with the collation after it."""
    return bytes.fromhex(head) + COLLATION


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (bytes.fromhex("1f"), None),
        (bytes.fromhex("30 ff"), 255),
        (bytes.fromhex("34 feff"), -2),
        (bytes.fromhex("38 01000000"), 1),
        (bytes.fromhex("7f 0100000000000080"), -(2**63) + 1),
        (bytes.fromhex("32 01"), 1),
        (bytes.fromhex("26 01 01 07"), 7),
        (bytes.fromhex("68 01 01 01"), 1),
        (bytes.fromhex("3b 0000c03f"), 1.5),
        (bytes.fromhex("6d 04 04 0000c03f"), 1.5),
        (bytes.fromhex("3c 00000000 10270000"), 1.0),
        (bytes.fromhex("7a f0d8ffff"), -1.0),
        (bytes.fromhex("6c 05 0a 02 05 01 39300000"), 123.45),
        (bytes.fromhex("6a 05 0a 00 05 00 39300000"), -12_345),
        (bytes.fromhex("3a 0100 3c00"), datetime(1900, 1, 2, 1, tzinfo=UTC)),
        (bytes.fromhex("6f 08 08 01000000 2c010000"), datetime(1900, 1, 2, 0, 0, 1, tzinfo=UTC)),
        (bytes.fromhex("28 03 010000"), datetime(1, 1, 2, tzinfo=UTC)),
        (bytes.fromhex("29 00 03 3c0000"), datetime(1900, 1, 1, 0, 1, tzinfo=UTC)),
        (bytes.fromhex("2b 00 08 3c0000 010000 7800"), datetime(1, 1, 2, 0, 1, tzinfo=UTC)),
        (with_collation("af 0200") + bytes.fromhex("0200 41e9"), "Aé"),
        (with_collation("ef 0400") + bytes.fromhex("0400 41002000"), "A "),
        (with_collation("23 ffffff7f") + bytes.fromhex("01000000 41"), "A"),
        (with_collation("63 ffffff7f") + bytes.fromhex("02000000 4100"), "A"),
        (with_collation("63 ffffff7f") + bytes.fromhex("ffffffff"), None),
        (bytes.fromhex("22 ffffff7f 02000000 0102"), b"\x01\x02"),
        (bytes.fromhex("a5 0800 ffff"), None),
        (bytes.fromhex("ad 0200 0200 0102"), b"\x01\x02"),
        (bytes.fromhex("a5 ffff") + plp(b"abc"), b"abc"),
        (bytes.fromhex("a5 ffff feffffffffffffff 01000000 61 01000000 62 00000000"), b"ab"),
        (bytes.fromhex("f1 00") + plp("<a/>".encode("utf-16-le")), "<a/>"),
        (bytes.fromhex("2f 02 02 4142"), "AB"),
        (bytes.fromhex("27 02 00"), None),
    ],
)
def test_parameters_of_every_type(data: bytes, value: Decoded) -> None:
    """Each type a driver sends is decoded, and nothing after it is eaten."""
    reader = FieldReader(data + b"\x2a")
    assert read_typed_value(reader) == value
    assert reader.rest() == b"\x2a"


@pytest.mark.parametrize("data", ["f3 00", "62 00000000", "f0 0000", "f1 01", "00", "99"])
def test_types_no_statement_takes(data: str) -> None:
    """Tables, sql_variant, CLR types and unknown ones are told apart from noise: the connection goes on."""
    with pytest.raises(UnsupportedType):
        read_typed_value(FieldReader(bytes.fromhex(data)))


@pytest.mark.parametrize(
    "data",
    [
        "26 04 04 0102",
        "26 03 03 010203",
        "2a 09 08 0000000000000000",
        "24 10 05 0102030405",
        "6f 08 05 0102030405",
        "28 03 ffffff",
        "e7 0400 0904d00034 0300 410042",
        "a5 ffff 0300000000000000 ffffff7f 61",
        "",
    ],
)
def test_values_that_do_not_fit_are_malformed(data: str) -> None:
    """Cut values, impossible lengths, half characters and dates beyond the calendar are refused."""
    with pytest.raises(Malformed):
        read_typed_value(FieldReader(bytes.fromhex(data)))


@given(noise=st.binary(max_size=80))
def test_noise_is_a_value_or_refused(noise: bytes) -> None:
    """Whatever bytes come, decoding ends in a value or in one of the two errors the server expects."""
    reader = FieldReader(noise)
    try:
        value = read_typed_value(reader)
    except (Malformed, UnsupportedType):
        return
    assert value is None or isinstance(value, int | float | str | bytes | datetime)


def test_chunks_say_their_length() -> None:
    """A long value begins with its whole length and ends with an empty chunk."""
    data = plp(b"x" * 70_000)
    assert struct.unpack_from("<Q", data)[0] == 70_000
    assert data.endswith(b"\x00\x00\x00\x00")
