"""The lab in a process of its own: clients come, die and come back; the servers' state stays."""

import dataclasses
import json
import socket
from collections.abc import Iterator

import pytest

from app.domain.change import Change
from app.domain.errors import ConnectionLost, TargetError
from app.domain.setting import Setting
from app.domain.statement import StatementRecord
from app.drivers.sqlserver import connect_lab
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from tests.dying import is_killed
from tests.forked import start_python
from tests.labs import ignore, target_over
from tests.patience import PATIENCE_S

ASSIGNMENT = "profile_assignment"
SERVE = """
import sys
from app.drivers.sqlserver import serve_lab
from tests.labs import build_lab
serve_lab(build_lab(noise=False), 0, lambda line: print(line, flush=True))
"""
CHANGE_AND_DIE = """
import json, sys, dataclasses
from app.domain.setting import Setting
from app.drivers.sqlserver import connect_lab
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from tests.labs import target_over
target = target_over(connect_lab("127.0.0.1", int(sys.argv[1]), lambda _record: None))
ports = agent_ports(target)
agent = ports.agents.discover().agents_of(AgentKind.DISTRIBUTION)[0]
changes = [ports.agent_changes.plan_stop(agent)]
changes += ports.agent_changes.plan_setting(agent, Setting.of(CommitBatchSize=200, SubscriptionStreams=8), "S1")
print(json.dumps([dataclasses.asdict(change) for change in changes]), flush=True)
for change in changes[: int(sys.argv[2])]:
    target.changes.apply(change)
from tests.dying import die
die()
"""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a lab in another process, ended with the tests of this file."""
    with start_python("-c", SERVE) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline().rpartition(":")[2])
        finally:
            process.terminate()


def from_json(entry: dict[str, object]) -> Change:
    """Return a change as the journal would read it back."""
    details = entry.pop("details")
    assert isinstance(details, list)
    return Change(details=tuple((str(name), value) for name, value in details), **entry)  # type: ignore[arg-type]  # callers name what it takes


@pytest.mark.parametrize("made", [0, 1, 2, 3, 4, 5])
def test_another_process_undoes_what_a_killed_one_did(port: int, made: int) -> None:
    """From the changes as JSON alone, a fresh connection puts back whatever the dead client had made."""
    with start_python("-c", CHANGE_AND_DIE, str(port), str(made)) as dying:
        told, _err = dying.communicate(timeout=PATIENCE_S)
    assert is_killed(dying.returncode)
    changes = [from_json(entry) for entry in json.loads(told)]
    assert len(changes) == 5
    target = target_over(connect_lab("127.0.0.1", port, ignore))
    agent = agent_ports(target).agents.discover().agents_of(AgentKind.DISTRIBUTION)[0]
    assert agent_ports(target).agents.is_running(agent) is (made == 0)
    target.changes.quiesce(changes)
    for change in reversed(changes):
        target.changes.undo(change)
    restored = agent_ports(target).agents.discover().agents_of(AgentKind.DISTRIBUTION)[0]
    assert restored.profile_id == next(c.detail("original_profile_id") for c in changes if c.kind == ASSIGNMENT)
    assert agent_ports(target).agents.is_running(agent)
    in_effect = Setting.of(CommitBatchSize=100, SubscriptionStreams=1)
    assert agent_ports(target).agent_changes.plan_setting(agent, in_effect, "S1") == ()
    target.close()


def test_clock_and_statements_work_through_the_socket(port: int) -> None:
    """Virtual time passes on the server; times of day arrive as times of day; records carry the statement texts."""
    records: list[StatementRecord] = []
    target = target_over(connect_lab("127.0.0.1", port, records.append))
    assert target.key == f"lab@127.0.0.1:{port}"
    before_s, before = target.clock.monotonic_s(), target.clock.now_utc()
    target.clock.sleep(12.5)
    assert target.clock.monotonic_s() - before_s == pytest.approx(12.5)
    assert (target.clock.now_utc() - before).total_seconds() == pytest.approx(12.5)
    sample = agent_ports(target).agents.sample()
    assert sample.at == target.clock.now_utc()
    assert sample.agents[0].session_start < sample.at
    assert {record.name for record in records} >= {"distributor_sample", "publisher_sample"}
    target.close()


def test_two_clients_share_the_lab(port: int) -> None:
    """A client that holds its connection keeps nobody else waiting, and both see the same servers."""
    first = target_over(connect_lab("127.0.0.1", port, ignore))
    second = target_over(connect_lab("127.0.0.1", port, ignore))
    first.clock.sleep(5)
    assert agent_ports(second).agents.sample().at == first.clock.now_utc()
    first.close()
    second.close()


def test_errors_of_the_server_arrive_as_errors(port: int) -> None:
    """An error number travels and becomes the product's error."""
    target = target_over(connect_lab("127.0.0.1", port, ignore))
    agent = agent_ports(target).agents.discover().agents_of(AgentKind.DISTRIBUTION)[0]
    with pytest.raises(TargetError, match="NOWHERE"):
        agent_ports(target).network.read_round_trip(dataclasses.replace(agent, subscriber="NOWHERE"))
    target.close()


def test_client_connects_again_after_a_loss(port: int) -> None:
    """A closed connection is opened again by the next statement."""
    target = target_over(connect_lab("127.0.0.1", port, ignore))
    target.close()
    assert agent_ports(target).agents.discover().agents
    target.close()


def test_no_lab_is_a_sentence() -> None:
    """Nothing at a port is told in one sentence, with what to do."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        free_port = listener.getsockname()[1]
    with pytest.raises(ConnectionLost, match=r"no lab answers.*start a lab server on this port"):
        connect_lab("127.0.0.1", free_port, lambda _record: None)
