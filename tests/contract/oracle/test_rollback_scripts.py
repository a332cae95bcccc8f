"""`rollback.sql` of a pipeline: run whole at both databases it puts everything back, whatever fails on the way."""

import re
from collections.abc import Callable

import pytest

from app.domain.change import Change, EntryState, JournalEntry
from app.domain.setting import Value
from app.drivers.oracle.session import End
from app.services.run.undo_tools import undo_tools
from app.store import rollback_script, script_bytes
from app.systems.oracle_streams.lab_server.state import GRANULE_BYTES
from tests.contract.oracle.lab_bench import Bench, change_everything, make_bench
from tests.contract.oracle.sqlplus import Question, SqlPlus, tool_at
from tests.contract.oracle.test_others_values import CASES, GIGABYTE, IDS, first_planned, set_apply
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
        [ran] = [tool for end in End for tool in [tool_at(bench.server, end, answer=answer)] if _does(tool, script)]
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
        tool = tool_at(bench.server, end)
        tool.run_whole(script)
        bench.target.clock.sleep(30)
        assert tool.ran
        assert tool.skipped
        assert (tool.code, tool.errors) == (0, [])
        assert tool.printed[-1].startswith("Done: what is for this database is undone")
    assert bench.snapshot() == before
    for end in ends:  # and once more
        again = tool_at(bench.server, end)
        again.run_whole(script)
        assert (again.code, bench.snapshot()) == (0, before)


def test_as_it_is_it_changes_nothing() -> None:
    """What would be undone is told."""
    bench, script, _before = changed()
    now = bench.snapshot()
    for end in End:
        tool = tool_at(bench.server, end)
        tool.run_whole(script, applies=False)
        assert (tool.ran, tool.code, tool.errors) == ([], 0, [])
        assert tool.printed[-1].startswith("Checked only: nothing was changed.")
    assert bench.snapshot() == now


def test_an_error_in_one_block_stops_it_and_the_exit_code_says_so() -> None:
    """What stands behind it stays changed; mended, the script is run again and puts everything back."""
    bench, script, _before = changed()
    threshold = "parameter => 'TXN_LCR_SPILL_THRESHOLD'"
    first = script.replace("= 'TXN_LCR_SPILL_THRESHOLD';", "= 'NO_SUCH';").replace(threshold, "parameter => 'NO_SUCH'")
    tool = tool_at(bench.server, End.DESTINATION)
    tool.run_whole(first)
    assert first != script
    assert (len(tool.errors), tool.code) == (1, 1)
    assert all(said.startswith("Undone: ") for said in tool.printed)
    assert tool.ran[-1] == "set_apply_parameter"
    assert bench.parameter("TXN_LCR_SPILL_THRESHOLD").effective.value == "500000"
    again = tool_at(bench.server, End.DESTINATION)
    again.run_whole(script)
    assert again.code == 0
    assert bench.parameter("TXN_LCR_SPILL_THRESHOLD").effective.value == "100000"


def test_at_a_stranger_nothing_is_run() -> None:
    """A database of another global name runs no block, though its processes have the same names."""
    bench, script, _before = changed()
    now = bench.snapshot()
    for end in End:
        tool = tool_at(bench.server, end, here="TEST.EXAMPLE.COM")
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


@pytest.mark.parametrize(("name", "value", "by_others", "_told"), CASES, ids=IDS)
def test_a_third_value_is_left_and_stops_the_script(
    name: str, value: Value, by_others: Callable[[Bench], object], _told: str
) -> None:
    """Neither what was set nor what stood before: it stays; checking alone says so as well, and neither ends well."""
    bench = make_bench()
    change = first_planned(bench, name, value)
    bench.target.changes.apply(change)
    by_others(bench)
    now = bench.snapshot()
    for applies in (False, True):
        tool = end_of(bench, change)
        tool.run_whole(script_of([change]), applies=applies)
        assert (tool.ran, tool.code) == ([], 1)
        assert f"{change.subject} is neither as it was set nor as it was before" in " ".join(tool.printed + tool.errors)
    assert bench.snapshot() == now


