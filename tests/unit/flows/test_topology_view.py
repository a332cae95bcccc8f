"""The page that shows what is there, without a window: the tree, facts, and parameters in effect."""

from dataclasses import replace

import pytest

from app.bootstrap import build_program
from app.domain.server import EffectiveParameter, differs
from app.domain.view import NO_VALUE, Emphasis
from app.flows.table_view import Sort, arrange
from app.flows.topology_tree import Node, facts_table, find_node, first_node, no_rows_text, walk
from app.services.look.discovering import discover
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.site import AgentParameters, Replication
from app.systems.transactional_replication.subjects import SYSTEM_ID
from app.systems.transactional_replication.tables import origin_hint, origin_text
from app.systems.transactional_replication.topology import Topology
from app.systems.transactional_replication.views.parameters import (
    agent_parameters,
    parameter_table,
    parameters_summary,
)
from app.systems.transactional_replication.views.topology import NodeKind, nothing_found, topology_tree


@pytest.fixture(scope="module")
def lab() -> Replication:
    """What is found on the lab."""
    program = build_program()
    found = discover("lab", program.systems, program.parts.open_target).of(SYSTEM_ID)
    assert isinstance(found, Replication)
    return found


def _outline(node: Node, depth: int = 0) -> list[str]:
    return [f"{'  ' * depth}{node.title}", *(line for child in node.children for line in _outline(child, depth + 1))]


def test_the_tree_follows_the_commands_from_publisher_to_subscriber(lab: Replication) -> None:
    """Distributor first, then each Publisher with its databases, publications, subscriptions and agents."""
    tree = topology_tree(lab.topology)
    lines = [line for root in tree for line in _outline(root)]
    assert lines[:7] == [
        "Distributor DIST1",
        "Publisher PUB1",
        "  Database Sales1",
        "    Log Reader Agent",
        "    Publication Sales1Orders",
        "      Subscription SUB1.Sales1Copy",
        "        Distribution Agent",
    ]
    assert len(lines) == 2 + 3 * 5


def test_every_agent_stands_in_the_tree_once_and_keys_are_unique(lab: Replication) -> None:
    """Nothing is lost, nothing is shown twice."""
    nodes = [node for root in topology_tree(lab.topology) for node in walk(root)]
    assert sorted(node.tuned for node in nodes if node.tuned) == sorted(agent.name for agent in lab.topology.agents)
    assert len({node.key for node in nodes}) == len(nodes)


def test_an_agent_without_its_publication_is_still_shown(lab: Replication) -> None:
    """An agent whose publication was dropped stands at the end of the tree."""
    bare = replace(lab.topology, publications=(), subscriptions=())
    tree = topology_tree(bare)
    assert [node.kind for node in tree[2:]] == [NodeKind.AGENT] * 6


def test_a_publisher_nobody_described_is_shown_by_its_name(lab: Replication) -> None:
    """A Publisher this login may not read still carries its publications."""
    servers = tuple(server for server in lab.topology.servers if server.role == "Distributor")
    tree = topology_tree(replace(lab.topology, servers=servers))
    assert tree[1].title == "Publisher PUB1"
    assert tree[1].facts == ()
    subscription = next(node for node in walk(tree[1]) if node.kind is NodeKind.SUBSCRIPTION)
    assert "Version" not in dict(subscription.facts)


def test_an_independent_agent_and_a_shared_one_are_both_found(lab: Replication) -> None:
    """A Distribution Agent shared by all publications of a database belongs to each of them."""
    agents = tuple(
        replace(agent, publication="ALL") if agent.kind is AgentKind.DISTRIBUTION else agent
        for agent in lab.topology.agents
    )
    tree = topology_tree(replace(lab.topology, agents=agents))
    nodes = [node for root in tree for node in walk(root) if node.tuned]
    assert len(nodes) == 6


def test_facts_say_what_a_node_is(lab: Replication) -> None:
    """Servers, publications and subscriptions show what was read of them."""
    tree = topology_tree(lab.topology)
    distributor = find_node(tree, "server/Distributor/DIST1")
    assert distributor is not None
    assert dict(distributor.facts)["Logical processors"] == "16"
    assert dict(distributor.facts)["Distribution database"] == "distribution"
    publication = find_node(tree, "publication/PUB1/Sales1/Sales1Orders")
    assert publication is not None
    assert ("Article", "Orders") in publication.facts
    table = facts_table(publication)
    assert [cell.text for cell in table.rows[1].cells] == ["Articles", "4 tables"]
    assert find_node(tree, "gone") is None


def test_a_database_without_a_log_reader_says_so(lab: Replication) -> None:
    """A missing agent is shown as missing."""
    tree = topology_tree(replace(lab.topology, agents=()))
    database = find_node(tree, "database/PUB1/Sales1")
    assert database is not None
    assert ("Log Reader Agent", NO_VALUE) in database.facts
    assert not any(node.opens for root in tree for node in walk(root))


