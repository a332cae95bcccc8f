"""The connections to one database over a loaded driver: one for control, one for the load."""

import contextlib
import threading
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

from app.domain.statement import Access
from app.drivers.oracle.catalogue import ConnectionUse, Form, Statement
from app.drivers.oracle.cells import BindValue, rows_of
from app.drivers.oracle.clients.library import DriverLibrary, RawConnection, RawCursor, oracle_error_of
from app.drivers.oracle.errors import OracleError, is_lost, is_refused
from app.drivers.oracle.settings import LOGIN_LIMIT_S, STATEMENT_LIMIT_S, OracleSettings
from app.foundation.interruption import PATIENCE_S, Interruption
from app.foundation.rows import Cell
from app.foundation.worker import Abandoned, Waits, Worker

CellRows = tuple[tuple[Cell, ...], ...]
Connect = Callable[[], RawConnection]

# Rows that come with the answer to a query itself, so that a sample is one round trip.
_ROWS_AT_ONCE: Final = 400
CHANGE_LIMIT_FACTOR: Final = 5
LOAD_LIMIT_S: Final = 3_600
CANCELLED: Final = "ORA-01013"
_CANCELLED: Final = f"{CANCELLED}: user requested cancel of current operation"
GIVEN_UP: Final = "ORA-03135"  # connection lost contact
NOT_CONNECTED: Final = "DPY-1001"
TIMED_OUT: Final = "DPY-4024"
CONNECT_TIMED_OUT: Final = "ORA-12170"


def no_answer(abandoned: Abandoned, limit_s: float) -> OracleError:
    """Return the error of a statement that was given up, with its connection, after so many seconds."""
    if abandoned.was_hurried:
        return OracleError(CANCELLED, _CANCELLED)
    return OracleError(GIVEN_UP, f"{GIVEN_UP}: no answer within {limit_s:.0f} s; the connection was given up")


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


@dataclass(frozen=True)
class Deadlines(Waits):
    """How long this program waits for a driver of Oracle.

    Attributes:
        statement_s: the limit of a reading statement; changes get five times as long, the load an hour.
        login_s: of making a connection.
    """

    statement_s: float = STATEMENT_LIMIT_S
    login_s: float = LOGIN_LIMIT_S

    @classmethod
    def of(cls, settings: OracleSettings) -> "Deadlines":
        """Return those of the limits that settings name."""
        return cls(statement_s=settings.statement_limit_s, login_s=settings.login_limit_s)

    def limit_of(self, statement: Statement) -> float:
        """Return the limit the driver is given for a statement; past it and the grace both are given up."""
        if statement.connection is ConnectionUse.LOAD:
            return LOAD_LIMIT_S
        return self.statement_s * (1 if statement.access is Access.READ else CHANGE_LIMIT_FACTOR)


