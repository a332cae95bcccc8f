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
from app.drivers.sqlserver.session_settings import session_settings
from app.foundation.paths import statement_folders, systems_roots
from app.foundation.rows import Columns
from app.foundation.statement_file import OwnedTable, read_entry, read_folders, read_owned, read_statement_file

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
_LISTS: Final = ("parameters", "columns", "client-owned")
# Only where a statement may rightly take longer than those of a connection.
_LIMIT_KEY: Final = "limit"
# Only where others write all the time what is read, and a row that is just being written does no harm.
_LOCKS_KEY: Final = "shared locks"
_NO_LOCKS: Final = "none"
# Only of a reading whose duration is of account: it is what is measured, or grows with the rows that are counted.
_DURATION_KEY: Final = "duration"
_DURATIONS: Final = ("measured", "by rows", "by waiting")

TOOL: Final = "replitune"

_WITHOUT_TEXT: Final = frozenset({"int", "bigint", "bit", "float", "datetime"})


ANY_SERVER: Final = "any"
"""Where a statement runs that every server answers; which other servers there are a system says."""

COMMON_DATABASES: Final = frozenset({"master", "msdb"})
"""Databases of every server; a system has names for its own and the client's."""


class Form(StrEnum):
    """One SELECT, or several statements sent together."""

    SELECT = "select"
    BATCH = "batch"


@dataclass(frozen=True)
class Column:
    """A parameter (with its @) or a result column: name, SQL Server type, unit or "", meaning, and whose word it is."""

    name: str
    sql_type: str
    nullable: bool
    unit: str
    meaning: str
    holds: Holds = Holds.NAME


@dataclass(frozen=True)
class Statement:
    """One catalogued statement.

    Attributes:
        name: file name without `.sql`.
        runs_at: which server, `ANY_SERVER` or one a system names (`System.statement_places`).
        database: which database there, of `COMMON_DATABASES` or one a system names.
        parameters: as `@name` in the text; a driver declares them in front of it.
        body: the T-SQL without its header.
        text: what is sent: the comment naming tool and statement, its session settings, then the body.
        limit_s: how long it may take, seconds, where that is longer than the connection's limit; 0 for that one.
        takes_shared_locks: False where the header says that it reads without them.
        takes_time: whether its duration is of account: it changes something, or its header says so.
    """

    name: str
    purpose: str
    access: Access
    runs_at: str
    database: str
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
    takes_shared_locks: bool = True
    takes_time: bool = True

    @cached_property
    def parameters_by_name(self) -> Mapping[str, Column]:
        """The parameters by their names without their @, in order."""
        return {parameter.name.removeprefix("@"): parameter for parameter in self.parameters}

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names of the parameters without their @."""
        return tuple(self.parameters_by_name)

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
    file = read_statement_file(name, content, _KEYS, _LISTS, (_LIMIT_KEY, _LOCKS_KEY, _DURATION_KEY))
    access, takes_shared_locks = file.one_of("access", Access), _takes_shared_locks(name, file.fields.get(_LOCKS_KEY))
    return Statement(
        name=name,
        purpose=file.fields["purpose"],
        access=access,
        runs_at=file.fields["runs at"],
        database=file.fields["database"],
        permission=file.fields["permission"],
        versions=file.fields["versions"],
        form=file.one_of("form", Form),
        parameters=tuple(_entry(name, line, "@") for line in file.lists["parameters"]),
        columns=tuple(_entry(name, line, "") for line in file.lists["columns"]),
        client_owned=tuple(read_owned(name, line, _OWNED) for line in file.lists["client-owned"]),
        source=file.fields["source"],
        body=file.body,
        text=f"/* {TOOL} {name} */\n{session_settings(access, takes_shared_locks=takes_shared_locks)}{file.body}\n",
        limit_s=_limit_s(name, file.fields.get(_LIMIT_KEY)),
        takes_shared_locks=takes_shared_locks,
        takes_time=access is Access.CHANGE or _takes_time(name, file.fields.get(_DURATION_KEY)),
    )


def _limit_s(name: str, value: str | None) -> int:
    match = None if value is None else _LIMIT.fullmatch(value)
    if value is not None and match is None:
        raise RuntimeError(f'statement {name}: limit "{value}" is not whole seconds, as in "3600 s"')
    return 0 if match is None else int(match["seconds"])


def _takes_shared_locks(name: str, value: str | None) -> bool:
    if value not in (None, _NO_LOCKS):
        raise RuntimeError(f'statement {name}: shared locks "{value}" is not "{_NO_LOCKS}"')
    return value is None


def _takes_time(name: str, value: str | None) -> bool:
    if value is not None and value not in _DURATIONS:
        raise RuntimeError(f'statement {name}: duration "{value}" is not one of {", ".join(_DURATIONS)}')
    return value is not None


def _entry(name: str, line: str, sign: str) -> Column:
    entry = read_entry(name, line, sign)
    return Column(
        name=entry.name,
        sql_type=entry.type,
        nullable=entry.nullable,
        unit=entry.unit,
        meaning=entry.meaning,
        holds=declared_holds(name, entry, is_text=entry.type not in _WITHOUT_TEXT),
    )


def catalogue() -> Mapping[str, Statement]:
    """Return every statement for SQL Server, the driver's own and those of each system; raises as `read_folders`."""
    return _read(systems_roots())


def system_statements() -> tuple[frozenset[str], ...]:
    """Return the names of the statements of each system."""
    folders = statement_folders("sqlserver", systems_roots())
    return tuple(frozenset(path.stem for path in folder.glob("*.sql")) for folder in folders)


@cache
def _read(roots: tuple[Path, ...]) -> Mapping[str, Statement]:
    return read_folders((Path(__file__).parent / "statements", *statement_folders("sqlserver", roots)), parse_statement)
