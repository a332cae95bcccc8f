"""`rollback.sql` as each engine's tools read it: how a part ends, what is said above it, in which bytes."""

import dataclasses
import logging
import re
from pathlib import Path

import pytest

from app.domain.change import EntryState, JournalEntry
from app.store.journal import UndoJournalFile
from app.store.rollback import JournalWithScript, rollback_script, script_bytes
from tests.store.sample import SESSION_ID, START, TARGET, make_change

PLSQL = "SET DEFINE OFF\nBEGIN\n    NULL;\nEND;\n/\n"
TSQL = "USE [msdb];\nGO\nEXEC dbo.something;\nGO\n"


def entry(entry_id: int, undo_sql: str, target: str = TARGET) -> JournalEntry:
    """Return an open entry with that undo."""
    change = dataclasses.replace(make_change(entry_id), undo_sql=undo_sql)
    return JournalEntry(entry_id, SESSION_ID, target, change, EntryState.APPLIED, START)


def commands_of(script: str) -> list[str]:
    """Return the lines a tool reads: those that are no comment."""
    return [line for line in script.splitlines() if line and not line.startswith("--")]


@pytest.mark.parametrize(
    ("undo_sql", "ending"),
    [
        (PLSQL, ["END;", "/"]),
        (TSQL, ["EXEC dbo.something;", "GO"]),
        ("EXEC dbo.something;\ngo 5\n", ["EXEC dbo.something;", "go 5"]),
        ("EXEC dbo.something;", ["EXEC dbo.something;", "GO"]),
    ],
)
def test_each_part_ends_once_and_as_its_engine_wants_it(undo_sql: str, ending: list[str]) -> None:
    """GO is no command of SQL*Plus; only what has no ending of its own, from an older journal, is given one."""
    assert commands_of(rollback_script([entry(1, undo_sql)]))[-2:] == ending


def test_oracle_never_sees_a_go_nor_asks_for_a_value() -> None:
    """A target with an ampersand in its URL stands in a comment: substitution is off before the first one."""
    script = rollback_script([entry(1, PLSQL, "oracle://a?b=1&load_schema=X"), entry(2, PLSQL)])
    assert "GO" not in commands_of(script)
    assert script.index("SET DEFINE OFF") == 0
    assert script.count("\n/\n") == 2


def test_what_to_do_is_said_for_the_engine() -> None:
    """Each engine's tool and places are named, and no word of the other's."""
    oracle, server = rollback_script([entry(1, PLSQL)]), rollback_script([entry(1, TSQL)])
    assert "SQL*Plus" in oracle
    assert "at each database" in oracle
    assert "sqlcmd" not in oracle
    assert "sqlcmd" in server
    assert "at each server" in server
    assert "SQL*Plus" not in server


def test_entries_of_both_engines_make_two_parts() -> None:
    """Nothing of one engine stands in the other's part; each part is newest first."""
    script = rollback_script(
        [entry(1, PLSQL), entry(2, TSQL), entry(3, PLSQL.replace("NULL", "COMMIT")), entry(4, TSQL)]
    )
    tsql, plsql = re.split(r"(?m)^SET DEFINE OFF\n-- =", script, maxsplit=1)
    assert commands_of(tsql) == commands_of(TSQL) * 2
    assert "/" not in commands_of(tsql)
    assert "GO" not in commands_of(plsql)
    assert plsql.index("COMMIT;") < plsql.index("NULL;")
    assert "It has two parts" in tsql
    assert "-- 2 of 2" in tsql
    assert "-- 2 of 2" in plsql


def test_a_byte_order_mark_stands_before_tsql_only() -> None:
    """SQL*Plus takes the mark for a command; sqlcmd needs it for names beyond ASCII."""
    named = "-- Rücknahme\n"
    assert script_bytes(named + TSQL).startswith(b"\xef\xbb\xbf")
    for text in (named + PLSQL, named + TSQL + PLSQL):
        assert script_bytes(text) == text.encode("utf-8")


def test_a_script_that_could_not_be_written_is_in_the_log_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Restoring goes on without it, each time, and one warning names the file; a later write takes it back."""
    script = tmp_path / "rollback.sql"
    with UndoJournalFile(tmp_path / "undo.sqlite") as file:
        journal = JournalWithScript(file, script, SESSION_ID)
        entries = [journal.record_intent(SESSION_ID, TARGET, make_change(number)) for number in (1, 2, 3)]
        script.unlink()
        script.mkdir()
        with caplog.at_level(logging.WARNING):
            journal.mark_applied(entries[0])
            journal.mark_restored(entries[0])
        assert [r.levelno for r in caplog.records] == [logging.WARNING]
        assert "rollback.sql" in caplog.text
        assert "rollback.sql" in journal.script_problem
        script.rmdir()
        journal.mark_applied(entries[1])
        assert journal.script_problem == ""
        assert make_change(3).undo_sql in script.read_text()


def test_a_name_that_looks_like_a_variable_is_left_to_sqlcmds_switch() -> None:
    """Within brackets nothing can part `$(`: the comments hold none, and the line that says how to run it has -x."""
    script = rollback_script([entry(1, "USE [Sales $(x)];\nGO\n", "SQL$(x)")])
    assert all("$(" not in line for line in script.splitlines() if line.startswith("--"))
    assert "sqlcmd -x" in script
    assert "USE [Sales $(x)];" in commands_of(script)