def test_an_unknown_type_of_subscription_is_shown_as_it_is(lab: Replication) -> None:
    """Types this version does not know are not hidden."""
    subscriptions = tuple(
        replace(s, subscription_type=t)
        for s, t in zip(lab.topology.subscriptions, ("pull", "anonymous", "push"), strict=True)
    )
    tree = topology_tree(replace(lab.topology, subscriptions=subscriptions))
    types = [dict(n.facts)["Type"] for root in tree for n in walk(root) if n.kind is NodeKind.SUBSCRIPTION]
    assert [text.split(":")[0] for text in types] == ["pull", "anonymous", "push"]


def test_the_first_agent_is_the_one_commands_reach_first(lab: Replication) -> None:
    """The page opens with a Log Reader Agent."""
    node = first_node(topology_tree(lab.topology))
    assert node is not None
    assert node.heading == "Log Reader Agent PUB1-Sales1-1"


def test_nothing_to_show_is_said_in_a_sentence(lab: Replication) -> None:
    """A server without replication is not an empty page."""
    empty = Topology("distribution", lab.topology.servers, (), (), ())
    assert "no publication" in nothing_found(empty)
    assert nothing_found(lab.topology) == ""


# Parameters


def _parameter(value: str, default: str = "500", origin: str = "profile") -> EffectiveParameter:
    return EffectiveParameter("ReadBatchSize", value, origin, default, 1, None, "transactions")


def _with(lab: Replication, *parameters: EffectiveParameter) -> Replication:
    return replace(lab, agents=(AgentParameters("PUB1-Sales1-1", parameters),))


@pytest.mark.parametrize(
    ("value", "default", "expected"),
    [("500", "500", False), ("0500", "500", False), ("501", "500", True), ("Auto", "auto", False), ("x", "5", True)],
)
def test_a_difference_is_one_of_values_not_of_spelling(value: str, default: str, expected: bool) -> None:
    """Numbers are compared as numbers, words in any case."""
    assert differs(_parameter(value, default)) is expected


def test_what_differs_from_the_default_stands_out(lab: Replication) -> None:
    """Name and value are bold, and say why on hovering."""
    table = parameter_table(_with(lab, _parameter("5000", origin="job step")), "PUB1-Sales1-1")
    name, value, unit, origin, default, low, high = table.rows[0].cells
    assert (name.emphasis, value.emphasis, default.emphasis) == (Emphasis.STRONG, Emphasis.STRONG, Emphasis.QUIET)
    assert (value.text, value.copied, unit.text, origin.text) == ("5,000", "5000", "transactions", "job step")
    assert value.hint == "Not the default, 500."
    assert (low.text, high.text) == ("1", NO_VALUE)
    assert "beats its profile" in origin.hint


def test_only_what_differs_can_be_shown(lab: Replication) -> None:
    """The table can be narrowed to what somebody set."""
    found = _with(lab, _parameter("5000"), replace(_parameter("5", "5"), name="PollingInterval"))
    assert [row.key for row in parameter_table(found, "PUB1-Sales1-1", only_different=True).rows] == ["ReadBatchSize"]


def test_values_that_are_words_are_shown_as_they_are(lab: Replication) -> None:
    """Not every parameter is a number."""
    table = parameter_table(_with(lab, _parameter("auto", "")), "PUB1-Sales1-1")
    assert (table.rows[0].cells[1].text, table.rows[0].cells[4].value) == ("auto", None)


def test_the_labs_parameters_sort_by_value(lab: Replication) -> None:
    """500,000 is the largest value of the lab's Log Reader Agent."""
    table = parameter_table(lab, "PUB1-Sales1-1")
    order = arrange(table, Sort("value", descending=True))
    assert table.rows[order[0]].key == "LogScanThreshold"


def test_the_summary_counts_differences(lab: Replication) -> None:
    """The expert sees at once how much was tuned before."""
    agent = "PUB1-Sales1-1"
    assert parameters_summary(lab, agent) == "12 parameters, all at their defaults."
    assert parameters_summary(_with(lab, _parameter("5000")), agent) == "1 parameter; 1 differs from the default."
    assert parameters_summary(lab, "gone") == "This agent reported no parameters."


def test_an_empty_table_says_why(lab: Replication) -> None:
    """Search, filter and an agent without parameters are told apart."""
    agent = "PUB1-Sales1-1"
    shown = agent_parameters(lab, agent, only_different=True)
    assert no_rows_text(shown, " xyz ") == "No parameter holds “xyz”."
    assert "at its default" in no_rows_text(shown, "")
    assert "no parameters" in no_rows_text(agent_parameters(lab, "gone", only_different=True), "")


@pytest.mark.parametrize("origin", ["job step", "profile", "subscription", "default"])
def test_every_origin_is_explained(origin: str) -> None:
    """Where a value comes from is said in a word and in a sentence."""
    assert origin_text(origin)
    assert origin_hint(origin).endswith(".")


def test_an_unknown_origin_is_shown_as_it_is() -> None:
    """An origin of a later version is not hidden."""
    assert (origin_text("registry"), origin_hint("registry")) == ("registry", "")
