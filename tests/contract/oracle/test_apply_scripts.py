"""Scripts of decisions on Oracle, run on the lab as SQL*Plus runs them: what they change, and when nothing."""

from dataclasses import replace
from functools import cache
from typing import Any, Final

import pytest

from app.domain.session import SessionRecord
from app.drivers.oracle.lab_faults import FaultKind
from app.drivers.oracle.session import End
from app.lab.faults import Fault
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.contract.oracle.lab_bench import Bench, make_bench
from tests.contract.oracle.sqlplus import APPLYING_IT, SqlPlus, tool_at
from tests.report.scripts import oracle_apply_scripts, oracle_rollback_scripts
from tests.unit.reporting.test_streams import finding

CHANGED: Final = (("TXN_LCR_SPILL_THRESHOLD", 100_000, 500_000), ("_TXN_BUFFER_SIZE", 2, 4))
EVERY: Final = range(len(CHANGED))


@cache
def session() -> SessionRecord:
    """Return a session that was begun on a lab like the bench's: what scripts need of it is read ahead of trials."""
    family = FAMILIES["streams_apply"]
    return run_on_lab(family, small_plan(family), make_sink=lambda control: lambda _event: control.cancel()).session()


@cache
def scripts() -> tuple[tuple[str, str], ...]:
    """Return both scripts of each of two decisions on the apply process."""
    made = [finding(name, old, new, number) for number, (name, old, new) in enumerate(CHANGED, start=2)]
    pairs = zip(oracle_apply_scripts(made, session()), oracle_rollback_scripts(made, session()), strict=True)
    found = tuple(pairs)
    assert len(found) == len(CHANGED)
    return found


def run(bench: Bench, script: str, *, applies: bool = True, **other: Any) -> SqlPlus:
    """Run a script over a connection of its own, with its one line edited where it is to apply."""
    assert script.count(APPLYING_IT[0]) == 1
    tool = tool_at(bench.server, End.DESTINATION, **other)
    tool.run_script(script.replace(*APPLYING_IT) if applies else script)
    bench.target.clock.sleep(30)
    return tool


def outcome(tool: SqlPlus) -> tuple[int | None, str, str]:
    """Return the exit code, the error and the first word of the last line."""
    return tool.code, tool.error, tool.printed[-1].split()[0] if tool.printed else ""


@pytest.mark.parametrize("defines", [{}, {"apply": "yes", "check_only": "no", "1": "yes"}], ids=["plain", "DEFINE"])
def test_as_it_is_handed_over_it_changes_nothing_and_shows_the_values(defines: dict[str, str]) -> None:
    """What is found is shown, and the last line says that nothing was changed, whatever was defined outside."""
    bench = make_bench()
    untouched = bench.snapshot()
    for number in EVERY:
        for script in scripts()[number]:
            tool = run(bench, script, applies=False, defines=defines)
            assert (tool.ran, outcome(tool)) == ([], (0, "", "Checked"))
            name, old, _new = CHANGED[number]
            assert f"before: {name} = {old}" in tool.printed
    assert bench.snapshot() == untouched


def test_each_decision_is_applied_and_taken_back_without_the_other() -> None:
    """Twice each; the values before and after are shown, and the code says that it holds."""
    for number in EVERY:
        bench, (apply, back), (name, old, new) = make_bench(), scripts()[number], CHANGED[number]
        untouched = bench.snapshot()
        first = run(bench, apply)
        assert {f"before: {name} = {old}", f"after: {name} = {new}"} <= {*first.printed}
        assert (outcome(first), first.ran) == ((0, "", "Done."), ["set_apply_parameter"])
        applied = bench.snapshot()
        assert applied != untouched
        assert (outcome(run(bench, apply)), bench.snapshot()) == ((0, "", "Done."), applied)
        for _time in range(2):
            taken_back = run(bench, back)
            assert f"after: {name} = {old}" in taken_back.printed
            assert (outcome(taken_back), bench.snapshot()) == ((0, "", "Done."), untouched)


