"""Tokens of replies (MS-TDS 2.2.7)."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum, IntFlag
from typing import Final

from app.drivers.sqlserver.wire.types import COLLATION, INT, WireColumn
from app.foundation.rows import Cell

PROGRAM: Final = "Microsoft SQL Server"
_TDS_7_4: Final = b"\x74\x00\x00\x04"
_NULLABLE, _READ_ONLY = 0x0001, 0x0008
_HANDLE: Final = "@handle"  # by its name a client such as tedious knows it
_LONGEST_MESSAGE: Final = 2047  # characters, as RAISERROR limits it


class _Token(IntEnum):
    RETURN_STATUS = 0x79
    COLUMNS = 0x81
    ERROR = 0xAA
    INFO = 0xAB
    RETURN_VALUE = 0xAC
    LOGIN_ACK = 0xAD
    FEATURE_ACK = 0xAE
    ROW = 0xD1
    ENV_CHANGE = 0xE3
    DONE = 0xFD
    DONE_PROC = 0xFE
    DONE_IN_PROC = 0xFF


class Done(IntFlag):
    """Status of a DONE token."""

    FINAL = 0x00
    MORE = 0x01
    ERROR = 0x02
    COUNT = 0x10
    ATTENTION = 0x20


class Change(IntEnum):
    """The kind of change in an ENVCHANGE."""

    DATABASE = 1
    LANGUAGE = 2
    PACKET_SIZE = 4
    COLLATION = 7
    BEGIN = 8
    COMMIT = 9
    ROLLBACK = 10
    RESET_DONE = 18


def _short_text(text: str) -> bytes:
    data = _utf16(text[:127])
    return bytes((len(data) // 2,)) + data


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _counted(token: _Token, body: bytes) -> bytes:
    return struct.pack("<BH", token, len(body)) + body


def login_ack(version: tuple[int, int, int]) -> bytes:
    """Return LOGINACK: TDS 7.4, product and version (major, minor, build)."""
    major, minor, build = version
    return _counted(
        _Token.LOGIN_ACK, b"\x01" + _TDS_7_4 + _short_text(PROGRAM) + struct.pack(">BBH", major, minor, build)
    )


def no_features() -> bytes:
    """Return FEATUREEXTACK without any feature."""
    return bytes((_Token.FEATURE_ACK, 0xFF))


def env_change(change: Change, new: str, old: str = "") -> bytes:
    """Return an ENVCHANGE of texts."""
    return _counted(_Token.ENV_CHANGE, bytes((change,)) + _short_text(new) + _short_text(old))


def env_change_bytes(change: Change, new: bytes, old: bytes = b"") -> bytes:
    """Return an ENVCHANGE of bytes: collation, transactions, reset."""
    body = bytes((change, len(new))) + new + bytes((len(old),)) + old
    return _counted(_Token.ENV_CHANGE, body)


def collation_change() -> bytes:
    """Return the ENVCHANGE that tells the server's collation."""
    return env_change_bytes(Change.COLLATION, COLLATION)


def error(number: int, text: str, server: str, severity: int = 16, *, state: int = 1, line: int = 1) -> bytes:
    """Return ERROR; number and text as SQL Server's `sys.messages` has them."""
    return _message(_Token.ERROR, number, text, server, (state, severity), line)


def info(number: int, text: str, server: str) -> bytes:
    """Return INFO, of severity 0 (pymssql takes a higher one for an error); what PRINT says has number 0 as well."""
    return _message(_Token.INFO, number, text, server, (1, 0), 1)


def _message(token: _Token, number: int, text: str, server: str, levels: tuple[int, int], line: int) -> bytes:
    said = _utf16(text[:_LONGEST_MESSAGE])
    head = struct.pack("<iBBH", number, *levels, len(said) // 2)
    return _counted(token, head + said + _short_text(server) + _short_text("") + struct.pack("<I", line))


def done(status: Done = Done.FINAL, rows: int = 0) -> bytes:
    """Return DONE, which ends a statement of a batch."""
    return struct.pack("<BHHQ", _Token.DONE, status, 0, rows)


def done_proc(status: Done = Done.FINAL) -> bytes:
    """Return DONEPROC, which ends a remote procedure call."""
    return struct.pack("<BHHQ", _Token.DONE_PROC, status, 0, 0)


def done_in_proc(status: Done, rows: int = 0) -> bytes:
    """Return DONEINPROC, which ends a statement of a remote procedure call."""
    return struct.pack("<BHHQ", _Token.DONE_IN_PROC, status, 0, rows)


def return_status(value: int = 0) -> bytes:
    """Return RETURNSTATUS."""
    return struct.pack("<Bi", _Token.RETURN_STATUS, value)


def return_handle(handle: int) -> bytes:
    """Return RETURNVALUE with the handle of a prepared statement."""
    head = struct.pack("<BH", _Token.RETURN_VALUE, 0) + _short_text(_HANDLE) + struct.pack("<BIH", 1, 0, 0)
    return head + INT.info + INT.encode(handle)


def columns(described: Sequence[WireColumn]) -> bytes:
    """Return COLMETADATA."""
    parts = [struct.pack("<BH", _Token.COLUMNS, len(described))]
    for column in described:
        flags = _READ_ONLY | (_NULLABLE if column.is_nullable else 0)
        parts += (struct.pack("<IH", 0, flags), column.wire_type.info, _short_text(column.name))
    return b"".join(parts)


def rows(described: Sequence[WireColumn], all_values: Iterable[Sequence[Cell]]) -> Iterator[bytes]:
    """Return a ROW for each of some rows."""
    start = bytes((_Token.ROW,))
    coders = [(column.wire_type.null, column.wire_type.encode) for column in described]
    for values in all_values:
        parts = [start]
        for (null, encode), value in zip(coders, values, strict=True):
            parts.append(null if value is None else encode(value))
        yield b"".join(parts)
