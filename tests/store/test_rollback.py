"""`rollback.sql`: complete before a change is sent, readable for a DBA."""

import dataclasses
from pathlib import Path

import pytest

from app.domain.change import Change, EntryState, JournalEntry
from app.domain.errors import StoreError
from app.domain.ports import UndoJournal
from app.services.run.undo_tools import undo_tools
from app.store.journal import UndoJournalFile
from app.store.rollback import JournalWithScript, rollback_script, script_bytes
from tests.store.sample import SESSION_ID, START, TARGET, make_change


def quoted(number: int) -> str:
    """Return an undo as it stands in a batch: a text that its database executes."""
    return make_change(number).undo_sql.replace("'", "''")


def entry(entry_id: int, state: EntryState = EntryState.APPLIED, problem: str = "") -> JournalEntry:
    """Return a journal entry."""
    return JournalEntry(entry_id, SESSION_ID, TARGET, make_change(entry_id), state, START, problem)


def test_the_script_undoes_open_entries_newest_first() -> None:
    """Statements stand in reverse order of the changes, each a batch with its explanation; restored ones do not."""
    script = rollback_script(
        [entry(1, problem="login refused"), entry(2, EntryState.RESTORED), entry(3, EntryState.INTENT)], undo_tools()
    )
    assert script.index(quoted(3)) < script.index(quoted(1))
    assert quoted(2) not in script
    assert script.count("EXEC @at @undo;") == 2
    assert "Changes still to be undone: 2" in script
    for text in (TARGET, SESSION_ID, "login refused", "2026-03-04 09:30:00"):
        assert text in script
    assert "Restores: 1" in script
    assert "Whether this change was ever sent is not known" in script


def test_a_script_with_nothing_to_undo_holds_comments_only() -> None:
    """After everything is restored the script runs and does nothing."""
    script = rollback_script([entry(1, EntryState.RESTORED)], undo_tools())
    assert "Nothing to undo." in script
    assert all(line.startswith("--") or not line for line in script.splitlines())


def test_a_name_cannot_break_out_of_its_comment() -> None:
    """A line break in an agent's name does not become a statement."""
    nasty = dataclasses.replace(make_change(), subject="a\nDROP TABLE x\r\nb\u202e\x1b")
    script = rollback_script([dataclasses.replace(entry(1), change=nasty)], undo_tools())
    assert r"-- 1 of 1: a DROP TABLE x b\u202e\u001b" in script.splitlines()


def test_a_script_with_names_beyond_ascii_carries_a_byte_order_mark() -> None:
    """Query tools read such names rightly only with the mark."""
    assert script_bytes("-- a\n") == b"-- a\n"
    assert script_bytes("-- ä\n") == b"\xef\xbb\xbf-- \xc3\xa4\n"


def test_the_script_is_as_new_as_the_journal_after_every_write(tmp_path: Path) -> None:
    """Each journal write is followed by the script before the call returns."""
    script = tmp_path / "rollback.sql"
    with UndoJournalFile(tmp_path / "undo.sqlite") as file:
        file.record_intent("another session", TARGET, make_change(9))
        journal: UndoJournal = JournalWithScript(file, script, SESSION_ID, undo_tools())
        assert "Nothing to undo." in script.read_text()
        first = journal.record_intent(SESSION_ID, TARGET, make_change(1))
        assert quoted(1) in script.read_text()
        assert "ever sent" in script.read_text()
        journal.mark_applied(first)
        assert "ever sent" not in script.read_text()
        journal.mark_problem(first, "no contact")
        assert "no contact" in script.read_text()
        journal.mark_restored(first)
        assert "Nothing to undo." in script.read_text()
        assert quoted(9) not in script.read_text()
        assert journal.entries_of(SESSION_ID) == file.entries_of(SESSION_ID)
        assert journal.open_entries(TARGET) == file.open_entries(TARGET)


class JournalThatLosesTheFolder(UndoJournalFile):
    """A journal whose neighbour, the script's folder, vanishes at a given write."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.folder: Path | None = None

    def __enter__(self) -> "JournalThatLosesTheFolder":
        return self

    def record_intent(self, session_id: str, target: str, change: Change) -> int:
        """Write the entry, then lose the folder."""
        entry_id = super().record_intent(session_id, target, change)
        self._lose_folder()
        return entry_id

    def mark_restored(self, entry_id: int) -> None:
        """Mark the entry, then lose the folder."""
        super().mark_restored(entry_id)
        self._lose_folder()

    def _lose_folder(self) -> None:
        if self.folder is not None:
            for file in self.folder.iterdir():
                file.unlink()
            self.folder.rmdir()


def test_no_change_is_sent_without_its_script(tmp_path: Path) -> None:
    """Where the script cannot be written, recording fails and the caller does not send the change."""
    folder = tmp_path / "out"
    folder.mkdir()
    with JournalThatLosesTheFolder(tmp_path / "undo.sqlite") as file:
        journal = JournalWithScript(file, folder / "rollback.sql", SESSION_ID, undo_tools())
        file.folder = folder
        with pytest.raises(StoreError, match=r"rollback\.sql"):
            journal.record_intent(SESSION_ID, TARGET, make_change())


def test_restoring_goes_on_without_the_script(tmp_path: Path) -> None:
    """Where the script cannot be rewritten after a restore, the restore counts and the problem is told."""
    folder = tmp_path / "out"
    folder.mkdir()
    with JournalThatLosesTheFolder(tmp_path / "undo.sqlite") as file:
        journal = JournalWithScript(file, folder / "rollback.sql", SESSION_ID, undo_tools())
        entry_id = journal.record_intent(SESSION_ID, TARGET, make_change())
        file.folder = folder
        journal.mark_restored(entry_id)
        assert file.open_entries() == ()
        assert "rollback.sql" in journal.script_problem


def test_the_script_of_one_session_takes_no_entries_of_another(tmp_path: Path) -> None:
    """A change of another session would not be in the script, so it is refused."""
    with UndoJournalFile(tmp_path / "undo.sqlite") as file:
        journal = JournalWithScript(file, tmp_path / "rollback.sql", SESSION_ID, undo_tools())
        with pytest.raises(ValueError, match="another session"):
            journal.record_intent("another session", TARGET, make_change())
        assert file.open_entries() == ()
