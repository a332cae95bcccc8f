"""Opening an undo journal: every checksum is looked at, and a file that is damaged gives up its intact entries."""

import logging
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from app.domain.errors import StoreError
from app.foundation.files import move_into_place
from app.foundation.input_file import read_bytes
from app.foundation.texts import _
from app.store.budget import ReadingBudget
from app.store.connection import atomic, connect, snapshot
from app.store.faults import damaged, sentence_of_sqlite, too_much
from app.store.journal_salvage import Salvage, TooMuchToSalvage, keep_damaged, salvage
from app.store.journal_seals import (
    FIRST_LINK,
    HEAD_COLUMNS,
    PLACE_COLUMNS,
    ROW_COLUMNS,
    ROW_MARKS,
    Head,
    JournalDamage,
    Row,
    check_chain,
    row_from,
    trusted_rows,
)
from app.store.journal_witness import JournalWitness, Witnessed
from app.store.place import check_existing, file_size
from app.store.schema import UNDO_JOURNAL, create_or_upgrade
from app.store.sibling_files import ForeignSiblings

MOST_JOURNAL_BYTES: Final = 100_000_000
"""Of a damaged journal that is read byte by byte: some ten thousand changes."""
_APPLICATION_ID_AT: Final = 68
# Problems of the moment or of the place, after which the file is what it was.
_PASSING: Final = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_CANTOPEN", "SQLITE_PERM")
_CANNOT_WRITE: Final = ("SQLITE_READONLY", "SQLITE_FULL", "SQLITE_CANTOPEN", "SQLITE_IOERR")

# What is wrong with a journal that a file beside it knows more of, and the way on.
_GONE: Final = _(
    "{path}: this undo journal is gone, but changes were open in it; run {scripts}, then delete {witness} to begin a "
    "new one"
)
_EMPTY: Final = _(
    "{path}: this undo journal is empty, but changes were open in it; run {scripts}, then delete {witness} to begin a "
    "new one"
)
_SHORTER: Final = _(
    "{path}: this undo journal lacks its newest entries, as an older copy does, and changes were open in them; run "
    "{scripts}, then delete {witness}"
)

_log = logging.getLogger(__name__)


class JournalDamaged(StoreError):
    """No entry of an undo journal can be read: whatever it held open is not put back."""

    exit_code = 4


class JournalLost(JournalDamaged):
    """An undo journal is gone or empty, and changes were open in it.

    Attributes:
        witnessed: what is known of it beside it.
    """

    def __init__(self, sentence: str, witnessed: Witnessed) -> None:
        super().__init__(sentence)
        self.witnessed = witnessed


@dataclass(frozen=True)
class OpenedJournal:
    """A journal that is open.

    Attributes:
        budget: what one reading of it may take.
        damage: what it cannot vouch for.
        trouble: why it can only be read, one sentence, or "".
        without_seals: ids of the entries written by a program without checksums.
    """

    connection: sqlite3.Connection
    budget: ReadingBudget
    damage: JournalDamage
    trouble: str
    without_seals: frozenset[int]


def open_journal(path: Path, *, create: bool, busy_timeout_s: float, is_lasting: bool = True) -> OpenedJournal:
    """Open a journal; one whose file is damaged is kept beside, and its intact entries are written to a new one.

    Args:
        create: whether to make it where there is none, and to refuse one that can only be read.
        is_lasting: whether what is written must be on disk once it is acknowledged.

    Raises:
        StoreError, sqlite3.Error, OSError: it cannot be used; JournalDamaged where nothing in it can be read, as
            JournalLost where it is gone or empty though changes were open in it.
    """
    witnessed = JournalWitness(path).read()
    if witnessed is None:
        return _open_or_rebuild(path, create=create, busy_timeout_s=busy_timeout_s, is_lasting=is_lasting)
    if not path.exists():
        raise JournalLost(_way_on(_GONE, path, witnessed), witnessed)
    if path.is_file() and not path.stat().st_size:
        raise JournalLost(_way_on(_EMPTY, path, witnessed), witnessed)
    opened = _open_or_rebuild(path, create=create, busy_timeout_s=busy_timeout_s, is_lasting=is_lasting)
    if not _is_shorter(opened, witnessed):
        return opened
    return replace(opened, damage=replace(opened.damage, lost=witnessed))


