"""The tables of a commit-mode experiment: made and filled as one change, dropped by its undo."""

from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.declared_change import Call, Declaration, Declared, Details, Run, Scope, Words
from app.domain.errors import BadInput
from app.domain.setting import Value
from app.drivers.sqlserver.executor import At
from app.foundation.texts import _
from app.systems.availability_groups.server.executor import AtPrimary, GroupExecutor
from app.systems.availability_groups.server.replicas import GroupPlace

TEST_TABLES: Final = "test_tables"

# One transaction of 100,000 rows of 1 KB writes about 120 MB of log.
_ROWS_AT_ONCE: Final = 100_000
_LONGEST_OWNER: Final = 100  # "Replitune destination " and an owner fit sysname's 128 characters
_TABLES: Final = 3


@dataclass(frozen=True)
class _Tables:
    """How many of the tables there are, and how many rows the source holds."""

    count: int
    rows: int


def check_owner(owner: str) -> None:
    """Raise BadInput where an owner is empty or too long for a table's name."""
    if not owner or len(owner) > _LONGEST_OWNER:
        raise BadInput(
            _('"{owner}" cannot be part of a table\'s name; use 1 to {longest} characters').format(
                owner=owner, longest=_LONGEST_OWNER
            )
        )


def _names(details: Details) -> dict[str, Value | None]:
    return {"database_name": details["database"], "owner": details["owner"]}


def _read(run: Run[At], details: Details) -> _Tables:
    row = run(Call("test_tables", AtPrimary(place=GroupPlace.among(details)), _names(details)))[0]
    return _Tables(row.whole("tables"), row.whole("source_rows"))


def _set(_run: Run[At], details: Details, wanted: _Tables) -> tuple[Call[At], ...]:
    at = AtPrimary(place=GroupPlace.among(details))
    if not wanted.count:
        return (Call("drop_test_tables", at, _names(details)),)
    portion = {**_names(details), "wanted_rows": wanted.rows, "most_rows": _ROWS_AT_ONCE}
    portions = -(-wanted.rows // _ROWS_AT_ONCE)
    title = _("Fill the source table, {count} times").format(count=portions)
    return (
        Call("make_test_tables", at, _names(details)),
        Call("fill_test_source", at, portion, portions=portions, title=title),
    )


def _unread(change: Change, tables: _Tables, wanted: _Tables) -> str:
    if not wanted.count:
        return _("{subject} are still there; check who uses them, then restore again").format(subject=change.subject)
    return _("{subject}: {tables} tables with {rows:,} source rows were found; undo and try again").format(
        subject=change.subject, tables=tables.count, rows=tables.rows
    )


def _shown(tables: _Tables) -> str:
    if not tables.count:
        return _("none")
    return _("source with {rows:,} rows, destination and tracer").format(rows=tables.rows)


DECLARED: Final = Declaration[At, _Tables](
    kind=TEST_TABLES,
    scope=Scope.OBJECT,
    read=_read,
    set=_set,
    original=lambda _details: _Tables(0, 0),
    new=lambda details: _Tables(_TABLES, int(details["source_rows"])),
    words=Words(
        subject=lambda d: _("test tables of {owner} in database {database}").format(
            owner=d["owner"], database=d["database"]
        ),
        shown=_shown,
        making=lambda subject, _value: _("Create the {subject}").format(subject=subject),
        undoing=lambda subject, _value: _("Drop the {subject}; after a failover, at the new primary replica").format(
            subject=subject
        ),
        unread=_unread,
        consent=lambda details: _("writes about {size:,.0f} MB of data and as much log into the database").format(
            size=int(details["source_rows"]) * 1.1e-3
        ),
    ),
    same=lambda reading, wanted: reading.count == wanted.count and reading.rows >= wanted.rows,
)


def plan_tables(executor: GroupExecutor, place: GroupPlace, database: str, source_rows: int, owner: str) -> Change:
    """Return the change that makes the tables and fills the source."""
    own = (("database", database), ("owner", owner), ("source_rows", source_rows))
    return Declared(DECLARED, executor).plan((*place.details(), *own))
