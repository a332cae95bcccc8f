"""Statements of scripts that hold no other statement: each is read into a step."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.drivers.sqlserver.lab.script.events import Connection, Entered, Event, Failed, Said, Shown, Step, done, nothing
from app.drivers.sqlserver.lab.script.frames import Expression, Frame, own_table
from app.drivers.sqlserver.lab.script.queries import Queries
from app.drivers.sqlserver.lab.script.tokens import ScriptError, not_known
from app.drivers.sqlserver.lab.script.values import Value, converted, printed
from app.drivers.sqlserver.lab.script.words import Words
from app.drivers.sqlserver.lab.tables import OwnTable
from app.drivers.sqlserver.lab.time_answers import delay_s
from app.foundation.rows import Cell
from app.lab.words import Kind, Token

_NO_DATABASE: Final = 911
_NO_SUCH_TABLE: Final = 3701
_IS_THERE: Final = 2714
_NO_COLUMN: Final = 207
_USER_ERROR: Final = 50_000
_LAST_NUMBER: Final = 2_147_483_647
# Settings of a session that change nothing the lab's scripts do.
_SETTINGS: Final = frozenset(
    {"ANSI_DEFAULTS", "ANSI_NULLS", "ANSI_NULL_DFLT_ON", "ANSI_PADDING", "ANSI_WARNINGS", "ARITHABORT"}
    | {"CONCAT_NULL_YIELDS_NULL", "CURSOR_CLOSE_ON_COMMIT", "IMPLICIT_TRANSACTIONS", "NOCOUNT"}
    | {"NUMERIC_ROUNDABORT", "QUOTED_IDENTIFIER", "XACT_ABORT"}
)
_VALUED_SETTINGS: Final = frozenset({"DATEFIRST", "DATEFORMAT", "LANGUAGE", "LOCK_TIMEOUT", "TEXTSIZE"})
TRACE_STATUS: Final = ("dbcc", "tracestatus")
"""The name under which a lab's look-ups hold the rows of DBCC TRACESTATUS: flag, status, global, session."""

_ISOLATION: Final = ("SET", "TRANSACTION", "ISOLATION", "LEVEL")
_INFORMATION: Final = 10
IDENTITY: Final = " IDENTITY"
"""Behind the type of a column that numbers the rows of its table from 1."""
_IDENTITY: Final = ("IDENTITY", "(", "1", ",", "1", ")")


@dataclass(frozen=True)
class Switch:
    """SET NOEXEC: the one statement that is carried out where none is."""

    connection: Connection
    is_off: bool

    def __call__(self, _frame: Frame) -> Iterator[Event]:
        """Turn it on or off."""
        self.connection.is_off = self.is_off
        return iter(())