def has_journal(path: Path) -> bool:
    """Tell whether an undo journal is there, or was when a change was open in it."""
    return path.exists() or JournalWitness(path).read() is not None


def close_witness(path: Path) -> None:
    """Have nothing beside a journal say any more that changes are open in it: each is proven undone."""
    JournalWitness(path).clear()


def sentence_of_lost(path: Path, witnessed: Witnessed) -> str:
    """Return a sentence on the consequences of a journal that has become shorter."""
    return _way_on(_SHORTER, path, witnessed)


def _way_on(sentence: str, path: Path, witnessed: Witnessed) -> str:
    return sentence.format(path=path, scripts=witnessed.all_scripts, witness=JournalWitness(path).path)


def _is_shorter(opened: OpenedJournal, witnessed: Witnessed) -> bool:
    """Tell whether entries a journal had are not in it, nor told as damaged or missing by the journal itself."""
    connection = opened.connection
    head = read_head(connection)
    if head is None or head.newest < witnessed.newest:
        return True
    told = {*(entry.entry_id for entry in opened.damage.damaged), *opened.damage.missing}
    if not witnessed.newest or witnessed.newest in told:
        return False
    row = connection.execute("SELECT link FROM entry NOT INDEXED WHERE entry_id = ?", (witnessed.newest,)).fetchone()
    return row is None or row[0] not in (witnessed.link, "")  # one without checksums is told as that


def _open_or_rebuild(path: Path, *, create: bool, busy_timeout_s: float, is_lasting: bool) -> OpenedJournal:
    try:
        if not create or file_size(path, UNDO_JOURNAL.noun):
            check_existing(path, UNDO_JOURNAL.noun)
        opened = _open(path, create=create, busy_timeout_s=busy_timeout_s, is_lasting=is_lasting)
    except (StoreError, sqlite3.Error, UnicodeDecodeError) as error:
        _refuse_unknown(error, path)
        kept = _rebuild(path, None) if _may_be_damage(error) else None
        if kept is None:
            raise _as_damaged(error, path) from error
    else:
        if not opened.damage.hides_changes:
            return opened
        trusted = trusted_rows(_read_rows(opened.connection))
        kept = _rebuild(path, trusted)
        if kept is None:
            return opened
        opened.connection.close()
    opened = _open(path, create=create, busy_timeout_s=busy_timeout_s, is_lasting=is_lasting)
    return replace(opened, damage=replace(opened.damage, kept=kept))


def write_head(connection: sqlite3.Connection, head: Head) -> None:
    """Write the record of the newest entry; inside a transaction."""
    connection.execute(
        f"INSERT OR REPLACE INTO head (head_id, {HEAD_COLUMNS}) VALUES (1, ?, ?, ?, ?, ?)", head.sealed()
    )


def read_head(connection: sqlite3.Connection) -> Head | None:
    """Return the record of the newest entry, None where there is none that is intact."""
    heads = [Head(*row) for row in connection.execute(f"SELECT {HEAD_COLUMNS} FROM head")]
    return next((head for head in heads if head.is_intact), None)


def write_row(connection: sqlite3.Connection, row: Row) -> None:
    """Write an entry, in place of the one of its id; inside a transaction."""
    connection.execute(f"INSERT OR REPLACE INTO entry ({ROW_COLUMNS}) VALUES ({ROW_MARKS})", row)


