"""Servers are named by the distribution database's own numbers, on builds that have them and on those before."""

import dataclasses
import re
from pathlib import Path

import pytest

from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.errors import SqlError
from app.systems.transactional_replication import places
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.lab_server.server_numbers import LINKED_SERVER, ServerNumbers
from app.systems.transactional_replication.offer import agent_ports
from tests.labs import open_lab

# By hand: the servers of each agent of the lab "lan".
AGENTS = {
    ("PUB1-Sales1-1", "PUB1", ""),
    ("PUB1-Sales2-2", "PUB1", ""),
    ("PUB1-Sales3-3", "PUB1", ""),
    ("PUB1-Sales1-Sales1Orders-SUB1-1", "PUB1", "SUB1"),
    ("PUB1-Sales2-Sales2Orders-SUB2-2", "PUB1", "SUB2"),
    ("PUB1-Sales3-Sales3Orders-SUB3-3", "PUB1", "SUB3"),
}
OWN = "JOIN dbo.MSreplservers AS publisher ON publisher.srvid = publication.publisher_id"
LINKED = "JOIN sys.servers AS publisher ON publisher.server_id = publication.publisher_id"
NUMBERED = [
    statement
    for statement in catalogue().values()
    if statement.database == places.DISTRIBUTION_DATABASE and re.search(r"server_id|srvid", statement.body)
]


@pytest.mark.parametrize("version", ["11.0.7001.0", "13.0.5201.2", "13.0.5216.0", "14.0.3023.8", "15.0.2000.5"])
def test_each_build_names_the_servers_that_are_meant(tmp_path: Path, version: str) -> None:
    """Topology, tokens and the size of commands name the same servers before and after the numbers became two."""
    path = tmp_path / "build.toml"
    text = scenario_path("lan").read_text(encoding="utf-8")
    path.write_text(re.sub(r'product_version = "[^"]+"', f'product_version = "{version}"', text), encoding="utf-8")
    target = open_lab(path)
    ports = agent_ports(target)
    topology = ports.agents.discover()
    assert {(agent.name, agent.publisher, agent.subscriber) for agent in topology.agents} == AGENTS
    assert {(p.publisher, p.name) for p in topology.publications} == {
        ("PUB1", "Sales1Orders"),
        ("PUB1", "Sales2Orders"),
        ("PUB1", "Sales3Orders"),
    }
    assert {s.subscriber for s in topology.subscriptions} == {"SUB1", "SUB2", "SUB3"}
    deliverer = next(agent for agent in topology.agents if agent.subscriber == "SUB1")
    with target.hold("S1"):
        token = target.changes.apply(ports.agent_changes.plan_tracer_token(deliverer))
        assert token is not None
        assert target.changes.is_applied(token)
        target.changes.undo(token)
        assert target.changes.is_undone(token)
    ports.agents.stop(deliverer)
    ports.workload.write(next(a for a in topology.agents if a.name == "PUB1-Sales1-1"), 1_000, (2.0, 2.0), 1)
    target.clock.sleep(30)
    assert ports.agents.read_command_bytes(deliverer) is not None
    assert ports.agents.read_backlog(deliverer, 10_000) == 2_001  # the token as well
    assert ports.agents.read_backlog(deliverer, 1_500) == 1_500
    assert ports.agents.read_command_bytes(dataclasses.replace(deliverer, publisher=LINKED_SERVER)) is None


def test_a_statement_that_looks_in_the_wrong_table_names_another_server() -> None:
    """The lab tells a linked server for the Publisher where a text joins it, and has no table its build has not."""
    others = ("PUB1", "SUB1")
    now, before = (ServerNumbers(version, "DIST1", others) for version in ("15.0.2000.5", "12.0.5000.0"))
    assert now.name_by(LINKED, "PUB1") == LINKED_SERVER
    assert now.name_by(LINKED, "SUB1") == "PUB1"
    assert (now.name_by(OWN, "PUB1"), before.name_by(LINKED, "PUB1")) == ("PUB1", "PUB1")
    with pytest.raises(SqlError) as refused:
        before.name_by(OWN, "PUB1")
    assert refused.value.number == 208


def test_statements_with_server_numbers_are_those_that_are_looked_at() -> None:
    """The rule for all of them below has something to hold to."""
    assert {statement.name for statement in NUMBERED} == {
        "agent_backlog",
        "agents",
        "publications",
        "subscription_natures",
        "subscriptions",
        "command_bytes",
        "own_tracer_tokens",
    }


@pytest.mark.parametrize("statement", NUMBERED, ids=lambda statement: str(statement.name))
def test_every_statement_chooses_the_table_in_the_same_way(statement: Statement) -> None:
    """The table is chosen once, by its existence, and every number is looked up in what was chosen."""
    choice = re.search(r"^-- Since 2016.*?AS own;\n", statement.body, re.DOTALL | re.MULTILINE)
    assert choice is not None
    reference = re.search(r"^-- Since 2016.*?AS own;\n", catalogue()["agents"].body, re.DOTALL | re.MULTILINE)
    assert reference is not None
    assert choice.group() == reference.group()
    rest = statement.body.replace(choice.group(), "")
    assert "sys.servers" not in rest
    assert "MSreplservers" not in rest
    assert "JOIN @servers AS " in rest
