"""The test database: made, filled and backed up once as one change; its undo drops it wherever it has come to."""

from typing import Final

from app.domain.change import Change
from app.domain.declared_change import changed_meanwhile
from app.domain.errors import ChangedMeanwhile, VerificationFailed
from app.domain.setting import Value
from app.domain.units import convert
from app.drivers.sqlserver.scripts import Sql, statement_script
from app.drivers.sqlserver.session import Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.availability_groups.seeding_server.copies import find_database
from app.systems.availability_groups.server.replicas import GroupPlace, Primaries, master

TEST_DATABASE: Final = "test_database"

_PAGE_BYTES: Final = 8192
_PAGES_AT_ONCE: Final = 10_000


def plan_database(place: GroupPlace, name: str, size_mb: int, compressible_share: float) -> Change:
    """Return the change that makes the database at the home of a place."""
    pages = max(1, round(convert(size_mb, "MB", "bytes") / _PAGE_BYTES))
    percent = round(compressible_share * 100)
    subject = _("test database {name} at {server}").format(name=name, server=place.home)
    fill: dict[str, Value | Sql] = {
        "database_name": name,
        "wanted_pages": pages,
        "most_pages": _PAGES_AT_ONCE,
        "compressible_percent": percent,
    }
    calls = -(-pages // _PAGES_AT_ONCE)

    def script(title: str, server: str, statement: str) -> str:
        return statement_script(title, server, "master", statement, fill)

    return Change(
        kind=TEST_DATABASE,
        subject=subject,
        original=_("none"),
        new=_("{size:,} MB, {percent} % of it compressible").format(size=size_mb, percent=percent),
        details=(*place.details(), ("database", name), ("pages", pages), ("compressible_percent", percent)),
        apply_sql=script(_("Create the {subject}").format(subject=subject), place.home, "create_test_database")
        + script(_("Fill it, {count} times").format(count=calls), place.home, "fill_test_database").removesuffix("GO\n")
        + f"GO {calls}\n"
        + script(_("Take its first full backup, into nothing"), place.home, "back_up_test_database"),
        undo_sql="".join(
            script(_("Drop the test database {name} where it is").format(name=name), server, "drop_test_database")
            for server in place.servers
        ),
        needs_consent=_("takes {size:,} MB of disk at {server}, and as much at a replica it is seeded to").format(
            size=size_mb, server=place.home
        ),
    )


class TestDatabase:
    """Makes the database; undo drops it at every replica."""

    __test__ = False  # no test class, for pytest

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._primaries = Primaries(session, clock)

    def apply(self, change: Change) -> None:
        """Make it, fill it portion by portion, back it up once, read back that it is online."""
        place, name = GroupPlace.of(change), str(change.detail("database"))
        home = master(self._primaries.find_home(place))
        if find_database(self._session, place.home, name) is not None:
            raise ChangedMeanwhile(changed_meanwhile(change, name))
        self._session.run("create_test_database", home, database_name=name)
        pages, wanted = 0, int(change.detail("pages"))
        for _portion in range(-(-wanted // _PAGES_AT_ONCE)):
            pages = self._session.run(
                "fill_test_database",
                home,
                database_name=name,
                wanted_pages=wanted,
                most_pages=_PAGES_AT_ONCE,
                compressible_percent=int(change.detail("compressible_percent")),
            )[0].whole("pages")
            if pages >= wanted:
                break
        self._session.run("back_up_test_database", home, database_name=name)
        row = find_database(self._session, place.home, name)
        if row is None or row.state != "ONLINE" or pages < wanted:
            raise VerificationFailed(
                _("{subject} has {pages:,} pages instead of {wanted:,}, or is not online; undo and try again").format(
                    subject=change.subject, pages=pages, wanted=wanted
                )
            )

    def undo(self, change: Change) -> None:
        """Drop it wherever it is, at its home last."""
        name = str(change.detail("database"))
        for server in reversed(GroupPlace.of(change).servers):
            if find_database(self._session, server, name) is None:
                continue
            self._session.run("drop_test_database", master(server), database_name=name)
            if find_database(self._session, server, name) is not None:
                raise VerificationFailed(
                    _(
                        "database {name} is still at {server}; take it out of its group there, then restore again"
                    ).format(name=name, server=server)
                )

    def is_applied(self, change: Change) -> bool:
        """Tell whether it is online at its home."""
        row = find_database(self._session, GroupPlace.of(change).home, str(change.detail("database")))
        return row is not None and row.state == "ONLINE"

    def is_undone(self, change: Change) -> bool:
        """Tell whether no replica has it."""
        name = str(change.detail("database"))
        return all(find_database(self._session, server, name) is None for server in GroupPlace.of(change).servers)
