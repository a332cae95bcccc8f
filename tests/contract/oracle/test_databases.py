"""Connections over a driver: binds, types and order, limits, cancelling, losses; in this process and in another."""

import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC
from decimal import Decimal
from pathlib import Path

import pytest

from app.cli.interrupt import cancel_on_interrupt
from app.domain.errors import ConnectionLost, StatementCancelled
from app.drivers.oracle.catalogue import OracleType, Statement, catalogue
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.clients import process
from app.drivers.oracle.clients.database import Database, Deadlines, LocalDatabase
from app.drivers.oracle.clients.library import RawConnection
from app.drivers.oracle.clients.opening import DatabaseAccess, PipelineTransport, local_database
from app.drivers.oracle.clients.process import ProcessDatabase
from app.drivers.oracle.errors import DRIVER_ENDED, OracleError, to_target_error
from app.drivers.oracle.session import End
from app.drivers.oracle.settings import HostPort, OracleSettings
from app.foundation.rows import Cell
from app.foundation.secret import Secret
from tests.contract.oracle.dbapi_double import (
    MOMENT,
    NUMBER,
    Answer,
    DoubleLibrary,
    Hanging,
    Impatient,
    Rows,
    example_of,
    example_row,
    load_double,
    load_refusing,
)
from tests.dying import HARDEST
from tests.patience import PATIENCE_S, PAUSE_S
from tests.rows import every_row

STATEMENTS = sorted(catalogue().values(), key=lambda statement: statement.name)
SETTINGS = OracleSettings(user="SCOTT", addresses=(HostPort("db1", 1521),), service="SALES", login_limit_s=5)
EXPECTED: dict[OracleType, Cell] = {
    OracleType.INTEGER: 7,
    OracleType.NUMBER: 2.5,
    OracleType.VARCHAR2: "A",
    OracleType.DATE: MOMENT.replace(tzinfo=UTC),
}


def database_over(library: DoubleLibrary, limit_s: float = 60.0) -> LocalDatabase:
    """Return a database over a double."""
    return LocalDatabase(
        library,
        lambda: library.connect(SETTINGS, None, None),
        Deadlines(statement_s=limit_s, grace_s=PATIENCE_S, hurry_s=PATIENCE_S),
        cancel_patience_s=0.0,
    )


def binds_for(statement: Statement) -> dict[str, BindValue]:
    """Return values for the binds of a statement."""
    return {bind.name: example_of(bind) for bind in statement.binds}


@every_row("statement", STATEMENTS, ids=lambda statement: statement.name)
def test_each_statement_goes_as_its_header_says(statement: Statement) -> None:
    """Text, binds with their types and order, use of the connection and columns are those of the header."""
    (row,) = database_over(DoubleLibrary()).send(statement, binds_for(statement)) or ((),)
    assert row == tuple(EXPECTED[column.oracle_type] for column in statement.columns)


@every_row("statement", [s for s in STATEMENTS if any(b.nullable for b in s.binds)], ids=lambda s: s.name)
def test_null_is_bound_with_its_type(statement: Statement) -> None:
    """A NULL is passed as a bind of the declared type, never left out."""
    binds = {bind.name: None if bind.nullable else example_of(bind) for bind in statement.binds}
    database_over(DoubleLibrary()).send(statement, binds)


@pytest.mark.parametrize("raw", [7, 7.0, Decimal(7)])
def test_numbers_arrive_alike_whatever_the_driver_returns(raw: object) -> None:
    """NUMBER comes as int, float or Decimal; a whole one is read as int, any other as float."""

    def answer(statement: Statement, _binds: Mapping[str, BindValue]) -> Rows:
        return [[raw for _column in statement.columns]]

    assert database_over(DoubleLibrary(answer)).send(NUMBER, {}) == ((7,),)
    advice = database_over(DoubleLibrary(answer)).send(catalogue()["pool_advice"], {})[0]
    assert advice == (7.0, 7.0, 7, 7.0)
    assert [type(cell) for cell in advice] == [float, float, int, float]


@pytest.mark.parametrize("wrong", [None, "7", 7.5, True])
def test_cell_of_another_type_is_a_fault(wrong: object) -> None:
    """A value that is not what the header declares is not passed on."""
    with pytest.raises(TypeError, match="column one"):
        database_over(DoubleLibrary(lambda _s, _b: [[wrong]])).send(NUMBER, {})


def test_row_of_another_width_is_a_fault() -> None:
    """A row with more cells than columns is not passed on."""
    with pytest.raises(ValueError):
        database_over(DoubleLibrary(lambda _s, _b: [[1, 2]])).send(NUMBER, {})