def _open(path: Path, *, create: bool, busy_timeout_s: float, is_lasting: bool) -> OpenedJournal:
    connection = connect(path, f"mode={'rwc' if create else 'rw'}", busy_timeout_s=busy_timeout_s, any_thread=True)
    try:
        # What is damaged must not keep the rest from being read; its checksum tells it.
        budget = ReadingBudget(connection, path, UNDO_JOURNAL.noun, lambda raw: raw.decode("utf-8", "backslashreplace"))
        connection.execute(f"PRAGMA synchronous = {'EXTRA' if is_lasting else 'OFF'}")
        # What is read from the bytes of a damaged file must not be what was written over.
        connection.execute("PRAGMA secure_delete = ON")
        create_or_upgrade(connection, UNDO_JOURNAL, path)
        connection.execute("PRAGMA journal_mode = DELETE")
        budget.renew()
        damage, trouble = _check(connection, path, must_write=create)
        budget.renew()
        trusted = trusted_rows(_read_rows(connection))
    except BaseException:
        connection.close()
        raise
    without_seals = frozenset(number for number, row in trusted.items() if row.has_no_seal)
    return OpenedJournal(connection, budget, damage, trouble, without_seals)


def _check(connection: sqlite3.Connection, path: Path, *, must_write: bool) -> tuple[JournalDamage, str]:
    """Check every entry; write the head, so that a read-only file, folder or a full disk is told before any change."""
    try:
        with atomic(connection):
            head, damage = _checked(connection)
            write_head(connection, head)
    except sqlite3.OperationalError as error:
        name: str = getattr(error, "sqlite_errorname", "")
        if must_write or not name.startswith(_CANNOT_WRITE):
            raise
        with snapshot(connection):
            return _checked(connection)[1], sentence_of_sqlite(error, path, UNDO_JOURNAL.noun) or str(error)
    return damage, ""


def _checked(connection: sqlite3.Connection) -> tuple[Head, JournalDamage]:
    rows = _read_rows(connection)
    head = read_head(connection) or _likely_head(connection, rows)
    if max(trusted_rows(rows), default=0) > head.newest:
        head = _head_of(rows, end_known=head.end_known)
    head = head._replace(version=UNDO_JOURNAL.version)
    return head, check_chain(rows, head)


def _read_rows(connection: sqlite3.Connection) -> list[Row]:
    return [row_from(row) for row in connection.execute(f"SELECT {ROW_COLUMNS} FROM entry NOT INDEXED")]


def _likely_head(connection: sqlite3.Connection, rows: list[Row]) -> Head:
    """Return the head of rows without one; that no later ones are gone is known where SQLite's own count agrees."""
    counted = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'entry'").fetchone()
    newest = max(trusted_rows(rows), default=0)
    return _head_of(rows, end_known=int((counted[0] if counted else 0) == newest))


def _head_of(rows: list[Row], *, end_known: int) -> Head:
    trusted = trusted_rows(rows)
    last = trusted[max(trusted)] if trusted else None
    if last is None:
        return Head(UNDO_JOURNAL.version, 0, FIRST_LINK, end_known, "")
    return Head(UNDO_JOURNAL.version, last.entry_id, last.link or FIRST_LINK, end_known, "")


def _may_be_damage(error: Exception) -> bool:
    name: str = getattr(error.__cause__ or error, "sqlite_errorname", "")
    return not (isinstance(error, ForeignSiblings) or name.startswith(_PASSING))


def _refuse_unknown(error: Exception, path: Path) -> None:
    """Raise JournalDamaged where a journal cannot even be examined, so that its open changes are unknown."""
    if _is_too_much(error, path):
        raise JournalDamaged(too_much(path, UNDO_JOURNAL.noun)) from error
    if isinstance(error, ForeignSiblings) and _says_journal(path):
        raise JournalDamaged(str(error)) from error


def _says_journal(path: Path) -> bool:
    """Tell whether a file's header calls it an undo journal (https://www.sqlite.org/fileformat2.html, section 1.3)."""
    with suppress(OSError), path.open("rb") as stream:
        stream.seek(_APPLICATION_ID_AT)
        return stream.read(4) == UNDO_JOURNAL.application_id.to_bytes(4, "big")
    return False


