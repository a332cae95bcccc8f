"""A damaged undo journal: nothing untrue is ever read of it, and whatever cannot be read is told."""

import sqlite3
from pathlib import Path

import pytest

from app.store.connection import connect
from app.store.journal import UndoJournalFile
from app.store.journal_opening import read_head, write_head
from app.store.journal_seals import Row
from tests.prove.shares import Share
from tests.store.journal_damage import ENTRIES, flip_bits, write_journal

# In every test run: few, and at another byte of what repeats each time.
ONE_OF = 331
PARTS = 4


def altered(path: Path, *statements: str) -> None:
    """Change a journal's tables behind its back."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_some_flipped_bits_are_noticed(tmp_path: Path) -> None:
    """All over the file."""
    written = write_journal(tmp_path / "undo.sqlite")
    tally = flip_bits(written, range(7, len(written.raw), ONE_OF), tmp_path)
    assert tally.failures == ()
    assert tally.lost == ()
    assert tally.refused > 0


@pytest.mark.prove
@pytest.mark.parametrize("part", range(PARTS))
def test_a_flipped_bit_in_any_byte_is_noticed(tmp_path: Path, part: int, share: Share) -> None:
    """Every byte of the file: an entry is read as it was written at some time, or it is told that it is not read."""
    written = write_journal(tmp_path / "undo.sqlite")
    tally = flip_bits(written, share.of(range(part, len(written.raw), PARTS), lambda place: place), tmp_path)
    print(f"bit flips, part {part + 1} of {PARTS}, {share}: {tally}")
    assert tally.failures == ()
    assert tally.lost == ()


@pytest.mark.parametrize("column", [name for name in Row._fields if name != "entry_id"])
def test_another_text_in_any_column_is_noticed(tmp_path: Path, column: str) -> None:
    """Such as one other digit of what is to be put back, in a file that is sound for SQLite."""
    for number in range(1, ENTRIES + 1):
        path = tmp_path / f"{number}.sqlite"
        written = write_journal(path)
        other = "'restored'" if column == "state" else "'2026-03-04T09:30:01.000000Z'"
        other = f"CASE {column} WHEN 'restored' THEN 'applied' ELSE {other} END" if column == "state" else other
        altered(path, f"UPDATE entry SET {column} = {other} WHERE entry_id = {number}")
        with UndoJournalFile(path, create=False) as journal:
            assert [damaged.entry_id for damaged in journal.damage.damaged] == [number]
            assert journal.damage.missing == ()
            assert {entry.entry_id for entry in journal.open_entries()} == written.open_ids - {number}
            assert all(entry in written.states[entry.entry_id] for entry in journal.open_entries())


@pytest.mark.parametrize("gone", [(1,), (2,), (2, 3), (4,), (3, 4), (1, 2, 3, 4)])
def test_entries_that_are_gone_are_told(tmp_path: Path, gone: tuple[int, ...]) -> None:
    """In the middle as at the end; the others are read."""
    path = tmp_path / "undo.sqlite"
    written = write_journal(path)
    altered(path, f"DELETE FROM entry WHERE entry_id IN ({', '.join(map(str, gone))})")
    for _again in range(2):
        with UndoJournalFile(path, create=False) as journal:
            assert journal.damage.missing == gone
            assert {entry.entry_id for entry in journal.open_entries()} == written.open_ids - set(gone)


@pytest.mark.parametrize(("entry_id", "told"), [(2, (1, 2)), (4, (3, 4))])
def test_an_entry_of_another_journal_is_told(tmp_path: Path, entry_id: int, told: tuple[int, ...]) -> None:
    """It is intact, but neither it nor the next entry, or the record of the newest, is chained to it."""
    path, other = tmp_path / "undo.sqlite", tmp_path / "other.sqlite"
    write_journal(path)
    write_journal(other)
    altered(
        path,
        f"ATTACH '{other}' AS other",
        f"INSERT OR REPLACE INTO entry SELECT * FROM other.entry WHERE entry_id = {entry_id}",
    )
    with UndoJournalFile(path, create=False) as journal:
        assert journal.damage.missing == told


def test_a_journal_cut_off_with_its_end_says_that_it_does_not_know(tmp_path: Path) -> None:
    """Without the record of the newest entry SQLite's own count of them is what is left."""
    path = tmp_path / "undo.sqlite"
    write_journal(path)
    altered(path, "DELETE FROM head")
    with UndoJournalFile(path, create=False) as journal:
        assert not journal.damage.hides_changes
    altered(path, "DELETE FROM head", "DELETE FROM entry WHERE entry_id = 4")
    for _again in range(2):
        with UndoJournalFile(path, create=False) as journal:
            assert not journal.damage.end_known


def test_an_older_record_of_the_newest_entry_hides_none(tmp_path: Path) -> None:
    """What stands there and is intact counts."""
    path = tmp_path / "undo.sqlite"
    written = write_journal(path)
    connection = connect(path, "mode=rw")
    head = read_head(connection)
    assert head is not None
    write_head(connection, head._replace(newest=2, link="0" * 64))
    connection.close()
    with UndoJournalFile(path, create=False) as journal:
        assert {entry.entry_id for entry in journal.open_entries()} == written.open_ids
