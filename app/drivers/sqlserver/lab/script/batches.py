"""A batch of a script: read whole, as a server compiles it, then carried out statement by statement.

It tells as it goes: messages, rows, errors that do not end it, and databases that are entered. A
statement of the catalogue within it is run as that statement, with the values of the variables it names.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.setting import Value as Given
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.script.events import Connection, Event, Shown, Step, done, nothing
from app.drivers.sqlserver.lab.script.frames import Expression, Frame, own_table
from app.drivers.sqlserver.lab.script.known import known_statement
from app.drivers.sqlserver.lab.script.queries import Queries
from app.drivers.sqlserver.lab.script.statements import IDENTITY, Statements, Switch
from app.drivers.sqlserver.lab.script.tokens import ScriptError, not_known, tokens_of
from app.drivers.sqlserver.lab.script.values import Value, is_type, printed
from app.drivers.sqlserver.lab.script.words import Words
from app.foundation.rows import Cell
from app.lab.words import Kind, Token

_NO_PROCEDURE: Final = 2812
_MISSING: Final = 201
_TOO_DEEP: Final = 191
_AS_MANY: Final = 110
_TABLE: Final = re.compile(r"(?i)DECLARE (@\w+) TABLE")


class _Returned(Exception):
    """The batch ends here without an error."""


def run_batch(text: str, connection: Connection, given: Mapping[str, tuple[str, Value]]) -> Iterator[Event]:
    """Carry out a batch and yield what it does.

    Args:
        given: type and value of each parameter sent with it, by name with its @.

    Raises:
        SqlError: what ends it.
    """
    try:
        steps = _Reader(Words(tokens_of(text)), connection).batch()
    except RecursionError as error:
        raise ScriptError(_TOO_DEEP, "Some part of your SQL statement is nested too deeply.", 1, 15) from error
    frame = Frame(connection)
    for name, (sql_type, value) in given.items():
        frame.types[name.upper()] = sql_type
        frame.set(name, value, 1)
    yield from _carried_out(steps, frame, connection)


def _carried_out(steps: Sequence[Step], frame: Frame, connection: Connection) -> Iterator[Event]:
    try:
        for step in steps:
            if not connection.is_off or isinstance(step, Switch):
                yield from step(frame)
    except _Returned:
        return


class _Reader(Statements):
    """Reads a batch into steps; adds the statements that hold others, and calls of procedures."""

    @property
    def forms(self) -> Mapping[str, Callable[[], Step]]:
        """How a statement is read, by its first word."""
        own = {"BEGIN": self._block, "IF": self._if, "RETURN": self._return, "WHILE": self._while}
        calls = {"EXEC": self._execute, "EXECUTE": self._execute, "INSERT": self._insert}
        return {**super().forms, **own, **calls}

    def batch(self) -> list[Step]:
        """Read it whole."""
        steps = []
        while self._words.next.kind is not Kind.END:
            if not self._words.took(";"):
                steps.append(self._statement())
        return steps

    def _statement(self) -> Step:
        words = self._words
        if (known := known_statement(words.tokens, words.at)) is not None:
            statement, end = known
            if not self._goes_on_with(statement, end):
                words.at = end
                return self._known(statement)
        token = words.next
        read = self.forms.get(token.same)
        if token.kind is Kind.END:
            raise words.wrong()
        if read is None:
            raise not_known(token.text, token.line)
        step = read()
        words.took(";")
        return step

    def _goes_on_with(self, statement: Statement, end: int) -> bool:
        """Tell whether the batch asks for a table variable of a statement behind it: then its parts are carried out."""
        own = {name.upper() for name in _TABLE.findall(statement.body)}
        return any(token.same in own for token in self._words.tokens[end:])

    def _known(self, statement: Statement) -> Step:
        connection = self._connection

        def run(frame: Frame) -> Iterator[Event]:
            values: dict[str, Given | None] = {}
            for name in statement.parameter_names:
                value = frame.variables.get(f"@{name}".upper())
                values[name] = None if value is None else str(value) if isinstance(value, datetime) else value
            rows = connection.run(statement, values)
            _keep_named(frame, statement, rows)
            if statement.columns:
                yield Shown(statement.column_names, rows, statement)

        return run

    # Control

    def _if(self) -> Step:
        words = self._words
        words.need("IF")
        condition = self._queries.expression()
        then = self._statement()
        words.took(";")
        otherwise = self._statement() if words.took("ELSE") else nothing

        def step(frame: Frame) -> Iterator[Event]:
            yield from then(frame) if condition(frame) else otherwise(frame)

        return step

    def _block(self) -> Step:
        words = self._words
        words.need("BEGIN")
        if words.took("TRY"):
            return self._tried()
        if words.next.same in ("TRAN", "TRANSACTION"):
            raise not_known(f"BEGIN {words.next.text}", words.next.line)
        steps = self._until_end()

        def step(frame: Frame) -> Iterator[Event]:
            for one in steps:
                yield from one(frame)

        return step

    def _until_end(self) -> list[Step]:
        words = self._words
        steps: list[Step] = []
        while not words.took("END"):
            if words.next.kind is Kind.END:
                raise words.wrong()
            if not words.took(";"):
                steps.append(self._statement())
        return steps

    def _tried(self) -> Step:
        words = self._words
        steps = self._until_end()
        words.need("TRY", "BEGIN", "CATCH")
        otherwise = self._until_end()
        words.need("CATCH")

        def step(frame: Frame) -> Iterator[Event]:
            try:
                for one in steps:
                    yield from one(frame)
            except SqlError as error:
                frame.caught = error
                for one in otherwise:
                    yield from one(frame)
            finally:
                frame.caught = None

        return step

    def _while(self) -> Step:
        self._words.need("WHILE")
        condition, inner = self._queries.expression(), self._statement()
        connection = self._connection

        def step(frame: Frame) -> Iterator[Event]:
            while condition(frame):
                connection.wait(0.0)  # a loop that its client gave up ends
                yield from inner(frame)

        return step

    def _return(self) -> Step:
        self._words.need("RETURN")

        def step(_frame: Frame) -> Iterator[Event]:
            raise _Returned
            yield  # it yields nothing, as a generator

        return step

    def _insert(self) -> Step:
        words = self._words
        words.need("INSERT", "INTO")
        token = words.take(Kind.NAME, Kind.VARIABLE)
        words.need("(")
        names = [words.name()]
        while words.took(","):
            names.append(words.name())
        words.need(")")
        rows = self._inserted()

        def step(frame: Frame) -> Iterator[Event]:
            table = own_table(frame, token.text, token.line)
            found = rows(frame)
            if any(len(row) != len(names) for row in found):
                raise ScriptError(_AS_MANY, "There are not as many values as columns in the INSERT.", token.line, 15)
            added = [dict(zip([name.upper() for name in names], row, strict=True)) for row in found]
            numbered = next((c.upper() for c, t in zip(table.columns, table.types, strict=True) if IDENTITY in t), "")
            for number, row in enumerate(added, start=len(table.rows) + 1):
                row[numbered] = number
            table.rows += [tuple(row.get(column.upper()) for column in table.columns) for row in added]
            return done()

        return step

    def _inserted(self) -> Callable[[Frame], Sequence[tuple[Cell, ...]]]:
        words = self._words
        if words.took("VALUES"):
            words.need("(")
            values = [self._queries.expression()]
            while words.took(","):
                values.append(self._queries.expression())
            words.need(")")
            return lambda frame: [tuple(value(frame) for value in values)]
        if words.is_next("EXEC"):
            called = self._execute()
            return lambda frame: [row for event in called(frame) if isinstance(event, Shown) for row in event.rows]
        return self._queries.select().result

    # Procedures

    def _execute(self) -> Step:
        words = self._words
        if not words.took("EXECUTE"):
            words.need("EXEC")
        token = words.next
        if token.kind is Kind.VARIABLE:
            words.at += 1
            procedure = _held(token.same)
        else:
            parts = [words.name()]
            while words.took("."):
                parts.append(words.name())
            procedure = _constant(".".join(parts))
        given: list[_Parameter] = []
        while words.next.kind in (Kind.VARIABLE, Kind.TEXT):
            given.append(self._parameter())
            if not words.took(","):
                break
        return _executed(self._connection, token, procedure, given)

    def _parameter(self) -> "_Parameter":
        words = self._words
        name = ""
        if words.next.kind is Kind.VARIABLE and words.tokens[words.at + 1].same == "=":
            name = words.take(Kind.VARIABLE).same
            words.need("=")
        source = words.next
        value = self._queries.expression()
        is_out = words.took("OUTPUT")
        return _Parameter(name, value, source if is_out else None)


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a procedure; `out` is the variable it is given back to."""

    name: str
    value: Expression
    out: Token | None


