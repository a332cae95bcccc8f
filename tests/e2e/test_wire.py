"""The lab's TDS ports as real drivers see them: logins, every statement, refusals, cancelled and broken requests."""

import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.domain.setting import Value
from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.server_clock import ServerClock
from app.drivers.sqlserver.session import Place, RecordingSession, Transport
from app.foundation.clock import SystemClock
from app.foundation.interruption import PATIENCE_S
from app.foundation.paths import resource_path
from app.foundation.rows import Cell
from app.systems.transactional_replication.lab.scenario import load_scenario, scenario_path
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from tests.contract.targets.checking import Bench, CheckingTransport, journey
from tests.contract.targets.test_lab_answers import at_home, sample_value
from tests.e2e.drivers import (
    DRIVERS,
    FREETDS,
    MSSQL_PYTHON,
    ODBC,
    Driver,
    DriverTransport,
    ServedLab,
    run,
    served_lab,
)
from tests.e2e.program import call, scenario_with
from tests.e2e.program import served_lab as lab_of_the_program
from tests.labs import sqlserver_over

STATEMENTS = catalogue()
ONE_EACH = (ODBC, FREETDS, MSSQL_PYTHON)
# In every test run each driver, and one in clear text; the other ways to encrypt in the long proofs.
DRIVEN = [
    driver if driver in ONE_EACH or driver.name == "freetds-clear" else pytest.param(driver, marks=pytest.mark.prove)
    for driver in DRIVERS
]
# The journey begins a backup, runs an agent from a batch file and schedules a job, in the lab of this process alone.
ARRANGED = {"past_work", "agents_elsewhere", "job_starts"}
FAULTS = [("agents", 1, "timeout"), ("agents", 3, "deadlock"), ("agents", 5, "permission_denied")]


def name_of(driver: Driver) -> str:
    """Return the name pytest shows."""
    return driver.name


@pytest.fixture(scope="module")
def lab() -> Iterator[ServedLab]:
    """A lab nobody changes."""
    with served_lab() as served:
        yield served


class Twins(CheckingTransport):
    """Sends each statement to a lab in this process and through a driver to one in another, and compares the rows."""

    def __init__(self, server: LabSqlServer, other: Transport) -> None:
        super().__init__(server)
        self._other = other

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement at both."""
        rows = super().send(statement, place, parameters)
        others = tuple(tuple(plain(cell) for cell in row) for row in self._other.send(statement, place, parameters))
        if statement.name == "server_addresses":
            assert [row[0] for row in others] == [row[0] for row in rows]
        elif statement.name == "own_cost":  # each connection counts its own
            assert len(others) == len(rows)
        elif statement.name in ARRANGED:
            assert len(others) in (len(rows), len(rows) - 1)
        else:
            assert others == rows, statement.name
        return rows


def plain(cell: Cell) -> Cell:
    """Return a cell as the lab has it: times of day are in UTC."""
    return cell.replace(tzinfo=UTC) if isinstance(cell, datetime) else cell


@pytest.mark.parametrize("driver", DRIVEN, ids=name_of)
def test_every_statement_returns_the_same_rows_as_in_process(driver: Driver) -> None:
    """A journey through everything the adapter can do meets the same rows over TDS, encrypted or not."""
    server = LabSqlServer(load_scenario(scenario_path("lan")), 1, False)
    with served_lab() as served:
        wire = DriverTransport(driver, served)
        twins = Twins(server, wire)
        clock = ServerClock(RecordingSession(twins, SystemClock(), lambda _record: None))
        target = sqlserver_over(twins, clock)
        session = RecordingSession(twins, clock, lambda _record: None)
        journey(Bench(server, twins, target, session, []))
        for name in sorted(server.answered - set(twins.calls)):  # what the journey has no use for
            statement = STATEMENTS[name]
            values = {p.name.removeprefix("@"): sample_value(p.sql_type) for p in statement.parameters}
            twins.send(statement, at_home(statement), values)
        wire.close()
    assert set(twins.calls) == server.answered


@pytest.mark.parametrize("driver", ONE_EACH, ids=name_of)
@pytest.mark.parametrize(
    ("user", "password", "database", "number"),
    [
        ("replitune", "wrong", "master", 18456),
        ("sa", "lab", "master", 18456),
        ("replitune", "lab", "nowhere", 4060),
    ],
)
def test_wrong_login_is_refused(
    lab: ServedLab, driver: Driver, user: str, password: str, database: str, number: int
) -> None:
    """Wrong user, password or database is an error of the driver with the server's words."""
    with pytest.raises(driver.library.Error) as caught:
        driver.connect(lab.ports["DIST1"], database, user=user, password=password)
    assert (f"({number})" if driver.module == "pyodbc" else "ogin failed") in str(caught.value)


