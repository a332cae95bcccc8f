"""The adapter on the lab: what it changes, refuses and puts back, whatever breaks on the way."""

import contextlib
import re

import pytest

from app.domain.change import Change
from app.domain.errors import (
    MOST_TRIES,
    BadInput,
    ConnectionLost,
    Deadlock,
    PermissionDenied,
    ProcessDidNotRespond,
    StatementTimeout,
    TargetError,
    Unsupported,
)
from app.domain.setting import Value
from app.drivers.oracle.lab_faults import FaultKind
from app.lab.faults import Fault
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.server.changes import CHANGE_DETAILS
from app.systems.oracle_streams.server.documented import PARAMETERS, ValueKind
from tests.contract.oracle.lab_bench import EVERYTHING, change_everything, make_bench
from tests.rows import every_row


def test_every_kind_of_change_is_made_and_put_back() -> None:
    """Each change reads back as made, each undo as undone, and undoing twice does no harm."""
    bench = make_bench()
    before = bench.snapshot()
    made: list[Change] = []
    change_everything(bench, made)
    assert {change.kind for change in made} == set(CHANGE_DETAILS)
    assert all(bench.target.changes.is_applied(change) for change in made if change.kind != "apply_server_traced")
    assert bench.snapshot() != before
    bench.target.changes.quiesce(made)
    for _turn in range(2):
        bench.undo(made)
    assert all(bench.target.changes.is_undone(change) for change in made)
    assert bench.snapshot() == before


def changing_statements() -> list[str]:
    """Return the statements that changing everything and putting it back sends, but for the load's reading one."""
    bench = make_bench()
    made: list[Change] = []
    change_everything(bench, made)
    bench.undo(made)
    return sorted({record.name for record in bench.records})


@pytest.mark.parametrize("kind", [FaultKind.LOST_BEFORE, FaultKind.LOST_AFTER, FaultKind.TIMEOUT])
@every_row("statement", changing_statements())
def test_fault_at_any_statement_leaves_nothing_changed(statement: str, kind: FaultKind) -> None:
    """Wherever it breaks, undoing what was planned puts everything back, from the changes alone."""
    bench = make_bench(faults=(Fault(statement, 1, kind),))
    before = bench.snapshot()
    made: list[Change] = []
    with contextlib.suppress(TargetError):
        change_everything(bench, made)
    for change in reversed(made):
        try:
            bench.target.changes.undo(change)
        except TargetError:  # the fault met the undo: a restore tries again
            bench.target.changes.undo(change)
    assert bench.snapshot() == before


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        (FaultKind.LOST_BEFORE, ConnectionLost),
        (FaultKind.PERMISSION_DENIED, PermissionDenied),
        (FaultKind.DEADLOCK, Deadlock),
        (FaultKind.TIMEOUT, StatementTimeout),
    ],
)
def test_fault_is_an_error_with_a_sentence(kind: FaultKind, error: type[TargetError]) -> None:
    """The call fails with the product's error, keeps the server's text, and is on record."""
    tries = MOST_TRIES if error is Deadlock else 1  # whose victim is sent again
    bench = make_bench(faults=tuple(Fault("captures", 1 + number, kind) for number in range(tries)))
    with pytest.raises(error) as caught:
        streams_port(bench.target).discover()
    assert caught.value.server_error
    assert bench.records[-1].error == str(caught.value)
    assert bench.topology.paths


def test_apply_that_will_not_stop_is_told() -> None:
    """After the limit the caller learns which apply still runs."""
    bench = make_bench(faults=(Fault("stop_apply", 1, FaultKind.APPLY_WILL_NOT_STOP),))
    with pytest.raises(ProcessDidNotRespond, match="STREAMS_APPLY still runs"):
        streams_port(bench.target).stop_apply(bench.path)


def test_stop_that_was_lost_on_the_way_is_waited_for_and_undone() -> None:
    """An apply on its way down still reads ENABLED: undoing its stop waits for the end, and starts it again."""
    bench = make_bench(faults=(Fault("stop_apply", 1, FaultKind.LOST_AFTER),))
    (stopped,) = streams_port(bench.target).plan_restart(bench.path)
    with pytest.raises(ConnectionLost):
        bench.target.changes.apply(stopped)
    apply = bench.server.state.lab.apply()
    assert apply.coordinator is not None
    assert (apply.status, apply.coordinator.state) == ("ENABLED", "SHUTTING DOWN CLEANLY")
    assert not bench.target.changes.is_undone(stopped)
    assert not bench.target.changes.is_applied(stopped)
    bench.target.changes.undo(stopped)
    assert bench.target.changes.is_undone(stopped)
    bench.target.clock.sleep(300)
    assert bench.server.state.lab.apply().status == "ENABLED"


