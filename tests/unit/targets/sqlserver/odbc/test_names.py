"""What a server answers when it is asked whether it is the one meant: nothing is refused that is only called oddly."""

from typing import Any

import pytest

from app.drivers.sqlserver.errors import ConnectError
from app.drivers.sqlserver.odbc.addresses import AddressBook
from app.drivers.sqlserver.odbc.drivers import Dialect, Driver
from app.drivers.sqlserver.odbc.opening import Connector, ignore_statement
from app.drivers.sqlserver.odbc.settings import read_settings
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Columns, Row
from app.services.target.target_spec import parse_server
from tests.unit.targets.sqlserver.odbc.fakes import FakeLibrary, ResultSets

MICROSOFT = Driver(Dialect.MICROSOFT_18, "ODBC Driver 18 for SQL Server", "ODBC Driver 18 for SQL Server")
ADDRESSES = Columns(("server_name", "data_source", "is_own"))


def connected(place: Place, own: str | None, *names: str | None) -> Any:
    """Return a connection to a place.

    Args:
        own: what the server opened first called itself in sys.servers.
        names: of the server that answers, in sys.servers and as Windows calls it.
    """

    def answer(_text: str, _values: tuple[object, ...]) -> ResultSets:
        return [(("server_name", "instance_name"), [names])]

    settings = read_settings(parse_server("sqlserver://anna@127.0.0.1:1444"))
    book = AddressBook(settings)
    book.learn(() if own is None else (Row(ADDRESSES, (own, None, 1)),))
    return Connector(FakeLibrary(answer), MICROSOFT, settings, None, book, ignore_statement)(place)


@pytest.mark.parametrize("server", ["SALES1", "sales1", "SALES1\\INST", "sales.abc123.database.windows.net"])
@pytest.mark.parametrize("is_own", [False, True])
@pytest.mark.parametrize(
    "names", [("{}", "{}"), ("OLDNAME", "{}"), ("{}", "NEWNAME"), (None, "{}"), (None, None)], ids=str
)
def test_the_server_meant_is_entered_however_it_calls_itself(
    server: str, is_own: bool, names: tuple[str | None, str | None]
) -> None:
    """In another case, renamed, a named instance, a managed one, or without a name of its own."""
    called = [None if name is None else name.format(server.upper()) for name in names]
    place = Place(server, "master", is_instance=not is_own)
    assert not connected(place, server if is_own else "OTHER", *called).is_closed


def test_where_the_first_server_has_no_name_nothing_is_asked() -> None:
    """Nor refused, whoever answers."""
    assert not connected(Place("SALES1", "master", is_instance=True), None, "SALES2", "SALES2").is_closed


@pytest.mark.parametrize("names", [("SALES2", "SALES2"), (None, "SALES2"), ("SALES1\\B", "SALES1\\B")], ids=str)
def test_another_server_is_not_entered(names: tuple[str | None, str | None]) -> None:
    """Neither at the address of the target nor at another one's, also where only Windows has a name for it."""
    for own, words in (("SALES1", "and no longer to SALES1"), ("OTHER", "and not to SALES1")):
        with pytest.raises(ConnectError) as refused:
            connected(Place("SALES1", "master", is_instance=True), own, *names)
        assert words in refused.value.sentence


def test_a_listener_is_entered_whoever_answers() -> None:
    """It stands for several servers."""
    assert not connected(Place("SALES-AG", "master"), "OTHER", "SALES2", "SALES2").is_closed
