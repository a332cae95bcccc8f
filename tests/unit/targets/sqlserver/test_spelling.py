"""One name in two spellings is one thing, where a server takes it so; two names stay two."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.events import RunStatus
from app.domain.load import Load
from app.domain.statement import StatementRecord
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.discover import OneSpelling
from app.systems.transactional_replication.spelling import ServersSpelling, spelled_as
from tests.contract.families.lab_runs import FAMILIES, run_on_lab, small_plan
from tests.labs import lab_file, open_lab
from tests.unit.targets.sqlserver.scripted import ScriptedSession

TURKISH, BINARY, LATIN = "Turkish_CI_AS", "Latin1_General_BIN2", "SQL_Latin1_General_CP1_CI_AS"


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("SALES", {"Sales"}, "Sales"),
        ("Sales  ", {"Sales"}, "Sales"),
        ("sales", {"Sales", "SALES"}, "sales"),
        ("SALES", {"Sales", "SALES"}, "SALES"),
        ("  Sales", {"Sales"}, "  Sales"),
        ("Stra\u00dfe", {"STRASSE"}, "STRASSE"),
        ("other", {"Sales"}, "other"),
    ],
)
def test_an_exact_spelling_goes_first(name: str, known: set[str], meant: str) -> None:
    """So that a binary or Turkish collation's two names are never taken for one where both are there."""
    assert spelled_as(name, known) == meant


def test_a_database_without_publications_has_its_first_spelling() -> None:
    """The agents of one database are not taken for those of two, whatever each of their tables calls it."""
    session = ScriptedSession({"names_alike": [[{"are_alike": 1}]]})
    names = OneSpelling((), ServersSpelling(session), "DIST1")
    assert [names.database("PUB1", name) for name in ("Sales", "SALES", "sales")] == ["Sales"] * 3
    assert names.database("PUB2", "SALES") == "SALES"


def site_file(folder: Path, name: str, said: str, collation: str) -> Path:
    """Return a lab of a collation whose first publication database the agents spell in a way of their own."""
    text = lab_file("lan").read_text(encoding="utf-8").replace('name = "lan"', 'name = "site"')
    names = (
        f'{{ pair = 1, publisher_db = "{name}", publication = "Sales1Orders", subscriber = "SUB1", '
        f'subscriber_db = "Sales1Copy", agents_say = "{said}" }}'
    )
    path = folder / "site.toml"
    path.write_text(f'{text}\n[site]\ncollation = "{collation}"\nnames = [{names}]\n', encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("collation", "name", "said", "is_one"),
    [
        (LATIN, "Sirket1", "SIRKET1", True),
        (BINARY, "Sirket1", "SIRKET1", False),
        (BINARY, "Sirket1", "Sirket1  ", True),
        (TURKISH, "Sirket1", "SIRKET1", False),
        (TURKISH, "S\u0131rket1", "SIRKET1", True),
        (TURKISH, "S\u0130RKET1", "sirket1", True),
        (LATIN, "S\u0131rket1", "SIRKET1", False),
    ],
)
def test_a_name_is_equal_as_the_server_has_it(
    tmp_path: Path, collation: str, name: str, said: str, is_one: bool
) -> None:
    """The server is asked, once, and its logs are read whichever it says; another database's agent reads no log."""
    asked: list[StatementRecord] = []
    target = open_lab(site_file(tmp_path, name, said, collation), on_statement=asked.append)
    agents = agent_ports(target).agents
    topology = agents.discover()
    assert {agent.publisher_db for agent in topology.agents} == {name if is_one else said, "Sales2", "Sales3"}
    for _number in range(3):
        published = set(agents.sample().published)
    assert ("PUB1", name) in published if is_one else ("PUB1", said) not in published
    assert ("PUB1", "Sales2") in published
    assert sum(record.name == "names_alike" for record in asked) == 1


def test_nobody_asks_where_every_name_is_spelled_exactly() -> None:
    """So that no site pays for what few have."""
    asked: list[StatementRecord] = []
    target = open_lab("several-publications", on_statement=asked.append)
    agent_ports(target).agents.discover()
    agent_ports(target).agents.sample()
    assert not [record for record in asked if record.name == "names_alike"]


@pytest.mark.parametrize("said", ["SALES1", "sales1"])
def test_a_publication_database_in_another_case_is_the_same(tmp_path: Path, said: str) -> None:
    """Agents spell it otherwise than publications: its log is read, it is measured by any spelling, and restored."""
    path = site_file(tmp_path, "Sales1", said, LATIN)
    agents = agent_ports(open_lab(path)).agents
    topology = agents.discover()
    assert {agent.publisher_db for agent in topology.agents} == {"Sales1", "Sales2", "Sales3"}
    assert ("PUB1", "Sales1") in agents.sample().published
    family = FAMILIES["log_reader"]
    plan = small_plan(family)
    plan = replace(plan, load=Load.from_mapping({**plan.load, "database": "sALES1"}))
    run = run_on_lab(family, plan, scenario=path)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    run.assert_restored()


@pytest.mark.parametrize(
    ("distributor", "subscriber", "name", "said", "is_one"),
    [
        (BINARY, LATIN, "Sales1Copy", "SALES1COPY", True),
        (LATIN, BINARY, "Sales1Copy", "SALES1COPY", False),
        (BINARY, BINARY, "Sales1Copy", "Sales1Copy  ", True),
        (LATIN, TURKISH, "Istif", "istif", False),
        (LATIN, TURKISH, "Istif", "\u0131stif", True),
    ],
)
def test_a_subscription_database_is_called_as_its_own_server_has_it(
    tmp_path: Path, distributor: str, subscriber: str, name: str, said: str, is_one: bool
) -> None:
    """Not as the Distributor would, which only names it."""
    path = site_file(tmp_path, "Sales1", "Sales1", distributor)
    text = path.read_text(encoding="utf-8")
    text = text.replace('subscriber_db = "Sales1Copy"', f'subscriber_db = "{name}", agents_say_copy = "{said}"')
    own = f'collations = [{{ server = "SUB1", collation = "{subscriber}" }}]'
    path.write_text(text.replace("[site]\n", f"[site]\n{own}\n"), encoding="utf-8")
    asked: list[StatementRecord] = []
    topology = agent_ports(open_lab(path, on_statement=asked.append)).agents.discover()
    assert {agent.subscriber_db for agent in topology.agents if agent.subscriber == "SUB1"} == {
        name if is_one else said
    }
    assert [record.server for record in asked if record.name == "names_alike"] == ["SUB1"]
