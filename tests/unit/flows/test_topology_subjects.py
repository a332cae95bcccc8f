"""Availability groups and Streams pipelines as trees with tables, and what could not be read."""

from dataclasses import replace

import pytest

from app.domain.server import EffectiveParameter
from app.domain.view import Emphasis, TableContent
from app.flows.target.topology_found import found_tree, nothing_here, unread_notice
from app.flows.topology_tree import (
    Node,
    NodeParameters,
    facts_table,
    find_node,
    first_node,
    no_rows_text,
    walk,
)
from app.services.look.discovering import Discovery
from app.systems.availability_groups.groups import GroupTopology
from app.systems.availability_groups.views.topology import groups_tree, server_facts
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsParameter, StreamsTopology, Technology
from app.systems.oracle_streams.views.topology import parameters_of, streams_parameters, streams_tree
from tests.labs import SYSTEMS
from tests.unit.flows.subjects import GROUPS, STREAMS, reading_of


@pytest.fixture(scope="module")
def groups() -> GroupTopology:
    """Two groups on two servers."""
    found = reading_of(GROUPS).discovery.of("availability_groups")
    assert isinstance(found, GroupTopology)
    return found


@pytest.fixture(scope="module")
def streams() -> StreamsTopology:
    """One pipeline between two databases."""
    found = reading_of(STREAMS).discovery.of("oracle_streams")
    assert isinstance(found, StreamsTopology)
    return found


def _texts(table: TableContent | None) -> list[list[str]]:
    assert table is not None
    return [[cell.text for cell in row.cells] for row in table.rows]


def _node(tree: tuple[Node, ...], key: str) -> Node:
    node = find_node(tree, key)
    assert node is not None
    return node


def _process(streams: StreamsTopology, component: str, name: str) -> Node:
    return _node(streams_tree(streams), f"process/{component}/{name}")


def _parameters(streams: StreamsTopology, node: Node, *, only_different: bool = False) -> NodeParameters:
    found = streams_parameters(streams, node, only_different=only_different)
    assert found is not None
    return found


def test_groups_stand_with_their_replicas_and_databases(groups: GroupTopology) -> None:
    """Each group, then the instance with the databases outside."""
    tree = groups_tree(groups)
    assert [node.title for node in tree] == [
        "Availability group AG_ASYNC",
        "Availability group AG_SYNC",
        "Instance SQLNODE1",
    ]
    assert [node.title for node in tree[0].children] == [
        "Replica SQLNODE1, primary",
        "Replica SQLNODE2, secondary",
        "Database LoadAsync",
    ]
    keys = [node.key for root in tree for node in walk(root)]
    assert len(set(keys)) == len(keys)


def test_a_group_shows_modes_failover_and_what_is_special(groups: GroupTopology) -> None:
    """The table names each replica with its mode; the facts name a kind that cannot be tested."""
    group = groups_tree(groups)[1]
    assert _texts(group.details)[1][:4] == ["SQLNODE2", "secondary", "synchronous", "automatic"]
    assert dict(group.facts)["Kind"] == "ordinary"
    special = replace(groups, groups=(replace(groups.groups[0], is_basic=True, is_contained=True),))
    assert dict(groups_tree(special)[0].facts)["Kind"] == "Basic, Contained"


def test_a_replica_shows_its_server_and_trace_flags(groups: GroupTopology) -> None:
    """Version, flags set globally and free disk stand with the replica they belong to."""
    flagged = replace(groups, trace_flags=(("SQLNODE2", 9592), ("SQLNODE1", 1462)))
    facts = dict(_node(groups_tree(flagged), "replica/AG_ASYNC/SQLNODE2").facts)
    assert facts["Trace flags set globally"] == "9592"
    assert facts["Version"].startswith("SQL Server 2016 (13.")
    assert "Free on D:" in facts
    assert dict(server_facts(groups, "SQLNODE1"))["Trace flags set globally"] == "none that matters here"


def test_a_database_shows_its_log_and_whether_it_is_synchronized(groups: GroupTopology) -> None:
    """One row for each replica."""
    node = _node(groups_tree(groups), "group_database/AG_SYNC/LoadSync")
    assert dict(node.facts)["Recovery model"] == "FULL"
    assert [row[2] for row in _texts(node.details)] == ["SYNCHRONIZED", "SYNCHRONIZED"]
    suspended = replace(groups.groups[1].databases[0], is_suspended=True)
    shown = replace(groups, groups=(replace(groups.groups[1], databases=(suspended,)),))
    assert _texts(_node(groups_tree(shown), "group_database/AG_SYNC/LoadSync").details)[0][4] == "suspended"


def test_a_database_not_listed_still_stands_in_its_group(groups: GroupTopology) -> None:
    """A login that may not see its files still sees its state."""
    bare = replace(groups, databases=())
    assert [name for name, _value in _node(groups_tree(bare), "group_database/AG_SYNC/LoadSync").facts] == [
        "Availability group"
    ]


