"""One spelling of a server's name."""

from app.systems.availability_groups.server.replicas import master
from app.systems.availability_groups.server.spelling import OwnSpelling
from tests.unit.targets.sqlserver.scripted import ScriptedSession


def test_own_server_is_named_as_the_target_names_it() -> None:
    """A group made with another case is still led by this server; other servers and columns stay as they are."""
    session = ScriptedSession(
        {
            "group_primary": [[{"primary_replica": "node1"}], [{"primary_replica": "node2"}], [{}]],
            "trace_flags": [[{"flag": 9592}]],
        },
        server="NODE1",
    )
    spelling = OwnSpelling(session)
    found = [spelling.run("group_primary", master("NODE1"), group_name="AG")[0].cell("primary_replica") for _ in "abc"]
    assert found == ["NODE1", "node2", None]
    assert spelling.run("trace_flags", master("NODE1"))[0].whole("flag") == 9592
