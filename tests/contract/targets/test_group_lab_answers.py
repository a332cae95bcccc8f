"""The availability lab answers every statement on groups and seeding as declared, and nothing else."""

from functools import partial

import pytest

from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.session import Place
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.subjects import SYSTEM_ID
from tests.contract.targets.group_checking import PRIMARY, GroupBench, group_journey, make_group_bench
from tests.labs import answered_by
from tests.rows import every_row

ANSWERED = answered_by(SYSTEM_ID)


def _travel(bench: GroupBench) -> None:
    group_journey(bench)
    bench.target.after_late_requests(partial(_look, bench), of_earlier=True)


def _look(bench: GroupBench) -> None:
    group_ports(bench.target).groups.discover()


# Asked by a new connection through a driver.
ELSEWHERE = {"server_name", "take_change_mark"}


@pytest.fixture(scope="module")
def travelled() -> GroupBench:
    """A bench after a journey through everything."""
    bench = make_group_bench()
    _travel(bench)
    return bench


@every_row("name", sorted(ANSWERED - ELSEWHERE))
def test_lab_answers_each_statement_as_declared(travelled: GroupBench, name: str) -> None:
    """Each statement was sent, and answered with its declared columns, types and NULLs."""
    assert travelled.transport.calls[name] > 0
    if catalogue()[name].columns:
        assert travelled.transport.rows[name] > 0


def test_lab_answers_exactly_the_statements_on_groups(travelled: GroupBench) -> None:
    """The lab has an answer for each of them and for no other."""
    assert travelled.server.answered == ANSWERED


def test_every_statement_is_on_record(travelled: GroupBench) -> None:
    """Each call left a record with its text and its parameters, none with an error."""
    assert len(travelled.records) == travelled.transport.calls.total()
    for record in travelled.records:
        assert record.text == catalogue()[record.name].text
        assert record.error == ""


def test_lab_is_as_it_was_after_the_journey(travelled: GroupBench) -> None:
    """After undo modes, flags, databases, copies, tables, sessions, jobs and files are those of a new lab."""
    assert travelled.state() == make_group_bench().state()


def test_same_seed_gives_the_same_readings(travelled: GroupBench) -> None:
    """Two labs with the same seed and statements answer alike."""
    again = make_group_bench()
    _travel(again)
    assert [record.sent_utc for record in again.records] == [record.sent_utc for record in travelled.records]
    assert again.topology == travelled.topology


def sample_value(sql_type: str) -> Value:
    """Return a value of a SQL Server type."""
    return "" if sql_type in ("nvarchar", "sysname", "uniqueidentifier") else 1


@every_row("name", sorted(name for name in ANSWERED if catalogue()[name].parameters))
def test_wrong_parameters_are_refused(travelled: GroupBench, name: str) -> None:
    """A missing, a surplus and a wrongly typed parameter are each an error, as on a server."""
    statement = catalogue()[name]
    values = {p.name.removeprefix("@"): sample_value(p.sql_type) for p in statement.parameters}
    first = statement.parameter_names[0]
    missing = {key: value for key, value in values.items() if key != first}
    wrong = {**values, first: 1 if isinstance(values[first], str) else "text"}
    for parameters, number in ((missing, 201), ({**values, "other": 1}, 8144), (wrong, 8114)):
        with pytest.raises(SqlError) as caught:
            travelled.server.run(name, Place(PRIMARY, "master"), parameters)
        assert caught.value.number == number


@pytest.mark.parametrize(
    ("name", "place", "number"),
    [
        ("trace_flags", Place("NOWHERE", "master"), 53),
        ("trace_flags", Place(PRIMARY, "missing"), 911),
        ("trace_flags", Place(PRIMARY, "msdb"), 208),
        ("agents", Place(PRIMARY, "master"), 208),
        ("SELECT 1", Place(PRIMARY, "master"), 2812),
    ],
)
def test_statement_at_the_wrong_place_is_refused(name: str, place: Place, number: int) -> None:
    """A statement runs at its own server and in its own database only; free text runs nowhere."""
    with pytest.raises(SqlError) as caught:
        make_group_bench().server.run(name, place, {})
    assert caught.value.number == number
