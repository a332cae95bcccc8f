"""The catalogue: every statement this target may ever send, read from `statements/*.sql` and checked when loaded."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from app.domain.naming import Holds
from app.domain.statement import Access, declared_holds
from app.foundation.paths import statement_folders, systems_roots
from app.foundation.rows import Columns
from app.foundation.statement_file import OwnedTable, one_of, read_entry, read_folders, read_owned, read_statement_file

_OWNED: Final = re.compile(r"^  (?P<table>[A-Z_]+) \((?P<columns>[^)]*)\) -- (?P<meaning>.+)$")
_KEYS: Final = (
    "name",
    "purpose",
    "access",
    "runs at",
    "connection",
    "permission",
    "versions",
    "form",
    "binds",
    "columns",
    "client-owned",
    "source",
)
_LISTS: Final = ("binds", "columns", "client-owned")

TOOL: Final = "replitune"


class RunsAt(StrEnum):
    """Which of the two databases of a pipeline a statement is for."""

    SOURCE = "source"
    DESTINATION = "destination"
    BOTH = "both"


class ConnectionUse(StrEnum):
    """Which connection carries a statement: the load may keep a transaction open, so it has one of its own."""

    CONTROL = "control"
    LOAD = "load"


class Form(StrEnum):
    """One SELECT, or one PL/SQL block whose declared columns are its OUT binds."""

    SELECT = "select"
    PLSQL = "plsql"


class OracleType(StrEnum):
    """Types of binds and columns; INTEGER is a NUMBER without decimals."""

    INTEGER = "INTEGER"
    NUMBER = "NUMBER"
    VARCHAR2 = "VARCHAR2"
    DATE = "DATE"


@dataclass(frozen=True)
class Column:
    """A bind (without its colon) or a result column: name, type, unit or "", meaning, and whose word it is."""

    name: str
    oracle_type: OracleType
    nullable: bool
    unit: str
    meaning: str
    holds: Holds = Holds.NAME


@dataclass(frozen=True)
class Statement:
    """One catalogued statement.

    Attributes:
        name: file name without `.sql`.
        binds: as `:name` in the text; values never become part of it.
        columns: of the result; of a PL/SQL block its OUT binds, which make one row.
        body: the statement without its header; a SELECT has no semicolon at its end, a block has one.
        text: what is sent: the comment naming tool and statement, then the body.
    """

    name: str
    purpose: str
    access: Access
    runs_at: RunsAt
    connection: ConnectionUse
    permission: str
    versions: str
    form: Form
    binds: tuple[Column, ...]
    columns: tuple[Column, ...]
    client_owned: tuple[OwnedTable, ...]
    source: str
    body: str
    text: str

    @property
    def bind_names(self) -> tuple[str, ...]:
        """Names of the binds, in order."""
        return tuple(bind.name for bind in self.binds)

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """Names of the result columns, in order."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def positions(self) -> Columns:
        """The position and unit of each result column."""
        return Columns(self.column_names, [column.unit for column in self.columns])


def parse_statement(name: str, content: str) -> Statement:
    """Parse one file of the catalogue.

    Raises:
        RuntimeError: the header lacks something or says something unknown; the program is then incomplete.
    """
    file = read_statement_file(name, content, _KEYS, _LISTS)
    form = file.one_of("form", Form)
    if file.body.endswith(";") is not (form is Form.PLSQL):
        raise RuntimeError(f"statement {name}: a block ends with a semicolon and a select does not")
    return Statement(
        name=name,
        purpose=file.fields["purpose"],
        access=file.one_of("access", Access),
        runs_at=file.one_of("runs at", RunsAt),
        connection=file.one_of("connection", ConnectionUse),
        permission=file.fields["permission"],
        versions=file.fields["versions"],
        form=form,
        binds=tuple(_entry(name, line, ":") for line in file.lists["binds"]),
        columns=tuple(_entry(name, line, "") for line in file.lists["columns"]),
        client_owned=tuple(read_owned(name, line, _OWNED) for line in file.lists["client-owned"]),
        source=file.fields["source"],
        body=file.body,
        text=f"/* {TOOL} {name} */\n{file.body}",
    )


def _entry(name: str, line: str, sign: str) -> Column:
    entry = read_entry(name, line, sign)
    oracle_type = one_of(name, OracleType, entry.type)
    return Column(
        name=entry.name.removeprefix(":"),
        oracle_type=oracle_type,
        nullable=entry.nullable,
        unit=entry.unit,
        meaning=entry.meaning,
        holds=declared_holds(name, entry, is_text=oracle_type is OracleType.VARCHAR2),
    )


def catalogue() -> Mapping[str, Statement]:
    """Return every statement for Oracle, the driver's own and those of each system; raises as `read_folders`."""
    return _read(systems_roots())


@cache
def _read(roots: tuple[Path, ...]) -> Mapping[str, Statement]:
    return read_folders((Path(__file__).parent / "statements", *statement_folders("oracle", roots)), parse_statement)