def test_a_path_shows_its_processes_in_the_order_messages_flow(streams: StreamsTopology) -> None:
    """Capture, propagation, apply; then the databases at both ends."""
    tree = streams_tree(streams)
    assert [child.title for child in tree[0].children] == [
        "Capture STREAMS_CAPTURE",
        "Propagation STREAMS_PROPAGATION",
        "Apply STREAMS_APPLY",
    ]
    assert [node.title for node in tree[1:]] == [
        "Source database SRC.EXAMPLE.COM",
        "Destination database DST.EXAMPLE.COM",
    ]
    assert [row[3] for row in _texts(tree[0].details)] == ["ENABLED", "ENABLED", "ENABLED"]


def test_a_process_on_no_path_is_not_lost(streams: StreamsTopology) -> None:
    """It stands beside the paths, with its error and the product it belongs to."""
    stray = replace(
        streams.processes[0], name="STRAY", status="ABORTED", error="ORA-01341", technology=Technology.GOLDENGATE
    )
    node = _process(replace(streams, processes=(*streams.processes, stray)), "capture", "STRAY")
    assert dict(node.facts)["Status"] == "ABORTED: ORA-01341"
    assert dict(node.facts)["Part of"] == "GoldenGate"


def test_parameters_tell_value_origin_default_and_whether_hidden(streams: StreamsTopology) -> None:
    """What somebody set is bold."""
    node = _process(streams, "apply", "STREAMS_APPLY")
    rows = {row.key: row.cells for row in _parameters(streams, node).content.rows}
    threshold = rows["TXN_LCR_SPILL_THRESHOLD"]
    assert [cell.text for cell in threshold[:6]] == [
        "TXN_LCR_SPILL_THRESHOLD",
        "100,000",
        "LCRs",
        "set explicitly",
        "",
        "10,000",
    ]
    assert threshold[1].emphasis is Emphasis.STRONG
    assert rows["_DYNAMIC_STMTS"][4].text == "hidden"
    assert rows["MAXIMUM_SCN"][3].text == "default"


def test_not_shown_is_not_default(streams: StreamsTopology) -> None:
    """A hidden parameter the views do not list says so, and names no origin."""
    effective = EffectiveParameter("_SGA_SIZE", "", "", "10", None, None, "MB")
    hidden = StreamsParameter(StreamsComponent.CAPTURE, "STREAMS_CAPTURE", effective, set_by_user=False, is_hidden=True)
    alone = replace(streams, parameters=(hidden,))
    shown = _parameters(alone, _process(alone, "capture", "STREAMS_CAPTURE"))
    (row,) = shown.content.rows
    assert (row.cells[1].text, row.cells[3].text) == ("not shown", "–")
    assert shown.summary == "1 parameter, none of them set by anybody."


def test_only_what_differs_can_be_shown(streams: StreamsTopology) -> None:
    """The summary counts, and an empty table says why."""
    node = _process(streams, "apply", "STREAMS_APPLY")
    different = _parameters(streams, node, only_different=True)
    assert 0 < len(different.content.rows) < len(parameters_of(streams, node.tuned))
    assert different.summary.startswith("17 parameters; 8 set explicitly")
    assert no_rows_text(different, "zzz") == "No parameter holds “zzz”."
    assert no_rows_text(different, "") == "Nobody set any of these parameters."


def test_a_combined_path_and_warnings_stand_among_its_facts(streams: StreamsTopology) -> None:
    """Figures that stay flat and limits that are passed are told where one looks first."""
    path = replace(streams.paths[0], is_combined=True)
    facts = dict(streams_tree(replace(streams, paths=(path,), warnings=("Streams is desupported.",)))[0].facts)
    assert facts["Combined"].startswith("combined capture and apply")
    assert facts["Warning"] == "Streams is desupported."


def test_everything_found_is_one_tree() -> None:
    """Groups and streams stand beside replication; the first node shown is the one that can be tuned."""
    discovery = reading_of(STREAMS).discovery
    both = replace(discovery, by_system=(*reading_of(GROUPS).discovery.by_system, *discovery.by_system))
    assert len(found_tree(both)) == len(found_tree(discovery)) + 3
    first = first_node(found_tree(discovery))
    assert first is not None
    assert first.title == "Apply STREAMS_APPLY"
    assert nothing_here(both, SYSTEMS) == ""


def test_an_empty_target_says_that_there_is_nothing() -> None:
    """Nothing is shown as a tree without nodes."""
    empty = Discovery("lab", ())
    assert "choose another target" in nothing_here(empty, SYSTEMS)
    assert first_node(found_tree(empty)) is None


def test_what_could_not_be_read_says_why(groups: GroupTopology) -> None:
    """Parts without rights and replicas that are down are named; what was read is shown all the same."""
    down = replace(groups, unreachable=(("SQLNODE3", "it does not answer"),))
    system = SYSTEMS["availability_groups"]
    discovery = Discovery("lab", ((system, down),), unread=("VIEW SERVER STATE is missing",))
    notice = unread_notice(discovery)
    assert "VIEW SERVER STATE is missing." in notice
    assert "SQLNODE3 did not answer: It does not answer." in notice
    assert unread_notice(replace(discovery, by_system=((system, groups),), unread=())) == ""
    assert ("Did not answer", "it does not answer") in server_facts(down, "SQLNODE3")


def test_the_facts_of_each_node_are_a_table_of_their_own(groups: GroupTopology) -> None:
    """Columns get the widths the texts of the node need."""
    tables = [facts_table(node) for node in groups_tree(groups)]
    assert tables[0].columns != tables[1].columns
