"""Sending statements through a driver: one connection for each server, database, thread and access."""

import contextlib
import math
import threading
import time
import weakref
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar, cast

from app.domain.errors import ConnectionLost
from app.domain.first_contact import ColumnShape
from app.domain.setting import Value
from app.domain.statement import Access
from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.errors import ConnectError, SqlError, is_lost, is_refused, is_timeout
from app.drivers.sqlserver.odbc.library import DriverLibrary, RawConnection
from app.drivers.sqlserver.odbc.results import Cursor, read_result, read_shape
from app.drivers.sqlserver.odbc.settings import LOGIN_LIMIT_S, STATEMENT_LIMIT_S
from app.drivers.sqlserver.session import Place
from app.drivers.sqlserver.session_settings import ROWS_MOVED
from app.foundation.interruption import PATIENCE_S, Interruption
from app.foundation.rows import Cell
from app.foundation.worker import Abandoned, Waits, Worker

# nvarchar(128): MicrosoftDocs/sql-docs:docs/relational-databases/databases/database-identifiers.md
_LONGEST_NAME: Final = 128

# Less than whoever tries again pauses, so that each new try is a real one.
_LONGEST_REST_S: Final = 3.0

Connect = Callable[[Place], RawConnection]

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Deadlines(Waits):
    """How long this program waits for a driver.

    Attributes:
        statement_s, login_s: the limits the driver is given.
    """

    statement_s: float = STATEMENT_LIMIT_S
    login_s: float = LOGIN_LIMIT_S

    def of(self, statement: Statement) -> float:
        """Return after how many seconds a statement is given up with its connection."""
        return max(self.statement_s, statement.limit_s) + self.grace_s

    @property
    def connecting_s(self) -> float:
        """After how many seconds an attempt to connect is given up; a driver tries a second time by itself."""
        return 2 * self.login_s + self.grace_s


class Link:
    """One connection, whose driver is called by a worker only; `cancel` and `give_up` may come from any thread.

    What a cancelled statement returned is not believed: drivers may end it as if it had no more rows. Nor is its
    connection used again: whether the cancel came in time no driver tells, and a late one strikes the next statement.
    A statement past its deadline is left behind with connection and worker.
    """

    def __init__(
        self,
        library: DriverLibrary,
        connect: Callable[[], RawConnection],
        patience_s: float,
        deadlines: Deadlines,
    ) -> None:
        """Connect; raises the errors of `connect`, or SqlError at the deadline."""
        self._library = library
        self._deadlines = deadlines
        self._interruption = Interruption(patience_s)
        self._is_given_up = False
        self._was_unheard = False
        self._is_running = False
        self._worker = Worker("replitune-odbc", deadlines.hurry_s, deadlines.wait)
        weakref.finalize(self, self._worker.dismiss)  # a connection nobody closed takes its thread along
        self._connection: RawConnection | None = None
        try:
            self._connection = self._worker.run(connect, deadlines.connecting_s)
        except Abandoned as error:
            raise _no_answer(error, deadlines.connecting_s) from None
        except BaseException:
            self._worker.finish(_nothing, 0.0)
            raise

    @property
    def is_given_up(self) -> bool:
        """Whether no statement can be sent over it any more."""
        return self._is_given_up

    @property
    def is_silent(self) -> bool:
        """Whether a statement was left behind on it, or a cancel ended by the driver's own limit or with the line."""
        return self._worker.is_left or self._was_unheard

    def run(self, statement: Statement, values: tuple[object, ...], read: Callable[[Cursor, Statement], T]) -> T:
        """Send a statement and read its result.

        Raises:
            SqlError: with state HY008 where it was cancelled, 08S01 where it has not ended by its deadline.
        """
        limit_s = self._deadlines.of(statement)
        self._is_running = True
        try:
            return self._worker.run(partial(self._run, statement, values, read), limit_s)
        except Abandoned as error:
            self._is_given_up = True
            raise _no_answer(error, limit_s) from None
        finally:
            self._is_running = False

    def _run(self, statement: Statement, values: tuple[object, ...], read: Callable[[Cursor, Statement], T]) -> T:
        if self._is_given_up:
            raise SqlError(0, "the connection was given up", "08003")
        cursor: Cursor | None = None
        problem: SqlError | None = None
        result: T | None = None
        try:
            cursor = self._library.open_cursor(self._connection, statement.limit_s)
            self._interruption.begin(partial(self._tell_driver, cursor))
            cursor.execute(bound_text(statement), values)
            result = read(cursor, statement)
        except SqlError as error:
            problem = error
        except self._library.errors as error:
            problem = self._library.to_sql_error(error, cursor)
        finally:
            was_cancelled = self._end(cursor)
        if was_cancelled:
            self._was_unheard = problem is not None and (is_lost(problem) or is_timeout(problem))
            raise SqlError(0, _CANCELLED if problem is None else problem.text, "HY008")
        if problem is not None:
            raise problem
        return cast("T", result)

    def _tell_driver(self, cursor: Cursor) -> None:
        with contextlib.suppress(*self._library.errors):
            self._library.cancel(cursor)

    def _end(self, cursor: Cursor | None) -> bool:
        """Return whether it was cancelled."""
        was_cancelled = self._interruption.end()
        if cursor is not None:
            with contextlib.suppress(*self._library.errors):
                cursor.close()
        self._is_given_up = self._is_given_up or was_cancelled
        if self._is_given_up:
            self._disconnect()
        return was_cancelled

    def cancel(self) -> None:
        """Cancel the running statement, without waiting for it; does nothing where none runs."""
        self._interruption.ask()
        self._worker.hurry()

    def give_up(self, *, is_waited_for: bool) -> None:
        """Close the connection, at once or when its running call has ended: a driver's connection is used by one.

        Args:
            is_waited_for: wait until it is closed, for a little, where nothing runs on it.
        """
        self._is_given_up = True
        limit_s = self._deadlines.grace_s if is_waited_for and not self._is_running else 0.0
        self._worker.finish(self._disconnect, limit_s)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(*self._library.errors):
                connection.close()


