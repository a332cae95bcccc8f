"""The connection a statement is run through, and the values its names have while it runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from app.drivers.oracle.catalogue import Statement
from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.errors import OracleError
from app.drivers.oracle.lab_script.values import Value
from app.foundation.rows import Cell

Rows = Sequence[tuple[Cell, ...]]
Row = Mapping[str, Value]


@dataclass
class Output:
    """The lines of DBMS_OUTPUT that a client has not fetched."""

    is_on: bool = False
    lines: list[str] = field(default_factory=list)

    def say(self, line: str) -> None:
        """Keep a line, where somebody wants to read it."""
        if self.is_on:
            self.lines.append(line)


class ScriptConnection(Protocol):
    """The connection a statement is run through.

    Attributes:
        user: who signed in.
        output: of DBMS_OUTPUT.
    """

    user: str
    output: Output

    @property
    def database(self) -> str:
        """Its global name."""
        ...

    def run(self, statement: Statement, binds: Mapping[str, BindValue]) -> Rows:
        """Run a statement of the catalogue and return its rows; raises OracleError."""
        ...

    def wait(self, seconds: float) -> None:
        """Let time pass, and look whether the client still waits; raises what ends its request."""
        ...


@dataclass
class Scope:
    """The values of names.

    Attributes:
        variables: by name in capitals, binds with their colon.
        records: rows by the alias of their query, in capitals.
        group: the rows that an aggregate is made of.
        error: the one being handled.
    """

    connection: ScriptConnection
    variables: dict[str, Value] = field(default_factory=dict)
    records: Mapping[str, Row] = field(default_factory=dict)
    group: Sequence[Mapping[str, Row]] = ()
    error: OracleError | None = None

    def at(self, records: Mapping[str, Row]) -> "Scope":
        """Return the same with further rows."""
        return replace(self, records={**self.records, **records})


Expression = Callable[[Scope], Value]
