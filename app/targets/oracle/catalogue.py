"""The catalogue: every statement this target may ever send, read from `statements/*.sql` and checked when loaded."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from app.domain.statement import Access

_HEADER: Final = re.compile(r"\A/\*\n(?P<header>.*?)\n\*/\n(?P<body>.+)\Z", re.DOTALL)
_FIELD: Final = re.compile(r"^(?P<key>[a-z][a-z -]*):(?: (?P<value>.+))?$")
_ENTRY: Final = re.compile(
    r"^  (?P<name>:?[a-z][a-z0-9_]*) (?P<type>[A-Z0-9]+)(?P<nullable>\?)?(?: \[(?P<unit>[^\]]+)\])? -- (?P<meaning>.+)$"
)
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

_Choice = TypeVar("_Choice", bound=StrEnum)


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
    """A bind (without its colon) or a result column: name, type, unit or "", meaning."""

    name: str
    oracle_type: OracleType
    nullable: bool
    unit: str
    meaning: str


@dataclass(frozen=True)
class OwnedTable:
    """A table outside the dictionary that a statement names, with its columns."""

    name: str
    columns: tuple[str, ...]


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

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the result columns, in order."""
        return tuple(column.name for column in self.columns)


def parse_statement(name: str, content: str) -> Statement:
    """Parse one file of the catalogue.

    Raises:
        RuntimeError: the header lacks something or says something unknown; the program is then incomplete.
    """
    match = _HEADER.match(content)
    if match is None:
        raise RuntimeError(f"statement {name}: no header comment at the top of the file")
    fields, lists = _parse_header(name, match["header"])
    if fields["name"] != name:
        raise RuntimeError(f"statement {name}: header names it {fields['name']}")
    body, form = match["body"].strip(), _one_of(name, Form, fields["form"])
    if body.endswith(";") is not (form is Form.PLSQL):
        raise RuntimeError(f"statement {name}: a block ends with a semicolon and a select does not")
    return Statement(
        name=name,
        purpose=fields["purpose"],
        access=_one_of(name, Access, fields["access"]),
        runs_at=_one_of(name, RunsAt, fields["runs at"]),
        connection=_one_of(name, ConnectionUse, fields["connection"]),
        permission=fields["permission"],
        versions=fields["versions"],
        form=form,
        binds=tuple(_entry(name, line, is_bind=True) for line in lists["binds"]),
        columns=tuple(_entry(name, line, is_bind=False) for line in lists["columns"]),
        client_owned=tuple(_owned(name, line) for line in lists["client-owned"]),
        source=fields["source"],
        body=body,
        text=f"/* {TOOL} {name} */\n{body}",
    )


def _parse_header(name: str, header: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    fields: dict[str, str] = {}
    lists: dict[str, list[str]] = {key: [] for key in _LISTS}
    current = ""
    for line in header.splitlines():
        if line.startswith("  ") and current in lists:
            lists[current].append(line)
            continue
        match = _FIELD.match(line)
        if match is None or match["key"] in fields:
            raise RuntimeError(f'statement {name}: cannot read header line "{line}"')
        current = match["key"]
        fields[current] = match["value"] or ""
    if tuple(fields) != _KEYS:
        raise RuntimeError(f"statement {name}: header must have, in this order, {', '.join(_KEYS)}")
    for key, value in fields.items():
        said_none = value == "none"
        if key in lists and said_none == bool(lists[key]):
            raise RuntimeError(f'statement {name}: "{key}" lists entries or says none')
        if key not in lists and not value:
            raise RuntimeError(f'statement {name}: header says nothing for "{key}"')
    return fields, lists


def _one_of(name: str, kind: type[_Choice], value: str) -> _Choice:
    try:
        return kind(value)
    except ValueError as error:
        raise RuntimeError(f'statement {name}: "{value}" is not one of {", ".join(kind)}') from error


def _entry(name: str, line: str, *, is_bind: bool) -> Column:
    match = _ENTRY.match(line)
    if match is None or match["name"].startswith(":") is not is_bind:
        raise RuntimeError(f'statement {name}: cannot read header entry "{line.strip()}"')
    return Column(
        name=match["name"].removeprefix(":"),
        oracle_type=_one_of(name, OracleType, match["type"]),
        nullable=match["nullable"] is not None,
        unit=match["unit"] or "",
        meaning=match["meaning"],
    )


def _owned(name: str, line: str) -> OwnedTable:
    match = _OWNED.match(line)
    if match is None:
        raise RuntimeError(f'statement {name}: cannot read client-owned entry "{line.strip()}"')
    return OwnedTable(match["table"], tuple(part.split()[0] for part in match["columns"].split(", ")))


def load_folder(folder: Path) -> Mapping[str, Statement]:
    """Read every statement of a folder, by name.

    Raises:
        RuntimeError: there is none, as in a bundle built without them, or one cannot be read.
    """
    files = sorted(folder.glob("*.sql"))
    if not files:
        raise RuntimeError(f"{folder} holds no statement: the program is incomplete")
    return {path.stem: parse_statement(path.stem, path.read_text(encoding="utf-8")) for path in files}


@cache
def catalogue() -> Mapping[str, Statement]:
    """Return the statements of this target, read once from the program's own folder; raises as `load_folder` does."""
    return load_folder(Path(__file__).parent / "statements")
