"""Where an expression of a script is asked: variables, tables and the present row, and the server around them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.script.tokens import ScriptError
from app.drivers.sqlserver.lab.script.values import Value, converted
from app.drivers.sqlserver.lab.tables import OwnTable
from app.foundation.rows import Cell

NO_VARIABLE: Final = 137
_NO_TABLE: Final = 208
_NO_TABLE_VARIABLE: Final = 1087

Row = Mapping[str, Cell]
Table = tuple[tuple[str, ...], Sequence[tuple[Cell, ...]]]


class Surroundings(Protocol):
    """The server a batch runs at, as it asks of it.

    Attributes:
        collation: by which it compares texts.
    """

    collation: str

    def look_up(self, name: Sequence[str], line: int) -> Table:
        """Return the rows of a view or table by the parts of its name, under the names of its columns."""
        ...

    def own_table(self, name: str) -> OwnTable | None:
        """Return a temporary table of the connection."""
        ...

    def told(self, what: str) -> Cell:
        """Return the answer of a function without parameters or a global variable, by its name in capitals."""
        ...


@dataclass
class Frame:
    """Where an expression is asked.

    Attributes:
        variables: values by name. types: their types. tables: table variables.
        rows: the present row of each table by its alias. group: all rows, of which an aggregate tells.
        caught: the error that a CATCH is carried out for.
    """

    around: Surroundings
    variables: dict[str, Value] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    tables: dict[str, OwnTable] = field(default_factory=dict)
    rows: Mapping[str, Row] = field(default_factory=dict)
    group: Sequence["Frame"] = ()
    caught: SqlError | None = None

    def set(self, name: str, value: Value, line: int) -> None:
        """Give a variable a value, as its type holds it."""
        if name.upper() not in self.types:
            raise ScriptError(NO_VARIABLE, f'Must declare the scalar variable "{name}".', line, 15)
        self.variables[name.upper()] = converted(value, self.types[name.upper()])


Expression = Callable[[Frame], Value]


def own_table(frame: Frame, name: str, line: int) -> OwnTable:
    """Return a temporary table or table variable; raises ScriptError where there is none of that name."""
    table = frame.tables.get(name.upper()) if name.startswith("@") else frame.around.own_table(name)
    if table is None:
        if name.startswith("@"):
            raise ScriptError(_NO_TABLE_VARIABLE, f'Must declare the table variable "{name}".', line, 15)
        raise ScriptError(_NO_TABLE, f"Invalid object name '{name}'.", line)
    return table