def test_load_has_a_connection_of_its_own() -> None:
    """The load keeps its transaction open on a connection no other statement uses."""
    library = DoubleLibrary()
    database = database_over(library)
    for name in ("captures", "update_load", "commit_load", "server_time"):
        database.send(catalogue()[name], binds_for(catalogue()[name]))
    assert [connection.autocommit for connection in library.connections] == [True, False]
    database.close()
    assert all(connection.is_closed for connection in library.connections)


@pytest.mark.parametrize("has_call_timeout", [True, False])
def test_statement_ends_at_its_limit(has_call_timeout: bool) -> None:
    """The driver's own limit, or the watchdog's for client libraries before 18, ends a statement: a timeout."""
    library = DoubleLibrary(has_call_timeout=has_call_timeout)
    library.switch.is_blocking = True
    with pytest.raises(OracleError) as caught:
        database_over(library, limit_s=0.05).send(NUMBER, {})
    assert caught.value.code == "DPY-4024"
    assert "took longer than its limit" in str(to_target_error(caught.value, NUMBER.name, "", "db1"))


def test_watchdog_leaves_quick_statements_alone() -> None:
    """A statement within its limit is not cancelled, nor is the next one; its watchdog ends with it."""
    library = DoubleLibrary(has_call_timeout=False)
    database = database_over(library, limit_s=PATIENCE_S)
    others = set(threading.enumerate())
    for _turn in range(3):
        assert database.send(NUMBER, {}) == ((7,),)
    watchdogs = {thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)} - others
    assert all(watchdog.finished.is_set() for watchdog in watchdogs)
    database.close()


def cancel_when_running(database: Database, running: threading.Event) -> threading.Thread:
    """Cancel from another thread as soon as a statement runs."""

    def cancel() -> None:
        assert running.wait(PATIENCE_S)
        database.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    return thread


@pytest.mark.parametrize("ending", ["", "DPY-1001: not connected to database"], ids=["rows", "lost"])
def test_cancel_from_another_thread(ending: str) -> None:
    """A cancelled statement says so, whatever came of it, and is not sent again; nor is its connection used again."""
    sent: list[str] = []

    def answer(statement: Statement, binds: Mapping[str, BindValue]) -> Rows:
        sent.append(statement.name)
        return example_row(statement, binds)

    library = DoubleLibrary(answer)
    library.switch.is_blocking = True
    library.switch.after_cancel = ending
    database = database_over(library)
    thread = cancel_when_running(database, library.switch.running)
    with pytest.raises(OracleError, match="ORA-01013"):
        database.send(NUMBER, {})
    thread.join()
    library.switch.is_blocking = False
    assert sent == ([] if ending else [NUMBER.name])
    assert [connection.is_closed for connection in library.connections] == [True]
    assert database.send(NUMBER, {}) == ((7,),)
    assert [connection.is_closed for connection in library.connections] == [True, False]


@pytest.mark.parametrize(
    ("ending", "made"),
    [("", 2), ("DPY-4024: call timeout of 1000 ms exceeded", 3), ("DPY-4011: the connection was closed", 3)],
    ids=["heard", "unheard until the limit", "lost"],
)
def test_a_cancel_that_nobody_answers_gives_up_both_connections(ending: str, made: int) -> None:
    """The line may be silent: what undoes the changes does not wait for the other connection over it."""
    library = DoubleLibrary()
    database = database_over(library)
    database.send(NUMBER, {})
    library.switch.is_blocking, library.switch.after_cancel = True, ending
    thread = cancel_when_running(database, library.switch.running)
    with pytest.raises(OracleError, match="ORA-01013"):
        database.send(catalogue()["update_load"], binds_for(catalogue()["update_load"]))
    thread.join()
    library.switch.is_blocking = False
    database.send(NUMBER, {})
    assert len(library.connections) == made
    database.close()


def test_a_connection_in_use_is_closed_when_its_statement_ends() -> None:
    """Closing from another thread cancels what runs, and leaves the connection to it until then."""
    library = DoubleLibrary()
    library.switch.is_blocking = True
    database = database_over(library)

    def close() -> None:
        assert library.switch.running.wait(PATIENCE_S)
        database.close()

    thread = threading.Thread(target=close)
    thread.start()
    with pytest.raises(OracleError, match="ORA-01013"):
        database.send(NUMBER, {})
    thread.join()
    assert [connection.is_closed for connection in library.connections] == [True]


def test_reading_again_after_a_loss() -> None:
    """A reading statement is sent once more over a new connection."""
    library = DoubleLibrary()
    database = database_over(library)
    database.send(NUMBER, {})
    library.switch.problems = ["DPY-4011: the database or network closed the connection"]
    assert database.send(NUMBER, {}) == ((7,),)
    assert [connection.is_closed for connection in library.connections] == [True, False]