@pytest.mark.parametrize("driver", [ODBC, MSSQL_PYTHON], ids=name_of)
def test_unknown_certificate_is_not_trusted_unless_told_to(lab: ServedLab, driver: Driver) -> None:
    """The lab signs its certificate itself: who verifies it does not connect, and the server goes on."""
    careful = Driver("careful", driver.module, driver.options.replace("TrustServerCertificate=yes", ""))
    with pytest.raises(driver.library.Error, match="certificate verify failed"):
        careful.connect(lab.ports["DIST1"], "master")
    assert run(driver.connect(lab.ports["DIST1"], "master"), STATEMENTS["server_time"])


@pytest.mark.parametrize("driver", DRIVEN, ids=name_of)
@pytest.mark.parametrize(
    "text", ["GRANT CONTROL SERVER TO [x]", "DROP TABLE dbo.ReplituneLoad", "/* replitune agents */\nSELECT 1"]
)
def test_other_statements_are_refused(lab: ServedLab, driver: Driver, text: str) -> None:
    """What is not in the catalogue is an error that says so, with parameters or without; the connection goes on."""
    connection = driver.connect(lab.ports["DIST1"], "master")
    for arguments in ((), ([1],)):
        more = " -- ?" if not arguments else " WHERE 1 = ?"
        with pytest.raises(driver.library.Error, match="this program's statement"):
            connection.cursor().execute(text + more, *arguments)
    assert run(connection, STATEMENTS["server_time"])
    connection.close()


@pytest.mark.parametrize("driver", ONE_EACH, ids=name_of)
def test_what_somebody_asks_first_is_answered(lab: ServedLab, driver: Driver) -> None:
    """Who signs in with a tool of their own finds a server, also with a parameter."""
    connection = driver.connect(lab.ports["DIST1"], "master")
    cursor = connection.cursor()
    asked = (("SELECT 1", ()), ("SELECT @@SERVERNAME\r\n", ()), ("SELECT 2 + ? AS three", (1,)))
    found = [cursor.execute(text, *given).fetchall()[0][0] for text, given in asked]
    assert found == [1, "DIST1", 3]
    connection.close()


@pytest.mark.parametrize("driver", ONE_EACH, ids=name_of)
def test_statement_at_the_wrong_server_is_refused(lab: ServedLab, driver: Driver) -> None:
    """Each port is a server of its own: what runs at the Distributor does not run at the Publisher."""
    connection = driver.connect(lab.ports["PUB1"], "msdb")
    with pytest.raises(driver.library.Error, match="Invalid object name"):
        run(connection, STATEMENTS["parameter_limits"], [2])
    connection.close()


@pytest.mark.parametrize("driver", ONE_EACH, ids=name_of)
def test_monitoring_login_changes_nothing(lab: ServedLab, driver: Driver) -> None:
    """It reads, and is denied what changes."""
    connection = driver.connect(lab.ports["DIST1"], "distribution", user="monitor")
    assert run(connection, STATEMENTS["agents"])
    connection.close()
    connection = driver.connect(lab.ports["DIST1"], "msdb", user="monitor")
    with pytest.raises(driver.library.Error, match="permission was denied"):
        run(connection, STATEMENTS["stop_job"], ["921B1BE1-72BB-59AE-8D96-C12DA98BAB26"])
    connection.close()


