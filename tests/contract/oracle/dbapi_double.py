"""A driver of Oracle that has no database behind it, and holds every call to the header of its statement."""

import ctypes
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.drivers.oracle.catalogue import Column, ConnectionUse, Form, OracleType, Statement, catalogue, parse_statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.settings import OracleSettings
from app.foundation.secret import Secret
from app.foundation.worker import Signal
from tests.patience import PATIENCE_S, PAUSE_S

Rows = Sequence[Sequence[object]]
Answer = Callable[[Statement, Mapping[str, BindValue]], Rows]

MOMENT = datetime(2009, 5, 26, 12, 0, 0, tzinfo=UTC).replace(tzinfo=None)
_EXAMPLES: dict[OracleType, object] = {
    OracleType.INTEGER: 7,
    OracleType.NUMBER: 2.5,
    OracleType.VARCHAR2: "A",
    OracleType.DATE: MOMENT,
}
_BIND_TYPES: dict[OracleType, tuple[type, ...]] = {
    OracleType.INTEGER: (int,),
    OracleType.NUMBER: (int, float),
    OracleType.VARCHAR2: (str,),
    OracleType.DATE: (datetime,),
}


# One whole number, and nothing to bind.
NUMBER = parse_statement(
    "one_number",
    """/*
name: one_number
purpose: the smallest statement
access: read
runs at: both
connection: control
permission: CREATE SESSION
versions: all
form: select
binds: none
columns:
  one INTEGER -- 1
client-owned: none
source: own test
*/
SELECT 1 AS one FROM dual
""",
)


class DoubleError(Exception):
    """What the double raises; its text begins with a code, as a driver's does."""


def example_of(column: Column) -> Any:
    """Return a value of a column's type."""
    return _EXAMPLES[column.oracle_type]


def example_row(statement: Statement, _binds: Mapping[str, BindValue]) -> Rows:
    """Answer any statement with one row of its declared types."""
    return [[example_of(column) for column in statement.columns]]


@dataclass
class Switch:
    """What the next statements meet.

    Attributes:
        problems: texts of errors for the next statements, first to last.
        is_blocking: statements last until they are cancelled.
        running: set while a statement runs.
        after_cancel: text of the error a cancelled statement ends with, "" where it ends as if nothing had happened.
    """

    problems: list[str] = field(default_factory=list)
    is_blocking: bool = False
    running: threading.Event = field(default_factory=threading.Event)
    after_cancel: str = "ORA-01013: user requested cancel of current operation"


@dataclass
class DoubleVariable:
    """An OUT bind."""

    kind: object
    value: object = None

    def getvalue(self) -> object:
        """Return what the block put into it."""
        return self.value


class DoubleCursor:
    """Checks text, names, types and order of the binds before it answers."""

    def __init__(self, connection: "DoubleConnection") -> None:
        self.arraysize = self.prefetchrows = 1
        self._connection = connection
        self._kinds: dict[str, object] = {}
        self._rows: Rows | None = None

    def var(self, kind: object) -> DoubleVariable:
        """Return a variable for an OUT bind."""
        assert isinstance(kind, OracleType)
        return DoubleVariable(kind)

    def setinputsizes(self, **kinds: object) -> None:
        """Take the types of the binds."""
        self._kinds = kinds

    def execute(self, text: str, binds: Mapping[str, object]) -> None:
        """Run a statement of the catalogue."""
        name = text.split("*/")[0].removeprefix("/* replitune ").strip()
        statement = NUMBER if name == NUMBER.name else catalogue()[name]
        assert text == statement.text, "the text is not the catalogue's"
        given = self._checked(statement, binds)
        self._connection.meet(statement)
        rows = self._connection.library.answer(statement, given)
        if statement.form is Form.SELECT:
            self._rows = rows
            return
        assert len(rows) <= 1
        for column in statement.columns:
            variable = binds[column.name]
            assert isinstance(variable, DoubleVariable)
            variable.value = rows[0][statement.column_names.index(column.name)]

    def _checked(self, statement: Statement, binds: Mapping[str, object]) -> dict[str, BindValue]:
        outs = statement.column_names if statement.form is Form.PLSQL else ()
        assert tuple(binds) == (*statement.bind_names, *outs), "binds are not the header's, in its order"
        assert self._kinds == {bind.name: bind.oracle_type for bind in statement.binds}, "types are not the header's"
        for column in statement.columns if statement.form is Form.PLSQL else ():
            variable = binds[column.name]
            assert isinstance(variable, DoubleVariable)
            assert variable.kind == column.oracle_type
        given: dict[str, Any] = {}
        for bind in statement.binds:
            value = binds[bind.name]
            assert bind.nullable if value is None else isinstance(value, _BIND_TYPES[bind.oracle_type]), bind.name
            given[bind.name] = value
        use = ConnectionUse.CONTROL if self._connection.autocommit else ConnectionUse.LOAD
        assert statement.connection is use, "a load must keep its transaction, anything else must not"
        return given

    def fetchall(self) -> Rows:
        """Return the rows of the query."""
        assert self._rows is not None, "a block has no rows to fetch"
        return self._rows

    def close(self) -> None:
        """Release it."""