def test_trace_ends_before_its_session_does() -> None:
    """A trace whose begin was lost is ended while its server is there; a session made anew is not traced."""
    bench = make_bench(faults=(Fault("trace_on", 1, FaultKind.LOST_AFTER),))
    path = bench.path
    (stopped,), (traced,) = streams_port(bench.target).plan_restart(path), streams_port(bench.target).plan_trace(path)
    changed = streams_port(bench.target).plan_parameter(path, "TXN_LCR_SPILL_THRESHOLD", 500_000)
    with pytest.raises(ConnectionLost):
        bench.target.changes.apply(traced)
    assert len(bench.server.state.traced_sessions()) == 1
    bench.target.changes.quiesce([stopped, *changed, traced])
    names = [record.name for record in bench.records]
    assert names.index("trace_off") < names.index("stop_apply")
    bench.undo([stopped, *changed, traced])
    assert bench.server.state.traced_sessions() == frozenset()
    (again,) = streams_port(bench.target).plan_trace(path)
    assert again.details != traced.details


def test_apply_that_aborts_is_told_with_its_error() -> None:
    """A start that ends in an abort tells the error."""
    looks = make_bench()
    streams_port(looks.target).stop_apply(looks.path)
    during_start = looks.transport.calls["apply_status at destination"] + 2
    bench = make_bench(faults=(Fault("apply_status", during_start, FaultKind.APPLY_ABORTS),))
    path = bench.path
    streams_port(bench.target).stop_apply(path)
    with pytest.raises(ProcessDidNotRespond, match=r"ABORTED.*ORA-26714"):
        streams_port(bench.target).start_apply(path)


def test_stop_and_start_are_awaited() -> None:
    """Stopping returns when the coordinator is gone, starting when it runs; both leave a process that fits alone."""
    bench = make_bench()
    streams, path = streams_port(bench.target), bench.path
    for _turn in range(2):
        streams.stop_apply(path)
    assert bench.server.state.lab.apply().coordinator is None
    for _turn in range(2):
        streams.start_apply(path)
    coordinator = bench.server.state.lab.apply().coordinator
    assert coordinator is not None
    assert coordinator.state == "IDLE"
    assert [r.name for r in bench.records].count("stop_apply") == 1
    assert [r.name for r in bench.records].count("start_apply") == 1


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("NO_SUCH", 1, "no parameter"),
        ("PARALLELISM", 0, "outside its limits"),
        ("PARALLELISM", "many", "whole number"),
        ("PARALLELISM", 2.5, "whole number"),
        ("_DYNAMIC_STMTS", "MAYBE", "one of Y, N"),
        ("_RESTRICT_ALL_REF_CONS", "Y", "no public definition"),
        ("COMPARE_KEY_ONLY", "Y", "came with 11.2.0.2"),
        ("TXN_AGE_SPILL_THRESHOLD", 900, "came with 11.1"),
        ("CHECKPOINT_RETENTION_TIME", 0.5, "cannot be undone"),
        ("streams_pool_size", "16M", "are in use"),
        ("streams_pool_size", 0, "restart of the instance"),
        ("streams_pool_size", "big", "a size such as"),
    ],
)
def test_what_cannot_be_undone_or_is_not_there_is_refused(name: str, value: Value, complaint: str) -> None:
    """A value outside limits, a release's gates, and what has no way back are refused before anything is sent."""
    bench = make_bench()
    path = bench.path
    with pytest.raises(BadInput, match=complaint):
        streams_port(bench.target).plan_parameter(path, name, value)
    assert all(record.access == "read" for record in bench.records)


def test_value_in_effect_needs_no_change() -> None:
    """A parameter that reads as wanted is left alone."""
    bench = make_bench()
    wanted: dict[str, Value] = {
        "PARALLELISM": 8,
        "TXN_LCR_SPILL_THRESHOLD": 100_000,
        "_DYNAMIC_STMTS": "y",
        "LATENCY": 1,
        "CHECKPOINT_RETENTION_TIME": 1,
        "streams_pool_size": "4096M",
        "CAPTURE_PARALLELISM": 1,
    }
    for name, value in wanted.items():
        assert streams_port(bench.target).plan_parameter(bench.path, name, value) == ()


