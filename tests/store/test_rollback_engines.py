"""`rollback.sql` as each engine's tools read it: how a part ends, what is said above it, in which bytes."""

import dataclasses
import logging
import re
from pathlib import Path

import pytest

from app.domain.change import EntryState, JournalEntry
from app.services.run.undo_tools import undo_tools
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


@pytest.mark.parametrize("undo_sql", [TSQL, "EXEC dbo.something;\ngo 5\n", "EXEC dbo.something;", TSQL + TSQL])
def test_each_batch_ends_once_and_counts(undo_sql: str) -> None:
    """Also what has no ending of its own, from an older journal; a batch sent several times stays so."""
    commands = commands_of(rollback_script([entry(1, undo_sql)], undo_tools()))
    ends = [at for at, line in enumerate(commands) if line.startswith("INSERT INTO #replitune_ended (batch) VALUES (")]
    batches = max(1, undo_sql.count("GO") // 2)
    assert [commands[at + 1] for at in ends] == ["GO 5" if "go 5" in undo_sql else "GO"] * batches
    assert commands.count("DECLARE @undo nvarchar(max) = N'EXEC dbo.something;") == batches
    assert "USE [msdb];" not in commands
    assert ("DECLARE @at nvarchar(300) = N'[msdb].sys.sp_executesql';" in commands) is ("USE" in undo_sql)


def test_each_block_ends_once() -> None:
    """GO is no command of SQL*Plus; the tool is left with the code of success only behind all of them."""
    assert commands_of(rollback_script([entry(1, PLSQL)], undo_tools()))[-2:] == ["/", "EXIT SUCCESS"]


def test_oracle_never_sees_a_go_nor_asks_for_a_value() -> None:
    """A target with an ampersand in its URL stands in a comment: substitution is off before the first one."""
    script = rollback_script([entry(1, PLSQL, "oracle://a?b=1&load_schema=X"), entry(2, PLSQL)], undo_tools())
    assert "GO" not in commands_of(script)
    assert script.index("SET DEFINE OFF") == 0
    assert script.count("\n/\n") == 2 + 2  # and one ahead of them, one behind


def test_what_to_do_is_said_for_the_engine() -> None:
    """Each engine's tool and places are named, and no word of the other's."""
    oracle, server = rollback_script([entry(1, PLSQL)], undo_tools()), rollback_script([entry(1, TSQL)], undo_tools())
    assert "SQL*Plus" in oracle
    assert "at each database" in oracle
    assert "sqlcmd" not in oracle
    assert "sqlcmd" in server
    assert "at each server" in server
    assert "SQL*Plus" not in server


def test_entries_of_both_engines_make_two_parts() -> None:
    """Nothing of one engine stands in the other's part; each part is newest first."""
    script = rollback_script(
        [entry(1, PLSQL), entry(2, TSQL), entry(3, PLSQL.replace("NULL", "COMMIT")), entry(4, TSQL)], undo_tools()
    )
    plsql, tsql = script.split("-- The part in T-SQL\n")
    assert commands_of(tsql).count("EXEC @at @undo;") == 2
    assert "/" not in commands_of(tsql)
    assert "GO" not in commands_of(plsql)
    assert plsql.index("COMMIT;") < plsql.index("NULL;")
    assert "It has two parts" in plsql
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
        journal = JournalWithScript(file, script, SESSION_ID, undo_tools())
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
        assert make_change(3).undo_sql.replace("'", "''") in script.read_text()


def test_a_name_that_looks_like_a_variable_is_parted() -> None:
    """SQLCMD mode reads variables everywhere: the only ones in the script are its own."""
    body = "USE [Sales $(x)];\nGO\nEXEC [a$(y)].dbo.something N'$' + N'(z)';\nGO\n"
    script = rollback_script([entry(1, body, "SQL$(x)")], undo_tools())
    assert set(re.findall(r"\$\((\w+)\)", script)) == {"Apply", "SqlcmdMode"}
    assert "DECLARE @at nvarchar(300) = N'[Sales $' + N'(x)].sys.sp_executesql';" in script