_CANCELLED: Final = "Operation canceled"


def _nothing() -> None:
    """Nothing is left to do."""


def _no_answer(error: Abandoned, limit_s: float) -> SqlError:
    if error.was_hurried:
        return SqlError(0, _CANCELLED, "HY008")
    return SqlError(0, f"no answer within {limit_s:.0f} s; the connection was given up", "08S01")


class _Sparing:
    """Connects, and spares a server that has just refused a connection or let it wait in vain.

    A refused login is not asked again, whoever wants a connection for what: a few failed logins lock it, and with it
    whoever would put back what was changed. So one connection is made to a server at a time.

    A server that let a connection wait is left alone as long as it was waited for, three seconds at most: many
    statements in a row to a server that does not answer then cost one wait, and one that refuses at once is asked again
    at once.
    """

    def __init__(self, connect: Connect, now_s: Callable[[], float], wait_s: float) -> None:
        """Ask nothing yet.

        Args:
            wait_s: how long an attempt is waited for that somebody else makes; it may hang.
        """
        self._connect = connect
        self._now_s = now_s
        self._wait_s = wait_s
        self._until: dict[str, tuple[float, ConnectError]] = {}
        self._turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def __call__(self, place: Place) -> RawConnection:
        """Connect; raises SqlError."""
        turn = self._turns[place.server]
        has_turn = turn.acquire(timeout=self._wait_s)
        try:
            return self._ask(place)
        finally:
            if has_turn:
                turn.release()

    def _ask(self, place: Place) -> RawConnection:
        began_s = self._now_s()
        until_s, error = self._until.get(place.server, (began_s, None))
        if error is not None and began_s < until_s:
            raise ConnectError(error.kind, error.sentence, error)
        try:
            return self._connect(place)
        except ConnectError as failed:
            now_s = self._now_s()
            if is_refused(failed):
                self._until[place.server] = (math.inf, failed)
            elif issubclass(failed.kind, ConnectionLost):
                self._until[place.server] = (now_s + min(now_s - began_s, _LONGEST_REST_S), failed)
            raise


@dataclass(frozen=True)
class _Key:
    """Whose connection it is.

    A database is chosen when connecting, so that its name never becomes part of SQL. What changes something, such as a
    load, has a connection of its own: the counters of the other one tell what reading costs.
    """

    place: Place
    thread_id: int
    access: Access


