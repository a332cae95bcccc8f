"""The lab's Oracle databases as a real driver sees them: logons, every statement, refusals, rows, time."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import oracledb
import pytest

from app.domain.errors import ConnectionLost, LoginFailed, ServerBusy, StatementCancelled, TargetError
from app.drivers.oracle.catalogue import Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.clients.database import Deadlines
from app.drivers.oracle.clients.opening import DatabaseAccess, open_transport
from app.drivers.oracle.clients.opening import PipelineTransport as Transport
from app.drivers.oracle.errors import OracleError, to_target_error
from app.drivers.oracle.session import End, RecordingSession
from app.drivers.oracle.url import LAB_PASSWORD as PASSWORD
from app.drivers.oracle.wire.values import decoded_number, encoded_number
from app.foundation.clock import SystemClock
from app.foundation.rows import Cell
from app.foundation.secret import Secret
from app.foundation.worker import Signal, has_left_threads
from app.lab.certificate import make_context
from app.systems.oracle_streams.lab.scenario import load_scenario, scenario_path
from app.systems.oracle_streams.lab_server.server import LabClock, LabOracle, LabTransport
from app.systems.oracle_streams.offer import streams_port
from tests.contract.oracle.lab_bench import EVERYTHING, Bench, change_everything
from tests.e2e.certificates import Authority
from tests.e2e.oracle_wire import LEAVES_SOCKETS, OraclePort, SilentLab, served
from tests.e2e.program import assert_one_sentence, call, spawn
from tests.labs import oracle_over
from tests.patience import PATIENCE_S, PAUSE_S

pytestmark = [*LEAVES_SOCKETS]

# What is not executed, and why; everything else of the catalogue must be.
NOT_EXECUTED = {"sample_streams_before_11_2": "only releases before 11.2 are sent it, which thin mode does not reach"}

IN_12C = {name: value for name, value in EVERYTHING.items() if name != "_TXN_BUFFER_SIZE"}


def lab_of(scenario: str = "streams-12c", kind: type[LabOracle] = LabOracle) -> LabOracle:
    """Return a lab without noise whose processes are past their start."""
    lab = kind(load_scenario(scenario_path(scenario)), seed=1, noise=False)
    lab.advance(60)
    return lab


@pytest.fixture(scope="module")
def port() -> Iterator[OraclePort]:
    """A lab nobody changes."""
    with served(lab_of()) as opened:
        yield opened


def connect(port: OraclePort, **given: Any) -> oracledb.Connection:
    """Connect the driver to the source database."""
    service = port.shared.lab.database_name(End.SOURCE)
    given = {"user": "replitune", "password": PASSWORD, "dsn": f"127.0.0.1:{port.port}/{service}", **given}
    return oracledb.connect(**given)


class WithSuccessors(LabOracle):
    """A lab that answers for the views of GoldenGate and XStream as for those of Streams: it simulates neither."""

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement, or the one of Streams with the same columns."""
        plain, _mark, product = statement.name.rpartition("_")
        if product not in ("goldengate", "xstream"):
            return super().run(statement, end, binds)
        instead = catalogue()["sample_streams" if plain == "sample" else plain]
        assert instead.columns == statement.columns
        return super().run(instead, end, binds)