class Link:
    """One connection, whose driver is called by a worker only; runs one statement at a time, and ends one that takes
    long.

    What a cancelled statement returned is not believed, and its connection is not used again: whether the cancel came
    in time no driver tells, and a late one strikes the next statement. A statement past its deadline is left behind
    with connection and worker.
    """

    def __init__(
        self,
        library: DriverLibrary,
        connect: Connect,
        use: ConnectionUse,
        deadlines: Deadlines,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Connect; raises OracleError, with ORA-12170 at the deadline."""
        self._library = library
        self._deadlines = deadlines
        self._turn = threading.Lock()  # one statement at a time
        self._interruption = Interruption(patience_s)
        self._is_running = False
        self._is_given_up = False
        self._was_unheard = False
        self._connection: RawConnection | None = None
        self._worker = Worker("replitune-oracle", deadlines.hurry_s, deadlines.wait)
        weakref.finalize(self, self._worker.dismiss)  # a connection nobody closed takes its thread along
        try:
            self._worker.run(partial(self._open, connect, use), deadlines.login_s)
        except BaseException as error:
            self._worker.finish(self._disconnect, 0.0)  # what a given up attempt may get after all is closed
            if isinstance(error, Abandoned):
                # a listener that accepts and then says nothing holds a driver for ever
                raise OracleError(CONNECT_TIMED_OUT, f"{CONNECT_TIMED_OUT}: connect timeout occurred") from None
            if isinstance(error, library.errors):
                raise oracle_error_of(error) from None
            raise

    def _open(self, connect: Connect, use: ConnectionUse) -> None:
        self._connection = connect()
        # a load keeps its transaction open between statements; nothing else may leave one behind
        self._connection.autocommit = use is ConnectionUse.CONTROL

    @property
    def is_given_up(self) -> bool:
        """Whether no statement can be sent over it any more."""
        return self._is_given_up

    @property
    def is_silent(self) -> bool:
        """Whether a statement was left behind on it, or a cancel ended by the driver's own limit or with the line."""
        return self._worker.is_left or self._was_unheard

    def run(self, statement: Statement, binds: Mapping[str, BindValue]) -> CellRows:
        """Run a statement.

        Raises:
            OracleError: with ORA-01013 where it was cancelled, ORA-03135 where it has not ended by its deadline.
        """
        with self._turn:
            if self._is_given_up:
                raise OracleError(NOT_CONNECTED, f"{NOT_CONNECTED}: the connection was given up")
            limit_s = self._deadlines.limit_of(statement)
            deadline_s = limit_s + self._deadlines.grace_s
            self._is_running = True
            try:
                return self._worker.run(partial(self._run, statement, binds, limit_s), deadline_s)
            except Abandoned as abandoned:
                self._is_given_up = True
                raise no_answer(abandoned, deadline_s) from None
            finally:
                self._is_running = False

    def _run(self, statement: Statement, binds: Mapping[str, BindValue], limit_s: float) -> CellRows:
        connection = self._connection
        if self._is_given_up or connection is None:
            raise OracleError(NOT_CONNECTED, f"{NOT_CONNECTED}: the connection was given up")
        watchdog = _Watchdog(self, limit_s)
        problem: OracleError | None = None
        rows: CellRows = ()
        self._interruption.begin(partial(self._tell_driver, connection))
        try:
            if self._library.has_call_timeout:
                connection.call_timeout = int(limit_s * 1000)
            else:
                watchdog.start()
            rows = self._execute(connection, statement, binds)
        except self._library.errors as error:
            problem = oracle_error_of(error)
        finally:
            watchdog.stop()
            was_cancelled = self._end()
        if was_cancelled and watchdog.has_fired:
            raise OracleError(TIMED_OUT, f"{TIMED_OUT}: time limit of {limit_s:.0f} s exceeded")
        if was_cancelled:
            self._was_unheard = problem is not None and (is_lost(problem) or TIMED_OUT in problem.codes)
            raise OracleError(CANCELLED, _CANCELLED)
        if problem is not None:
            raise problem
        return rows

    def _tell_driver(self, connection: RawConnection) -> None:
        with contextlib.suppress(*self._library.errors):
            connection.cancel()

    def _end(self) -> bool:
        """Return whether it was cancelled."""
        was_cancelled = self._interruption.end()
        self._is_given_up = self._is_given_up or was_cancelled
        if self._is_given_up:
            self._disconnect()
        return was_cancelled

    def _execute(self, connection: RawConnection, statement: Statement, binds: Mapping[str, BindValue]) -> CellRows:
        cursor = connection.cursor()
        try:
            kinds = self._library.kinds
            cursor.arraysize, cursor.prefetchrows = _ROWS_AT_ONCE, _ROWS_AT_ONCE + 1
            given: dict[str, Any] = {bind.name: binds[bind.name] for bind in statement.binds}
            if statement.binds:
                cursor.setinputsizes(**{bind.name: kinds[bind.oracle_type] for bind in statement.binds})
            if statement.form is Form.SELECT:
                cursor.execute(statement.text, given)
                return rows_of(statement.columns, cursor.fetchall())
            return self._run_block(statement, cursor, given)
        finally:
            with contextlib.suppress(*self._library.errors):
                cursor.close()

    def _run_block(self, statement: Statement, cursor: RawCursor, given: dict[str, Any]) -> CellRows:
        variables = {column.name: cursor.var(self._library.kinds[column.oracle_type]) for column in statement.columns}
        cursor.execute(statement.text, given | variables)
        values = [variable.getvalue() for variable in variables.values()]
        return rows_of(statement.columns, [values]) if variables else ()

    def interrupt(self) -> None:
        """Have the driver end the running call, without waiting for it; does nothing where none runs."""
        self._interruption.ask()

    def cancel(self) -> None:
        """Cancel the running call, and wait for it only a little longer; does nothing where none runs."""
        self.interrupt()
        self._worker.hurry()

    def close(self, *, is_waited_for: bool = True) -> None:
        """Close it, at once or when the running call has been cancelled: a driver's connection is used by one.

        Args:
            is_waited_for: wait until it is closed, for a little, where nothing runs on it.
        """
        self.cancel()
        self._is_given_up = True
        limit_s = self._deadlines.grace_s if is_waited_for and not self._is_running else 0.0
        self._worker.finish(self._disconnect, limit_s)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(*self._library.errors):
                connection.close()


class _Watchdog:
    """Cancels a statement from another thread once its time is up, for client libraries that cannot (before 18)."""

    def __init__(self, link: Link, limit_s: float) -> None:
        self.has_fired = False
        self._link = link
        self._limit_s = limit_s
        self._timer: threading.Timer | None = None

    def start(self) -> None:
        """Let the time run."""
        self._timer = threading.Timer(self._limit_s, self._fire)
        self._timer.daemon = True
        self._timer.start()

    def stop(self) -> None:
        """The statement has ended."""
        if self._timer is not None:
            self._timer.cancel()

    def _fire(self) -> None:
        self.has_fired = True
        self._link.interrupt()


def _may_be_repeated(statement: Statement) -> bool:
    return statement.access is Access.READ and statement.connection is not ConnectionUse.LOAD


class LocalDatabase:
    """A database whose connections live in this process, made when first used and again after a loss.

    A reading statement is sent once more over a new connection; a changing one never is, because it may have run. A
    refused login is not asked again: a few have the account locked, and with it whoever would put back what changed.

    Args:
        connect: makes a connection, raises one of the library's errors or OracleError.
        deadlines: when a driver is not waited for any longer.
        cancel_patience_s: how long a statement runs at least before its driver is told to end it.
    """

    def __init__(
        self,
        library: DriverLibrary,
        connect: Connect,
        deadlines: Deadlines,
        cancel_patience_s: float = PATIENCE_S,
    ) -> None:
        self._library = library
        self._connect = connect
        self._deadlines = deadlines
        self._cancel_patience_s = cancel_patience_s
        self._links: dict[ConnectionUse, Link] = {}
        self._refusal: OracleError | None = None
        self._turn = threading.Lock()

    def connect(self) -> None:
        """Make the control connection now; raises OracleError."""
        self._link(ConnectionUse.CONTROL)

    def send(self, statement: Statement, binds: Mapping[str, BindValue]) -> CellRows:
        """Run a statement; raises OracleError."""
        link, is_new = self._link(statement.connection)
        try:
            return link.run(statement, binds)
        except OracleError as error:
            if link.is_silent and error.code != NOT_CONNECTED:
                self._close_all(is_waited_for=False)  # what made one connection silent has mostly made the other so
                raise  # not sent once more: whoever waited so long is told first
            if link.is_given_up or is_lost(error):
                self._give_up(statement.connection, link)
            if is_new or not is_lost(error) or not _may_be_repeated(statement):
                raise
        link, _is_new = self._link(statement.connection)
        return link.run(statement, binds)

    def _link(self, use: ConnectionUse) -> tuple[Link, bool]:
        with self._turn:
            open_link = self._links.get(use)
            if open_link is not None:
                return open_link, False
            if self._refusal is not None:
                raise OracleError(self._refusal.code, self._refusal.text)
            try:
                link = Link(self._library, self._connect, use, self._deadlines, self._cancel_patience_s)
            except OracleError as error:
                if is_refused(error):
                    self._refusal = error
                raise
            self._links[use] = link
            return link, True

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
        self._close_all(is_waited_for=True)

    def _close_all(self, *, is_waited_for: bool) -> None:
        with self._turn:
            links = tuple(self._links.values())
            self._links.clear()
        for link in links:
            link.close(is_waited_for=is_waited_for)