def _executed(
    connection: Connection, token: Token, procedure: Callable[[Frame], str], given: Sequence[_Parameter]
) -> Step:
    """Return a call of sp_executesql, the one procedure that scripts call beside the catalogue's statements."""

    def step(frame: Frame) -> Iterator[Event]:
        name = procedure(frame)
        database, _dot, own = name.rpartition("sys.")
        if own.lower() != "sp_executesql":
            raise ScriptError(
                _NO_PROCEDURE, f"Could not find stored procedure '{name}'; the lab has no other.", token.line
            )
        by_name = {one.name: one for one in given if one.name}
        in_order = [one for one in given if not one.name]
        text = in_order[0] if in_order else by_name.get("@STMT")
        if text is None:
            raise ScriptError(_MISSING, "Procedure 'sp_executesql' expects parameter '@statement'.", token.line)
        declared = in_order[1] if len(in_order) > 1 else by_name.get("@PARAMS")
        types = {} if declared is None else parameter_types(printed(declared.value(frame)))
        inner = Frame(connection)
        for parameter, sql_type in types.items():
            inner.types[parameter] = sql_type
            one = by_name.get(parameter)
            inner.set(parameter, None if one is None else one.value(frame), token.line)
        before = connection.database
        if database:
            connection.use(database.rstrip(".").removeprefix("[").removesuffix("]").replace("]]", "]"))
        try:
            yield from _carried_out(
                _Reader(Words(tokens_of(printed(text.value(frame)))), connection).batch(), inner, connection
            )
        finally:
            connection.database = before
        for parameter in types:
            one = by_name.get(parameter)
            if one is not None and one.out is not None:
                frame.set(one.out.text, inner.variables.get(parameter), token.line)

    return step


