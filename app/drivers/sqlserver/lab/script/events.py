"""The events of a batch, and the connection it is carried out on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.setting import Value as Given
from app.drivers.sqlserver.catalogue import Statement
from app.drivers.sqlserver.lab.script.frames import Frame, Surroundings
from app.drivers.sqlserver.lab.script.tokens import ScriptError
from app.drivers.sqlserver.lab.tables import OwnTable
from app.foundation.rows import Cell


@dataclass(frozen=True)
class Said:
    """A message of PRINT."""

    text: str


@dataclass(frozen=True)
class Shown:
    """Rows of a SELECT, or of a statement of the catalogue, whose columns have their declared types then."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    statement: Statement | None = None


@dataclass(frozen=True)
class Failed:
    """An error that does not end the batch."""

    error: ScriptError


@dataclass(frozen=True)
class Entered:
    """Another database is the connection's now; `before` was it."""

    before: str


Event = Said | Shown | Failed | Entered
Step = Callable[[Frame], Iterator[Event]]


class Connection(Surroundings, Protocol):
    """The connection a batch is sent through.

    Attributes:
        is_off: no batch is executed (SET NOEXEC). database: the one it is in.
    """

    is_off: bool
    database: str

    @property
    def own_tables(self) -> dict[str, OwnTable]:
        """Return its temporary tables."""
        ...

    def run(self, statement: Statement, values: Mapping[str, Given | None]) -> Sequence[tuple[Cell, ...]]:
        """Run a statement of the catalogue and return its rows; raises SqlError."""
        ...

    def has(self, database: str) -> bool:
        """Tell whether the server has a database: a batch that names another with USE is not begun."""
        ...

    def use(self, database: str) -> None:
        """Enter a database; raises SqlError."""
        ...

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        ...


def done() -> Iterator[Event]:
    """Return the events of a statement that tells nothing and was carried out."""
    return iter(())


def nothing(_frame: Frame) -> Iterator[Event]:
    """Do nothing, as a step."""
    return iter(())
