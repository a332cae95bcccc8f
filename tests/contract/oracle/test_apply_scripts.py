"""`apply_oracle.sql` and `undo_oracle.sql`, run block by block on the lab: what they change, and when nothing."""

from functools import cache
from typing import Any, Final

import pytest

from app.domain.session import SessionRecord
from app.drivers.oracle.lab_faults import Fault, FaultKind
from app.drivers.oracle.session import End
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.contract.oracle.apply_runs import SqlPlus
from tests.contract.oracle.lab_bench import Bench, make_bench
from tests.report.scripts import oracle_apply_script, oracle_rollback_script
from tests.unit.reporting.test_streams import finding

CHECKING: Final = ("EXECUTE :check_only := 'no'", "EXECUTE :check_only := 'yes'")


@cache
def session() -> SessionRecord:
    """Return a session that was run on a lab like the bench's."""
    family = FAMILIES["streams_apply"]
    return run_on_lab(family, small_plan(family, blocks=2, confirm_blocks=2)).session()


@cache
def scripts() -> tuple[str, str]:
    """Return both scripts of two parameters of the apply process."""
    made = [finding("TXN_LCR_SPILL_THRESHOLD", 100_000, 500_000), finding("_TXN_BUFFER_SIZE", 2, 4, 3)]
    return oracle_apply_script(made, session()), oracle_rollback_script(made, session())


def run(bench: Bench, script: str, **other: Any) -> SqlPlus:
    """Run a script over a connection of its own."""
    tool = SqlPlus(bench, End.DESTINATION, **other)
    tool.run_script(script)
    bench.target.clock.sleep(30)
    return tool


def test_check_mode_changes_nothing_and_shows_the_values() -> None:
    """One variable at the top; what is found is shown, and the last line says that nothing was changed."""
    bench = make_bench()
    untouched = bench.snapshot()
    for script in scripts():
        tool = run(bench, script.replace(*CHECKING))
        assert (tool.error, tool.ran) == ("", [])
        assert "before: TXN_LCR_SPILL_THRESHOLD = 100000" in tool.printed
        assert tool.printed[-1].startswith("Checked only: nothing was changed.")
    assert bench.snapshot() == untouched


def test_applied_twice_and_taken_back_twice_all_is_as_before() -> None:
    """The values before and after are shown; what was set holds."""
    bench, (apply, back) = make_bench(), scripts()
    untouched = bench.snapshot()
    first = run(bench, apply)
    assert {"before: TXN_LCR_SPILL_THRESHOLD = 100000", "after: TXN_LCR_SPILL_THRESHOLD = 500000"} <= {*first.printed}
    assert first.printed[-1].startswith("Done. What each block did")
    applied = bench.snapshot()
    assert applied != untouched
    assert run(bench, apply).error == ""
    assert bench.snapshot() == applied
    for _time in range(2):
        taken_back = run(bench, back)
        assert "after: TXN_LCR_SPILL_THRESHOLD = 100000" in taken_back.printed
        assert bench.snapshot() == untouched


def test_at_another_database_nothing_is_run() -> None:
    """Each block says so."""
    bench = make_bench()
    for script in scripts():
        tool = run(bench, script, here="STRANGER.EXAMPLE.COM")
        assert tool.ran == []
        assert tool.printed.count("another database: nothing was changed by this block") == 2


def test_without_the_right_nothing_is_run_and_the_grant_is_printed() -> None:
    """It stops ahead of the blocks that would not even be compiled."""
    bench = make_bench()
    for script in scripts():
        tool = run(bench, script, rights=frozenset({("role", "SELECT_CATALOG_ROLE")}))
        assert tool.ran == []
        assert "DBMS_STREAMS_AUTH.GRANT_ADMIN_PRIVILEGE" in " ".join(tool.printed)
        assert "a right is missing" in tool.error


@pytest.mark.parametrize("call", [1, 2])
def test_an_error_in_the_middle_stops_the_rest_and_it_can_be_run_again(call: int) -> None:
    """Nothing behind the failed block is run, nor said to be done; the next run completes it."""
    apply, back = scripts()
    bench = make_bench(faults=(Fault("set_apply_parameter", call, FaultKind.PERMISSION_DENIED),))
    untouched = bench.snapshot()
    broken = run(bench, apply)
    assert len(broken.ran) == call
    assert broken.error
    assert not any(said.startswith("Done") for said in broken.printed)
    assert run(bench, apply).error == ""
    assert run(bench, back).error == ""
    assert bench.snapshot() == untouched


def test_what_somebody_changed_since_is_left_alone() -> None:
    """A third value stays, the other parameter is set all the same."""
    apply, _back = scripts()
    bench = make_bench()
    run(bench, apply.replace("'500000'", "'700000'"))
    tool = run(bench, apply)
    assert "another value than expected: nothing was changed by this block" in tool.printed
    assert bench.parameter("TXN_LCR_SPILL_THRESHOLD").effective.value == "700000"
