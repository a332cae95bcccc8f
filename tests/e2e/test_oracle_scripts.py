"""Scripts of a hand-over and of guided mode at the served lab's databases, sent as they stand by python-oracledb."""

from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from app.domain.change import Change, EntryState, JournalEntry
from app.drivers.oracle.session import End
from app.drivers.oracle.url import LAB_PASSWORD
from app.services.run.undo_tools import undo_tools
from app.store import rollback_script
from tests.contract.oracle.lab_bench import Bench, change_everything, make_bench
from tests.contract.oracle.sqlplus import APPLYING_IT, SqlPlus
from tests.contract.oracle.test_apply_scripts import CHANGED, scripts, session
from tests.e2e.oracle_dba import OracleDba, OracledbDatabase
from tests.e2e.oracle_wire import LEAVES_SOCKETS, OraclePort, served
from tests.e2e.program import call
from tests.e2e.test_oracle_wire import IN_12C
from tests.report.scripts import look_scripts
from tests.store.sample import SESSION_ID, START
from tests.unit.reporting.test_streams import finding

pytestmark = [*LEAVES_SOCKETS]

SETTLED_S = 30.0


@pytest.fixture
def bench() -> Bench:
    """A lab of its own for each test, of a release that lets thin mode in."""
    return make_bench("streams-12c")


@pytest.fixture
def port(bench: Bench) -> Iterator[OraclePort]:
    """The same, served."""
    with served(bench.server) as opened:
        yield opened


def at(port: OraclePort, end: End) -> str:
    """Return the address of a database."""
    return f"127.0.0.1:{port.port}/{end}"


def ran(port: OraclePort, script: str, end: End = End.DESTINATION) -> SqlPlus:
    """Return a tool that ran a script over a connection of its own."""
    database = OracledbDatabase(at(port, end))
    tool = SqlPlus(database)
    with closing(database):
        tool.run_script(script)
    port.shared.lab.advance(SETTLED_S)
    return tool


@cache
def looks() -> tuple[str, str]:
    """Return the scripts that read ahead of the first decision and after it."""
    before, after = look_scripts([finding(*CHANGED[0], 2)], session(), is_oracle=True)
    return before, after


def test_a_decision_is_checked_applied_twice_verified_and_taken_back(bench: Bench, port: OraclePort) -> None:
    """Outcomes and state at each step, as its sheet says them."""
    (apply, back), (before, after), (name, old, new) = scripts()[0], looks(), CHANGED[0]
    untouched = bench.snapshot()
    checked = ran(port, apply)
    assert (checked.code, checked.errors, bench.snapshot()) == (0, [], untouched)
    assert f"before: {name} = {old}" in checked.printed
    assert checked.printed[-1].startswith("Checked only: nothing was changed.")
    assert ran(port, before).code == 0
    assert "reads differently than it was set" in ran(port, after).error
    for _time in range(2):
        applied = ran(port, apply.replace(*APPLYING_IT))
        assert (applied.code, applied.errors) == (0, [])
        assert f"after: {name} = {new}" in applied.printed
        assert applied.printed[-1].startswith("Done.")
    assert bench.parameter(name).effective.value == str(new)
    assert ran(port, after).printed[0] == f"after: {name} = {new}"
    for _time in range(2):
        assert ran(port, back.replace(*APPLYING_IT)).code == 0
        assert bench.snapshot() == untouched


def test_at_another_database_and_where_nothing_is_chosen_nothing_is_run(bench: Bench, port: OraclePort) -> None:
    """Each ends with an error and code 1."""
    untouched = bench.snapshot()
    for script in scripts()[0]:
        elsewhere = ran(port, script.replace(*APPLYING_IT), End.SOURCE)
        assert (elsewhere.code, elsewhere.printed) == (1, [])
        assert elsewhere.error.startswith("ORA-20010: another database: nothing was changed by this block")
        neither = ran(port, script.replace(APPLYING_IT[0], "\nEXECUTE :apply := 'ja'\n"))
        assert (neither.code, neither.printed) == (1, [])
        assert "apply is neither no nor yes" in neither.error
    assert bench.snapshot() == untouched