@pytest.mark.parametrize(("given", "shown"), [("INFINITE", "4294967295"), ("500000", "0500000")])
def test_a_value_spelled_otherwise_by_the_server_is_the_scripts_own(given: str, shown: str) -> None:
    """As of a restore."""
    bench = make_bench()
    before = bench.snapshot()
    change = first_planned(bench, "TXN_LCR_SPILL_THRESHOLD", given)
    set_apply("TXN_LCR_SPILL_THRESHOLD", shown)(bench)
    tool = end_of(bench, change)
    tool.run_whole(script_of([change]))
    assert (tool.code, bench.snapshot()) == (0, before)


@pytest.mark.parametrize("rounded_up", [0, 1, GRANULE_BYTES - 1])
def test_a_pool_rounded_up_to_a_granule_is_the_scripts_own(rounded_up: int) -> None:
    """As of a restore: the granule is read where the script runs."""
    bench = make_bench()
    change = first_planned(bench, "streams_pool_size", "5G")
    bench.target.changes.apply(change)
    bench.server.state.pool_settings[End.SOURCE] = 5 * GIGABYTE + rounded_up
    tool = end_of(bench, change)
    tool.run_whole(script_of([change]))
    assert tool.code == 0
    assert bench.target.changes.is_undone(change)


def test_what_never_reached_the_database_is_told_as_it_was() -> None:
    """Nothing is sent for it; the end counts it apart."""
    bench = make_bench()
    planned = [first_planned(bench, name, value) for name, value, _by_others, _told in CASES[:5]]
    before = bench.snapshot()
    for end in End:
        tool = tool_at(bench.server, end)
        tool.run_whole(script_of(planned))
        assert (tool.ran, tool.code) == ([], 0)
        here = [one.subject for one in planned if f"As it was before: {one.subject}" in tool.printed]
        assert here
        assert f"as it was before already: {len(here)}; undone now: 0" in tool.printed[-2]
    assert bench.snapshot() == before


def test_the_end_counts_what_is_as_it_was_what_was_undone_and_what_cannot_be_compared() -> None:
    """A second run, which only checks, shows every value as it was before."""
    bench, script, _before = changed()
    first = tool_at(bench.server, End.DESTINATION)
    first.run_whole(script, applies=False)
    run = tool_at(bench.server, End.DESTINATION)
    run.run_whole(script)
    again = tool_at(bench.server, End.DESTINATION)
    again.run_whole(script, applies=False)
    counted = [re.findall(r": (\d+)", tool.printed[-2]) for tool in (first, run, again)]
    values = sum(name in ("set_apply_parameter", "set_streams_pool_size") for name in run.ran)
    blind = counted[0][3]
    assert counted == [["0", str(values), "0", blind], ["0", str(values), blind], [str(values), "0", "0", blind]]


@pytest.mark.parametrize("applies", [False, True])
def test_two_changes_of_one_value_are_undone_one_after_the_other(applies: bool) -> None:
    """The older one finds what the newer one's undo leaves; while checking only, that is not taken for another's."""
    bench = make_bench()
    before = bench.snapshot()
    made = []
    for value in (6, 7):
        made.append(first_planned(bench, "PARALLELISM", value))
        bench.target.changes.apply(made[-1])
    now = bench.snapshot()
    tool = end_of(bench, made[0])
    tool.run_whole(script_of(made), applies=applies)
    bench.target.clock.sleep(30)
    assert (tool.code, tool.variables["undone"], tool.variables["others"]) == (0, 2, 0)
    assert bench.snapshot() == (before if applies else now)


def end_of(bench: Bench, change: Change) -> SqlPlus:
    """Return a connection to the database a change is undone at."""
    here = re.search(r"IF here <> '([^']+)'", change.undo_sql)
    assert here is not None
    name = here[1]
    return next(tool_at(bench.server, end) for end in End if bench.server.state.database(end).database_name == name)
