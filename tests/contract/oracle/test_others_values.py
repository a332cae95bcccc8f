"""A value somebody else set since is told and left as it is; each instance of a cluster is its own."""

import re
from collections.abc import Callable, Mapping

import pytest

from app.domain.change import Change, EntryState
from app.domain.errors import ChangedByOthers, Unsupported
from app.domain.setting import Value
from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.session import End, RecordingSession
from app.foundation.rows import Cell
from app.runner.undo import SafeChanger, restore_entries
from app.systems.oracle_streams.lab_server.server import LabClock, LabOracle
from app.systems.oracle_streams.lab_server.state import GRANULE_BYTES, MEGABYTE
from app.systems.oracle_streams.offer import streams_port
from tests.contract.oracle.lab_bench import Bench, CheckingTransport, make_bench
from tests.labs import oracle_over
from tests.unit.runner.memory import MemoryJournal

GIGABYTE = 1024 * MEGABYTE


def set_apply(name: str, value: str | None) -> Callable[[Bench], object]:
    """Return what a DBA does to a parameter of the apply."""
    return lambda bench: bench.session.run(
        "set_apply_parameter",
        End.DESTINATION,
        process_name=bench.path.apply,
        parameter_name=name,
        value=value,
        expected=None,
    )


def set_capture(name: str, value: str | None) -> Callable[[Bench], object]:
    """Return what a DBA does to a parameter of the capture."""
    return lambda bench: bench.session.run(
        "set_capture_parameter",
        End.SOURCE,
        process_name=bench.path.capture,
        parameter_name=name,
        value=value,
        expected=None,
    )


def set_retention(days: float) -> Callable[[Bench], object]:
    """Return what a DBA does to the retention of checkpoints."""
    return lambda bench: bench.session.run(
        "set_checkpoint_retention", End.SOURCE, process_name=bench.path.capture, days=days, expected=None
    )


def set_latency(seconds: float) -> Callable[[Bench], object]:
    """Return what a DBA does to the latency of the propagation."""
    return lambda bench: bench.server.state.lab.set_propagation_latency(seconds)


def set_pool(size: int) -> Callable[[Bench], object]:
    """Return what a DBA does to the source's pool."""
    return lambda bench: bench.session.run(
        "set_streams_pool_size", End.SOURCE, size_bytes=size, instance_name=None, outlasts_restart=0, expected=None
    )


def first_planned(bench: Bench, name: str, value: Value) -> Change:
    """Return the first change that gives a parameter a value."""
    return streams_port(bench.target).plan_parameter(bench.path, name, value)[0]


CASES: list[tuple[str, Value, Callable[[Bench], object], str]] = [
    ("PARALLELISM", 6, set_apply("PARALLELISM", "12"), '"12"'),
    ("PARALLELISM", 6, set_apply("PARALLELISM", None), r"\(default\)"),
    ("CAPTURE_PARALLELISM", 2, set_capture("PARALLELISM", "3"), '"3"'),
    ("_HASH_TABLE_SIZE", 5_000_000, set_apply("_HASH_TABLE_SIZE", "7000000"), '"7000000"'),
    ("CHECKPOINT_RETENTION_TIME", 90, set_retention(365.0), '"365 days"'),
    ("CHECKPOINT_RETENTION_TIME", 90, set_retention(30.0), '"30 days"'),
    ("LATENCY", 5, set_latency(60.0), '"60 s"'),
    ("streams_pool_size", "5G", set_pool(6 * GIGABYTE), '"6G"'),
    ("streams_pool_size", "5G", set_pool(5 * GIGABYTE + GRANULE_BYTES), "changed to"),
]
IDS = [f"{name} {number}" for number, (name, *_rest) in enumerate(CASES)]


@pytest.mark.parametrize(("name", "value", "by_others", "told"), CASES, ids=IDS)
def test_a_third_value_is_left_and_told(
    name: str, value: Value, by_others: Callable[[Bench], object], told: str
) -> None:
    """Undo raises with the value found, and changes nothing."""
    bench = make_bench()
    change = first_planned(bench, name, value)
    bench.target.changes.apply(change)
    by_others(bench)
    before = bench.snapshot()
    with pytest.raises(ChangedByOthers, match=f"{told}.*somebody else.*set it to {re.escape(change.original)}"):
        bench.target.changes.undo(change)
    assert bench.snapshot() == before


@pytest.mark.parametrize(("name", "value", "by_others", "_told"), CASES, ids=IDS)
def test_the_entry_stays_open_until_somebody_decides(
    name: str, value: Value, by_others: Callable[[Bench], object], _told: str
) -> None:
    """A restore keeps the entry; with the others' value kept it is closed, and the value still stands."""
    bench = make_bench()
    journal = MemoryJournal([])
    SafeChanger(bench.target, journal, "S1").apply(first_planned(bench, name, value))
    by_others(bench)
    before = bench.snapshot()
    entries = journal.open_entries()
    assert len(restore_entries(bench.target, journal, entries, lambda _change: None)) == 1
    assert [entry.state for entry in journal.open_entries()] == [EntryState.APPLIED]
    left: list[str] = []
    problems = restore_entries(
        bench.target, journal, entries, lambda _change: None, lambda change, _problem: left.append(change.subject)
    )
    assert (problems, left) == ((), [entries[0].change.subject])
    assert journal.open_entries() == ()
    assert bench.snapshot() == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PARALLELISM", 6),
        ("_HASH_TABLE_SIZE", 5_000_000),
        ("CHECKPOINT_RETENTION_TIME", 90),
        ("LATENCY", 5),
        ("streams_pool_size", "5G"),
    ],
)
def test_what_never_reached_the_server_is_undone_without_a_word(name: str, value: Value) -> None:
    """A change that was noted and not sent leaves the original, which nobody else set."""
    bench = make_bench()
    before = bench.snapshot()
    bench.target.changes.undo(first_planned(bench, name, value))
    assert bench.snapshot() == before