def _is_too_much(error: Exception, path: Path) -> bool:
    """Tell whether the budget of a reading ended it: nobody's mishap made such a file."""
    name: str = getattr(error.__cause__ or error, "sqlite_errorname", "")
    return name == "SQLITE_INTERRUPT" or str(error) == too_much(path, UNDO_JOURNAL.noun)


def _as_damaged(error: Exception, path: Path) -> Exception:
    """Return the error with the exit code for changes not undone, where it reports damage."""
    lost = damaged(path, UNDO_JOURNAL.noun)  # also what SQLite's messages quote where that is no UTF-8
    if isinstance(error, StoreError) and str(error) != lost:
        return error
    if isinstance(error, sqlite3.Error) and sentence_of_sqlite(error, path, UNDO_JOURNAL.noun) != lost:
        return error
    return JournalDamaged(
        _(
            "{path}: this undo journal is damaged and none of its entries can be read; run the rollback.sql of each "
            "session, then move the journal aside to begin a new one"
        ).format(path=path)
    )


def _rebuild(path: Path, readable: Mapping[int, Row] | None) -> Path | None:
    """Write a new journal from a damaged one, if that saves more than SQLite can read; return where it is kept.

    Args:
        readable: the entries that need no rescue, None where SQLite cannot use the file.
    """
    try:
        raw = read_bytes(path, MOST_JOURNAL_BYTES)
    except OSError:
        return None
    try:
        saved = salvage(raw)
    except TooMuchToSalvage:
        raise JournalDamaged(too_much(path, UNDO_JOURNAL.noun)) from None
    if saved.head is not None and saved.head.version > UNDO_JOURNAL.version:
        return None
    if not saved.intact.keys() - (readable or {}).keys() and (readable is not None or saved.head is None):
        return None
    return _put_in_place(path, raw, saved, readable or {})


def write_anew(path: Path, rows: Mapping[int, Row]) -> None:
    """Replace a journal that can no longer be used by a new one with some entries and all that is readable of the
    old."""
    try:
        raw = read_bytes(path, MOST_JOURNAL_BYTES)
    except OSError:
        raw = b""  # gone, or nothing that can be read
    try:
        saved = salvage(raw)
    except TooMuchToSalvage:
        saved = salvage(b"")  # what was written is known
    _put_in_place(path, raw, saved, rows)


def _put_in_place(path: Path, raw: bytes, saved: Salvage, readable: Mapping[int, Row]) -> Path | None:
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        _write_saved(partial, saved, readable)
        kept = keep_damaged(path, raw)
        move_into_place(partial, path)
    except (OSError, sqlite3.Error) as error:
        _log.warning("%s is damaged and cannot be written anew: %s", path, error)
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        return None
    _log.warning("%s was damaged; its intact entries were written anew, and it is kept as %s", path, kept)
    return kept


def _write_saved(partial: Path, saved: Salvage, readable: Mapping[int, Row]) -> None:
    connection = connect(partial, "mode=rwc")
    try:
        connection.execute("PRAGMA synchronous = EXTRA")
        create_or_upgrade(connection, UNDO_JOURNAL, partial)
        with atomic(connection):
            rows = {**saved.damaged, **saved.intact, **readable}
            for row in rows.values():
                _write_if_possible(connection, row)
            write_head(connection, saved.head or _head_of(list(rows.values()), end_known=0))
            connection.executemany(
                f"INSERT OR REPLACE INTO place ({PLACE_COLUMNS}) VALUES (?, ?, ?, ?, ?)", saved.places
            )
    finally:
        connection.close()


def _write_if_possible(connection: sqlite3.Connection, row: Row) -> None:
    """Write an entry; one too damaged for any table is left out."""
    try:
        write_row(connection, row)
    except (sqlite3.Error, OverflowError, UnicodeEncodeError):
        if row.is_intact:
            raise
