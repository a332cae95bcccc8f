"""What Oracle's health check would warn of, beyond parameters and spilled queues, on the lab and on a cluster."""

from collections.abc import Mapping

import pytest

from app.domain.statement import StatementRecord
from app.drivers.oracle.catalogue import Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.lab_faults import FaultKind
from app.drivers.oracle.session import End
from app.foundation.rows import Cell
from app.lab.faults import Fault
from app.systems.oracle_streams.lab_server.server import LabClock
from app.systems.oracle_streams.offer import streams_port
from tests.contract.oracle.lab_bench import Bench, CheckingTransport, make_bench
from tests.contract.oracle.test_variants import OtherProduct, names_sent, target_over
from tests.labs import oracle_over

Rows = tuple[tuple[Cell, ...], ...]


def held_up_bench() -> Bench:
    """Return a pipeline whose propagation was stopped while 600,000 rows were written."""
    bench = make_bench()
    path = bench.path
    bench.apply(streams_port(bench.target).plan_test_table(path, 0, "S1"))
    bench.server.state.lab.stop_propagation()
    bench.target.clock.sleep(10)
    streams_port(bench.target).load(path, "insert", 600_000, 500, "S1")
    bench.target.clock.sleep(900)
    return bench


def test_a_capture_held_up_is_told_with_its_state() -> None:
    """For how long it has been paused, and which sender the queue holds back."""
    told = " | ".join(held_up_bench().topology.warnings)
    assert "capture STREAMS_CAPTURE has been PAUSED FOR FLOW CONTROL for" in told
    assert "STREAMS_CAPTURE is held back at queue STRMADMIN.CAPTURE_QUEUE of SRC.EXAMPLE.COM: IN FLOW CONTROL" in told


def test_too_few_database_links_are_told() -> None:
    """Open links below four are warned of at both databases."""
    bench = make_bench()
    bench.server.state.scenario.initialization["open_links"] = "2"
    told = [warning for warning in bench.topology.warnings if "open_links is 2" in warning]
    assert [warning.split(":")[0] for warning in told] == ["SRC.EXAMPLE.COM", "DST.EXAMPLE.COM"]


class Told(CheckingTransport):
    """Answers some statements with cells of its own choice."""

    def __init__(self, bench: Bench, name: str, cells: Mapping[str, Cell]) -> None:
        super().__init__(bench.server)
        self._name = name
        self._cells = cells

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> Rows:
        """Answer as the lab does, with the chosen cells in place of its own."""
        rows = super().send(statement, end, binds)
        if statement.name != self._name:
            return rows
        names = catalogue()[statement.name].column_names
        return tuple(tuple(self._cells.get(n, cell) for n, cell in zip(names, row, strict=True)) for row in rows)


def warnings_with(name: str, **cells: Cell) -> str:
    """Return the warnings of an idle pipeline where a statement answers with other cells."""
    bench = make_bench()
    streams_port(bench.target).discover()
    target = oracle_over(Told(bench, name, cells), LabClock(bench.server), bench.records.append)
    return " | ".join(streams_port(target).discover().warnings)


