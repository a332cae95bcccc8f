"""Tables and views of a simulated server that a script looks into beside the statements of the catalogue."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell


@dataclass
class LookUp:
    """Rows of a view or table.

    Attributes:
        columns: their names.
        rows: returns them at a place.
    """

    columns: tuple[str, ...]
    rows: Callable[[Place], Iterable[tuple[Cell, ...]]]


LookUps = Mapping[str, LookUp]
"""By name in small letters: `sys.name`, or role of the database, schema and name, such as `msdb.dbo.sysjobactivity`."""


@dataclass
class OwnTable:
    """A temporary table or table variable of a connection."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
