"""Calls and batches: taken apart, recognised as statements of the catalogue, or refused."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.wire.batches import NOT_OURS, convert, recognise
from app.drivers.sqlserver.wire.driver_answers import UseDatabase, answer_of_driver, type_info, undeclared_parameters
from app.drivers.sqlserver.wire.reading import Malformed
from app.drivers.sqlserver.wire.rpc import Parameter, parse_calls, plain_name
from app.drivers.sqlserver.wire.types import wire_type
from app.drivers.sqlserver.wire.values import Decoded, UnsupportedType
from tests.rows import every_row
from tests.unit.targets.sqlserver.wire.client import HEADERS, call_payload

STATEMENTS = sorted(catalogue().values(), key=lambda statement: statement.name)


def name_of(statement: Statement) -> str:
    """Return the name pytest shows."""
    return statement.name


def numbered(statement: Statement) -> str:
    """Return a statement's text as drivers send it, its placeholders numbered."""
    text = bound_text(statement)
    for number in range(1, len(statement.parameters) + 1):
        text = text.replace("= ?;", f"= @P{number};", 1)
    return text


@every_row("statement", STATEMENTS, ids=name_of)
def test_statement_is_recognised(statement: Statement) -> None:
    """Each statement is recognised with placeholders as written and as drivers number them."""
    count = len(statement.parameters)
    assert recognise(bound_text(statement)).markers == ("?",) * count
    found = recognise(numbered(statement))
    assert found.statement is statement
    assert found.markers == tuple(f"@P{number}" for number in range(1, count + 1))


@every_row("statement", STATEMENTS, ids=name_of)
def test_statement_with_anything_more_is_refused(statement: Statement) -> None:
    """A character before, within or after the text, or a value in place of a placeholder, makes it another one."""
    text = bound_text(statement)
    middle = len(text) // 2
    for other in (f"{text};", f" {text}", f"DROP TABLE x;{text}", f"{text[:middle]}\t{text[middle:]}", statement.body):
        with pytest.raises(SqlError) as caught:
            recognise(other)
        assert caught.value.number == NOT_OURS
    if statement.parameters:
        with pytest.raises(SqlError):
            recognise(text.replace("= ?;", "= 1;", 1))


@pytest.mark.parametrize(
    "text", ["SELECT 1", "", "/* replitune nothing */\nSELECT 1", "/* replitune agents */\n", "\0"]
)
def test_other_texts_are_refused(text: str) -> None:
    """What only looks like a statement is refused with a number of its own."""
    with pytest.raises(SqlError) as caught:
        recognise(text)
    assert caught.value.number == NOT_OURS


def test_values_go_by_name_or_by_position() -> None:
    """Values named as the placeholders are found in any order, unnamed ones in theirs; a missing one is an error."""
    batch = recognise(numbered(catalogue()["agent_profile"]))
    named = (Parameter("@p2", 7), Parameter("@P1", 3))
    assert batch.values(named) == {"agent_type": 3, "agent_id": 7}
    assert batch.values((Parameter("", 3), Parameter("", 7))) == {"agent_type": 3, "agent_id": 7}
    with pytest.raises(SqlError) as caught:
        batch.values((Parameter("", 3),))
    assert caught.value.number == 8178


GUID = "921B1BE1-72BB-59AE-8D96-C12DA98BAB26"


@pytest.mark.parametrize(
    ("value", "sql_type", "held"),
    [
        (None, "int", None),
        ("12", "int", 12),
        (12.9, "int", 12),
        (2, "bit", 1),
        (True, "bit", 1),
        (3, "float", 3.0),
        (3, "nvarchar", "3"),
        ("a", "sysname", "a"),
        (GUID.lower(), "uniqueidentifier", GUID),
        (f"{{{GUID}}}", "uniqueidentifier", GUID),
        (2**40, "bigint", 2**40),
    ],
)
def test_values_are_converted_as_a_server_would(value: Decoded, sql_type: str, held: Decoded) -> None:
    """A variable of the declared type holds what was sent."""
    assert convert(value, sql_type) == held
    assert type(convert(value, sql_type)) is type(held)


@pytest.mark.parametrize(
    ("value", "sql_type", "number"),
    [
        ("many", "int", 8114),
        (b"\x01", "int", 8114),
        (float("inf"), "int", 8114),
        (2**31, "int", 8115),
        (2**63, "bigint", 8115),
        ("x", "uniqueidentifier", 8169),
        (7, "uniqueidentifier", 8169),
    ],
)
def test_values_that_cannot_be_converted_are_errors(value: Decoded, sql_type: str, number: int) -> None:
    """A value the declared type cannot hold has SQL Server's own number."""
    with pytest.raises(SqlError) as caught:
        convert(value, sql_type)
    assert caught.value.number == number