class Twins(LabTransport):
    """Sends each statement to a lab in this process and through the driver to its twin, and compares the rows."""

    def __init__(self, server: LabOracle, other: Transport, twin: LabOracle) -> None:
        super().__init__(server)
        self.calls: Counter[str] = Counter()
        self._other = other
        self._own, self._twin = server, twin

    def send(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement at both."""
        self.calls[statement.name] += 1
        self._twin.advance(self._own.now_s() - self._twin.now_s())
        rows = super().send(statement, end, binds)
        others = self._other.send(statement, end, binds)
        if statement.name == "changing_sessions":  # each connection is another session
            assert [row[-1] for row in others] == [row[-1] for row in rows]
        else:
            assert others == rows, statement.name
        return rows


def test_every_statement_of_the_catalogue_is_executed_and_answered_as_in_this_process() -> None:
    """Every kind of change, its undo and every reading: rows equal to the last digit; the rest has a reason."""
    own, twin = lab_of(kind=WithSuccessors), lab_of(kind=WithSuccessors)
    with served(twin) as port:
        through_driver = port.transport()
        transport = Twins(own, through_driver, twin)
        clock = LabClock(own)
        records: list[Any] = []
        target = oracle_over(transport, clock, records.append)
        session = RecordingSession(transport, clock, records.append)
        bench = Bench(own, transport, target, session, records)  # type: ignore[arg-type]  # counts calls alike
        before = bench.snapshot()
        traced = streams_port(target).plan_trace(bench.path)
        bench.apply(traced)
        bench.undo(traced)
        made: list[Any] = []
        change_everything(bench, made, IN_12C)
        streams_port(target).load(bench.path, "update", 1_000, 1_000, "S1")
        _read_everything(bench)
        bench.undo(made)
        assert bench.snapshot() == before
        through_driver.close()
    assert set(catalogue()) - set(transport.calls) == set(NOT_EXECUTED)


def _read_everything(bench: Bench) -> None:
    names = bench.server.state.scenario.names
    values: dict[str, BindValue] = {
        "apply_name": names.apply_name,
        "capture_name": names.capture_name,
        "process_name": names.apply_name,
        "propagation_name": names.propagation_name,
        "parameter_name": "PARALLELISM",
        "schema_name": "STRMADMIN",
        "source_database": bench.server.database_name(End.SOURCE),
        "sid": 41,
        "serial_number": 7,
        "seconds": 1.0,
        "owner": "one laptop",
        "elapsed_s": 60,
    }
    for name in sorted(set(catalogue()) - set(NOT_EXECUTED)):
        statement = catalogue()[name]
        for end in End:
            if statement.access == "read" and statement.runs_at in (end.value, "both"):
                bench.session.run(name, end, **{bind: values[bind] for bind in statement.bind_names})
    bench.session.run("rollback_load", End.SOURCE, **{b: values[b] for b in catalogue()["rollback_load"].bind_names})


class ManyRows(LabOracle):
    """A lab whose dictionary is long."""

    def run(self, statement: Statement, end: End, binds: Mapping[str, BindValue]) -> tuple[tuple[Cell, ...], ...]:
        """Return thousands of rows, some longer than one packet."""
        if statement.name != "dictionary_columns":
            return super().run(statement, end, binds)
        return tuple((f"VIEW_{number}", "C" * (number % 700 + 1)) for number in range(2_345))


@pytest.mark.parametrize(("at_once", "portion"), [(2, 100), (0, 1_000), (400, 400), (2_345, 7), (2_346, 1)])
def test_thousands_of_rows_come_in_the_portions_the_driver_asks_for(at_once: int, portion: int) -> None:
    """Whatever it prefetches and fetches, also when it executes the cursor again."""
    lab = ManyRows(load_scenario(scenario_path("streams-12c")), seed=1)
    with served(lab) as port, connect(port) as connection:
        text = catalogue()["dictionary_columns"]
        expected = lab.run(text, End.SOURCE, {})
        for _time in range(2):
            cursor = connection.cursor()
            cursor.prefetchrows, cursor.arraysize = at_once, portion
            cursor.execute(text.text)
            assert tuple(cursor.fetchall()) == expected
            assert cursor.rowcount == len(expected)


def test_a_text_that_is_not_of_the_catalogue_is_refused(port: OraclePort) -> None:
    """Also one that differs by a character; the connection goes on, and errors say where they stand."""
    ours = catalogue()["server_time"].text
    with connect(port) as connection:
        cursor = connection.cursor()
        for text in ("DELETE FROM dual", ours.lower(), f"{ours} x", ours.replace("server_time", "captures")):
            with pytest.raises(oracledb.DatabaseError, match="ORA-00900"):
                cursor.execute(text)
        cursor.execute(ours)
        assert len(cursor.fetchall()) == 1
        extent = catalogue()["load_extent"]
        binds = {name: cursor.var(oracledb.DB_TYPE_NUMBER) for name in extent.column_names}
        with pytest.raises(oracledb.DatabaseError, match="ORA-00942") as refused:
            cursor.execute(extent.text, {**binds, "schema_name": "SCOTT"})
        assert refused.value.args[0].offset == extent.text.index("*/\n") + 3
        connection.ping()
        connection.rollback()
        assert connection.version == "12.1.0.2.0"


def test_who_is_not_let_in(port: OraclePort) -> None:
    """A wrong password, another user, an unknown service and an unknown SID, in a person's words."""
    for end in End:
        settings = port.settings(end)
        assert open_transport(DatabaseAccess(settings, Secret(PASSWORD)), None) is not None
        for changes, password, kind, words in (
            ({}, "wrong", LoginFailed, "refused the login"),
            ({"user": "scott"}, PASSWORD, LoginFailed, "refused the login"),
            ({"service": "sales"}, PASSWORD, TargetError, "knows no such service"),
            ({"service": "", "sid": "SALES"}, PASSWORD, TargetError, "knows no such SID"),
        ):
            with pytest.raises(kind, match=words):
                open_transport(
                    DatabaseAccess(port.settings(end, **changes), Secret(password)),
                    None,
                )


@pytest.mark.parametrize(
    "value",
    [
        *("0", "1", "-1", "9", "10", "99", "100", "-100", "12345678901234567890", "-98765.4321", "0.1", "0.01"),
        *("0.001", "1E-20", "-1E-21", "3.25", "1E+30", "0.30000000000000004"),
    ],
)
def test_numbers_travel_to_the_last_digit(value: str) -> None:
    """What is encoded is what is decoded."""
    assert decoded_number(encoded_number(Decimal(value))) == Decimal(value)


def test_a_served_lab_prints_what_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """`discover` reads both databases as a server's, with the password, and by the lab's key."""
    monkeypatch.setenv("REPLITUNE_PASSWORD", PASSWORD)
    with spawn("lab", "serve", "--scenario", "streams-12c") as process:
        try:
            assert process.stdout is not None
            key, source, destination, example = (process.stdout.readline().strip() for _line in range(4))
            target, _mark, password = example.partition(" with the password ")
            assert [source.split()[-1], destination.split()[-1]] == _addresses(target)
            assert password == f"{PASSWORD} for both"
            discovered = call("discover", "--target", target)
            assert discovered.code == 0, discovered
            assert "STREAMS_CAPTURE → STREAMS_PROPAGATION → STREAMS_APPLY" in discovered.out
            assert call("discover", "--target", key).out == discovered.out
        finally:
            process.kill()


def _addresses(target: str) -> list[str]:
    source, _mark, destination = target.partition("?destination=")
    return [source, destination.replace("%40", "@")]


def test_a_lab_older_than_the_driver_reaches_is_not_served() -> None:
    """In one sentence, with what to do instead."""
    ended = call("lab", "serve", "--scenario", "streams-2009")
    assert_one_sentence(ended)
    assert "--target lab:" in ended.err


def test_tcps_checks_the_certificate_against_the_wallet(tmp_path: Path) -> None:
    """An authority in the wallet is believed, another is not; a name is compared unless the target says `trust=yes`."""
    mine, other = tmp_path / "mine", tmp_path / "other"
    authorities = []
    for folder in (mine, other):
        folder.mkdir()
        authorities.append(Authority(folder))
        (folder / "ewallet.pem").write_bytes(authorities[-1].file.read_bytes())
    context = make_context("localhost")
    context.load_cert_chain(authorities[0].issue(timedelta(days=30)))
    with served(lab_of(), context) as port:
        for name, trusts, wallet, is_let_in in (
            ("CN=localhost", False, mine, True),
            ("CN=localhost", False, other, False),
            ("CN=localhost", True, other, False),
            ("CN=elsewhere", False, mine, False),
            ("CN=elsewhere", True, mine, True),
        ):
            settings = port.settings(
                End.SOURCE,
                certificate_dn=name,
                is_encrypted=True,
                trusts_certificate=trusts,
                wallet=str(wallet),
            )
            access = DatabaseAccess(settings, Secret(PASSWORD))
            if is_let_in:
                transport = open_transport(access, None)
                assert transport.send(catalogue()["sample_streams"], End.SOURCE, {})
                transport.close()
            else:
                with pytest.raises(TargetError, match="encrypted connection"):
                    open_transport(access, None)


# The driver is given a minute for a reading, five for a change, an hour for the load.
DEADLINES_S = {"server_time": 65.0, "stop_apply": 305.0, "update_load": 3605.0}
BINDS: dict[str, BindValue] = {
    "process_name": "STREAMS_APPLY",
    "schema_name": "STRMADMIN",
    "first_id": 1,
    "last_id": 10,
}


@pytest.mark.parametrize("name", DEADLINES_S)
@pytest.mark.parametrize("is_cancelled", [False, True], ids=["waited for", "cancelled"])
def test_a_silent_connection_is_left_at_a_deadline_of_ours_and_what_follows_is_answered_at_once(
    name: str, is_cancelled: bool
) -> None:
    """Whatever the driver would do: one wait, then a new connection; of a cancelled statement a few seconds only."""
    lab = SilentLab(lab_of())
    waited_s: list[float] = []

    def wait(event: Signal, seconds: float) -> bool:
        if lab.wait(event, seconds):
            return True
        if is_cancelled and not waited_s:
            transport.cancel()
            lab.has_fallen.set()  # still nothing comes
            waited_s.append(0.0)
            return event.wait(PATIENCE_S)
        waited_s.append(seconds)
        return False

    with served(lab) as port:
        transport = port.timed_transport(Deadlines(wait=wait))
        reading = catalogue()["server_time"]
        transport.send(reading, End.DESTINATION, {})
        transport.send(reading, End.SOURCE, {})
        statement, end = catalogue()[name], End.SOURCE if name == "update_load" else End.DESTINATION
        lab.at = name
        with pytest.raises(OracleError, match="ORA-01013" if is_cancelled else "ORA-03135") as caught:
            transport.send(statement, end, {bind.name: BINDS[bind.name] for bind in statement.binds})
        told = to_target_error(caught.value, name, "", "db1")
        assert isinstance(told, StatementCancelled if is_cancelled else ConnectionLost)
        assert waited_s == ([0.0, Deadlines.hurry_s] if is_cancelled else [DEADLINES_S[name]])
        assert has_left_threads()
        for each in End:
            assert transport.send(reading, each, {})
        assert len(waited_s) == 1 + is_cancelled
        transport.close()
        lab.end()


def test_two_computers_do_not_change_the_same_databases() -> None:
    """A second owner is refused as long as the first one's connection lives; an owner never keeps itself out."""
    with served(lab_of()) as port:
        first, again, second = (
            oracle_over(port.transport(), SystemClock(), key=port.key, label=name) for name in ("A", "A again", "B")
        )
        with first.hold("laptop A"):
            with again.hold("laptop A"):
                pass
            with pytest.raises(ServerBusy, match="another computer or window"), second.hold("laptop B"):
                pytest.fail("two at a time")
        with second.hold("laptop B"), pytest.raises(ServerBusy), first.hold("laptop A"):
            pytest.fail("two at a time")
        lost = oracle_over(port.transport(), SystemClock(), key=port.key, label="lost")
        holding = lost.hold("laptop C")
        holding.__enter__()
        lost.close()
        for _look in range(int(PATIENCE_S / PAUSE_S)):
            with suppress(ServerBusy), second.hold("laptop B"):
                break
        else:
            pytest.fail("the mark of a connection that ended stays")
        for target in (first, again, second):
            target.close()
