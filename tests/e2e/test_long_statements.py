"""A statement that may rightly take long is not cut off by the limit of its connection, through each real driver."""

from collections.abc import Iterator

import pytest

from app.domain.errors import StatementTimeout
from app.domain.statement import Access, StatementRecord
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.odbc.opening import open_transport
from app.drivers.sqlserver.odbc.settings import read_settings
from app.drivers.sqlserver.session import Place, RecordingSession
from app.foundation.clock import SystemClock
from app.foundation.secret import Secret
from app.services.target.target_spec import parse_server
from tests.e2e.program import served_lab
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, has_driver

MASTER = Place("SQLNODE1", "master")
TABLES = {"database_name": "LoadAlone", "owner": "long"}
# One insert of so many rows takes about 8 s of the lab's time, and more than 1 s of this computer's.
ROWS, SPEED = 1_000_000, 5
# It takes seconds of a real clock: one driver in every test run, the others in the long proof.
OTHERS = sorted(set(DRIVERS) - {"microsoft"})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The primary's port of a lab whose time runs by itself, with test tables ready."""
    with served_lab("--scenario", "ag-2016", "--speed", str(SPEED)) as key:
        port = int(key.rpartition(":")[2])
        session = session_of(port, next(value for name, value in sorted(DRIVERS.items()) if has_driver(name)), 60)
        session.run("make_test_tables", MASTER, **TABLES)
        for _portion in range(10):
            session.run("fill_test_source", MASTER, **TABLES, **portion())
        session.close()
        yield port


def portion() -> dict[str, int]:
    """Return what fills the source table in ten calls."""
    names = set(catalogue()["fill_test_source"].parameter_names) - set(TABLES)
    given = {"wanted_rows": ROWS, "most_rows": ROWS // 10}
    return {name: given[name] for name in names}


def session_of(port: int, driver: str, limit_s: int) -> RecordingSession:
    """Connect with a limit for statements."""
    url = f"sqlserver://replitune@127.0.0.1:{port}?driver={driver}&trust=yes&statement_timeout={limit_s}"
    clock = SystemClock()

    def ignore(_record: StatementRecord) -> None:
        """Nobody reads it."""

    opened = open_transport(read_settings(parse_server(url)), Secret("lab"), ignore, clock)
    return RecordingSession(opened.transport, clock, ignore)


@pytest.mark.parametrize("name", ["microsoft", *(pytest.param(n, marks=pytest.mark.prove) for n in OTHERS)])
def test_an_insert_loop_outlasts_the_limit_of_its_connection(port: int, name: str) -> None:
    """The loop runs to its end; a statement without a limit of its own ends at the connection's."""
    if not has_driver(name):
        pytest.skip(f"{name} is not installed")
    session = session_of(port, DRIVERS[name], 1)
    try:
        done = session.run("run_insert_loop", MASTER, **TABLES, inserts=1, rows_per_insert=ROWS)
        assert done[0].whole("rows_inserted") == ROWS
        assert done[0].whole("elapsed_us") > SPEED * 1_000_000
        cut_off(session)
        session.run("clear_test_destination", MASTER, **TABLES)
    finally:
        session.close()


def cut_off(session: RecordingSession) -> None:
    """Check that a wait longer than the limit is cut off."""
    with pytest.raises(StatementTimeout):
        session.run("lab_wait", MASTER, delay="00:00:08.000")


LONGEST_S = 21_600


def test_a_statement_has_a_limit_of_its_own_only_where_it_works_on_much_or_waits() -> None:
    """Nothing that only reads has one, unless it waits for a source; none outlasts a quarter of a day."""
    limits = {found.name: found for found in catalogue().values() if found.limit_s}
    assert {name for name, found in limits.items() if found.access is Access.READ} == {"await_changes"}
    assert max(found.limit_s for found in limits.values()) <= LONGEST_S
    for found in limits.values():
        assert found.takes_time, found.name
