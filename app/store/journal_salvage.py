"""An undo journal that SQLite cannot read any more: its intact entries are read from the bytes of the file.

A row of a table is one record (https://www.sqlite.org/fileformat2.html, sections 1.6 and 2.1): the length of the
record, the row's id, the length of the record's header, a type for each column, the values. Where the record is longer
than a page takes, the rest is in a chain of other pages. No other structure of the file is used, so that it may be
damaged; that a record was read rightly is what its own checksum shows.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from app.domain.change import EntryState
from app.foundation.files import move_into_place, write_atomically
from app.store.budget import most_bytes
from app.store.journal_seals import Head, Place, Row

# The header of an entry's record: its length, which is at least one byte for each column, and the id's type, NULL,
# since the id stands before the record.
_ENTRY_HEADER: Final = re.compile(rb"(?s)[\x10-\x40](?=\x00[\x0d-\xff])")
# That of the head record and of a place.
_SHORT_HEADER: Final = re.compile(rb"(?s)[\x06-\x10](?=[\x00\x0d-\xff])")
_USUAL_PAGE_BYTES: Final = 4096
_LONGEST_ID: Final = 5
_LONGEST_RECORD_BYTES: Final = 64 << 20
_RANK: Final = {EntryState.INTENT.value: 0, EntryState.APPLIED.value: 1, EntryState.RESTORED.value: 2}
_WIDTH_BEFORE_SEALS: Final = Row._fields.index("previous")
_INTEGER_BYTES: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}


@dataclass(frozen=True)
class Salvage:
    """The entries found in the bytes of a journal.

    Attributes:
        intact: entries whose checksum fits, by id; of several states of one the last.
        damaged: what can be read of other entries, by id.
        head: the record of the newest entry, None where it is not intact.
    """

    intact: dict[int, Row]
    damaged: dict[int, Row]
    head: Head | None
    places: tuple[Place, ...]


class _Record(NamedTuple):
    row_id: int
    values: list[Any]
    is_whole: bool  # the length that stands before it fits it


class TooMuchToSalvage(Exception):
    """Records share their bytes, so that they give far more to read than a file of that size holds."""


def salvage(raw: bytes) -> Salvage:
    """Return all that can be read from a journal's bytes; raises TooMuchToSalvage."""
    budget = _Bytes(raw)
    intact: dict[int, Row] = {}
    damaged: dict[int, Row] = {}
    for record in _records(budget, _ENTRY_HEADER):
        row = _entry_of(record)
        if row is None:
            continue
        if not row.is_intact:
            if record.is_whole:
                damaged.setdefault(row.entry_id, row)
        elif _RANK[row.state] >= _RANK[intact.get(row.entry_id, row).state]:
            intact[row.entry_id] = row
    heads, places = _others(budget)
    return Salvage(
        intact,
        {number: row for number, row in damaged.items() if number not in intact},
        max(heads, key=lambda head: head.newest, default=None),
        tuple(places),
    )


