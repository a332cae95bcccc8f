"""What going through the program costs with Oracle, against a bare loop of the driver sending the same statements."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from statistics import median
from typing import Any

import oracledb
import pytest

from app.domain.statement import StatementRecord
from app.drivers.oracle.catalogue import Form, Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.session import End, RecordingSession
from app.drivers.oracle.url import LAB_PASSWORD as PASSWORD
from app.drivers.oracle.wire.shared_lab import Rows, SharedLab
from app.foundation.clock import SystemClock
from app.lab.turns import Watch
from app.systems.oracle_streams.lab_server import LAB
from app.systems.oracle_streams.offer import streams_port
from tests.benchmarks.figures import print_ratio
from tests.e2e.oracle_wire import OraclePort, served
from tests.labs import ignore, lab_file, oracle_over

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

ROUNDS = 9
STATEMENTS = 300
TICKS = 60
LAN_S = 0.0005  # a round trip in a local network; this computer's own takes next to none
RATIO_BUDGET = 1.5


class NearbyLab(SharedLab):
    """A lab as far away as a server in the same building."""

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue], watch: Watch) -> Rows:
        """Run a statement after a round trip."""
        time.sleep(LAN_S)
        return super().run(statement, end, binds, watch)


@pytest.fixture
def port() -> Iterator[OraclePort]:
    """A lab on a port of this process."""
    with served(NearbyLab(LAB.build(lab_file("streams-12c"), 1, noise=False), None)) as opened:
        yield opened


def _seconds(work: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    for _time in range(STATEMENTS):
        work()
    return (time.perf_counter() - began_s) / STATEMENTS


@pytest.mark.parametrize(
    ("name", "binds"),
    [
        ("server_time", {}),
        ("sample_streams", {}),
        ("dictionary_columns", {}),
        ("capture_parameter", {"process_name": "STREAMS_CAPTURE", "parameter_name": "PARALLELISM"}),
    ],
)
def test_a_statement_costs_little_more_than_bare(port: OraclePort, name: str, binds: Mapping[str, BindValue]) -> None:
    """Deadline, checks, record and rows by name add at most half of what a bare loop takes in a local network."""
    statement = catalogue()[name]
    assert statement.form is Form.SELECT
    transport = port.transport()
    session = RecordingSession(transport, SystemClock(), ignore)
    service = port.shared.lab.database_name(End.SOURCE)
    bare = oracledb.connect(user="replitune", password=PASSWORD, dsn=f"127.0.0.1:{port.port}/{service}")

    def raw() -> Any:
        with bare.cursor() as cursor:
            cursor.arraysize, cursor.prefetchrows = 400, 401
            cursor.execute(statement.text, dict(binds))
            return cursor.fetchall()

    session.run(name, End.SOURCE, **binds), raw()
    pairs = [(_seconds(lambda: session.run(name, End.SOURCE, **binds)), _seconds(raw)) for _round in range(ROUNDS)]
    ours_s, raw_s = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    own_ms = (min(ours_s) - min(raw_s)) * 1000
    ratio = median(one / other for one, other in pairs)
    print_ratio(f"Oracle statement {name}", ours_s, raw_s, f"≤ {RATIO_BUDGET}")
    print(f"  {own_ms:.3f} ms of its own; median of the rounds' ratios {ratio:.2f}")
    assert ratio <= RATIO_BUDGET
    bare.close()
    transport.close()


def test_a_tick_asks_each_database_once(port: OraclePort) -> None:
    """What is measured at 1 Hz is one round trip to each of the two databases."""
    records: list[StatementRecord] = []
    transport = port.transport()
    target = oracle_over(transport, SystemClock(), records.append)
    streams = streams_port(target)
    path = streams.discover().paths[0]
    streams.sample(path)
    records.clear()
    for _tick in range(TICKS):
        streams.sample(path)
    assert set(Counter(record.server for record in records).values()) == {TICKS}
    assert len({record.server for record in records}) == len(End)
    target.close()
