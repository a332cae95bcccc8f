"""Discovery on servers the lab does not have: too old, without groups, with a replica that cannot be asked."""

import pytest

from app.domain.errors import ConnectionLost, Unsupported
from app.foundation.rows import Cell
from app.systems.availability_groups.enumerations import CLUSTER_TYPE
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.server.discovery import discover_groups
from tests.unit.targets.sqlserver.scripted import Answer, ScriptedSession


def server_info(version: str = "13.0.4001.0") -> dict[str, Cell]:
    """Return what a server says of itself."""
    return {"server_name": "A", "version": version, "edition": "Enterprise Edition", "cpu_count": 8}


def member(server: str, primary: str | None = "A", role: str | None = None) -> dict[str, Cell]:
    """Return a replica's row."""
    return {
        "group_id": "1",
        "group_name": "AG",
        "is_basic": 0,
        "is_contained": 0,
        "is_distributed": 0,
        "required_secondaries": 0,
        "cluster_type": "WSFC",
        "primary_replica": primary,
        "replica_id": server,
        "replica_server": server,
        "role_desc": role,
        "availability_mode": 1,
        "failover_mode_desc": "AUTOMATIC",
        "seeding_mode_desc": "",
        "connected_state": 1,
    }


def session(**answers: list[Answer]) -> ScriptedSession:
    """Return a session at a server with a group of two replicas, changed by what is given."""
    usual: dict[str, list[Answer]] = {
        "server_info": [[server_info()]],
        "group_listeners": [[]],
        "group_replicas": [[member("A", role="PRIMARY"), member("B", role="SECONDARY")]],
        "group_databases": [[]],
        "server_databases": [[]],
        "server_volumes": [[{"volume": "D:\\", "free_bytes": 2_000_000, "total_bytes": 5_000_000}]],
        "trace_flags": [[{"flag": 9592}]],
    }
    return ScriptedSession({**usual, **answers})


@pytest.mark.parametrize("version", ["10.50.6000.34", "9.00.5000.00"])
def test_version_before_2012_is_told(version: str) -> None:
    """Availability groups begin with SQL Server 2012; nothing that older ones lack is asked."""
    found = session(server_info=[[server_info(version)]])
    with pytest.raises(Unsupported, match="begin with SQL Server 2012"):
        discover_groups(found)
    assert found.names() == ["server_info"]


def test_server_without_groups_is_no_error() -> None:
    """Databases, flags and disks are read also where there is no group."""
    topology = discover_groups(session(group_replicas=[[]]))
    assert topology.groups == ()
    assert topology.trace_flags == (("A", 9592),)
    assert [server.role for server in topology.servers] == [""]


def test_replica_that_cannot_be_asked_is_told_apart() -> None:
    """The rest is read, and the sentence is kept."""
    topology = discover_groups(session(server_info=[[server_info()], ConnectionLost("no way to B")]))
    assert topology.unreachable == (("B", "no way to B"),)
    assert [server.name for server in topology.servers] == ["A"]


def test_secondary_knows_who_is_primary_but_not_the_others_states() -> None:
    """Roles a secondary does not tell follow from the name of the primary."""
    rows = [member("A", "B", "SECONDARY"), member("B", "B"), member("C", "B")]
    (group,) = discover_groups(session(group_replicas=[[dict(row) for row in rows]])).groups
    assert [(replica.server, replica.role) for replica in group.replicas] == [
        ("A", "secondary"),
        ("B", "primary"),
        ("C", "secondary"),
    ]
    assert group.primary == "B"
    assert group.replicas[0].mode is CommitMode.SYNCHRONOUS
    assert group.replicas[0].seeding_mode == ""


@pytest.mark.parametrize(("name", "is_own"), [("a", 0), ("other", 1)])
def test_listener_is_recognised_by_name_and_by_address(name: str, is_own: int) -> None:
    """Also a listener reached under an alias is found, by the address the connection came to."""
    listeners: list[Answer] = [[{"group_id": "1", "dns_name": name, "is_own": is_own}]]
    assert discover_groups(session(group_listeners=listeners)).opened_through == name
    without = [member("A", role="PRIMARY") | {"cluster_type": "NONE"}]
    assert discover_groups(session(group_listeners=listeners, group_replicas=[without])).opened_through == ""


ROWS: dict[str, dict[str, Cell]] = {
    "group_replicas": member("A", role="PRIMARY"),
    "group_databases": {
        "group_id": "1",
        "database_name": "Sales",
        "replica_server": "A",
        "synchronization_state": "SYNCHRONIZED",
        "is_failover_ready": 1,
        "is_suspended": 0,
    },
    "group_listeners": {"group_id": "1", "dns_name": "ag", "is_own": 0},
}


@pytest.mark.parametrize(("statement", "column"), [(name, column) for name, row in ROWS.items() for column in row])
def test_any_column_of_the_views_may_be_null(statement: str, column: str) -> None:
    """At a secondary, without a quorum, while roles change: what is told stands, and what is not is never a zero."""
    rows: dict[str, list[Answer]] = {name: [[dict(row)]] for name, row in ROWS.items()}
    rows[statement] = [[{**ROWS[statement], column: None}]]
    topology = discover_groups(session(**rows))
    names_nothing = statement != "group_listeners" and column in (
        "group_id", "group_name", "replica_server", "database_name",
    )  # fmt: skip
    assert topology.untold == int(names_nothing)
    assert bool(topology.cautions()) is names_nothing
    if not (names_nothing and statement == "group_replicas"):
        (group,) = topology.groups
        is_known = column not in ("availability_mode", "failover_mode_desc")
        assert bool(group.replicas[0].left_alone) is not is_known
        assert CLUSTER_TYPE.knows(group.cluster_type) is (column != "cluster_type")


def test_replicas_of_a_distributed_group_are_no_servers() -> None:
    """They are groups: nobody connects to a server of such a name."""
    rows = [member(name, "AG_EAST", role) | {"is_distributed": 1} for name, role in (
        ("AG_EAST", "PRIMARY"), ("AG_WEST", "SECONDARY"),
    )]  # fmt: skip
    found = session(group_replicas=[rows])
    topology = discover_groups(found)
    assert found.names().count("server_info") == 1
    assert topology.unreachable == ()
    (said,) = topology.cautions()
    assert "AG_EAST, AG_WEST" in said
