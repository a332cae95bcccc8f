"""A driver library without a driver: each connection is a script of what happens on it."""

from collections.abc import Callable, Sequence
from typing import Any

from app.drivers.sqlserver.errors import SqlError

ResultSets = Sequence[tuple[Sequence[str], Sequence[Sequence[Any]]] | None]


class DriverFailure(Exception):
    """What this library raises."""

    def __init__(self, number: int, text: str, state: str) -> None:
        super().__init__(text)
        self.number, self.text, self.state = number, text, state


class FakeCursor:
    """A cursor over result sets; None is a set without columns, such as a count of rows."""

    def __init__(self, answer: Callable[[str, tuple[object, ...]], ResultSets]) -> None:
        self._answer = answer
        self._sets: list[tuple[Sequence[str], Sequence[Sequence[Any]]] | None] = []
        self._at = 0
        self.is_closed = False

    @property
    def description(self) -> Sequence[Sequence[Any]] | None:
        """Columns of the present set."""
        present = self._sets[self._at] if self._at < len(self._sets) else None
        return None if present is None else [(name,) for name in present[0]]

    def execute(self, text: str, values: tuple[object, ...], /) -> object:
        """Send."""
        self._sets = list(self._answer(text, values))
        return self

    def fetchall(self) -> Sequence[Sequence[Any]]:
        """Return the rows of the present set."""
        present = self._sets[self._at]
        assert present is not None
        return present[1]

    def nextset(self) -> bool:
        """Go on."""
        self._at += 1
        return self._at < len(self._sets)

    def close(self) -> None:
        """Give up."""
        self.is_closed = True


class FakeConnection:
    """One connection."""

    def __init__(self, library: "FakeLibrary", text: str) -> None:
        self.library = library
        self.text = text
        self.is_closed = False

    def close(self) -> None:
        """Close."""
        self.is_closed = True


def _nothing() -> None:
    """Nothing else happens."""


class FakeLibrary:
    """Answers every statement by what `answer` returns or raises.

    Attributes:
        sent: batch and values of every statement.
        made: every connection made.
        cancelled: every cursor that was cancelled.
        on_cancel: called with each cancel.
        limits_s: what each cursor was made with.
    """

    errors: tuple[type[BaseException], ...] = (DriverFailure,)

    def __init__(self, answer: Callable[[str, tuple[object, ...]], ResultSets], version: str = "16.00.4135") -> None:
        self.answer = answer
        self.version = version
        self.sent: list[tuple[str, tuple[object, ...]]] = []
        self.made: list[FakeConnection] = []
        self.cancelled: list[object] = []
        self.on_cancel: Callable[[], None] = _nothing
        self.limits_s: list[int] = []

    def connect(self, connection_string: str, login_limit_s: int, statement_limit_s: int) -> FakeConnection:
        """Connect."""
        del login_limit_s, statement_limit_s
        connection = FakeConnection(self, connection_string)
        self.made.append(connection)
        return connection

    def server_version(self, connection: Any) -> str:
        """Return the version."""
        del connection
        return self.version

    def open_cursor(self, connection: FakeConnection, limit_s: int) -> FakeCursor:
        """Return a cursor."""
        self.limits_s.append(limit_s)
        if connection.is_closed:
            raise DriverFailure(0, "Communication link failure", "08S01")

        def answer(text: str, values: tuple[object, ...]) -> ResultSets:
            self.sent.append((text, values))
            return self.answer(text, values)

        return FakeCursor(answer)

    def cancel(self, cursor: Any) -> None:
        """Cancel."""
        self.cancelled.append(cursor)
        self.on_cancel()

    def to_sql_error(self, error: BaseException, cursor: Any) -> SqlError:
        """Return number, text and state."""
        del cursor
        assert isinstance(error, DriverFailure)
        return SqlError(error.number, error.text, error.state)
