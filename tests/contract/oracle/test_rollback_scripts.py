"""`rollback.sql` of a pipeline: run whole at both databases it puts everything back, whatever fails on the way."""

import pytest

from app.domain.change import Change, EntryState, JournalEntry
from app.drivers.oracle.session import End
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
        ]
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
        tool.run_script(script)
        bench.target.clock.sleep(30)
        assert tool.ran
        assert tool.skipped
        assert not tool.has_exited
    assert bench.snapshot() == before


def test_an_error_in_one_block_does_not_keep_the_others_from_running() -> None:
    """What fails stays changed; everything behind it is put back all the same."""
    bench, script, _before = changed()
    threshold = "parameter => 'TXN_LCR_SPILL_THRESHOLD'"
    first = script.replace("= 'TXN_LCR_SPILL_THRESHOLD'", "= 'NO_SUCH'").replace(threshold, "parameter => 'NO_SUCH'")
    tool = SqlPlus(bench.server, End.DESTINATION)
    tool.run_script(first)
    assert first != script
    assert len(tool.errors) == 1
    assert tool.ran[-1] == "set_apply_parameter"
    assert bench.parameter("PARALLELISM").effective.value == "8"
    assert bench.parameter("TXN_LCR_SPILL_THRESHOLD").effective.value == "500000"


def test_at_a_stranger_nothing_is_run() -> None:
    """A database of another global name runs no block, though its processes have the same names."""
    bench, script, _before = changed()
    now = bench.snapshot()
    for end in End:
        tool = SqlPlus(bench.server, end, here="TEST.EXAMPLE.COM")
        tool.run_script(script)
        assert tool.ran == []
    assert bench.snapshot() == now


def test_no_line_of_it_is_foreign_to_sqlplus() -> None:
    """No GO, no byte order mark; every block ends with a slash of its own."""
    _bench, script, _before = changed()
    lines = [line for line in script.splitlines() if line and not line.startswith("--")]
    assert "GO" not in lines
    assert lines[-1] == "/"
    assert lines.count("/") == script.count("WHENEVER SQLERROR CONTINUE") > 1
    assert "EXIT" not in script
    assert not script_bytes("-- Ä\n" + script).startswith(b"\xef\xbb\xbf")


def test_checkpoints_kept_longer_by_somebody_else_are_not_purged() -> None:
    """Lowering a retention purges checkpoints for good: the script leaves one that somebody else has set since."""
    bench, script, _before = changed()
    bench.server.state.retention_days = 365.0
    tool = SqlPlus(bench.server, End.SOURCE)
    tool.run_script(script)
    assert bench.server.state.retention_days == 365.0
    assert "set_checkpoint_retention" not in tool.ran
    assert "set_capture_parameter" in tool.ran
