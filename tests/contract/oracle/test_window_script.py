"""One window of a guided run is one script: it waits until the apply has stopped, sets its values, and starts it."""

from collections.abc import Callable

import pytest

from app.domain.change import Change
from app.domain.setting import Value
from app.domain.target import Gate
from app.drivers.oracle.scripts import Where
from app.drivers.oracle.session import End
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsComponent
from app.systems.oracle_streams.server.process_changes import SCRIPT_WAIT_S, plan_apply_stopped
from app.systems.oracle_streams.server.versions import release_of
from tests.contract.oracle.lab_bench import Bench, make_bench
from tests.contract.oracle.sqlplus import SqlPlus, tool_at
from tests.contract.oracle.test_others_values import first_planned, set_apply

SPILL = "TXN_LCR_SPILL_THRESHOLD"


class _Asked(Gate):
    """A gate at which an undo waits."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def undone_soon(self) -> tuple[Change, ...]:
        """Return that change."""
        return (self._change,)


def planned_over(bench: Bench, change: Change, value: Value) -> Change:
    """Return the change to a value that is planned while the undo of another one of the same parameter waits."""
    port = streams_port(bench.target)
    before, port._gate = port._gate, _Asked(change)
    made = first_planned(bench, SPILL, value)
    port._gate = before
    return made


def run(bench: Bench, script: str) -> SqlPlus:
    """Run a script at the destination, and nothing else: no time passes but what the script itself waits."""
    tool = tool_at(bench.server, End.DESTINATION)
    tool.run_script(script)
    return tool


def stop_of(bench: Bench) -> Change:
    """Return the change that stops the apply."""
    (stop,) = streams_port(bench.target).plan_restart(bench.path)
    return stop


def test_it_stops_sets_and_starts_in_one_go() -> None:
    """The stop goes on behind the call; what is behind it in the script finds the apply stopped."""
    bench = make_bench()
    stop, spill, servers = stop_of(bench), first_planned(bench, SPILL, 50), first_planned(bench, "PARALLELISM", 4)
    began = bench.server.state.lab.apply().startup_s
    tool = run(bench, "".join((stop.apply_sql, spill.apply_sql, servers.apply_sql, stop.undo_sql)))
    assert (tool.errors, tool.skipped) == ([], 0)
    assert tool.ran == ["stop_apply", "set_apply_parameter", "set_apply_parameter", "start_apply"]
    bench.target.clock.sleep(30)
    assert bench.target.changes.is_undone(stop)
    assert bench.server.state.lab.apply().startup_s != began
    assert bench.target.changes.is_applied(spill)
    assert bench.target.changes.is_applied(servers)


def test_an_apply_that_does_not_stop_is_told_and_nothing_behind_is_done() -> None:
    """It waits as long as it says; run again once the apply has stopped, it goes on."""
    bench = make_bench()
    stop, spill = stop_of(bench), first_planned(bench, SPILL, 50)
    script = "".join((stop.apply_sql, spill.apply_sql, stop.undo_sql))
    lab = bench.server.state.lab
    lab.hang_on_stop("apply")
    began_s = lab.now_s
    tool = run(bench, script)
    assert tool.ran == ["stop_apply"]
    [error] = tool.errors
    assert f"apply {bench.path.apply} still runs 600 s after it was asked to stop" in error
    assert lab.now_s - began_s == pytest.approx(SCRIPT_WAIT_S)
    lab.hang_on_stop("apply", is_hanging=False)
    assert run(bench, script).ran == ["set_apply_parameter", "start_apply"]
    bench.target.clock.sleep(30)
    assert bench.target.changes.is_undone(stop)
    assert bench.target.changes.is_applied(spill)


@pytest.mark.parametrize(
    ("version", "sleeps"), [("12.2.0.1.0", "DBMS_LOCK.SLEEP("), ("18.3.0.0.0", "DBMS_SESSION.SLEEP(")]
)
def test_it_waits_by_what_its_release_has(version: str, sleeps: str) -> None:
    """From 18c on no right is needed to wait."""
    apply = make_bench().topology.process(StreamsComponent.APPLY, "STREAMS_APPLY")
    assert apply is not None
    change = plan_apply_stopped(Where("here", "HERE"), apply, release_of(version))
    assert change.apply_sql.count(".SLEEP(") == change.apply_sql.count(sleeps) == 1
    assert ".SLEEP(" not in change.undo_sql


def _by_program(bench: Bench, change: Change) -> None:
    bench.target.changes.undo(change)


def _by_script(bench: Bench, change: Change) -> None:
    assert run(bench, change.undo_sql).errors == []


@pytest.mark.parametrize("undo", [_by_program, _by_script])
@pytest.mark.parametrize("found", [None, "20000"])
@pytest.mark.parametrize("stands", ["50", "500000", "original"])
def test_the_undo_of_a_value_that_replaced_another_is_one_step(
    found: str | None, stands: str, undo: Callable[[Bench, Change], None]
) -> None:
    """Wherever the run is ended: the script not run, run, or what it replaced put back before."""
    bench = make_bench()
    set_apply(SPILL, found)(bench)
    before = bench.snapshot()
    first = first_planned(bench, SPILL, 50)
    bench.target.changes.apply(first)
    second = planned_over(bench, first, 500_000)
    assert (second.original, second.new) == (first.original, "500000")
    set_apply(SPILL, found if stands == "original" else stands)(bench)
    undo(bench, second)
    undo(bench, first)
    assert bench.snapshot() == before


def test_a_value_of_somebody_else_stays_all_the_same() -> None:
    """Neither the one that was set nor the one it replaced."""
    bench = make_bench()
    first = first_planned(bench, SPILL, 50)
    bench.target.changes.apply(first)
    second = planned_over(bench, first, 500_000)
    set_apply(SPILL, "777")(bench)
    [error] = run(bench, second.undo_sql).errors
    assert "neither as it was set nor as it was before" in error


def test_what_is_put_back_anyway_is_no_change() -> None:
    """The default that nobody had set is known while it does not show."""
    bench = make_bench()
    default = bench.parameter(SPILL).effective.value
    first = first_planned(bench, SPILL, 50)
    bench.target.changes.apply(first)
    port = streams_port(bench.target)
    port._gate = _Asked(first)
    assert port.plan_parameter(bench.path, SPILL, default) == ()
