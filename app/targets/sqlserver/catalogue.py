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
    r"^  (?P<name>@?\w+) (?P<type>[a-z]+)(?P<nullable>\?)?(?: \[(?P<unit>[^\]]+)\])? -- (?P<meaning>.+)$"
)
_LIMIT: Final = re.compile(r"(?P<seconds>[1-9]\d*) s")
_OWNED: Final = re.compile(r"^  (?P<table>\w+\.\w+) \((?P<columns>[^)]*(?:\([^)]*\)[^)]*)*)\) -- (?P<meaning>.+)$")
_KEYS: Final = (
    "name",
    "purpose",
    "access",
    "runs at",
    "database",
    "permission",
    "versions",
    "form",
    "parameters",
    "columns",
    "client-owned",
    "source",
)
# Only where a statement may rightly take longer than those of a connection.
_LIMIT_KEY: Final = "limit"

TOOL: Final = "replitune"

# Each part of the adapter keeps its statements beside it.
_FOLDERS: Final[tuple[tuple[str, ...], ...]] = ((), ("groups",), ("rights",), ("seeding",))

_Choice = TypeVar("_Choice", bound=StrEnum)


class ServerRole(StrEnum):
    """Which server a statement runs at."""

    DISTRIBUTOR = "distributor"
    PUBLISHER = "publisher"
    SUBSCRIBER = "subscriber"
    REPLICA = "replica"
    PRIMARY = "primary"
    SECONDARY = "secondary"
    ANY = "any"


class DatabaseRole(StrEnum):
    """Which database a statement runs in; `distribution` and the client's own have names of their own."""

    MASTER = "master"
    MSDB = "msdb"
    DISTRIBUTION = "distribution"
    PUBLICATION = "publication"
    SUBSCRIPTION = "subscription"


class Form(StrEnum):
    """One SELECT, or several statements sent together."""

    SELECT = "select"
    BATCH = "batch"


@dataclass(frozen=True)
class Column:
    """A parameter (with its @) or a result column: name, SQL Server type, unit or "", meaning."""

    name: str
    sql_type: str
    nullable: bool
    unit: str
    meaning: str


@dataclass(frozen=True)
class OwnedTable:
    """A table that belongs to the client, with its columns."""

    name: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Statement:
    """One catalogued statement.

    Attributes:
        name: file name without `.sql`.
        parameters: as `@name` in the text; a driver declares them in front of it.
        body: the T-SQL without its header.
        text: what is sent: the comment naming tool and statement, then the body.
        limit_s: how long it may take, seconds, where that is longer than the connection's limit; 0 for that one.
    """

    name: str
    purpose: str
    access: Access
    runs_at: ServerRole
    database: DatabaseRole
    permission: str
    versions: str
    form: Form
    parameters: tuple[Column, ...]
    columns: tuple[Column, ...]
    client_owned: tuple[OwnedTable, ...]
    source: str
    body: str
    text: str
    limit_s: int = 0

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names of the parameters without their @."""
        return tuple(parameter.name.removeprefix("@") for parameter in self.parameters)

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
    body = match["body"].strip()
    return Statement(
        name=name,
        purpose=fields["purpose"],
        access=_one_of(name, Access, fields["access"]),
        runs_at=_one_of(name, ServerRole, fields["runs at"]),
        database=_one_of(name, DatabaseRole, fields["database"]),
        permission=fields["permission"],
        versions=fields["versions"],
        form=_one_of(name, Form, fields["form"]),
        parameters=tuple(_entry(name, line, parameter=True) for line in lists["parameters"]),
        columns=tuple(_entry(name, line, parameter=False) for line in lists["columns"]),
        client_owned=tuple(_owned(name, line) for line in lists["client-owned"]),
        source=fields["source"],
        body=body,
        text=f"/* {TOOL} {name} */\n{body}\n",
        limit_s=_limit_s(name, fields.get(_LIMIT_KEY)),
    )


def _parse_header(name: str, header: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    fields: dict[str, str] = {}
    lists: dict[str, list[str]] = {"parameters": [], "columns": [], "client-owned": []}
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
    if tuple(key for key in fields if key != _LIMIT_KEY) != _KEYS:
        raise RuntimeError(f"statement {name}: header must have, in this order, {', '.join(_KEYS)}")
    for key, value in fields.items():
        said_none = value == "none"
        if key in lists and said_none == bool(lists[key]):
            raise RuntimeError(f'statement {name}: "{key}" lists entries or says none')
        if key not in lists and not value:
            raise RuntimeError(f'statement {name}: header says nothing for "{key}"')
    return fields, lists


def _limit_s(name: str, value: str | None) -> int:
    match = None if value is None else _LIMIT.fullmatch(value)
    if value is not None and match is None:
        raise RuntimeError(f'statement {name}: limit "{value}" is not whole seconds, as in "3600 s"')
    return 0 if match is None else int(match["seconds"])


def _one_of(name: str, kind: type[_Choice], value: str) -> _Choice:
    try:
        return kind(value)
    except ValueError as error:
        raise RuntimeError(f'statement {name}: "{value}" is not one of {", ".join(kind)}') from error


def _entry(name: str, line: str, *, parameter: bool) -> Column:
    match = _ENTRY.match(line)
    if match is None or match["name"].startswith("@") is not parameter:
        raise RuntimeError(f'statement {name}: cannot read header entry "{line.strip()}"')
    return Column(
        name=match["name"],
        sql_type=match["type"],
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
    """Return the statements of this target, read once from the program's own folders; raises as `load_folder` does."""
    here = Path(__file__).parent
    found: dict[str, Statement] = {}
    for folder in _FOLDERS:
        loaded = load_folder(here.joinpath(*folder, "statements"))
        if found.keys() & loaded.keys():
            raise RuntimeError(f"statements named twice: {', '.join(sorted(found.keys() & loaded.keys()))}")
        found.update(loaded)
    return found