@pytest.mark.parametrize("driver", ONE_EACH, ids=name_of)
def test_names_of_any_kind_travel(lab: ServedLab, driver: Driver) -> None:
    """Quotes, brackets, emoji, SQL and long names come back as what they are: unknown names."""
    connection = driver.connect(lab.ports["DIST1"], "distribution")
    for name in ("O'Brien", "[a]]b]", "x; DROP TABLE y", "naïve 🚀 Größe", "?", "n" * 128, ""):
        assert run(connection, STATEMENTS["profile_by_name"], [2, name]) == ()
    assert run(connection, STATEMENTS["profile_by_name"], [2, "Default agent profile."])
    connection.close()


@pytest.mark.parametrize("driver", ONE_EACH, ids=name_of)
def test_long_values_travel_both_ways(lab: ServedLab, driver: Driver) -> None:
    """A parameter beyond 4,000 characters, which drivers prepare in another way, and a result of a megabyte."""
    connection = driver.connect(lab.ports["SUB1"], "Sales1Copy")
    tables = "|" + "dbo.Other|" * 2000 + "dbo.Orders|"
    assert run(connection, STATEMENTS["subscriber_objects"], [tables]) == ((0, 0, 0, 0),)
    ((payload,),) = run(connection, STATEMENTS["transfer_probe"], [1_000_000])
    assert payload == "x" * 1_000_000
    connection.close()


@pytest.mark.parametrize("driver", ONE_EACH, ids=name_of)
def test_transactions_can_be_opened_and_ended(lab: ServedLab, driver: Driver) -> None:
    """A client that commits by itself gets on with the lab, although nothing depends on it."""
    connection = driver.connect(lab.ports["DIST1"], "master", autocommit=False)
    for end in (connection.commit, connection.rollback, connection.commit):
        assert run(connection, STATEMENTS["server_time"])
        end()
    connection.close()


class Faulty:
    """Connections to a lab with faults, and what their statements end in."""

    def __init__(self, driver: Driver, served: ServedLab) -> None:
        self._driver = driver
        self._served = served

    def connect(self, **more: Any) -> Any:
        """Connect to the distribution database."""
        return self._driver.connect(self._served.ports["DIST1"], "distribution", **more)

    def fails(self, work: Callable[[], object]) -> str:
        """Return the words of the error some work ends in."""
        with pytest.raises(self._driver.library.Error) as caught:
            work()
        return str(caught.value)


@pytest.mark.parametrize("driver", ONE_EACH, ids=name_of)
def test_faults_of_the_scenario_reach_the_driver(driver: Driver, tmp_path: Path) -> None:
    """A request that hangs ends at its limit; a deadlock and a denied permission are told; each time all goes on."""
    with served_lab(scenario_with(tmp_path / "faulty.toml", FAULTS)) as served:
        faulty = Faulty(driver, served)
        connection = faulty.connect()
        connection.timeout = 1
        for words in ("imeout", "deadlock", "permission was denied"):
            assert words in faulty.fails(lambda: run(connection, STATEMENTS["agents"]))
            assert run(connection, STATEMENTS["agents"])
        connection.close()


@pytest.mark.parametrize("driver", ONE_EACH, ids=name_of)
@pytest.mark.parametrize(("kind", "exists"), [("lost_before", False), ("lost_after", True)])
def test_lost_connection_is_a_lost_connection(driver: Driver, kind: str, exists: bool, tmp_path: Path) -> None:
    """The socket breaks before or after the change was made; a new connection shows which."""
    values: list[Value] = [3, "Replitune S1", "made by a test"]
    with served_lab(scenario_with(tmp_path / "faulty.toml", [("add_profile", 1, kind)])) as served:
        faulty = Faulty(driver, served)
        broken = driver.connect(served.ports["DIST1"], "msdb")
        faulty.fails(lambda: run(broken, STATEMENTS["add_profile"], values))
        faulty.fails(lambda: run(broken, STATEMENTS["add_profile"], values))
        found = run(faulty.connect(), STATEMENTS["profile_by_name"], [3, "Replitune S1"])
        assert bool(found) is exists


