"""Checksums of the undo journal: they tell an entry as it was written from one that was damaged since.

Each row carries a seal, the SHA-256 over all else it says, its state included, so that it is sealed anew with each
state. Its `link` is that of the change as first written and never changes; `previous` is the link of the entry before,
which makes a chain, and the head record names the newest link. They show damage, not forgery: whoever has the file can
compute them, as another laptop must be able to.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from app.domain.change import EntryState, JournalEntry
from app.store.change_row import entry_from
from app.store.journal_witness import Witnessed

# The link before the first entry; never "", which stands for an entry without checksums.
FIRST_LINK: Final = "0" * 64


class Row(NamedTuple):
    """A row of the journal's table `entry`, in the order of its columns."""

    entry_id: int
    session_id: str
    target: str
    kind: str
    subject: str
    original: str
    new: str
    details: str
    apply_sql: str
    undo_sql: str
    needs_consent: str
    state: str
    recorded_utc: str
    applied_utc: str | None
    restored_utc: str | None
    problem: str
    previous: str
    link: str
    seal: str

    @property
    def is_intact(self) -> bool:
        """Tell whether the row is as it was written."""
        return bool(self.link) and self.seal == seal_of("entry", self[:-1])

    @property
    def has_no_seal(self) -> bool:
        """Whether it was written by a program without checksums, as far as the row alone can tell."""
        return not (self.previous or self.link or self.seal)

    @property
    def is_open(self) -> bool:
        """Whether the change is still to be undone."""
        return self.state != EntryState.RESTORED.value

    def sealed(self) -> "Row":
        """Return the row with the seal for its present content; one without checksums stays so, for nobody checked
        it."""
        return self if self.has_no_seal else self._replace(seal=seal_of("entry", self[:-1]))

    def entry(self) -> JournalEntry:
        """Return the row's entry; raises CodecError where a column holds a value never written to it."""
        columns = (
            self.entry_id,
            self.target,
            self.kind,
            self.subject,
            self.original,
            self.new,
            self.details,
            self.apply_sql,
            self.undo_sql,
            self.needs_consent,
            self.state,
            self.recorded_utc,
            self.problem,
        )
        return entry_from(columns, self.session_id)


class Head(NamedTuple):
    """The record of the newest entry; see migration 3."""

    version: int
    newest: int
    link: str
    end_known: int
    seal: str

    @property
    def is_intact(self) -> bool:
        """Tell whether the head is as it was written."""
        return self.seal == seal_of("head", self[:-1])

    def sealed(self) -> "Head":
        """Return the head with the seal for its present content."""
        return self._replace(seal=seal_of("head", self[:-1]))


class Place(NamedTuple):
    """A row of the table `place`; one of an earlier program has no seal."""

    session_id: str
    session_file: str
    rollback_script: str
    is_behind: int
    seal: str

    @property
    def is_intact(self) -> bool:
        """Tell whether the place is as it was written."""
        return self.seal == seal_of("place", self[:-1])

    def sealed(self) -> "Place":
        """Return the place with the seal for its present content."""
        return self._replace(seal=seal_of("place", self[:-1]))


ROW_COLUMNS: Final = ", ".join(Row._fields)
HEAD_COLUMNS: Final = ", ".join(Head._fields)
PLACE_COLUMNS: Final = ", ".join(Place._fields)
ROW_MARKS: Final = ", ".join("?" * len(Row._fields))


@dataclass(frozen=True)
class DamagedEntry:
    """The readable parts of a damaged entry; none of them is certain."""

    entry_id: int
    session_id: str
    target: str
    subject: str
    original: str
    new: str


@dataclass(frozen=True)
class JournalDamage:
    """The entries that an undo journal cannot vouch for.

    Attributes:
        damaged: entries whose checksum does not fit; they are never undone.
        missing: ids of entries that are gone.
        end_known: whether the newest entry is known; otherwise later ones may be gone.
        unchecked: ids of open entries written by a program without checksums.
        kept: the damaged file, where its intact entries were written to a new one; else None.
        lost: what is known beside it of entries that are not in it any more, as in an older copy; else None.
    """

    damaged: tuple[DamagedEntry, ...] = ()
    missing: tuple[int, ...] = ()
    end_known: bool = True
    unchecked: tuple[int, ...] = ()
    kept: Path | None = None
    lost: Witnessed | None = None

    @property
    def hides_changes(self) -> bool:
        """Whether a change may be left on a server that no intact entry tells of."""
        return bool(self.damaged or self.missing or self.lost) or not self.end_known


def seal_of(table: str, values: Sequence[object]) -> str:
    """Return the SHA-256 of a row's values, 64 hexadecimal digits, over one line of JSON."""
    return hashlib.sha256(json.dumps([table, *values], ensure_ascii=True, default=repr).encode()).hexdigest()


def new_row(entry_id: int, values: tuple[str, ...], recorded_utc: str, previous: str) -> Row:
    """Return the row of an intent.

    Args:
        values: session id, target and the values of `CHANGE_COLUMNS`.
        previous: link of the entry before.
    """
    link = seal_of("link", (entry_id, *values, recorded_utc))
    state = EntryState.INTENT.value
    return Row(entry_id, *values, state, recorded_utc, None, None, "", previous, link, "").sealed()  # type: ignore[call-arg]  # ten texts


def row_from(values: Sequence[Any]) -> Row:
    """Return a row as SQLite gives it."""
    return Row(*values)


def trusted_rows(rows: Iterable[Row]) -> dict[int, Row]:
    """Return the rows that are intact, or from before there were checksums, by id.

    The oldest entries alone can be without: no program that writes checksums leaves one out.
    """
    in_order = sorted(rows, key=_by_id)
    first_sealed = next((row.entry_id for row in in_order if not row.has_no_seal), None)
    return {
        row.entry_id: row
        for row in in_order
        if row.is_intact or (row.has_no_seal and (first_sealed is None or row.entry_id < first_sealed))
    }


def check_chain(rows: Sequence[Row], head: Head) -> JournalDamage:
    """Return all damage to the rows of a journal, given a head that is intact."""
    trusted = trusted_rows(rows)
    there = {row.entry_id for row in rows}
    without = [row for row in trusted.values() if row.has_no_seal]
    first = max((row.entry_id for row in without), default=0) + 1
    missing = {number for number in range(first, head.newest + 1) if number not in there}
    return JournalDamage(
        damaged=tuple(_readable(row) for row in sorted(rows, key=_by_id) if row.entry_id not in trusted),
        missing=tuple(sorted(missing | _replaced(trusted, head))),
        end_known=bool(head.end_known),
        unchecked=tuple(sorted(row.entry_id for row in without if row.is_open)),
    )


def _replaced(trusted: Mapping[int, Row], head: Head) -> set[int]:
    """Return ids under which another entry stands than the one the next entry, or the head, was chained to."""
    followed = {row.entry_id - 1: row.previous for row in trusted.values() if not row.has_no_seal}
    followed[head.newest] = head.link
    return {
        number
        for number, link in followed.items()
        if number in trusted and not trusted[number].has_no_seal and trusted[number].link != link
    }


def _by_id(row: Row) -> int:
    return row.entry_id


def _readable(row: Row) -> DamagedEntry:
    texts = (row.session_id, row.target, row.subject, row.original, row.new)
    return DamagedEntry(row.entry_id, *(_one_line(text) for text in texts))


def _one_line(value: object) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in str(value)).split())[:200]