def test_call_is_taken_apart() -> None:
    """A procedure by number or by name, with its values in order."""
    (call,) = parse_calls(call_payload(13, None, "@P1 int", "text", 7, 1.5))
    assert call.procedure == "sp_prepexec"
    assert [parameter.value for parameter in call.parameters] == [None, "@P1 int", "text", 7, 1.5]
    (call,) = parse_calls(call_payload("[sys].[sp_datatype_info_100]", 12))
    assert (call.procedure, call.value(0), call.value(1), call.text(0)) == ("sp_datatype_info_100", 12, None, "")


def test_several_calls_in_one_request() -> None:
    """Calls a driver sends together are answered one by one."""
    one = call_payload(15, 1)
    calls = parse_calls(one + b"\xff" + call_payload(15, 2)[len(HEADERS) :])
    assert [call.value(0) for call in calls] == [1, 2]


@pytest.mark.parametrize(
    "name", ["sp_executesql", "[sys].[sp_executesql]", "master..SP_EXECUTESQL", "sys.sp_executesql"]
)
def test_procedure_is_known_however_spelled(name: str) -> None:
    """Database, schema, brackets and case make no difference."""
    assert plain_name(name) == "sp_executesql"


@pytest.mark.parametrize(
    "payload", [b"", b"\x01\x00\x00\x00", HEADERS, HEADERS + b"\xff", call_payload(13, "text")[:-3]]
)
def test_cut_calls_are_malformed(payload: bytes) -> None:
    """A request that ends too early is refused."""
    with pytest.raises(Malformed):
        parse_calls(payload)


@given(noise=st.binary(max_size=200))
def test_noise_is_calls_or_refused(noise: bytes) -> None:
    """Whatever follows the headers, parsing ends in calls or in one of the two errors the server expects."""
    try:
        calls = parse_calls(HEADERS + noise)
    except (Malformed, UnsupportedType):
        return
    assert calls


@pytest.mark.parametrize(
    "text", ["sp_datatype_info_100 12,3", "exec [sys].sp_datatype_info_100 12, 4", "sp_datatype_info 12"]
)
def test_drivers_may_ask_for_types(text: str) -> None:
    """The types drivers ask for when they connect have their precision in the third column."""
    answered = answer_of_driver(text)
    assert isinstance(answered, tuple)
    (result,) = answered
    assert [row[:3] for row in result.rows] == [("varchar", 12, 8000)]
    assert all(len(row) == len(result.columns) == 20 for row in type_info(0).rows)


@pytest.mark.parametrize(("odbc_type", "precision"), [(12, 8000), (-9, 4000), (-3, 8000), (93, 27)])
def test_precisions_drivers_rely_on(odbc_type: int, precision: int) -> None:
    """Without these, drivers cut long texts and drop microseconds."""
    assert type_info(odbc_type).rows[0][2] == precision


@pytest.mark.parametrize(
    ("text", "database"), [("use [a]]b c]", "a]b c"), ("USE master;", "master"), ("use [distribution]", "distribution")]
)
def test_drivers_may_change_the_database(text: str, database: str) -> None:
    """A database's name is unquoted."""
    assert answer_of_driver(text) == UseDatabase(database)


@pytest.mark.parametrize(
    ("text", "sets"),
    [
        (" SET TRANSACTION ISOLATION LEVEL SERIALIZABLE ", 1),
        ("set implicit_transactions off select USER_NAME() select usertype,type,name from systypes", 2),
    ],
)
def test_drivers_may_set_and_ask(text: str, sets: int) -> None:
    """Settings and questions of the drivers' own are answered."""
    answered = answer_of_driver(text)
    assert isinstance(answered, tuple)
    assert len(answered) == sets


@pytest.mark.parametrize("text", ["SELECT 1", "use [a] drop table b", "sp_datatype_info_100 12; SELECT 1", "sp_who"])
def test_everything_else_is_no_question_of_a_driver(text: str) -> None:
    """Nothing can be smuggled in behind what a driver may ask."""
    assert answer_of_driver(text) is None


@every_row("statement", STATEMENTS, ids=name_of)
def test_parameters_are_described(statement: Statement) -> None:
    """A driver that asks learns each parameter's type."""
    result = undeclared_parameters(recognise(numbered(statement)))
    assert [row[:2] for row in result.rows] == [(n, f"@P{n}") for n in range(1, len(statement.parameters) + 1)]
    assert all(len(row) == len(result.columns) == 24 for row in result.rows)


def test_number_of_a_procedure_nobody_has() -> None:
    """A procedure number no SQL Server has gets a name to be refused by."""
    (call,) = parse_calls(HEADERS + struct.pack("<HHH", 0xFFFF, 99, 0))
    assert call.procedure == "procedure number 99"


@every_row("statement", STATEMENTS, ids=name_of)
def test_results_can_be_described(statement: Statement) -> None:
    """Each column a statement returns has a type the server knows how to send."""
    for column in statement.columns:
        assert wire_type(column.sql_type).info