def parameter_types(declared: str) -> Mapping[str, str]:
    """Return the type of each parameter of a declaration such as "@one int, @other nvarchar(20) OUTPUT", by name.

    Raises:
        ScriptError: it declares a type that scripts do not use.
    """
    words = Words(tokens_of(declared))
    found: dict[str, str] = {}
    while words.next.kind is not Kind.END:
        if found:
            words.need(",")
        name = words.take(Kind.VARIABLE).same
        found[name] = Queries(words).type_name()
        words.took("OUTPUT") or words.took("OUT")
    return found


def _keep_named(frame: Frame, statement: Statement, rows: Sequence[Sequence[Cell]]) -> None:
    """Give the variables that a statement shows under their names these values, for the rest of the batch."""
    row = rows[0] if len(rows) == 1 else (None,) * len(statement.columns)
    for column, value in zip(statement.columns, row, strict=True):
        if is_type(column.sql_type) and re.search(rf"@{column.name}\b", statement.body):
            frame.types.setdefault(f"@{column.name}".upper(), column.sql_type)
            frame.set(f"@{column.name}", value, 1)


def _constant(text: str) -> Callable[[Frame], str]:
    return lambda _frame: text


def _held(name: str) -> Callable[[Frame], str]:
    return lambda frame: printed(frame.variables.get(name))