class DoubleConnection:
    """A connection; statements on it can be made to fail, to last, and be cancelled."""

    def __init__(self, library: "DoubleLibrary") -> None:
        self.library = library
        self.autocommit = False
        self.call_timeout = 0
        self.module = ""
        self.is_closed = False
        self._cancelled = threading.Event()

    def cursor(self) -> DoubleCursor:
        """Return a cursor."""
        assert not self.is_closed
        return DoubleCursor(self)

    def meet(self, statement: Statement) -> None:
        """Let a statement meet what the switch says."""
        switch = self.library.switch
        if switch.problems:
            raise DoubleError(switch.problems.pop(0))
        if not switch.is_blocking and statement.name not in self.library.blocking:
            return
        self._cancelled.clear()
        switch.running.set()
        limit_s = self.call_timeout / 1000 if self.library.has_call_timeout else 10.0
        if self._cancelled.wait(limit_s):
            assert not self.is_closed, "closed under a running statement"
            if switch.after_cancel:
                raise DoubleError(switch.after_cancel)
            return
        raise DoubleError(f"DPY-4024: call timeout of {self.call_timeout} ms exceeded")

    def cancel(self) -> None:
        """Cancel what runs."""
        self._cancelled.set()

    def close(self) -> None:
        """Close it."""
        self.is_closed = True


class DoubleLibrary:
    """A driver; keeps the connections it made.

    Args:
        answer: gives the rows of each statement.
        has_call_timeout: False poses as a client library before 18.
        refusals: texts of errors for the next connects.
        blocking: statements that last until they are cancelled.
    """

    label = "double 1.0"
    errors: tuple[type[Exception], ...] = (DoubleError, OSError)
    kinds: Mapping[OracleType, object] = {kind: kind for kind in OracleType}

    def __init__(
        self,
        answer: Answer = example_row,
        *,
        has_call_timeout: bool = True,
        refusals: Sequence[str] = (),
        blocking: Sequence[str] = (),
    ) -> None:
        self.answer = answer
        self.has_call_timeout = has_call_timeout
        self.switch = Switch()
        self.connections: list[DoubleConnection] = []
        self.blocking = frozenset(blocking)
        self._refusals = list(refusals)

    def connect(
        self, settings: OracleSettings, password: Secret | None, wallet_password: Secret | None
    ) -> DoubleConnection:
        """Connect, or refuse with the next of the refusals."""
        if self._refusals:
            raise DoubleError(self._refusals.pop(0))
        connection = DoubleConnection(self)
        self.connections.append(connection)
        return connection


def load_double(_settings: OracleSettings) -> DoubleLibrary:
    """Load a double in a process of its own: `purposes` crashes it, `server_parameters` lasts until it is cancelled."""

    def answer(statement: Statement, binds: Mapping[str, BindValue]) -> Rows:
        if statement.name == "purposes":
            os._exit(139)
        return example_row(statement, binds)

    return DoubleLibrary(answer, blocking=("server_parameters",))


def load_refusing(_settings: OracleSettings) -> DoubleLibrary:
    """Load a double that refuses the login and repeats the password."""
    return DoubleLibrary(refusals=["ORA-01017: invalid username/password; logon denied (tiger-pw)"])


HANGS: Mapping[str, type[ctypes.CDLL]] = {"server_parameters": ctypes.CDLL, "captures": ctypes.PyDLL}
"""Statements of a library that hangs in a call of C for ever: one lets other threads run meanwhile, one does not."""


@dataclass(frozen=True)
class Hanging:
    """Loads a double that hangs in C, whatever limit it has and whoever cancels it; pickles.

    Attributes:
        mark: file that stands while it hangs.
    """

    mark: Path

    def __call__(self, _settings: OracleSettings) -> DoubleLibrary:
        """Load it."""

        def answer(statement: Statement, binds: Mapping[str, BindValue]) -> Rows:
            if statement.name in HANGS:
                self.mark.touch()
                HANGS[statement.name](None).pause()
            return example_row(statement, binds)

        return DoubleLibrary(answer)


@dataclass(frozen=True)
class Impatient:
    """Waits as a deadline says, but lets those of `passing_s` pass at once while a library hangs; pickles.

    Attributes:
        mark: file that stands while it hangs.
    """

    mark: Path
    passing_s: float

    def __call__(self, event: Signal, seconds: float) -> bool:
        """Wait."""
        until_s = time.monotonic() + PATIENCE_S
        while not event.wait(PAUSE_S):
            if seconds == self.passing_s and self.mark.exists():
                self.mark.unlink()
                return False
            if time.monotonic() > until_s:
                return False
        return True