@pytest.mark.parametrize("name", ["set_apply_parameter", "update_load", "load_extent"])
def test_change_is_never_sent_twice(name: str) -> None:
    """A change may have run, and a lost load has rolled back: both fail, and the next statement connects again."""
    library = DoubleLibrary()
    database = database_over(library)
    statement = catalogue()[name]
    database.send(statement, binds_for(statement))
    library.switch.problems = ["ORA-03113: end-of-file on communication channel"]
    with pytest.raises(OracleError, match="ORA-03113"):
        database.send(statement, binds_for(statement))
    database.send(statement, binds_for(statement))
    assert len(library.connections) == 2


def test_password_never_stands_in_a_message() -> None:
    """A driver that repeats the password in its error has it masked."""
    library = load_refusing(SETTINGS)
    database = local_database(library, DatabaseAccess(SETTINGS, Secret("tiger-pw")))
    with pytest.raises(OracleError) as caught:
        database.connect()
    error = to_target_error(caught.value, "connect", "", "db1")
    assert "tiger" not in str(error) + error.server_error
    assert "check user name and password" in str(error)


def test_two_databases_behind_one_transport() -> None:
    """Each end has its database; cancelling and closing reach both."""
    answers: list[Answer] = [lambda _s, _b: [[1]], lambda _s, _b: [[2]]]
    libraries = [DoubleLibrary(answer) for answer in answers]
    first, second = (database_over(library) for library in libraries)
    transport = PipelineTransport(
        {End.SOURCE: first, End.DESTINATION: second}, {End.SOURCE: "db1/A", End.DESTINATION: "db2/B"}
    )
    assert transport.send(NUMBER, End.SOURCE, {}) == ((1,),)
    assert transport.send(NUMBER, End.DESTINATION, {}) == ((2,),)
    assert transport.server_of(End.DESTINATION) == "db2/B"
    transport.cancel()
    transport.close()
    assert all(library.connections[0].is_closed for library in libraries)


@pytest.fixture
def distant() -> Iterator[ProcessDatabase]:
    """Return a database whose driver lives in another process."""
    database = ProcessDatabase(SETTINGS, Secret("tiger-pw"), None, load_double)
    yield database
    database.close()


def test_driver_in_another_process(distant: ProcessDatabase) -> None:
    """Statements, cancelling and errors cross the pipe; closing ends the process."""
    distant.connect()
    assert distant.label == "double 1.0"
    process_id = distant.process_id
    assert process_id not in (None, os.getpid())
    row = distant.send(catalogue()["captures"], {})[0]
    assert row == tuple(EXPECTED[column.oracle_type] for column in catalogue()["captures"].columns)
    statement = catalogue()["insert_load"]
    assert distant.send(statement, binds_for(statement)) == ((7,),)
    told: list[str] = []

    def ask() -> None:
        try:
            distant.send(catalogue()["server_parameters"], {})
        except OracleError as error:
            told.append(error.code)

    asking = threading.Thread(target=ask)
    asking.start()
    while asking.is_alive():  # it may not run yet when it is first cancelled
        distant.cancel()
        asking.join(PAUSE_S)
    assert told == ["ORA-01013"]
    distant.close()
    assert distant.process_id is None
    assert process_id is not None
    with pytest.raises(ProcessLookupError):
        os.kill(process_id, 0)


def test_crash_of_the_driver_is_a_lost_connection(distant: ProcessDatabase) -> None:
    """Whatever ends the process, the statement fails as lost; the next one starts another process."""
    with pytest.raises(OracleError) as caught:
        distant.send(catalogue()["purposes"], {})
    assert caught.value.code == DRIVER_ENDED
    assert "the connection is lost" in str(to_target_error(caught.value, "purposes", "", "db1"))
    assert len(distant.send(catalogue()["captures"], {})) == 1
    first = distant.process_id
    assert first is not None
    os.kill(first, HARDEST)
    assert len(distant.send(catalogue()["captures"], {})) == 1
    assert distant.process_id != first
    os.kill(distant.process_id or 0, HARDEST)
    with pytest.raises(OracleError, match=DRIVER_ENDED):
        distant.send(catalogue()["trace_off"], binds_for(catalogue()["trace_off"]))


# The statement that hangs, whether it is cancelled, and the one wait that passes: of the driver's process or of this.
_OVER_THERE, _HERE = "server_parameters", "captures"
_PASSING = [
    pytest.param(_OVER_THERE, False, 65.0, id="deadline"),
    pytest.param(_OVER_THERE, True, 5.0, id="Ctrl+C"),
    pytest.param(_HERE, False, 85.0, id="deadline, nothing else runs there"),
    pytest.param(_HERE, True, 10.0, id="Ctrl+C, nothing else runs there"),
]