@pytest.mark.parametrize("first", EVERY)
def test_one_is_taken_back_and_the_other_stays(first: int) -> None:
    """In either order."""
    bench = make_bench()
    untouched = bench.snapshot()
    for apply, _back in scripts():
        run(bench, apply)
    assert outcome(run(bench, scripts()[first][1])) == (0, "", "Done.")
    other, _old, new = CHANGED[1 - first]
    assert bench.parameter(other).effective.value == str(new)
    assert bench.parameter(CHANGED[first][0]).effective.value == str(CHANGED[first][1])
    run(bench, scripts()[1 - first][1])
    assert bench.snapshot() == untouched


@pytest.mark.parametrize("applies", [True, False])
def test_at_another_database_nothing_is_run(applies: bool) -> None:
    """It stops with an error."""
    bench = make_bench()
    for script in scripts()[0]:
        tool = run(bench, script, applies=applies, here="STRANGER.EXAMPLE.COM")
        assert (tool.ran, tool.code, tool.printed) == ([], 1, [])
        assert "another database: nothing was changed by this block" in tool.error


@pytest.mark.parametrize("word", ["ja", "y", ""])
def test_what_is_neither_yes_nor_no_is_an_error(word: str) -> None:
    """A mistyped answer neither checks nor applies."""
    bench = make_bench()
    for script in scripts()[0]:
        tool = tool_at(bench.server, End.DESTINATION)
        tool.run_script(script.replace(APPLYING_IT[0], f"\nEXECUTE :apply := '{word}'\n"))
        assert (tool.ran, tool.code, tool.printed) == ([], 1, [])
        assert "neither no nor yes" in tool.error


@pytest.mark.parametrize("answer", ["", "OTHER.EXAMPLE.COM"])
def test_where_no_database_is_named_nothing_is_run(answer: str) -> None:
    """An empty answer is NULL in Oracle, which no comparison is true of: a template stops there, too."""
    elsewhere = replace(session(), environments=(), runs=())
    made = [finding("TXN_LCR_SPILL_THRESHOLD", 100_000, 500_000)]
    bench = make_bench()
    [script] = oracle_apply_scripts(made, elsewhere)
    tool = run(bench, script, defines={"database_name": answer, "apply_name": "APPLY1"})
    assert (tool.ran, tool.code) == ([], 1)
    assert "another database" in tool.error


def test_without_the_right_nothing_is_run_and_the_grant_is_printed() -> None:
    """It stops ahead of the blocks that would not even be compiled."""
    bench = make_bench()
    for script in scripts()[0]:
        tool = run(bench, script, rights=frozenset({("role", "SELECT_CATALOG_ROLE")}))
        assert (tool.ran, tool.code) == ([], 1)
        assert "DBMS_STREAMS_AUTH.GRANT_ADMIN_PRIVILEGE" in " ".join(tool.printed)
        assert "a right is missing" in tool.error


def test_an_error_in_the_middle_stops_the_rest_and_it_can_be_run_again() -> None:
    """Nothing is said to be done; the next run completes it."""
    apply, back = scripts()[0]
    bench = make_bench(faults=(Fault("set_apply_parameter", 1, FaultKind.PERMISSION_DENIED),))
    untouched = bench.snapshot()
    broken = run(bench, apply)
    assert (broken.ran, broken.code) == (["set_apply_parameter"], 1)
    assert broken.error
    assert not any(said.startswith("Done") for said in broken.printed)
    assert run(bench, apply).error == ""
    assert run(bench, back).error == ""
    assert bench.snapshot() == untouched


def test_what_somebody_changed_since_is_left_alone() -> None:
    """A third value stays, and the code says so; the other decision is none of its business."""
    apply, back = scripts()[0]
    bench = make_bench()
    run(bench, apply.replace("'500000'", "'700000'"))
    for script in (apply, back):
        tool = run(bench, script)
        assert "another value than expected: nothing was changed by this block" in tool.error
        assert (tool.ran, tool.code) == ([], 1)
    assert bench.parameter("TXN_LCR_SPILL_THRESHOLD").effective.value == "700000"
    assert outcome(run(bench, scripts()[1][0])) == (0, "", "Done.")
