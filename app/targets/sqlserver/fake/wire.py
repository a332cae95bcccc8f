"""Framing between a lab process and its client: four bytes of length, then JSON; statements travel by name only."""

import json
import socket
import struct
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from app.targets.sqlserver.catalogue import Statement
from app.targets.sqlserver.rows import Cell

HOST: Final = "127.0.0.1"
_LENGTH: Final = struct.Struct(">I")
_LONGEST_BYTES: Final = 64 * 1024 * 1024

Message = dict[str, Any]  # exactly what json.loads gives; every key is checked where it is read


class Disconnected(Exception):
    """The other side went away, or sent what is no message."""


def send_message(peer: socket.socket, message: Message) -> None:
    """Send one message; raises OSError where the other side is gone."""
    payload = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    peer.sendall(_LENGTH.pack(len(payload)) + payload)


def receive_message(peer: socket.socket) -> Message:
    """Receive one message.

    Raises:
        Disconnected: the connection ended, or what came is no message.
        OSError: the connection broke.
    """
    (length,) = _LENGTH.unpack(_receive(peer, _LENGTH.size))
    if length > _LONGEST_BYTES:
        raise Disconnected("a message is too long")
    try:
        message = json.loads(_receive(peer, length))
    except ValueError as error:
        raise Disconnected("not a JSON message") from error
    if not isinstance(message, dict):
        raise Disconnected("not a JSON object")
    return message


def _receive(peer: socket.socket, size: int) -> bytes:
    parts, left = [], size
    while left > 0:
        part = peer.recv(min(left, 1 << 20))
        if not part:
            raise Disconnected("the connection ended")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def encode_rows(rows: Sequence[Sequence[Cell]]) -> list[list[int | float | str | None]]:
    """Return rows as JSON: times of day as ISO 8601 text."""
    return [[cell.isoformat() if isinstance(cell, datetime) else cell for cell in row] for row in rows]


def decode_rows(
    statement: Statement, rows: Sequence[Sequence[int | float | str | None]]
) -> tuple[tuple[Cell, ...], ...]:
    """Return rows from JSON, times of day by the declared types of their columns."""
    times = [position for position, column in enumerate(statement.columns) if column.sql_type == "datetime"]
    decoded = []
    for row in rows:
        cells: list[Cell] = list(row)
        for position in times:
            text = cells[position]
            cells[position] = datetime.fromisoformat(text) if isinstance(text, str) else None
        decoded.append(tuple(cells))
    return tuple(decoded)
