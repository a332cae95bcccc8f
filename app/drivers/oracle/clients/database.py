"""The connections to one database over a loaded driver: one for control, one for the load."""

import contextlib
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from app.domain.statement import Access
from app.drivers.oracle.catalogue import ConnectionUse, Form, Statement
from app.drivers.oracle.cells import BindValue, cell_of
from app.drivers.oracle.clients.library import DriverLibrary, RawConnection, RawCursor, told_by
from app.drivers.oracle.errors import OracleError, is_lost
from app.foundation.interruption import PATIENCE_S, Interruption
from app.foundation.rows import Cell

CellRows = tuple[tuple[Cell, ...], ...]
Connect = Callable[[], RawConnection]

# Rows that come with the answer to a query itself, so that a sample is one round trip.
_ROWS_AT_ONCE: Final = 400
CHANGE_LIMIT_FACTOR: Final = 5
LOAD_LIMIT_S: Final = 3_600
CANCELLED: Final = "ORA-01013"
TIMED_OUT: Final = "DPY-4024"
CONNECT_TIMED_OUT: Final = "ORA-12170"


class Database(Protocol):
    """One database, whichever process its connections live in."""

    def connect(self) -> None:
        """Make the control connection now; raises OracleError."""
        ...

    def send(self, statement: Statement, binds: Mapping[str, BindValue]) -> CellRows:
        """Run a statement; raises OracleError."""
        ...

    def cancel(self) -> None:
        """Cancel whatever runs now, from another thread."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


class Link:
    """One connection; runs one statement at a time, and ends those that take too long.

    What a cancelled statement returned is not believed, and its connection is not used again: whether the cancel came
    in time no driver tells, and a late one strikes the next statement.
    """

    def __init__(
        self, library: DriverLibrary, connection: RawConnection, use: ConnectionUse, patience_s: float = PATIENCE_S
    ) -> None:
        self._library = library
        self._connection = connection
        self._turn = threading.Lock()  # one statement at a time
        self._interruption = Interruption(patience_s)
        self._state = threading.Lock()  # guards the two below
        self._is_running = False
        self._is_given_up = False
        # a load keeps its transaction open between statements; nothing else may leave one behind
        connection.autocommit = use is ConnectionUse.CONTROL

    @property
    def is_given_up(self) -> bool:
        """Whether no statement can be sent over it any more."""
        return self._is_given_up

    def run(self, statement: Statement, binds: Mapping[str, BindValue], limit_s: float) -> CellRows:
        """Run a statement; raises OracleError, with ORA-01013 where it was cancelled."""
        with self._turn:
            watchdog = _Watchdog(self, limit_s)
            problem: OracleError | None = None
            rows: CellRows = ()
            self._begin()
            try:
                if self._library.has_call_timeout:
                    self._connection.call_timeout = int(limit_s * 1000)
                else:
                    watchdog.start()
                rows = self._execute(statement, binds)
            except self._library.errors as error:
                problem = told_by(error)
            finally:
                watchdog.stop()
                was_cancelled = self._end()
            if was_cancelled and watchdog.has_fired:
                raise OracleError(TIMED_OUT, f"{TIMED_OUT}: time limit of {limit_s:.0f} s exceeded")
            if was_cancelled:
                raise OracleError(CANCELLED, f"{CANCELLED}: user requested cancel of current operation")
            if problem is not None:
                raise problem
            return rows

    def _begin(self) -> None:
        with self._state:
            self._interruption.begin(self._tell_driver)
            self._is_running = True

    def _tell_driver(self) -> None:
        with contextlib.suppress(*self._library.errors):
            self._connection.cancel()

    def _end(self) -> bool:
        """Return whether it was cancelled."""
        was_cancelled = self._interruption.end()
        with self._state:
            self._is_running = False
            self._is_given_up = self._is_given_up or was_cancelled
            if self._is_given_up:
                self._disconnect()
        return was_cancelled

    def _execute(self, statement: Statement, binds: Mapping[str, BindValue]) -> CellRows:
        cursor = self._connection.cursor()
        try:
            kinds = self._library.kinds
            cursor.arraysize, cursor.prefetchrows = _ROWS_AT_ONCE, _ROWS_AT_ONCE + 1
            given: dict[str, Any] = {bind.name: binds[bind.name] for bind in statement.binds}
            if statement.binds:
                cursor.setinputsizes(**{bind.name: kinds[bind.oracle_type] for bind in statement.binds})
            if statement.form is Form.SELECT:
                cursor.execute(statement.text, given)
                return tuple(_row(statement, values) for values in cursor.fetchall())
            return self._run_block(statement, cursor, given)
        finally:
            with contextlib.suppress(*self._library.errors):
                cursor.close()

    def _run_block(self, statement: Statement, cursor: RawCursor, given: dict[str, Any]) -> CellRows:
        variables = {column.name: cursor.var(self._library.kinds[column.oracle_type]) for column in statement.columns}
        cursor.execute(statement.text, given | variables)
        return (_row(statement, [variable.getvalue() for variable in variables.values()]),) if variables else ()

    def cancel(self) -> None:
        """Cancel what runs now, without waiting for it; nothing runs, nothing happens."""
        self._interruption.ask()

    def close(self) -> None:
        """Close it, at once or when what runs on it has been cancelled."""
        self.cancel()
        with self._state:
            self._is_given_up = True
            if not self._is_running:
                self._disconnect()

    def _disconnect(self) -> None:
        with contextlib.suppress(*self._library.errors):
            self._connection.close()


class _Watchdog:
    """Cancels a statement from another thread once its time is up, for client libraries that cannot (before 18)."""

    def __init__(self, link: Link, limit_s: float) -> None:
        self.has_fired = False
        self._link = link
        self._timer = threading.Timer(limit_s, self._fire)
        self._timer.daemon = True

    def start(self) -> None:
        """Let the time run."""
        self._timer.start()

    def stop(self) -> None:
        """The statement has ended."""
        self._timer.cancel()

    def _fire(self) -> None:
        self.has_fired = True
        self._link.cancel()


def _row(statement: Statement, values: object) -> tuple[Cell, ...]:
    assert isinstance(values, tuple | list)
    return tuple(cell_of(column, value) for column, value in zip(statement.columns, values, strict=True))


def _may_be_repeated(statement: Statement) -> bool:
    return statement.access is Access.READ and statement.connection is not ConnectionUse.LOAD


class _Attempt(threading.Thread):
    """One attempt to connect; given up, it closes what it may get after all."""

    def __init__(self, connect: Connect) -> None:
        super().__init__(name="replitune-oracle-connect", daemon=True)
        self._connect = connect
        self._turn = threading.Lock()
        self._is_given_up = False
        self._connection: RawConnection | None = None
        self._problem: Exception | None = None

    def run(self) -> None:
        """Connect."""
        try:
            connection = self._connect()
        except Exception as error:  # noqa: BLE001 - raised again where the attempt was made
            self._problem = error
            return
        with self._turn:
            if not self._is_given_up:
                self._connection = connection
                return
        connection.close()

    def result(self) -> RawConnection:
        """Return the connection, or give the attempt up."""
        with self._turn:
            if self._problem is not None:
                raise self._problem
            if self._connection is None:
                self._is_given_up = True
                raise OracleError(CONNECT_TIMED_OUT, f"{CONNECT_TIMED_OUT}: connect timeout occurred")
            return self._connection


class LocalDatabase:
    """A database whose connections live in this process, made when first used and again after a loss.

    A reading statement is sent once more over a new connection; a changing one never is, because it may have run.

    Args:
        connect: makes a connection, raises one of the library's errors or OracleError.
        statement_limit_s: of a reading statement; changes get five times as long, the load an hour.
        login_limit_s: of making a connection.
        cancel_patience_s: how long a statement runs at least before its driver is told to end it.
    """

    def __init__(
        self,
        library: DriverLibrary,
        connect: Connect,
        statement_limit_s: float,
        login_limit_s: float,
        cancel_patience_s: float = PATIENCE_S,
    ) -> None:
        self._library = library
        self._connect = connect
        self._limit_s = statement_limit_s
        self._login_limit_s = login_limit_s
        self._cancel_patience_s = cancel_patience_s
        self._links: dict[ConnectionUse, Link] = {}
        self._turn = threading.Lock()

    def connect(self) -> None:
        """Make the control connection now; raises OracleError."""
        self._link(ConnectionUse.CONTROL)

    def send(self, statement: Statement, binds: Mapping[str, BindValue]) -> CellRows:
        """Run a statement; raises OracleError."""
        link, is_new = self._link(statement.connection)
        try:
            return link.run(statement, binds, self._limit_of(statement))
        except OracleError as error:
            if link.is_given_up or is_lost(error):
                self._give_up(statement.connection, link)
            if is_new or not is_lost(error) or not _may_be_repeated(statement):
                raise
        link, _is_new = self._link(statement.connection)
        return link.run(statement, binds, self._limit_of(statement))

    def _limit_of(self, statement: Statement) -> float:
        if statement.connection is ConnectionUse.LOAD:
            return LOAD_LIMIT_S
        return self._limit_s * (1 if statement.access is Access.READ else CHANGE_LIMIT_FACTOR)

    def _link(self, use: ConnectionUse) -> tuple[Link, bool]:
        with self._turn:
            open_link = self._links.get(use)
            if open_link is not None:
                return open_link, False
            link = Link(self._library, self._connected(), use, self._cancel_patience_s)
            self._links[use] = link
            return link, True

    def _connected(self) -> RawConnection:
        """Connect within the limit: a listener that accepts and then says nothing holds a driver for ever."""
        attempt = _Attempt(self._connect)
        attempt.start()
        attempt.join(self._login_limit_s)
        try:
            return attempt.result()
        except self._library.errors as error:
            raise told_by(error) from None

    def _give_up(self, use: ConnectionUse, link: Link) -> None:
        with self._turn:
            if self._links.get(use) is link:
                del self._links[use]
        link.close()

    def cancel(self) -> None:
        """Cancel whatever runs now, from another thread."""
        for link in tuple(self._links.values()):
            link.cancel()

    def close(self) -> None:
        """Close every connection."""
        with self._turn:
            links = tuple(self._links.values())
            self._links.clear()
        for link in links:
            link.close()
