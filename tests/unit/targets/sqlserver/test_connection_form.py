"""The form for a SQL Server makes the URL that opens it."""

import pytest

from app.domain.connection import FieldKind
from app.domain.errors import BadInput
from app.drivers.sqlserver.connection_form import CONNECTION_WAYS, make_target
from app.drivers.sqlserver.odbc.settings import SignIn, read_settings
from app.services.target.target_spec import parse_server

WAY = CONNECTION_WAYS[0]
USUAL = {field.name: field.usual for field in WAY.fields}


@pytest.mark.parametrize(
    ("values", "target"),
    [
        ({"server": "DB1", "user": "anna"}, "sqlserver://anna@db1"),
        ({"server": "DB1\\SALES", "sign_in": "windows", "user": "left over"}, "sqlserver://db1\\SALES?auth=windows"),
        ({"server": "db1", "port": "1444", "user": "anna", "trust": "yes"}, "sqlserver://anna@db1:1444?trust=yes"),
        ({"server": "db1,1444", "user": "a@b c", "encryption": "no"}, "sqlserver://a%40b%20c@db1:1444?encrypt=no"),
        (
            {"server": "db1", "user": "anna", "encryption": "strict", "trust": "yes"},
            "sqlserver://anna@db1?encrypt=strict",
        ),
        (
            {"server": "db1", "sign_in": "entra-interactive", "user": "a@b"},
            "sqlserver://a%40b@db1?auth=entra-interactive",
        ),
        ({"server": "db1", "user": "anna", "statement_timeout": "600"}, "sqlserver://anna@db1?statement_timeout=600"),
    ],
)
def test_the_form_makes_a_url(values: dict[str, str], target: str) -> None:
    """Only what is not usual becomes an option, and what is made can be read back."""
    made = make_target({**USUAL, **values})
    assert made == target
    assert parse_server(made).text == made
    read_settings(parse_server(made))


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"server": "", "user": "a"}, "is no server"),
        (
            {"server": "(localdb)\\MSSQLLocalDB", "user": "a"},
            "LocalDB or the connection for",
        ),
        ({"server": "np:db1", "user": "a"}, "named pipes"),
        ({"server": "db1\\X", "port": "1433", "user": "a"}, "not both"),
        ({"server": "db1", "user": ""}, "needs a user"),
    ],
)
def test_what_makes_no_url_says_why(values: dict[str, str], says: str) -> None:
    """A form that is incomplete or contradicts itself is told in a sentence."""
    with pytest.raises(BadInput, match=says):
        make_target({**USUAL, **values})


def test_a_password_is_asked_where_there_is_one_and_never_part_of_the_target() -> None:
    """The field shows for the sign-ins that have a password, and its value reaches no URL."""
    (password,) = (field for field in WAY.fields if field.kind is FieldKind.PASSWORD)
    for sign_in in SignIn:
        assert password.is_shown({"sign_in": sign_in.value}) is sign_in.needs_password
    assert "hunter2" not in make_target({**USUAL, "server": "db1", "user": "anna", "password": "hunter2"})


def test_every_choice_is_one_the_url_takes() -> None:
    """Sign-ins and encryptions offered are exactly those understood; labels are told apart."""
    offered = {field.name: [option.value for option in field.options] for field in WAY.fields if field.options}
    assert sorted(offered["sign_in"]) == sorted(SignIn)
    labels = [option.label for field in WAY.fields for option in field.options]
    assert len(labels) == len(set(labels))
