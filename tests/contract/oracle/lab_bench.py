"""A transport that holds the lab to the catalogue, and a pipeline on it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.change import Change
from app.domain.setting import Value
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.drivers.oracle.catalogue import Column, OracleType, Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.session import End, RecordingSession
from app.foundation.rows import Cell
from app.lab.faults import Fault
from app.systems.oracle_streams.lab.scenario import load_scenario, scenario_path
from app.systems.oracle_streams.lab_server.server import LabClock, LabOracle, LabTransport
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsParameter, StreamsPath, StreamsTopology
from tests.labs import oracle_over

_TYPES: dict[OracleType, type] = {
    OracleType.INTEGER: int,
    OracleType.NUMBER: float,
    OracleType.VARCHAR2: str,
    OracleType.DATE: datetime,
}


class CheckingTransport(LabTransport):
    """Fails on a row that has not exactly the declared columns, types and NULLs."""

    def __init__(self, server: LabOracle) -> None:
        super().__init__(server)
        self.calls: Counter[str] = Counter()

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement and check its rows."""
        self.calls[f"{statement.name} at {end}"] += 1
        rows = super().send(statement, end, binds)
        for row in rows:
            assert len(row) == len(statement.columns), statement.name
            for column, cell in zip(statement.columns, row, strict=True):
                check_cell(statement.name, column, cell)
        return rows


def check_cell(statement: str, column: Column, cell: Cell) -> None:
    """Fail on a cell that is not what its column declares."""
    if cell is None:
        assert column.nullable, f"{statement}.{column.name} is NULL"
    else:
        assert type(cell) is _TYPES[column.oracle_type], f"{statement}.{column.name} is {type(cell).__name__}"


@dataclass
class Bench:
    """A target on a lab in this process, with everything a test wants to look at."""

    server: LabOracle
    transport: CheckingTransport
    target: Target
    session: RecordingSession
    records: list[StatementRecord]

    @property
    def topology(self) -> StreamsTopology:
        """The pipeline as discovered now."""
        return streams_port(self.target).discover()

    @property
    def path(self) -> StreamsPath:
        """The lab's one path."""
        return self.topology.paths[0]

    def parameter(self, name: str) -> StreamsParameter:
        """Return a parameter as it is now."""
        return next(p for p in self.topology.parameters if p.effective.name == name)

    def apply(self, changes: Sequence[Change]) -> None:
        """Apply changes in order."""
        for change in changes:
            self.target.changes.apply(change)

    def undo(self, changes: Sequence[Change]) -> None:
        """Undo changes, newest first."""
        for change in reversed(changes):
            self.target.changes.undo(change)

    def snapshot(self) -> tuple[object, ...]:
        """Return everything of the databases that a change could leave changed."""
        state = self.server.state
        lab = state.lab
        parameters = tuple(
            (name, found.value(name), found.is_set_by_user(name))
            for found in (lab.capture_parameters, lab.apply_parameters)
            for name in found.names
        )
        return (
            *(parameters, dict(state.pool_settings), state.retention_days, lab.propagation().latency_s),
            *(dict(state.tables), set(state.prepared), dict(state.instantiated), set(state.traced_sessions())),
            (lab.capture().status, lab.propagation().status, lab.apply().status),
        )


def make_bench(scenario: str = "streams-2009", faults: tuple[Fault, ...] = ()) -> Bench:
    """Build a lab without noise and a target on it, all processes past their start."""
    server = LabOracle(load_scenario(scenario_path(scenario)), seed=1, noise=False, faults=faults)
    transport = CheckingTransport(server)
    records: list[StatementRecord] = []
    clock = LabClock(server)
    target = oracle_over(transport, clock, records.append)
    clock.sleep(60)
    return Bench(server, transport, target, RecordingSession(transport, clock, records.append), records)


EVERYTHING: dict[str, Value] = {
    "PARALLELISM": 4,
    "TXN_LCR_SPILL_THRESHOLD": 500_000,
    "_DYNAMIC_STMTS": "N",
    "_TXN_BUFFER_SIZE": 4,
    "_HASH_TABLE_SIZE": 1_000_000,
    "CAPTURE_PARALLELISM": 2,
    "_SGA_SIZE": 80,
    "CHECKPOINT_RETENTION_TIME": 7,
    "LATENCY": 5,
    "streams_pool_size": "5G",
}


def change_everything(
    bench: Bench,
    made: list[Change],
    values: Mapping[str, Value] = EVERYTHING,
    make: Callable[[Bench, Change], object] = lambda bench, change: bench.target.changes.apply(change),
) -> None:
    """Plan and make every kind of change there is, noting each in `made` before it is sent.

    Args:
        make: makes one, by default as the program does.
    """

    def make_all(planned: Sequence[Change]) -> None:
        for change in planned:
            made.append(change)
            make(bench, change)

    streams, path = streams_port(bench.target), bench.path
    for name, value in values.items():
        make_all(streams.plan_parameter(path, name, value))
    make_all(streams.plan_test_table(path, 1000, "S1"))
    make_all(streams.plan_trace(path))
    streams.load(path, "insert", 1_000, 500, "S1")
    streams.load(path, "update", 1_000, 1_000, "S1")
    streams.sample(path)
    make_all(streams.plan_restart(path))