class Statements:
    """Reads them, where their first word says which one it is (`forms`)."""

    def __init__(self, words: Words, connection: Connection) -> None:
        self._words = words
        self._queries = Queries(words)
        self._connection = connection

    @property
    def forms(self) -> Mapping[str, Callable[[], Step]]:
        """How a statement is read, by its first word."""
        return {
            "CREATE": self._create,
            "DBCC": self._trace_status,
            "DECLARE": self._declare,
            "DROP": self._drop,
            "PRINT": self._print,
            "RAISERROR": self._raise_error,
            "SELECT": self._select,
            "SET": self._set,
            "THROW": self._throw,
            "UPDATE": self._update,
            "USE": self._use,
            "WAITFOR": self._wait,
        }

    def _wait(self) -> Step:
        self._words.need("WAITFOR", "DELAY")
        delay = self._words.take(Kind.TEXT).text

        def step(_frame: Frame) -> Iterator[Event]:
            self._connection.wait(delay_s(delay))
            return done()

        return step

    def _print(self) -> Step:
        self._words.need("PRINT")
        said = self._queries.expression()

        def step(frame: Frame) -> Iterator[Event]:
            yield Said(printed(said(frame)) or " ")

        return step

    def _throw(self) -> Step:
        line = self._words.next.line
        self._words.need("THROW")
        number, message, state = self._three()

        def step(frame: Frame) -> Iterator[Event]:
            own = min(max(_whole(number(frame)), _USER_ERROR), _LAST_NUMBER)
            raise ScriptError(own, printed(message(frame)), line, 16, _small(state(frame)))
            yield  # it yields nothing, as a generator

        return step

    def _raise_error(self) -> Step:
        words = self._words
        line = words.next.line
        words.need("RAISERROR", "(")
        message, severity, state = self._three()
        words.need(")")

        def step(frame: Frame) -> Iterator[Event]:
            levels = _small(severity(frame)), _small(state(frame))
            error = ScriptError(_USER_ERROR, printed(message(frame)), line, *levels)
            yield Failed(error) if levels[0] > _INFORMATION else Said(error.text)

        return step

    def _three(self) -> tuple[Expression, Expression, Expression]:
        first = self._queries.expression()
        self._words.need(",")
        second = self._queries.expression()
        self._words.need(",")
        return first, second, self._queries.expression()

    def _declare(self) -> Step:
        words = self._words
        words.need("DECLARE")
        steps = [self._declared()]
        while words.took(","):
            steps.append(self._declared())

        def step(frame: Frame) -> Iterator[Event]:
            for one in steps:
                yield from one(frame)

        return step

    def _declared(self) -> Step:
        words = self._words
        token = words.take(Kind.VARIABLE)
        words.took("AS")
        if words.took("TABLE"):
            columns, types = self._columns()

            def made(frame: Frame) -> Iterator[Event]:
                frame.tables[token.same] = OwnTable(columns, types)
                return done()

            return made
        sql_type = self._queries.type_name()
        value = self._queries.expression() if words.took("=") else _null

        def step(frame: Frame) -> Iterator[Event]:
            frame.types[token.same] = sql_type
            frame.set(token.text, value(frame), token.line)
            return done()

        return step

    def _columns(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        words = self._words
        words.need("(")
        columns: list[str] = []
        types: list[str] = []
        while not columns or words.took(","):
            columns.append(words.name())
            types.append(self._queries.type_name() + (IDENTITY if words.took(*_IDENTITY) else ""))
            words.took("NULL") or words.took("NOT", "NULL")
        words.need(")")
        return tuple(columns), tuple(types)

    def _set(self) -> Step:
        words, connection = self._words, self._connection
        if words.took(*_ISOLATION):
            while words.next.kind is Kind.NAME and words.next.same in ("READ", "COMMITTED", "UNCOMMITTED", "SNAPSHOT"):
                words.at += 1
            return nothing
        words.need("SET")
        token = words.take(Kind.VARIABLE, Kind.NAME)
        if token.kind is Kind.VARIABLE:
            sign = words.next.same
            words.at += 1
            if sign not in ("=", "+="):
                raise not_known(f"SET {token.text} {sign}", token.line)
            return self._assigned(token, is_added=sign == "+=")
        if token.same == "NOEXEC":
            return Switch(connection, self._on_or_off())
        if token.same in _VALUED_SETTINGS:
            words.took("-")
            words.take(Kind.NUMBER, Kind.NAME, Kind.TEXT)
            return nothing
        if token.same not in _SETTINGS:
            raise not_known(f"SET {token.text}", token.line)
        while words.took(","):
            words.name()
        self._on_or_off()
        return nothing

    def _on_or_off(self) -> bool:
        is_on = self._words.took("ON")
        if not is_on:
            self._words.need("OFF")
        return is_on

    def _assigned(self, token: Token, *, is_added: bool) -> Step:
        value = self._queries.expression()

        def step(frame: Frame) -> Iterator[Event]:
            new = value(frame)
            if is_added:
                new = _whole(frame.variables.get(token.same)) + _whole(new)
            frame.set(token.text, new, token.line)
            return done()

        return step

    def _use(self) -> Step:
        self._words.need("USE")
        line, database, connection = self._words.next.line, self._words.name(), self._connection
        if not connection.has(database):
            raise ScriptError(_NO_DATABASE, f"Database '{database}' does not exist.", line)

        def step(_frame: Frame) -> Iterator[Event]:
            before = connection.database
            connection.use(database)
            yield Entered(before)

        return step

    def _select(self) -> Step:
        select = self._queries.select()
        assigned = [item for item in select.items if item.variable]
        if assigned and len(assigned) < len(select.items):
            raise not_known("a SELECT that both shows and assigns", select.line)

        def step(frame: Frame) -> Iterator[Event]:
            rows = select.result(frame)
            if not assigned:
                yield Shown(tuple(item.name for item in select.items), rows)
                return
            for item, value in zip(assigned, rows[-1] if rows else (), strict=False):
                frame.set(item.variable, value, select.line)

        return step

    def _trace_status(self) -> Step:
        words, connection = self._words, self._connection
        line = words.next.line
        words.need("DBCC", "TRACESTATUS", "(")
        flags = [self._flag()]
        while words.took(","):
            flags.append(self._flag())
        words.need(")", "WITH", "NO_INFOMSGS")

        def step(_frame: Frame) -> Iterator[Event]:
            columns, rows = connection.look_up(TRACE_STATUS, line)
            on = {row[0]: row for row in rows}
            yield Shown(columns, [on.get(flag, (flag, 0, 0, 0)) for flag in flags if flag > 0])

        return step

    def _flag(self) -> int:
        """Read the number of a flag, or the -1 that asks for those set everywhere."""
        is_everywhere = self._words.took("-")
        number = self._words.whole()
        return -number if is_everywhere else number

    def _create(self) -> Step:
        words, own = self._words, self._connection.own_tables
        words.need("CREATE", "TABLE")
        token = words.take(Kind.NAME)
        columns, types = self._columns()
        if not token.text.startswith("#"):
            raise not_known(f"CREATE TABLE {token.text}", token.line)

        def step(_frame: Frame) -> Iterator[Event]:
            if token.same in own:
                raise ScriptError(
                    _IS_THERE, f"There is already an object named '{token.text}' in the database.", token.line
                )
            own[token.same] = OwnTable(columns, types)
            return done()

        return step

    def _drop(self) -> Step:
        words, own = self._words, self._connection.own_tables
        words.need("DROP", "TABLE")
        token = words.take(Kind.NAME)

        def step(_frame: Frame) -> Iterator[Event]:
            if own.pop(token.same, None) is None:
                text = f"Cannot drop the table '{token.text}', because it does not exist."
                raise ScriptError(_NO_SUCH_TABLE, text, token.line, 11)
            return done()

        return step

    def _update(self) -> Step:
        words = self._words
        words.need("UPDATE")
        token = words.take(Kind.NAME, Kind.VARIABLE)
        words.need("SET")
        column = words.name()
        words.need("=")
        value = self._queries.expression()
        chosen = self._queries.expression() if words.took("WHERE") else _always

        def step(frame: Frame) -> Iterator[Event]:
            table = own_table(frame, token.text, token.line)
            names = [name.upper() for name in table.columns]
            if column.upper() not in names:
                raise ScriptError(_NO_COLUMN, f"Invalid column name '{column}'.", token.line)
            place = names.index(column.upper())
            for number, row in enumerate(table.rows):
                at = _at_row(frame, table, row)
                if chosen(at):
                    table.rows[number] = (*row[:place], value(at), *row[place + 1 :])
            return done()

        return step


def _at_row(frame: Frame, table: OwnTable, row: Sequence[Cell]) -> Frame:
    named = dict(zip([name.upper() for name in table.columns], row, strict=True))
    return replace(frame, rows={"": named})


def _null(_frame: Frame) -> Value:
    return None


def _always(_frame: Frame) -> Value:
    return True


def _small(value: Value) -> int:
    """Return a severity or state, which go to 255."""
    return min(max(_whole(value), 0), 255)


def _whole(value: Value) -> int:
    found = converted(value, "bigint")
    return found if isinstance(found, int) else 0