def keep_damaged(path: Path, raw: bytes) -> Path:
    """Keep a damaged journal beside its place; return where."""
    number = 1
    while (kept := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    write_atomically(kept, raw)
    # SQLite would play an unfinished transaction of the damaged file back into the new one.
    unfinished = Path(f"{path}-journal")
    if unfinished.exists():
        move_into_place(unfinished, Path(f"{kept}-journal"))
    return kept


def _entry_of(record: _Record) -> Row | None:
    if record.values[0] is not None or len(record.values) not in (_WIDTH_BEFORE_SEALS, len(Row._fields)):
        return None
    values = record.values[1:]
    if len(record.values) == _WIDTH_BEFORE_SEALS:
        values += ["", "", "?"]  # written without a checksum: nothing shows that it was read rightly
    return Row(record.row_id, *values)


def _others(budget: "_Bytes") -> tuple[list[Head], list[Place]]:
    heads: list[Head] = []
    places: list[Place] = []
    for record in _records(budget, _SHORT_HEADER):
        if len(record.values) == len(Head._fields) + 1 and (head := Head(*record.values[1:])).is_intact:
            heads.append(head)
        if len(record.values) == len(Place._fields) and (place := Place(*record.values)).is_intact:
            places.append(place)
    return heads, list(dict.fromkeys(places))


class _Bytes:
    """The bytes of a file, and how many may be taken out of it, as of any file (`budget.py`)."""

    def __init__(self, raw: bytes) -> None:
        self.raw: Final = raw
        self._left = most_bytes(len(raw))

    def take(self, length: int) -> None:
        """Count a record; raises TooMuchToSalvage."""
        self._left -= length
        if self._left < 0:
            raise TooMuchToSalvage


def _records(budget: _Bytes, header: re.Pattern[bytes]) -> Iterator[_Record]:
    """Yield whatever can be read as a record, with each number before it that may be its row's id."""
    raw = budget.raw
    for page_bytes in {_USUAL_PAGE_BYTES, _page_bytes(raw)}:
        for match in header.finditer(raw):
            yield from _records_at(budget, match.start(), page_bytes)


def _records_at(budget: _Bytes, start: int, page_bytes: int) -> Iterator[_Record]:
    raw = budget.raw
    types = _types_at(raw, start)
    if types is None:
        return
    header_bytes = raw[start]
    length = header_bytes + sum(_content_bytes(kind) for kind in types)
    payload = _payload(raw, start, length, page_bytes)
    if payload is None:
        return
    budget.take(length)
    values = _values(payload[header_bytes:], types)
    if values is None:
        return
    for width in range(1, _LONGEST_ID + 1):
        begin = start - width
        row_id, end = _varint(raw, begin)
        if begin >= 0 and end == start:
            yield _Record(row_id, values, _stands_before(raw, begin, length))


def _types_at(raw: bytes, start: int) -> list[int] | None:
    end = start + raw[start]
    at, types = start + 1, []
    while at < end <= len(raw):
        kind, at = _varint(raw, at)
        if kind in (7, 10, 11) or (kind >= 12 and kind % 2 == 0):
            return None  # no column of the journal is a fraction or binary
        types.append(kind)
    return types if types and at == end else None


def _payload(raw: bytes, start: int, length: int, page_bytes: int) -> bytes | None:
    """Return a record's bytes; None where they are not in the file."""
    if length > min(_LONGEST_RECORD_BYTES, len(raw)):
        return None
    most = page_bytes - 35
    if length <= most:
        return raw[start : start + length]
    least = (page_bytes - 12) * 32 // 255 - 23
    local = least + (length - least) % (page_bytes - 4)
    local = local if local <= most else least
    parts = [raw[start : start + local]]
    missing = length - local
    page = int.from_bytes(raw[start + local : start + local + 4], "big")
    while missing > 0 and 0 < page <= len(raw) // page_bytes:
        at = (page - 1) * page_bytes
        parts.append(raw[at + 4 : at + min(page_bytes, missing + 4)])
        missing -= page_bytes - 4
        page = int.from_bytes(raw[at : at + 4], "big")
    return None if missing > 0 else b"".join(parts)


def _values(content: bytes, types: list[int]) -> list[Any] | None:
    values: list[Any] = []
    at = 0
    for kind in types:
        size = _content_bytes(kind)
        part = content[at : at + size]
        at += size
        if kind >= 12:
            values.append(part.decode("utf-8", "backslashreplace"))
        else:
            values.append(None if kind == 0 else kind - 8 if kind >= 8 else int.from_bytes(part, "big", signed=True))
    return values if at == len(content) else None


def _content_bytes(kind: int) -> int:
    return (kind - 12) // 2 if kind >= 12 else _INTEGER_BYTES.get(kind, 0)


def _stands_before(raw: bytes, end: int, number: int) -> bool:
    return any(at >= 0 and _varint(raw, at) == (number, end) for at in range(end - 1, end - 5, -1))


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length and where it ends; nine bytes, which nothing here needs, end nowhere."""
    number = 0
    for end in range(max(0, at), min(at + 8, len(raw))):
        number = number << 7 | raw[end] & 0x7F
        if raw[end] < 0x80:
            return number, end + 1
    return number, -1


def _page_bytes(raw: bytes) -> int:
    size = int.from_bytes(raw[16:18], "big")
    return size if size >= 512 and size & (size - 1) == 0 else _USUAL_PAGE_BYTES