@pytest.mark.parametrize(
    ("name", "cells", "told"),
    [
        ("capture_health", {"state": "CAPTURING CHANGES", "latency_s": 301.0}, "is 301 s behind the newest redo"),
        ("capture_health", {"pageout_s": 31.0}, "LogMiner of capture STREAMS_CAPTURE has spent 31 s"),
        ("queues", {"messages": 300_001}, "300,001 messages wait in queue STRMADMIN.CAPTURE_QUEUE"),
        ("archived_logs", {"needed_logs": 1_001}, "still needs 1001 archived logs"),
        (
            "streams_pool",
            {"used_bytes": 4_294_967_296 * 95 // 100 + 1},
            "95\u00a0% of the Streams pool of SRC.EXAMPLE.COM",
        ),
        ("pool_advice", {"spill_count": 7}, "expects 7 spilled messages with the present pool of 4,096 MiB"),
        ("database_info", {"is_rac": "YES"}, ""),
    ],
)
def test_limits_of_the_health_check_are_told(name: str, cells: Mapping[str, Cell], told: str) -> None:
    """Just beyond a limit there is a warning; a cluster whose processes are all seen has none."""
    warnings = warnings_with(name, **cells)
    assert told in warnings
    assert bool(warnings) is bool(told)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("capture_health", {"state": "CAPTURING CHANGES", "latency_s": 300.0}),
        ("capture_health", {"state": "WAITING FOR REDO", "latency_s": 5_000.0, "state_age_s": 90_000.0}),
        ("capture_health", {"pageout_s": 30.0}),
        ("queues", {"messages": 300_000}),
        ("archived_logs", {"needed_logs": 1_000}),
        ("pool_advice", {"spill_count": 0}),
    ],
)
def test_at_the_limit_there_is_no_warning(name: str, cells: Mapping[str, Cell]) -> None:
    """What lies at a limit, or belongs to a capture at rest, is not warned of."""
    assert warnings_with(name, **cells) == ""


def test_processes_of_another_instance_of_a_cluster_are_told() -> None:
    """An enabled process without a row in its view runs elsewhere: the sentence says where to connect."""

    class Cluster(OtherProduct):
        """Two instances; this one runs neither the capture nor the apply."""

        def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> Rows:
            """Answer as the instance without the processes does."""
            rows = super().send(statement, end, binds)
            names = statement.column_names
            if statement.name == "database_info":
                return tuple(
                    tuple("YES" if n == "is_rac" else c for n, c in zip(names, row, strict=True)) for row in rows
                )
            if statement.name.startswith("sample_"):
                return tuple(row for row in rows if row[0] not in ("capture", "reader", "coordinator", "server"))
            return rows

    topology = streams_port(target_over(Cluster("11.2.0.4.0"), [])).discover()
    assert all(database.is_rac for database in topology.databases)
    told = [warning for warning in topology.warnings if "is a cluster" in warning]
    assert len(told) == 2
    assert "SRC.EXAMPLE.COM is a cluster, and capture STREAMS_CAPTURE runs at another instance" in told[0]
    assert "apply STREAMS_APPLY" in told[1]


def test_successors_keep_to_their_own_limits_and_views() -> None:
    """A pool that serves a successor is warned of from 85 % on; its transactions and captures come from its views."""

    class Full(OtherProduct):
        """Nine tenths of the pool are in use."""

        def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> Rows:
            """Answer with a pool nearly full."""
            rows = super().send(statement, end, binds)
            if statement.name != "streams_pool":
                return rows
            return tuple((*row[:2], 100, 90, row[4]) for row in rows)

    records: list[StatementRecord] = []
    streams = streams_port(target_over(Full("11.2.0.4.0"), records)).discover()
    assert not any("of the Streams pool" in warning for warning in streams.warnings)
    records.clear()
    successor = streams_port(target_over(Full("12.1.0.2.0", "XStream In", "_xstream"), records)).discover()
    assert sum("90\u00a0% of the Streams pool" in warning for warning in successor.warnings) == 2
    assert {"transactions_xstream", "capture_health_xstream"} <= names_sent(records)
    assert not {"transactions", "capture_health"} & names_sent(records)


@pytest.mark.parametrize("name", ["capture_health", "archived_logs", "publishers", "pool_advice"])
def test_a_view_that_may_not_be_read_does_not_hide_the_pipeline(name: str) -> None:
    """What the health check cannot read is told as a warning, and everything else is still found."""
    bench = make_bench(faults=(Fault(name, 1, FaultKind.PERMISSION_DENIED),))
    topology = bench.topology
    assert topology.paths
    (told,) = topology.warnings
    assert told.startswith("part of the health check could not be read: ")
    assert name in told