@pytest.mark.skipif(os.name == "nt", reason="needs a call of C that waits for a signal")
@pytest.mark.parametrize(("name", "is_cancelled", "passing_s"), _PASSING)
def test_a_client_library_that_hangs_in_c_is_left_at_a_deadline_of_ours(
    tmp_path: Path, name: str, is_cancelled: bool, passing_s: float
) -> None:
    """It ignores limit, cancel and signals; what follows, a change of the restore, is answered over a new connection.

    Where it lets no other thread of its process run, the process is ended. Ctrl+C is pressed again during what follows.
    """
    mark = tmp_path / "hangs"
    database = ProcessDatabase(
        replace(SETTINGS, login_limit_s=15),
        Secret("tiger-pw"),
        None,
        Hanging(mark),
        replace(Deadlines(), wait=Impatient(mark, passing_s)),
    )
    database.connect()
    process_id = database.process_id
    assert process_id is not None
    statement = catalogue()["insert_load"]
    with cancel_on_interrupt() as control:

        def press() -> None:
            while not mark.exists():
                time.sleep(PAUSE_S)
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(process_id, signal.SIGINT)  # the terminal tells the whole group

        if is_cancelled:
            threading.Thread(target=press, daemon=True).start()
        with control.interrupting(database.cancel), pytest.raises(OracleError) as caught:
            database.send(catalogue()[name], {})
        os.kill(os.getpid(), signal.SIGINT)
        assert database.send(statement, binds_for(statement)) == ((7,),)
    told = to_target_error(caught.value, name, "", "db1")
    assert isinstance(told, StatementCancelled if is_cancelled else ConnectionLost)
    assert is_cancelled or f"no answer within {passing_s:.0f} s" in caught.value.text
    assert not mark.exists(), "another wait ended it"
    assert (database.process_id == process_id) == (name == _OVER_THERE)
    database.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows tells of it by the console, and ends a process by any signal")
@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_a_closed_terminal_does_not_end_the_driver_first(distant: ProcessDatabase, name: str) -> None:
    """What the whole group is told at the terminal ends nothing there: what is changed is put back over it."""
    distant.connect()
    process_id = distant.process_id
    assert process_id is not None
    os.kill(process_id, signal.Signals[name])
    statement = catalogue()["insert_load"]  # a changing one, which is never repeated
    assert distant.send(statement, binds_for(statement)) == ((7,),)
    assert distant.process_id == process_id


def test_refused_login_in_another_process() -> None:
    """A refusal crosses the pipe without the password, and leaves no process behind."""
    database = ProcessDatabase(SETTINGS, Secret("tiger-pw"), None, load_refusing)
    with pytest.raises(OracleError) as caught:
        database.connect()
    assert caught.value.code == "ORA-01017"
    assert "tiger" not in str(caught.value)
    assert database.process_id is None


def test_example_rows_are_of_the_declared_types() -> None:
    """The double's own answers fit the header they come from."""
    statement = catalogue()["database_info"]
    assert len(example_row(statement, {})[0]) == len(statement.columns)


@pytest.mark.parametrize("code", ["ORA-01017", "ORA-28000", "ORA-28001"])
def test_a_refused_login_is_not_asked_again(code: str) -> None:
    """A password that stopped working is tried once, for control and for the load alike."""
    asked: list[str] = []

    def connect() -> RawConnection:
        asked.append(code)
        raise OracleError(code, f"{code}: refused")

    database = LocalDatabase(DoubleLibrary(), connect, Deadlines())
    for statement in [s for s in STATEMENTS if s.name in ("take_run_mark", "insert_load", "lab_wait")]:
        for _time in range(2):
            with pytest.raises(OracleError, match="refused"):
                database.send(statement, binds_for(statement))
    assert asked == [code]


def test_a_database_that_opens_is_asked_again() -> None:
    """ORA-01033 says nothing of user and password."""
    asked: list[str] = []

    def connect() -> RawConnection:
        asked.append("")
        raise OracleError("ORA-01033", "ORA-01033: ORACLE initialization or shutdown in progress")

    database = LocalDatabase(DoubleLibrary(), connect, Deadlines())
    for _time in range(2):
        with pytest.raises(OracleError):
            database.connect()
    assert len(asked) == 2


def test_a_login_refused_over_there_starts_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver in a process of its own is not started again to be refused again."""
    started: list[Deadlines] = []

    class Counted(process._Peer):
        """Counts the processes."""

        def __init__(self, deadlines: Deadlines) -> None:
            started.append(deadlines)
            super().__init__(deadlines)

    monkeypatch.setattr(process, "_Peer", Counted)
    database = ProcessDatabase(SETTINGS, Secret("x"), None, load_refusing)
    for _time in range(2):
        with pytest.raises(OracleError, match="ORA-01017"):
            database.connect()
    assert len(started) == 1