@pytest.mark.parametrize("name", ["PARALLELISM", "_HASH_TABLE_SIZE"])
def test_two_changes_of_one_parameter_are_undone_newest_first(name: str) -> None:
    """The value of the later change is the program's own, though the earlier one knows nothing of it."""
    bench = make_bench()
    before = bench.snapshot()
    journal = MemoryJournal([])
    changer = SafeChanger(bench.target, journal, "S1")
    for value in (6, 7):
        changer.apply(first_planned(bench, name, value))
    assert changer.restore(lambda _change: None) == ()
    assert bench.snapshot() == before


@pytest.mark.parametrize(("given", "shown"), [("INFINITE", "4294967295"), ("500000", "0500000")])
def test_a_value_spelled_otherwise_by_the_server_is_the_programs_own(given: str, shown: str) -> None:
    """What was set and is shown in another spelling is put back, not taken for somebody else's."""
    bench = make_bench()
    change = first_planned(bench, "TXN_LCR_SPILL_THRESHOLD", given)
    set_apply("TXN_LCR_SPILL_THRESHOLD", shown)(bench)
    assert bench.parameter("TXN_LCR_SPILL_THRESHOLD").effective.value == shown
    bench.target.changes.undo(change)
    assert bench.parameter("TXN_LCR_SPILL_THRESHOLD").effective.value == "100000"


@pytest.mark.parametrize("rounded_up", [0, 1, GRANULE_BYTES - 1])
def test_a_pool_rounded_up_to_a_granule_is_the_programs_own(rounded_up: int) -> None:
    """The instance sets whole granules: less than one above what was asked for is nobody else's value."""
    bench = make_bench()
    change = first_planned(bench, "streams_pool_size", "5G")
    bench.target.changes.apply(change)
    bench.server.state.pool_settings[End.SOURCE] = 5 * GIGABYTE + rounded_up
    bench.target.changes.undo(change)
    assert bench.target.changes.is_undone(change)


class Cluster(CheckingTransport):
    """Both databases are clusters; the connection leads to one instance of each."""

    def __init__(self, server: LabOracle) -> None:
        super().__init__(server)
        self.instance = "NODE1"
        self.sent: list[tuple[str, Mapping[str, BindValue]]] = []

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Answer as an instance of a cluster; the lab itself has one instance only."""
        self.sent.append((statement.name, binds))
        if statement.name == "set_streams_pool_size":
            assert binds["instance_name"] == self.instance
            binds = {**binds, "instance_name": None}
        told: dict[str, Cell] = {"is_rac": "YES", "instance_name": self.instance}
        rows = super().send(statement, end, binds)
        return tuple(
            tuple(told.get(name, cell) for name, cell in zip(statement.column_names, row, strict=True)) for row in rows
        )


def make_cluster() -> tuple[Bench, Cluster]:
    """Return a bench on a cluster."""
    plain = make_bench()
    transport, clock = Cluster(plain.server), LabClock(plain.server)
    target = oracle_over(transport, clock, plain.records.append)
    return Bench(
        plain.server, transport, target, RecordingSession(transport, clock, plain.records.append), plain.records
    ), transport


def test_of_a_cluster_only_the_instance_connected_to_is_set() -> None:
    """The pool's change names its instance, in what is sent and in both scripts, and so does its undo."""
    bench, transport = make_cluster()
    change = first_planned(bench, "streams_pool_size", "5G")
    assert "instance NODE1" in change.subject
    bench.target.changes.apply(change)
    bench.target.changes.undo(change)
    sent = [binds["instance_name"] for name, binds in transport.sent if name == "set_streams_pool_size"]
    assert sent == ["NODE1", "NODE1"]
    for script in (change.apply_sql, change.undo_sql):
        assert "instance_found <> 'NODE1'" in script
        assert "IF 0 = 1 THEN" in script  # in memory only
        assert "' SCOPE = ' || scope_wanted || ' SID = ''' || instance_found" in script
    assert "NODE1" not in first_planned(make_bench(), "streams_pool_size", "5G").undo_sql


def test_at_another_instance_nothing_is_put_back() -> None:
    """An undo that reaches another instance says where to connect, and sends nothing."""
    bench, transport = make_cluster()
    change = first_planned(bench, "streams_pool_size", "5G")
    bench.target.changes.apply(change)
    transport.instance = "NODE2"
    transport.sent.clear()
    with pytest.raises(Unsupported, match=r"leads to instance NODE2; connect to NODE1"):
        bench.target.changes.undo(change)
    assert [name for name, _binds in transport.sent] == ["database_identity", "streams_pool"]


def test_a_single_instance_is_set_without_a_name() -> None:
    """Where there is one instance the statement is what it was."""
    bench = make_bench()
    change = first_planned(bench, "streams_pool_size", "5G")
    bench.target.changes.apply(change)
    (sent,) = [record for record in bench.records if record.name == "set_streams_pool_size"]
    assert '"instance_name": null' in sent.parameters