@pytest.mark.parametrize("driver", [ODBC, FREETDS], ids=name_of)
def test_cancel_from_another_thread(driver: Driver, tmp_path: Path) -> None:
    """A request that hangs is cancelled while another connection is served; then it can be used again."""
    with served_lab(scenario_with(tmp_path / "faulty.toml", [("agents", 1, "timeout")])) as served:
        faulty = Faulty(driver, served)
        connection, other = faulty.connect(), faulty.connect()
        cursor = connection.cursor()
        words: list[str] = []
        text = bound_text(STATEMENTS["agents"])
        thread = threading.Thread(target=lambda: words.append(faulty.fails(lambda: cursor.execute(text))))
        thread.start()
        while thread.is_alive():  # a cancel that comes before the request has no effect
            assert run(other, STATEMENTS["publications"])
            thread.join(PATIENCE_S)  # FreeTDS ends the program where it is told while it still sends
            cursor.cancel()
        assert "HY008" in words[0]
        assert run(connection, STATEMENTS["agents"])


@pytest.mark.parametrize("driver", ONE_EACH, ids=name_of)
def test_clients_share_one_lab(lab: ServedLab, driver: Driver) -> None:
    """What one client lets pass, another sees, at whatever server."""
    first = driver.connect(lab.ports["DIST1"], "master")
    second = driver.connect(lab.ports["SUB2"], "master")
    ((after,),) = run(first, STATEMENTS["lab_wait"], ["00:00:07.500"])
    assert run(second, STATEMENTS["server_time"]) == ((after,),)
    first.close()
    second.close()


def test_lab_announces_where_it_is(lab: ServedLab) -> None:
    """First the key, then each server with its address, then an example; the Distributor tells the same addresses."""
    assert lab.lines[0] == f"lab@127.0.0.1:{lab.ports['DIST1']}"
    assert set(lab.ports) == {"PUB1", "DIST1", "SUB1", "SUB2", "SUB3"}
    assert lab.lines[-1].startswith(f"sqlserver://replitune@127.0.0.1:{lab.ports['DIST1']}?trust=yes")
    connection = ODBC.connect(lab.ports["DIST1"], "master")
    told = run(connection, STATEMENTS["server_addresses"])
    assert {row[0]: row[1] for row in told} == {name: f"127.0.0.1,{port}" for name, port in lab.ports.items()}
    assert [row[0] for row in told if row[2] == 1] == ["DIST1"]
    connection.close()


def test_lab_with_availability_groups_stands_on_ports_too() -> None:
    """Each replica has a port and tells its own version; statements on groups run at each."""
    with served_lab(resource_path("lab", "ag-2016.toml")) as served:
        assert len(served.ports) > 1
        for name, port in served.ports.items():
            connection = ODBC.connect(port, "master")
            assert connection.getinfo(ODBC.library.SQL_DBMS_VER).startswith("13.")
            told = run(connection, STATEMENTS["server_addresses"])
            assert [row[0] for row in told if row[2] == 1] == [name]
            assert run(connection, STATEMENTS["group_replicas"])
            connection.close()


def test_time_can_run_by_itself() -> None:
    """With --speed, time passes between two statements that let none pass, as it does on a server."""
    with lab_of_the_program("--speed", 10_000) as key:
        connection = ODBC.connect(int(key.rpartition(":")[2]), "master")
        ((first,),) = run(connection, STATEMENTS["server_time"])
        ((second,),) = run(connection, STATEMENTS["server_time"])
        assert isinstance(first, datetime)
        assert isinstance(second, datetime)
        assert second > first
        connection.close()


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "fast"])
def test_impossible_speed_is_refused(speed: str) -> None:
    """A speed is a number above 0; anything else is told in one sentence."""
    ended = call("lab", "serve", "--speed", speed)
    assert ended.code == 2
    assert "must be a number above 0" in ended.err