def test_undo_writes_null_where_nobody_had_set_it() -> None:
    """A default goes back as NULL, a user's value as that value."""
    bench = make_bench()
    streams, path = streams_port(bench.target), bench.path
    (capture,) = streams.plan_parameter(path, "CAPTURE_PARALLELISM", 2)
    (threshold,) = streams.plan_parameter(path, "TXN_LCR_SPILL_THRESHOLD", 500_000)
    bench.apply((capture, threshold))
    bench.records.clear()
    bench.undo((capture, threshold))
    sent = [record.parameters for record in bench.records if record.name.startswith("set_")]
    assert ['"value": "100000"' in sent[0], '"value": null' in sent[1]] == [True, True]
    assert "value => NULL" in capture.undo_sql
    assert "value => '100000'" in threshold.undo_sql


def test_hidden_parameter_names_its_risk() -> None:
    """Consent to a hidden parameter is asked for in words of its own."""
    bench = make_bench()
    (change,) = streams_port(bench.target).plan_parameter(bench.path, "_HASH_TABLE_SIZE", 5_000_000)
    assert "hidden parameter: _HASH_TABLE_SIZE takes its memory from the Streams pool" in change.needs_consent


def test_scripts_stand_alone() -> None:
    """Every change has a script to make and one to undo it, with no bind left in them."""
    bench = make_bench()
    made: list[Change] = []
    change_everything(bench, made)
    for change in made:
        for text in (change.apply_sql, change.undo_sql):
            assert text.startswith("-- ")
            assert "-- Run at: " in text
            assert text.endswith("\n/\n")
            code = re.sub(r"(?m)^ *--.*$", "", text)
            outside_texts = "".join(part for n, part in enumerate(code.split("'")) if n % 2 == 0)
            assert ":" not in outside_texts.replace(":=", ""), text


def test_foreign_test_table_is_never_dropped() -> None:
    """A table this program did not make stands in the way and stays."""
    bench = make_bench()
    planned = streams_port(bench.target).plan_test_table(bench.path, 10, "S1")
    bench.apply(planned)
    with pytest.raises(BadInput, match="this session did not create"):
        streams_port(bench.target).plan_test_table(bench.path, 10, "S2")
    for table in bench.server.state.tables.values():
        table.remark = "of somebody else"
    bench.undo([change for change in planned if change.kind == "test_table"])
    assert len(bench.server.state.tables) == 2


@pytest.mark.parametrize(("operation", "rows", "each"), [("delete", 1, 1), ("insert", 0, 1), ("update", 11, 11)])
def test_load_that_cannot_be_is_refused(operation: str, rows: int, each: int) -> None:
    """Another operation, no rows, and more updates than rows are refused."""
    bench = make_bench()
    bench.apply(streams_port(bench.target).plan_test_table(bench.path, 10, "S1"))
    streams_port(bench.target).load(bench.path, "insert", 10, 5, "S1")
    with pytest.raises(BadInput):
        streams_port(bench.target).load(bench.path, operation, rows, each, "S1")


def test_failed_update_is_rolled_back() -> None:
    """An update that breaks between its portions leaves no open transaction."""
    bench = make_bench(faults=(Fault("update_load", 2, FaultKind.TIMEOUT),))
    bench.apply(streams_port(bench.target).plan_test_table(bench.path, 10, "S1"))
    streams_port(bench.target).load(bench.path, "insert", 50_000, 50_000, "S1")
    with pytest.raises(StatementTimeout):
        streams_port(bench.target).load(bench.path, "update", 50_000, 50_000, "S1")
    assert bench.server.state.open_updates == 0
    assert bench.records[-1].name == "rollback_load"


def test_trace_needs_servers() -> None:
    """A stopped apply has no session to trace."""
    bench = make_bench()
    path = bench.path
    streams_port(bench.target).stop_apply(path)
    with pytest.raises(Unsupported, match="start it first"):
        streams_port(bench.target).plan_trace(path)


def test_guided_restore_knows_what_stands_in_the_way() -> None:
    """The stop that restoring an apply's parameter needs is planned as a change with scripts, once it runs again."""
    bench = make_bench()
    made = [*streams_port(bench.target).plan_parameter(bench.path, "PARALLELISM", 4)]
    made += streams_port(bench.target).plan_restart(bench.path)
    bench.apply(made)
    assert bench.target.changes.plan_quiesce(made) == ()
    streams_port(bench.target).start_apply(bench.path)
    assert [change.kind for change in bench.target.changes.plan_quiesce(made)] == ["apply_stopped"]


def test_faults_are_tried_with_a_parameter_of_every_kind() -> None:
    """The changes the faults are tried with hold one parameter of every kind of value and every component."""
    tried = [parameter for parameter in PARAMETERS if parameter.name in EVERYTHING]
    changed = [parameter for parameter in PARAMETERS if parameter.is_changed and parameter.kind is not ValueKind.CHOICE]
    assert {p.kind for p in tried} == {p.kind for p in changed}
    assert {p.component for p in tried} == {p.component for p in changed}
