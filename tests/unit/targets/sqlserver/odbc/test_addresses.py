"""Where the servers of a topology are reached."""

import pytest

from app.domain.errors import BadInput
from app.drivers.sqlserver.odbc.addresses import AddressBook
from app.drivers.sqlserver.odbc.settings import ServerAddress, read_settings
from app.foundation.rows import Cell, Columns, Row
from app.services.target.target_spec import parse_server

INDEX = Columns(("server_name", "data_source", "is_own"))


def told(*rows: tuple[Cell, ...]) -> tuple[Row, ...]:
    """Return rows of the statement `server_addresses`."""
    return tuple(Row(INDEX, row) for row in rows)


def book_of(url: str) -> AddressBook:
    """Return an address book that has read what a Distributor says."""
    book = AddressBook(read_settings(parse_server(url)))
    book.learn(
        told(
            ("DIST1", "DIST1", 1),
            ("PUB1", "10.0.0.7,1433", 0),
            ("SUB1\\A", None, 0),
            ("repl_distributor", "no such thing;", 0),
        )
    )
    return book


def test_the_own_server_is_where_the_target_says() -> None:
    """Whatever the Distributor calls itself, it is reached as it was reached first, by either name in any case."""
    book = AddressBook(read_settings(parse_server("sqlserver://anna@127.0.0.1:1444")))
    assert book.own_name == "127.0.0.1:1444"
    book = book_of("sqlserver://anna@127.0.0.1:1444")
    assert book.own_name == "DIST1"
    assert book.address_of("dist1") == book.address_of("127.0.0.1:1444") == ServerAddress("127.0.0.1", 1444)


def test_others_are_where_the_distributor_says_or_by_their_names() -> None:
    """An address the Distributor knows is used; a server without one is reached by its name."""
    book = book_of("sqlserver://anna@127.0.0.1:1444")
    assert book.address_of("pub1") == ServerAddress("10.0.0.7", 1433)
    assert book.address_of("SUB1\\A") == ServerAddress("SUB1", None, "A")
    assert book.address_of("elsewhere") == ServerAddress("elsewhere")


def test_what_the_person_says_goes_first() -> None:
    """`server.NAME` of the target overrides what the Distributor says."""
    book = book_of("sqlserver://anna@127.0.0.1:1444?server.Pub1=127.0.0.1,5000")
    assert book.address_of("PUB1") == ServerAddress("127.0.0.1", 5000)


def test_a_name_that_is_no_address_says_what_to_add() -> None:
    """Object names with anything in them never become connection keywords."""
    with pytest.raises(BadInput, match=r"add server\.x;UID=sa=host,port"):
        book_of("sqlserver://anna@h").address_of("x;UID=sa")
