"""What going through the program costs over TDS, against a bare pyodbc loop that sends the same statements."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from app.domain.setting import Value
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.drivers.sqlserver import open_server
from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.odbc.opening import open_transport
from app.drivers.sqlserver.odbc.settings import read_settings
from app.drivers.sqlserver.session import Place, RecordingSession
from app.foundation.clock import SystemClock
from app.foundation.secret import Secret
from app.services.target.target_spec import parse_server
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.workload import COMMANDS_PER_STATEMENT
from tests.benchmarks.figures import print_ratio, python_loop_s
from tests.e2e.drivers import ODBC
from tests.e2e.posed_lab import Pose, Posed, posed_lab
from tests.labs import target_over
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

ROUNDS = 9
STATEMENTS = 300
SAMPLES = 200
TICKS = 60
# What the program adds is Python, so it is held against a fixed loop of Python, which takes 25 ms where a statement may
# add a quarter of a millisecond.
STATEMENT_BUDGET = 0.01
SAMPLE_BUDGET = 0.04
# A tick, its servers' answers included, in such loops: a twentieth of a second in each second.
TICK_BUDGET = 2.0
# As much as one statement of a run writes, in transactions of ten 1 KB rows.
ROWS_PER_TRANSACTION = 10.0
TRANSACTIONS = int(COMMANDS_PER_STATEMENT / ROWS_PER_TRANSACTION)
WRITES = 1
PUBLISHER_SPEED = 10.0


@pytest.fixture
def lab(request: pytest.FixtureRequest) -> Iterator[Posed]:
    """A lab in a process of its own, so that nothing of it is in the figures but its answers."""
    with posed_lab(getattr(request, "param", Pose(noise=False))) as posed:
        yield posed


def _target(lab: Posed, sink: Callable[[StatementRecord], None]) -> Target:
    return target_over(open_server(parse_server(lab.url(DRIVERS["microsoft"])), Secret("lab"), sink))


def _ignore(_record: StatementRecord) -> None:
    """What records cost is in the figures; what becomes of them is not."""


class Bare:
    """Statements through pyodbc alone: a connection for each place, a cursor for each statement, every row fetched."""

    def __init__(self, lab: Posed) -> None:
        self._lab = lab
        self._connections: dict[Place, Any] = {}

    def send(self, statement: Statement, place: Place, values: Mapping[str, Value]) -> list[Any]:
        """Send one and fetch its rows."""
        connection = self._connections.get(place)
        if connection is None:
            connection = self._connections[place] = ODBC.connect(self._lab.ports[place.server], place.database)
        given = [values[name] for name in statement.parameter_names]
        cursor = connection.cursor()
        cursor.execute(bound_text(statement), *([given] if given else []))
        rows: list[Any] = cursor.fetchall()
        cursor.close()
        return rows

    def close(self) -> None:
        """Close every connection."""
        for connection in self._connections.values():
            connection.close()


def _seconds(times: int, work: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    for _time in range(times):
        work()
    return (time.perf_counter() - began_s) / times


def _interleaved(times: int, ours: Callable[[], object], bare: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Return seconds of one call, a figure for each round; both take turns, because the machine drifts."""
    ours(), bare()  # connections are made, texts prepared
    pairs = [(_seconds(times, ours), _seconds(times, bare)) for _round in range(ROUNDS)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _own_loops(name: str, ours: list[float], raw: list[float], budget: float) -> float:
    """Print both and return what the program adds at its best, in loops of pure Python: the rest is noise."""
    own_s, loop_s = min(ours) - min(raw), python_loop_s()
    print_ratio(name, ours, raw, "of what it adds")
    print(f"  own {own_s * 1000:.3f} ms, loop {loop_s * 1000:.1f} ms, ratio {own_s / loop_s:.4f}, budget ≤ {budget}")
    return own_s / loop_s


@pytest.mark.parametrize(
    ("name", "place", "values"),
    [
        ("round_trip", Place("SUB1", "Sales1Copy"), {}),
        ("parameter_limits", Place("DIST1", "msdb"), {"agent_type": 2}),
        ("agents", Place("DIST1", "distribution"), {}),
    ],
)
def test_a_statement_costs_little_more_than_bare(
    lab: Posed, name: str, place: Place, values: Mapping[str, Value]
) -> None:
    """Time limit, checks, record and rows by name add a hundredth of a fixed loop of Python at most."""
    settings = read_settings(parse_server(lab.url(DRIVERS["microsoft"])))
    opened = open_transport(settings, Secret("lab"), _ignore, SystemClock())
    session, bare = RecordingSession(opened.transport, SystemClock(), _ignore), Bare(lab)
    ours, raw = _interleaved(
        STATEMENTS,
        lambda: session.run(name, place, **values),
        lambda: bare.send(catalogue()[name], place, values),
    )
    assert _own_loops(f"statement {name}", ours, raw, STATEMENT_BUDGET) <= STATEMENT_BUDGET
    session.close()
    bare.close()


def test_a_sample_costs_little_more_than_bare(lab: Posed) -> None:
    """One tick reads Distributor and Publisher once each; the program adds a small share of a fixed loop."""
    target, bare = _target(lab, _ignore), Bare(lab)
    agent_ports(target).agents.discover()
    distributor, publisher = catalogue()["distributor_sample"], catalogue()["publisher_sample"]

    def raw_sample() -> None:
        bare.send(distributor, Place("DIST1", "distribution"), {})
        bare.send(publisher, Place("PUB1", "Sales1"), {})

    ours, raw = _interleaved(SAMPLES, agent_ports(target).agents.sample, raw_sample)
    assert _own_loops("sample of all agents and queues", ours, raw, SAMPLE_BUDGET) <= SAMPLE_BUDGET
    target.close()
    bare.close()


@pytest.mark.parametrize("lab", [Pose(noise=False, speed=PUBLISHER_SPEED)], indirect=True, ids=["busy"])
def test_the_workload_is_written_as_fast_as_bare(lab: Posed) -> None:
    """Generated rows per second are at least 90 % of a bare loop of the same statements.

    The Publisher takes 400,000 rows of 1 KB a second, ten times what the calibrated one does.
    """
    target, bare = _target(lab, _ignore), Bare(lab)
    reader = agent_ports(target).agents.discover().agents_of(AgentKind.LOG_READER)[0]
    statement, place = catalogue()["write_load"], Place(reader.publisher, reader.publisher_db)
    size = (ROWS_PER_TRANSACTION, ROWS_PER_TRANSACTION)
    values: dict[str, Value] = {
        "transactions": TRANSACTIONS,
        "commands_low": ROWS_PER_TRANSACTION,
        "commands_high": ROWS_PER_TRANSACTION,
        "seed": 1,
    }
    ours, raw = _interleaved(
        WRITES,
        lambda: agent_ports(target).workload.write(reader, TRANSACTIONS, size, 1),
        lambda: bare.send(statement, place, values),
    )
    rows = TRANSACTIONS * ROWS_PER_TRANSACTION
    print_ratio(f"{rows:.0f} rows of workload", ours, raw, "≤ 1.11 (90 % of the rate)")
    print(f"  {rows / min(ours):,.0f} rows/s at best, bare {rows / min(raw):,.0f}: {min(raw) / min(ours):.1%} of it")
    assert min(ours) / min(raw) <= 1 / 0.9
    target.close()
    bare.close()


def test_measuring_asks_each_server_once_a_tick(lab: Posed) -> None:
    """At 1 Hz a tick is one round trip to each server that is measured, and takes a small share of the second."""
    records: list[StatementRecord] = []
    target = _target(lab, records.append)
    agent_ports(target).agents.discover()
    agent_ports(target).agents.sample()
    records.clear()
    for _tick in range(TICKS):
        agent_ports(target).agents.sample()
    by_server = Counter(record.server for record in records)
    assert set(by_server) == {"DIST1", "PUB1"}
    assert set(by_server.values()) == {TICKS}
    for server in sorted(by_server):
        total_ms = sum(record.duration_ms for record in records if record.server == server)
        print(f"{server}: 1 round trip a tick, {total_ms / TICKS:.2f} ms, {total_ms / TICKS / 10:.2f} % of 1 s at 1 Hz")
        assert total_ms / TICKS / 1000 <= TICK_BUDGET * python_loop_s()
    target.close()
