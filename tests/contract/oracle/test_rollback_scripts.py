"""`rollback.sql` of a pipeline: run whole at both databases it puts everything back, whatever fails on the way."""

import pytest

from app.domain.change import Change, EntryState, JournalEntry
from app.drivers.oracle.session import End
from app.services.run.undo_tools import undo_tools
from app.store import rollback_script, script_bytes
from tests.contract.oracle.lab_bench import Bench, change_everything, make_bench
from tests.contract.oracle.script_runs import Question, SqlPlus
from tests.store.sample import SESSION_ID, START


def script_of(changes: list[Change]) -> str:
    """Return the script that takes changes back."""
    return rollback_script(
        [
            JournalEntry(number, SESSION_ID, "lab", change, EntryState.APPLIED, START)
            for number, change in enumerate(changes, start=1)
        ],
        undo_tools(),
    )


def changed() -> tuple[Bench, str, tuple[object, ...]]:
    """Return a pipeline with every kind of change made, the script that takes them back, and what stood before."""
    bench = make_bench()
    before = bench.snapshot()
    made: list[Change] = []
    change_everything(bench, made)
    assert bench.snapshot() != before
    return bench, script_of(made), before


def test_the_scripts_alone_make_and_undo_every_kind_of_change() -> None:
    """As they stand, by who knows no more than what is written in them: also what a script asks for."""
    bench, made, asked = make_bench(), list[Change](), list[str]()
    before = bench.snapshot()

    def answer(question: Question) -> str:
        asked.append(question.address)
        end = next(end for end in End if bench.transport.server_of(end) == question.address)
        [(number, _name)] = bench.server.run(question.query, end, {})
        return str(number)

    def run(script: str) -> None:
        [ran] = [tool for end in End for tool in [SqlPlus(bench.server, end, answer=answer)] if _does(tool, script)]
        bench.target.clock.sleep(30)
        assert not ran.errors, script

    def make(_bench: Bench, change: Change) -> None:
        run(change.apply_sql)
        assert bench.target.changes.is_applied(change), change.apply_sql

    change_everything(bench, made, make=make)
    assert set(asked) == {bench.transport.server_of(End.SOURCE)}
    for change in reversed(made):
        run(change.undo_sql)
        assert bench.target.changes.is_undone(change), change.undo_sql
    assert bench.snapshot() == before


def _does(tool: SqlPlus, script: str) -> bool:
    tool.run_script(script)
    return not tool.skipped


@pytest.mark.parametrize("ends", [(End.SOURCE, End.DESTINATION), (End.DESTINATION, End.SOURCE)])
def test_run_whole_at_both_databases_it_puts_everything_back(ends: tuple[End, End]) -> None:
    """Each block acts at its own database and says at the other one that it skips; the order does not matter."""
    bench, script, before = changed()
    for end in ends:
        tool = SqlPlus(bench.server, end)
        tool.run_whole(script)
        bench.target.clock.sleep(30)
        assert tool.ran
        assert tool.skipped
        assert (tool.code, tool.errors) == (0, [])
        assert tool.printed[-1].startswith("Done: what is for this database is undone")
    assert bench.snapshot() == before
    for end in ends:  # and once more
        again = SqlPlus(bench.server, end)
        again.run_whole(script)
        assert (again.code, bench.snapshot()) == (0, before)


def test_as_it_is_it_changes_nothing() -> None:
    """What would be undone is told."""
    bench, script, _before = changed()
    now = bench.snapshot()
    for end in End:
        tool = SqlPlus(bench.server, end)
        tool.run_whole(script, applies=False)
        assert (tool.ran, tool.code, tool.errors) == ([], 0, [])
        assert tool.printed[-1].startswith("Checked only: nothing was changed.")
    assert bench.snapshot() == now


def test_an_error_in_one_block_stops_it_and_the_exit_code_says_so() -> None:
    """What stands behind it stays changed; mended, the script is run again and puts everything back."""
    bench, script, _before = changed()
    threshold = "parameter => 'TXN_LCR_SPILL_THRESHOLD'"
    first = script.replace("= 'TXN_LCR_SPILL_THRESHOLD'", "= 'NO_SUCH'").replace(threshold, "parameter => 'NO_SUCH'")
    tool = SqlPlus(bench.server, End.DESTINATION)
    tool.run_whole(first)
    assert first != script
    assert (len(tool.errors), tool.code, tool.printed) == (1, 1, [])
    assert tool.ran[-1] == "set_apply_parameter"
    assert bench.parameter("TXN_LCR_SPILL_THRESHOLD").effective.value == "500000"
    again = SqlPlus(bench.server, End.DESTINATION)
    again.run_whole(script)
    assert again.code == 0
    assert bench.parameter("TXN_LCR_SPILL_THRESHOLD").effective.value == "100000"


def test_at_a_stranger_nothing_is_run() -> None:
    """A database of another global name runs no block, though its processes have the same names."""
    bench, script, _before = changed()
    now = bench.snapshot()
    for end in End:
        tool = SqlPlus(bench.server, end, here="TEST.EXAMPLE.COM")
        tool.run_whole(script)
        assert (tool.ran, tool.code, tool.printed) == ([], 1, [])
        assert "none of those that the script names" in tool.errors[-1]
    assert bench.snapshot() == now


def test_no_line_of_it_is_foreign_to_sqlplus() -> None:
    """No GO, no byte order mark; every block ends with a slash of its own."""
    _bench, script, _before = changed()
    lines = [line for line in script.splitlines() if line and not line.startswith("--")]
    assert "GO" not in lines
    assert lines[-2:] == ["/", "EXIT SUCCESS"]
    assert "WHENEVER SQLERROR CONTINUE" not in script
    assert lines[1:3] == ["WHENEVER SQLERROR EXIT FAILURE ROLLBACK", "WHENEVER OSERROR EXIT FAILURE ROLLBACK"]
    assert not script_bytes("-- Ä\n" + script).startswith(b"\xef\xbb\xbf")


def test_checkpoints_kept_longer_by_somebody_else_are_not_purged() -> None:
    """Lowering a retention purges checkpoints for good: the script leaves one that somebody else has set since."""
    bench, script, _before = changed()
    bench.server.state.retention_days = 365.0
    tool = SqlPlus(bench.server, End.SOURCE)
    tool.run_whole(script)
    assert bench.server.state.retention_days == 365.0
    assert "set_checkpoint_retention" not in tool.ran
    assert (tool.code, tool.printed) == (1, [])
    assert "checkpoint retention is no longer" in tool.errors[-1]
