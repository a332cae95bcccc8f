"""Sending statements through a driver: one connection for each server, database and thread."""

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.domain.errors import ConnectionLost
from app.domain.setting import Value
from app.domain.statement import Access
from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.errors import ConnectError, SqlError, is_lost
from app.drivers.sqlserver.odbc.library import DriverLibrary, RawConnection
from app.drivers.sqlserver.odbc.results import Cursor, read_result
from app.drivers.sqlserver.session import Place
from app.foundation.interruption import PATIENCE_S, Interruption
from app.foundation.rows import Cell

# nvarchar(128): MicrosoftDocs/sql-docs:docs/relational-databases/databases/database-identifiers.md
_LONGEST_NAME: Final = 128

# Less than whoever tries again pauses, so that each new try is a real one.
_LONGEST_REST_S: Final = 3.0

Connect = Callable[[Place], RawConnection]


class Link:
    """One connection, used by the thread that made it; `cancel` and `give_up` may come from any other.

    What a cancelled statement returned is not believed: drivers may end it as if it had no more rows. Nor is its
    connection used again: whether the cancel came in time no driver tells, and a late one strikes the next statement.
    """

    def __init__(self, library: DriverLibrary, connection: RawConnection, patience_s: float) -> None:
        self._library = library
        self._connection = connection
        self._interruption = Interruption(patience_s)
        self._running: Cursor | None = None
        self._is_given_up = False
        self._turn = threading.Lock()

    @property
    def is_given_up(self) -> bool:
        """Whether no statement can be sent over it any more."""
        return self._is_given_up

    def run(self, statement: Statement, values: tuple[object, ...]) -> tuple[tuple[Cell, ...], ...]:
        """Send a statement and read what it returns; raises SqlError, with state HY008 where it was cancelled."""
        cursor: Cursor | None = None
        problem: SqlError | None = None
        rows: tuple[tuple[Cell, ...], ...] = ()
        try:
            cursor = self._begin(statement.limit_s)
            cursor.execute(bound_text(statement), values)
            rows = read_result(cursor, statement)
        except SqlError as error:
            problem = error
        except self._library.errors as error:
            problem = self._library.to_sql_error(error, cursor)
        finally:
            was_cancelled = self._end()
        if was_cancelled:
            raise SqlError(0, "Operation canceled" if problem is None else problem.text, "HY008")
        if problem is not None:
            raise problem
        return rows

    def _begin(self, limit_s: int) -> Cursor:
        with self._turn:
            if self._is_given_up:
                raise SqlError(0, "the connection was given up", "08003")
            cursor = self._library.open_cursor(self._connection, limit_s)
            self._interruption.begin(partial(self._tell_driver, cursor))
            self._running = cursor
            return cursor

    def _tell_driver(self, cursor: Cursor) -> None:
        with contextlib.suppress(*self._library.errors):
            self._library.cancel(cursor)

    def _end(self) -> bool:
        """Return whether it was cancelled."""
        was_cancelled = self._interruption.end()
        with self._turn:
            if self._running is not None:
                with contextlib.suppress(*self._library.errors):
                    self._running.close()
                self._running = None
            self._is_given_up = self._is_given_up or was_cancelled
            if self._is_given_up:
                self._disconnect()
        return was_cancelled

    def cancel(self) -> None:
        """Cancel what runs now, without waiting for it; nothing runs, nothing happens."""
        self._interruption.ask()

    def give_up(self) -> None:
        """Close the connection, at once or when what runs on it has ended: a driver's connection is used by one."""
        with self._turn:
            self._is_given_up = True
            if self._running is None:
                self._disconnect()

    def _disconnect(self) -> None:
        with contextlib.suppress(*self._library.errors):
            self._connection.close()


class _Rests:
    """Spares waiting for a server again that has just let a connection wait in vain.

    It is left alone as long as it was waited for, three seconds at most: many statements in a row to a server that
    does not answer then cost one wait, and one that refuses at once is asked again at once.
    """

    def __init__(self, connect: Connect, now_s: Callable[[], float]) -> None:
        self._connect = connect
        self._now_s = now_s
        self._until: dict[str, tuple[float, ConnectError]] = {}

    def __call__(self, place: Place) -> RawConnection:
        """Connect; raises SqlError."""
        began_s = self._now_s()
        until_s, error = self._until.get(place.server, (began_s, None))
        if error is not None and began_s < until_s:
            raise ConnectError(error.kind, error.sentence, error)
        try:
            return self._connect(place)
        except ConnectError as failed:
            if issubclass(failed.kind, ConnectionLost):
                now_s = self._now_s()
                self._until[place.server] = (now_s + min(now_s - began_s, _LONGEST_REST_S), failed)
            raise


@dataclass(frozen=True)
class _Key:
    """Whose connection it is: a database is chosen when connecting, so that its name never becomes part of SQL."""

    place: Place
    thread_id: int


class OdbcTransport:
    """Sends statements to every server of a topology.

    A loss of one connection gives up all of them: what broke one has mostly broken the others, and each would else be
    found dead by a statement of its own. A reading statement is then sent once more over a new connection; a changing
    one never is, because it may have run.

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
    ) -> None:
        """Prepare; nothing is connected yet.

        Args:
            now_s: seconds of this computer's own time.
            cancel_patience_s: how long a statement runs at least before its driver is told to end it.
        """
        self.own_server = own_server
        self._library = library
        self._connect = _Rests(connect, now_s)
        self._cancel_patience_s = cancel_patience_s
        self._links: dict[_Key, Link] = {}
        self._turn = threading.Lock()
        self._losses = 0

    def count_losses(self) -> int:
        """Return how often every connection was given up: what hung on one of them then is gone."""
        return self._losses

    def send(self, statement: Statement, place: Place, parameters: Mapping[str, Value]) -> tuple[tuple[Cell, ...], ...]:
        """Run a statement; raises SqlError."""
        values = _values(statement, parameters)
        link, is_new = self._link(place)
        try:
            return link.run(statement, values)
        except SqlError as error:
            if not is_lost(error):
                raise
            self._give_up_all()
            if is_new or statement.access is not Access.READ:
                raise
        link, _is_new = self._link(place)
        return link.run(statement, values)

    def cancel(self) -> None:
        """Cancel every statement that runs now, from another thread; statements sent later run.

        Those end as cancelled, whatever they return: a short one when it ends, any other soon after.
        """
        with self._turn:
            links = tuple(self._links.values())
        for link in links:
            link.cancel()

    def close(self) -> None:
        """Cancel what runs and close every connection; the next statement connects again."""
        self.cancel()
        self._give_up_all()

    def _link(self, place: Place) -> tuple[Link, bool]:
        key = _Key(place, threading.get_ident())
        with self._turn:
            link = self._links.get(key)
        if link is not None and not link.is_given_up:
            return link, False
        link = Link(self._library, self._connect(place), self._cancel_patience_s)
        with self._turn:
            self._links[key] = link
        return link, True

    def _give_up_all(self) -> None:
        with self._turn:
            links = tuple(self._links.values())
            self._links.clear()
            self._losses += 1
        for link in links:
            link.give_up()


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
