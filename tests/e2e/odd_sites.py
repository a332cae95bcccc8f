"""Sites a lab poses as: what is done to it in its own process."""

from dataclasses import replace
from typing import Final

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answer
from app.drivers.sqlserver.session import Place
from app.drivers.sqlserver.wire.client_session import ClientSession
from app.systems.availability_groups.lab.scenario import AvailabilityScenario
from app.systems.availability_groups.lab_server.server import LabGroupServer
from app.systems.transactional_replication.lab.scenario import PairNames
from app.systems.transactional_replication.lab_server import site
from app.systems.transactional_replication.lab_server.server import LabSqlServer
from app.systems.transactional_replication.lab_server.site import DISTRIBUTOR, LabPair
from tests.e2e.posed_lab import PosedLab
from tests.labs import build_lab, own_statements

READER: Final = "PUB1-Sales1-1"


def older(lab: PosedLab) -> None:
    """Be SQL Server 2008 R2."""
    topology = lab.state.site.scenario.topology.model_copy(update={"product_version": "10.50.6000.34"})
    lab.state.site.scenario = lab.state.site.scenario.model_copy(update={"topology": topology})


def without_distributor(lab: PosedLab) -> None:
    """Have no distribution database."""
    lab.answers["distribution_databases"] = lambda _place, _values: []


def in_groups_of_its_own(lab: LabSqlServer, other: str = "SUB3") -> None:
    """Have the Distributor be the primary replica of availability groups, too, with another server as the secondary.

    A lab simulates one system, by its scenario's kind and with a clock of its own: a group lab whose servers have these
    names answers what is asked about groups, and does not follow the time here. It is for reading what is there.
    """
    shipped: LabGroupServer = build_lab("ag-2016")
    named = shipped.state.scenario.model_dump_json().replace("SQLNODE1", DISTRIBUTOR).replace("SQLNODE2", other)
    groups = LabGroupServer(AvailabilityScenario.model_validate_json(named), noise=False)
    asked = own_statements("availability_groups", "sqlserver")
    is_there = lab.is_there
    lab.answers |= {name: groups.answers[name] for name in asked & groups.answered}
    lab.is_there = lambda statement, server: (  # type: ignore[method-assign]  # one server of two systems is posed
        groups.server_there(Place(server.name, "master")) is not None
        if statement.name in asked
        else is_there(statement, server)
    )


def without_subscriptions(lab: PosedLab) -> None:
    """Have the first publication without subscriptions: no Distribution Agent delivers it."""
    first = lab.state.site.pairs[0]
    agents, subscriptions = lab.answers["agents"], lab.answers["subscriptions"]
    lab.answers["agents"] = lambda place, values: [row for row in agents(place, values) if first.publication not in row]
    lab.answers["subscriptions"] = lambda place, values: [
        row for row in subscriptions(place, values) if first.publication not in row
    ]


def _without_rows(job_id: str, found: Answer) -> Answer:
    return lambda place, values: [] if str(values["job_id"]).upper() == job_id else found(place, values)


def without_job(lab: PosedLab) -> None:
    """Have the first Log Reader Agent's job deleted; it stopped with it."""
    agent = next(agent for agent in lab.state.site.agents if agent.name == READER)
    lab.state.stop(agent)
    for name in ("job_activity", "job_step_tokens", "job_step_token"):
        lab.answers[name] = _without_rows(agent.job_id, lab.answers[name])
    lab.state.site._jobs.pop(agent.job_id)


def with_stubborn_agents(lab: PosedLab) -> None:
    """Have agents that never stop."""
    lab.state.will_not_stop |= {agent.job_id for agent in lab.state.site.agents}


def with_database_offline(database: str) -> None:
    """Have a database nobody can log in to."""
    log_in = ClientSession.log_in

    def refusing(self: ClientSession, user: str, password: str, wanted: str) -> None:
        if wanted == database:
            text = f'Cannot open database "{wanted}" requested by the login. The login failed.'
            raise SqlError(4060, text, "42000")
        log_in(self, user, password, wanted)

    ClientSession.log_in = refusing  # type: ignore[method-assign,assignment]  # an odd server is posed


def _pose_pairs(pairs: dict[int, dict[str, str]]) -> None:
    """Give pairs of agents other names."""
    made = site._pair

    def posed(number: int, names: PairNames) -> LabPair:
        pair = made(number, names)
        for attribute, name in pairs.get(number, {}).items():
            pair = replace(pair, **{attribute: name})  # type: ignore[arg-type]  # each of these is a text
        reader = f"{site.PUBLISHER}-{pair.publisher_db}-{number + 1}"
        deliverer = f"{site.PUBLISHER}-{pair.publisher_db}-{pair.publication}-{pair.subscriber}-{number + 1}"
        return replace(
            pair,
            log_reader=replace(pair.log_reader, name=reader),
            distribution=replace(pair.distribution, name=deliverer),
        )

    site._pair = posed


ODD_NAMES: Final = {
    "publisher_db": "O'Brien; DROP DATABASE master --",
    "publication": '[a]]b] "q".x */ GO',
    "subscriber": "SUB 1\\Ω 😀",
    "subscriber_db": "ü€ 😀.dbo.[t]' OR 1=1",
}


def with_odd_names() -> None:
    """Have names with quotes, brackets, spaces, dots, emoji and SQL in them in the first pair."""
    _pose_pairs({0: ODD_NAMES})


def with_case_sensitive_names() -> None:
    """Have databases and publications whose names differ by case alone, on servers that tell them apart."""
    _pose_pairs(
        {
            0: {"publisher_db": "Sales", "publication": "Orders"},
            1: {"publisher_db": "SALES", "publication": "orders"},
            2: {"publisher_db": "sales", "publication": "ORDERS"},
        }
    )

    def exactly(self: ClientSession, name: str) -> str | None:
        return next((known for known, _role in self.server.databases if known == name), None)

    ClientSession._database_called = exactly  # type: ignore[method-assign]  # an odd server is posed