class OdbcTransport:
    """Sends statements to every server of a topology.

    A loss of one connection, or a statement that took longer than its limit, gives up all of them: what broke one has
    mostly broken the others, and each would else be found dead by a statement of its own. After a loss a reading
    statement is sent once more over a new connection; a changing one never is, because it may have run.

    Attributes:
        own_server: name of the server the target was opened with.
    """

    def __init__(
        self,
        library: DriverLibrary,
        connect: Connect,
        own_server: str,
        now_s: Callable[[], float] = time.perf_counter,
        cancel_patience_s: float = PATIENCE_S,
        deadlines: Deadlines | None = None,
        mark: Callable[[RawConnection, Place], None] = lambda _connection, _place: None,
    ) -> None:
        """Prepare; nothing is connected yet.

        Args:
            now_s: seconds of this computer's own time.
            cancel_patience_s: how long a statement runs at least before its driver is told to end it.
            deadlines: when a driver is not waited for any longer, None for those of the usual limits.
            mark: marks a new connection over which something is changed, at its server; raises SqlError.
        """
        self._mark = mark
        self.own_server = own_server
        self._library = library
        self._cancel_patience_s = cancel_patience_s
        self._deadlines = Deadlines() if deadlines is None else deadlines
        self._connect = _Sparing(connect, now_s, self._deadlines.login_s)
        self._links: dict[_Key, Link] = {}
        self._turn = threading.Lock()
        self._losses = 0

    def count_losses(self) -> int:
        """Return how often every connection was given up: a lock that hung on one of them is gone then."""
        return self._losses

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement; raises SqlError."""
        return self._send(statement, place, parameters, read_result)

    def describe(
        self, statement: Statement, place: Place, parameters: Mapping[str, Value]
    ) -> tuple[tuple[ColumnShape, ...], int]:
        """Run a statement and return the columns and the number of rows that came; raises SqlError."""
        return self._send(statement, place, parameters, read_shape)

    def _send(
        self,
        statement: Statement,
        place: Place,
        parameters: Mapping[str, Value],
        read: Callable[[Cursor, Statement], T],
    ) -> T:
        values = _values(statement, parameters)
        link, is_new = self._link(place, statement.access)
        try:
            return link.run(statement, values, read)
        except SqlError as error:
            if link.is_silent or is_timeout(error):
                # a driver's own limit may be over on a line that is silent, as all others to this server then are
                self._give_up_all(is_waited_for=False)
                raise  # not sent once more: whoever waited so long is told first
            if error.number != ROWS_MOVED:
                if not is_lost(error):
                    raise
                self._give_up_all()
                if is_new:
                    raise
            if statement.access is not Access.READ:
                raise
        link, _is_new = self._link(place, statement.access)
        return link.run(statement, values, read)

    def cancel(self) -> None:
        """Cancel every statement that runs now, from another thread; statements sent later run.

        Those end as cancelled, whatever they return: a short one when it ends, any other soon after.
        """
        with self._turn:
            links = tuple(self._links.values())
        for link in links:
            link.cancel()

    def close(self) -> None:
        """Cancel running statements and close every connection; the next statement connects again."""
        self.cancel()
        self._give_up_all()

    def _link(self, place: Place, access: Access) -> tuple[Link, bool]:
        key = _Key(place, threading.get_ident(), access)
        with self._turn:
            link = self._links.get(key)
        if link is not None:
            if not link.is_given_up:
                return link, False
            link.give_up(is_waited_for=False)  # its thread is not needed any more
        link = Link(self._library, partial(self._connected, place, access), self._cancel_patience_s, self._deadlines)
        with self._turn:
            self._links[key] = link
        return link, True

    def _connected(self, place: Place, access: Access) -> RawConnection:
        connection = self._connect(place)
        if access is Access.CHANGE:
            self._mark(connection, place)
        return connection

    def end_changing(self, server: str) -> None:
        """Close every connection that changed something at a server, waiting for it a little."""
        with self._turn:
            ended = {key for key in self._links if key.access is Access.CHANGE and key.place.server == server}
            links = [self._links.pop(key) for key in ended]
        for link in links:
            link.give_up(is_waited_for=True)

    def _give_up_all(self, *, is_waited_for: bool = True) -> None:
        with self._turn:
            links = tuple(self._links.values())
            self._links.clear()
            self._losses += 1
        for link in links:
            link.give_up(is_waited_for=is_waited_for)


def _values(statement: Statement, parameters: Mapping[str, Value]) -> tuple[object, ...]:
    """Return the values in the order their placeholders stand."""
    values = []
    for parameter in statement.parameters:
        value = parameters[parameter.name.removeprefix("@")]
        if parameter.sql_type == "sysname" and len(str(value).encode("utf-16-le")) > 2 * _LONGEST_NAME:
            # the server would cut it off without a word, and use what is left
            raise SqlError(103, f"The identifier that starts with '{str(value)[:20]}' is too long.", "42000")
        values.append(value)
    return tuple(values)
