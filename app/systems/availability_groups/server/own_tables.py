"""The tables of a commit-mode experiment: made and filled as one change, dropped by its undo."""

from typing import Final

from app.domain.change import Change
from app.domain.errors import BadInput, VerificationFailed
from app.domain.setting import Value
from app.drivers.sqlserver.scripts import Sql, statement_script
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.availability_groups.server.replicas import GroupPlace, Primaries, master

TEST_TABLES: Final = "test_tables"

# One transaction of 100,000 rows of 1 KB writes about 120 MB of log.
_ROWS_AT_ONCE: Final = 100_000
_LONGEST_OWNER: Final = 100  # "Replitune destination " and an owner fit sysname's 128 characters
_TABLES: Final = 3


def check_owner(owner: str) -> None:
    """Raise BadInput where an owner is empty or too long for a table's name."""
    if not owner or len(owner) > _LONGEST_OWNER:
        raise BadInput(
            _('"{owner}" cannot be part of a table\'s name; use 1 to {longest} characters').format(
                owner=owner, longest=_LONGEST_OWNER
            )
        )


def plan_tables(place: GroupPlace, database: str, source_rows: int, owner: str) -> Change:
    """Return the change that makes the tables and fills the source."""
    subject = _("test tables of {owner} in database {database}").format(owner=owner, database=database)
    names: dict[str, Value | Sql] = {"database_name": database, "owner": owner}
    portion: dict[str, Value | Sql] = {**names, "wanted_rows": source_rows, "most_rows": _ROWS_AT_ONCE}
    calls = -(-source_rows // _ROWS_AT_ONCE)

    def script(title: str, name: str, values: dict[str, Value | Sql]) -> str:
        return statement_script(title, place.home, "master", name, values, primary_of=place.group)

    fill = script(_("Fill the source table, {count} times").format(count=calls), "fill_test_source", portion)
    return Change(
        kind=TEST_TABLES,
        subject=subject,
        original=_("none"),
        new=_("source with {rows:,} rows, destination and tracer").format(rows=source_rows),
        details=(*place.details(), ("database", database), ("owner", owner), ("source_rows", source_rows)),
        apply_sql=script(_("Make the {subject}").format(subject=subject), "make_test_tables", names)
        + fill.removesuffix("GO\n")
        + f"GO {calls}\n",
        undo_sql=script(
            _("Drop the {subject}; after a failover, at the new primary replica").format(subject=subject),
            "drop_test_tables",
            names,
        ),
        needs_consent=_("writes about {size:,.0f} MB of data and as much log into the database").format(
            size=source_rows * 1.1e-3
        ),
    )


class TestTables:
    """Makes and fills the tables; undo drops them at the server that is primary by then."""

    __test__ = False  # no test class, for pytest

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._primaries = Primaries(session, clock)

    def apply(self, change: Change) -> None:
        """Make them, fill the source portion by portion, read both back."""
        place, wanted = GroupPlace.of(change), int(change.detail("source_rows"))
        primary = self._primaries.find_home(place)
        names = self._names(change)
        self._session.run("make_test_tables", master(primary), **names)
        rows = 0
        for _portion in range(-(-wanted // _ROWS_AT_ONCE)):
            rows = self._session.run(
                "fill_test_source", master(primary), wanted_rows=wanted, most_rows=_ROWS_AT_ONCE, **names
            )[0].whole("source_rows")
            if rows >= wanted:
                break
        tables, found = self._read(change, primary)
        if tables != _TABLES or found < wanted:
            raise VerificationFailed(
                _("{subject}: {tables} tables with {rows:,} source rows were found; undo and try again").format(
                    subject=change.subject, tables=tables, rows=found
                )
            )

    def undo(self, change: Change) -> None:
        """Drop them, unless they are gone."""
        primary = self._primaries.find(GroupPlace.of(change))
        if self._read(change, primary)[0] == 0:
            return
        self._session.run("drop_test_tables", master(primary), **self._names(change))
        if self._read(change, primary)[0] != 0:
            raise VerificationFailed(
                _("{subject} are still there; look who uses them, then restore again").format(subject=change.subject)
            )

    def is_applied(self, change: Change) -> bool:
        """Tell whether the tables stand and the source is full."""
        tables, rows = self._read(change, self._primaries.find(GroupPlace.of(change)))
        return tables == _TABLES and rows >= int(change.detail("source_rows"))

    def is_undone(self, change: Change) -> bool:
        """Tell whether the tables are gone."""
        return self._read(change, self._primaries.find(GroupPlace.of(change)))[0] == 0

    def _read(self, change: Change, primary: str) -> tuple[int, int]:
        row = self._session.run("test_tables", master(primary), **self._names(change))[0]
        return row.whole("tables"), row.whole("source_rows")

    def _names(self, change: Change) -> dict[str, str]:
        return {"database_name": str(change.detail("database")), "owner": str(change.detail("owner"))}
