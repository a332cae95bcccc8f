"""The lab answers every statement of the catalogue as declared, and nothing else."""

from functools import partial

import pytest

from app.domain.errors import TargetError
from app.domain.setting import Value
from app.drivers.sqlserver.catalogue import ANY_SERVER, Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.session import Place
from app.systems.transactional_replication import places
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from app.systems.transactional_replication.lab_server.site import secret_of
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.subjects import SYSTEM_ID
from tests.contract.targets.checking import Bench, journey, make_bench
from tests.labs import answered_by
from tests.rows import every_row

SERVERS = {
    ANY_SERVER: "DIST1",
    places.DISTRIBUTOR: "DIST1",
    places.PUBLISHER: "PUB1",
    places.SUBSCRIBER: "SUB1",
}
DATABASES = {
    "master": "master",
    "msdb": "msdb",
    places.DISTRIBUTION_DATABASE: "distribution",
    places.PUBLICATION_DATABASE: "Sales1",
    places.SUBSCRIPTION_DATABASE: "Sales1Copy",
}

ANSWERED = answered_by(SYSTEM_ID)


def _look(bench: Bench) -> None:
    agent_ports(bench.target).agents.discover()


@pytest.fixture(scope="module")
def travelled() -> Bench:
    """A bench after a journey through everything."""
    bench = make_bench()
    journey(bench)
    bench.target.after_late_requests(partial(_look, bench), of_earlier=True)
    return bench


# Asked by a new connection through a driver, where a distribution database is a secondary replica, and where names are
# spelled in two ways.
ELSEWHERE = {"server_name", "take_change_mark", "distribution_primary", "names_alike"}


@every_row("name", sorted(ANSWERED - ELSEWHERE))
def test_lab_answers_each_statement_as_declared(travelled: Bench, name: str) -> None:
    """Each statement was sent, and answered with its declared columns, types and NULLs."""
    assert travelled.transport.calls[name] > 0
    if catalogue()[name].columns and name != "redirected_publishers":  # there are some at the site "on-site" only
        assert travelled.transport.rows[name] > 0


def test_lab_answers_exactly_the_catalogue(travelled: Bench) -> None:
    """The lab has an answer for each statement and for no other."""
    assert travelled.server.answered == ANSWERED


def test_every_statement_is_on_record(travelled: Bench) -> None:
    """Each call left a record with its text, its comment and its parameters."""
    assert len(travelled.records) == travelled.transport.calls.total()
    for record in travelled.records:
        assert record.text == catalogue()[record.name].text
        assert record.access is catalogue()[record.name].access
        assert record.error == ""


def test_no_password_or_step_text_leaves_the_servers(travelled: Bench) -> None:
    """Nothing recorded holds a password or a piece of a job step."""
    state = travelled.server.state
    secrets = [secret_of(agent) for agent in state.site.agents]
    everything = repr(travelled.records) + repr(travelled.target) + repr(travelled.topology)
    for secret in (*secrets, "repl_writer"):
        assert secret not in everything
    # the statement that takes a step apart names the switches it knows; nothing else does
    others = repr([record for record in travelled.records if record.name != "job_step_tokens"])
    for switch in ("-PublisherPassword", "-SubscriberLogin", "-Continuous"):
        assert switch not in others
    assert any(secrets[0] in step for step in state.steps.values()), "the lab's steps hold passwords"


def test_lab_is_as_it_was_after_the_journey(travelled: Bench) -> None:
    """After undo the job steps, profiles and assignments are those of a new lab."""
    fresh, used = make_bench().server.state, travelled.server.state
    assert used.steps == fresh.steps
    assert used.profile_ids == fresh.profile_ids
    assert [p for p in range(20, 40) if used.profiles.get(p)] == []
    assert all(used.agent_state(agent).running for agent in used.site.agents)


def at_home(statement: Statement) -> Place:
    """Return where a statement belongs in the lab."""
    return Place(SERVERS[statement.runs_at], DATABASES[statement.database])


def sample_value(sql_type: str) -> Value:
    """Return a value of a SQL Server type."""
    return "" if sql_type in ("nvarchar", "sysname", "uniqueidentifier") else 1


@pytest.fixture(scope="module")
def server() -> LabSqlServer:
    """A lab nobody changes."""
    return make_bench().server


@every_row("name", sorted(n for n in ANSWERED if catalogue()[n].parameters))
def test_wrong_parameters_are_refused(server: LabSqlServer, name: str) -> None:
    """A missing, a surplus and a wrongly typed parameter are each an error, as on a server."""
    statement = catalogue()[name]
    values = {p.name.removeprefix("@"): sample_value(p.sql_type) for p in statement.parameters}
    first = statement.parameter_names[0]
    missing = {key: value for key, value in values.items() if key != first}
    wrong = {**values, first: 1 if isinstance(values[first], str) else "text"}
    for parameters, number in ((missing, 201), ({**values, "other": 1}, 8144), (wrong, 8114)):
        with pytest.raises(SqlError) as caught:
            server.run(name, at_home(statement), parameters)
        assert caught.value.number == number


@pytest.mark.parametrize(
    ("place", "number"),
    [
        (Place("NOWHERE", "distribution"), 53),
        (Place("DIST1", "missing"), 911),
        (Place("DIST1", "msdb"), 208),
        (Place("PUB1", "Sales1"), 208),
    ],
)
def test_statement_at_the_wrong_place_is_refused(server: LabSqlServer, place: Place, number: int) -> None:
    """A statement runs at its own server and in its own database only."""
    with pytest.raises(SqlError) as caught:
        server.run("agents", place, {})
    assert caught.value.number == number


def test_free_text_is_refused(server: LabSqlServer) -> None:
    """The lab runs nothing that is not in the catalogue."""
    with pytest.raises(SqlError) as caught:
        server.run("SELECT 1", Place("DIST1", "master"), {})
    assert caught.value.number == 2812


def test_adapter_refuses_a_statement_of_its_own_making() -> None:
    """A name or parameter the catalogue lacks is a fault of the program, found before anything is sent."""
    bench = make_bench()
    with pytest.raises(ValueError, match="no statement"):
        bench.session.run("drop_everything", Place("DIST1", "master"))
    with pytest.raises(ValueError, match="takes"):
        bench.session.run("agent_profile", Place("DIST1", "distribution"), agent_type=2)
    assert bench.records == []


def test_unknown_job_is_a_job_problem() -> None:
    """Starting a job the server does not know says so with the server's words."""
    bench = make_bench()
    with pytest.raises(TargetError, match="does not exist"):
        bench.session.run("start_job", Place("DIST1", "msdb"), job_id="0")
    assert bench.records[-1].error


def test_same_seed_gives_the_same_readings() -> None:
    """Two labs with the same seed and statements answer alike."""
    first, second = make_bench(), make_bench()
    journey(first)
    journey(second)
    assert agent_ports(first.target).agents.sample() == agent_ports(second.target).agents.sample()
    history = agent_ports(first.target).agents.read_history(first.own_server())
    assert history
    assert history == agent_ports(second.target).agents.read_history(second.own_server())