def made_by_scripts(port: OraclePort, bench: Bench) -> list[Change]:
    """Make every kind of change by its script alone, and return them."""
    made = list[Change]()
    with closing(OracleDba()) as dba:

        def make(_bench: Bench, change: Change) -> None:
            dba.run_script(_at(port, change.apply_sql))
            assert bench.target.changes.is_applied(change), change.apply_sql

        change_everything(bench, made, IN_12C, make=make)
    return made


def _at(port: OraclePort, script: str) -> str:
    """Return a script with the addresses of the served databases, as a target on them would have it."""
    for end in End:
        script = script.replace(f" {port.shared.lab.database_name(end)}\n", f" {at(port, end)}\n")
        script = script.replace(f" at {port.shared.lab.database_name(end)} (", f" at {at(port, end)} (")
    return script


def test_the_scripts_of_guided_mode_make_and_undo_every_kind_of_change(bench: Bench, port: OraclePort) -> None:
    """Each as it stands, at the database it names."""
    before = bench.snapshot()
    made = made_by_scripts(port, bench)
    assert bench.snapshot() != before
    with closing(OracleDba()) as dba:
        for change in reversed(made):
            dba.run_script(_at(port, change.undo_sql))
            assert bench.target.changes.is_undone(change), change.undo_sql
    assert bench.snapshot() == before


def test_the_script_that_restores_checks_undoes_and_finds_nothing_left(bench: Bench, port: OraclePort) -> None:
    """Run whole at both databases."""
    before = bench.snapshot()
    made = made_by_scripts(port, bench)
    entries = [
        JournalEntry(number, SESSION_ID, "lab", change, EntryState.APPLIED, START)
        for number, change in enumerate(made, start=1)
    ]
    script, now = rollback_script(entries, undo_tools()), bench.snapshot()
    checked = [ran(port, script, end) for end in End]
    assert ([tool.code for tool in checked], bench.snapshot()) == ([0, 0], now)
    undone = [ran(port, script.replace(*APPLYING_IT), end) for end in End]
    assert ([tool.code for tool in undone], bench.snapshot()) == ([0, 0], before)
    again = [ran(port, script, end) for end in End]
    assert [tool.variables["undone"] for tool in again] == [0, 0]


def test_what_a_dba_sends_back_before_a_visit_is_answered(
    tmp_path: Path, bench: Bench, port: OraclePort, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script is written, run at both databases, what it prints kept in a file each, and the doctor reads these."""
    script = tmp_path / "preflight.sql"
    assert call("doctor", "--script", script, "--engine", "oracle").code == 0
    answers = []
    before = bench.snapshot()
    for end in End:
        tool = ran(port, script.read_text(encoding="utf-8"), end)
        assert (tool.code, tool.errors) == (0, [])
        answers.append(tmp_path / f"{end}.txt")
        answers[-1].write_text("\n".join(tool.printed), encoding="utf-8")
    assert bench.snapshot() == before
    told = call("doctor", "--json", "--from", *answers).json()["target"]
    monkeypatch.setenv("REPLITUNE_PASSWORD", LAB_PASSWORD)
    there = call("doctor", "--json", "--target", port.key).json()["target"]
    [own], [open_] = ([e for e in one["experiments"] if e["family"] == "streams_apply"] for one in (told, there))
    assert (own["possible"], own["because"], own["modes"]) == (open_["possible"], open_["because"], open_["modes"])
    assert told["login"] == there["login"] != ""
    assert told["unread"] == there["unread"] == []
    answers[0].write_text(answers[0].read_text(encoding="utf-8")[:5000], encoding="utf-8")
    refused = call("doctor", "--from", *answers)
    assert (refused.code, refused.out) == (2, "")
    assert "was cut or edited" in refused.err
