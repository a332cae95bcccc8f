"""Faults of the lab's servers reach the caller as the product's own errors, and nothing is lost by them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from app.domain.change import Change
from app.domain.errors import (
    MOST_TRIES,
    BadInput,
    ConnectionLost,
    Deadlock,
    PermissionDenied,
    ProcessDidNotRespond,
    StatementTimeout,
    TargetError,
)
from app.domain.setting import Setting
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.lab_server.happenings import AGENT_WILL_NOT_STOP, STREAM_FALLBACK
from app.systems.transactional_replication.offer import agent_ports
from tests.contract.targets.checking import Bench, make_bench
from tests.labs import open_lab


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        (FaultKind.LOST_BEFORE, ConnectionLost),
        (FaultKind.LOST_AFTER, ConnectionLost),
        (FaultKind.PERMISSION_DENIED, PermissionDenied),
        (FaultKind.DEADLOCK, Deadlock),
        (FaultKind.TIMEOUT, StatementTimeout),
    ],
)
def test_fault_is_an_error_with_a_sentence(kind: FaultKind, error: type[TargetError]) -> None:
    """The n-th call fails with the product's error, keeps the server's text, is on record, and the next call works."""
    tries = MOST_TRIES if error is Deadlock else 1  # whose victim is sent again
    bench = make_bench(faults=tuple(Fault("agents", 2 + number, kind) for number in range(tries)))
    agent_ports(bench.target).agents.discover()
    with pytest.raises(error) as caught:
        agent_ports(bench.target).agents.discover()
    assert caught.value.server_error.startswith("Msg ")
    assert bench.records[-1].error == str(caught.value)
    assert agent_ports(bench.target).agents.discover().agents


def apply_all(bench: Bench, changes: Sequence[Change]) -> None:
    """Apply changes in order."""
    for change in changes:
        bench.target.changes.apply(change)


def test_permission_error_says_what_to_grant() -> None:
    """The sentence names the permission of the statement's header."""
    bench = make_bench(faults=(Fault("assign_profile", 1, FaultKind.PERMISSION_DENIED),))
    agent, changes = bench.own_server(), bench.target.changes
    planned = agent_ports(bench.target).agent_changes.plan_setting(agent, Setting.of(CommitBatchSize=200), "S1")
    with pytest.raises(PermissionDenied, match="grant it: sysadmin"):
        apply_all(bench, planned)
    for change in reversed(planned):
        changes.undo(change)
    assert bench.value(agent, "CommitBatchSize") == ("100", "profile")


@pytest.mark.parametrize("statement", ["add_profile", "set_profile_parameter", "assign_profile", "set_job_step_token"])
@pytest.mark.parametrize("kind", [FaultKind.LOST_BEFORE, FaultKind.LOST_AFTER])
def test_lost_change_can_be_undone(statement: str, kind: FaultKind) -> None:
    """Whether or not a change took effect before the connection broke, undo puts the original back."""
    bench = make_bench(faults=(Fault(statement, 1, kind),))
    agent, changes = bench.own_server(), bench.target.changes
    step = bench.server.state.steps[agent.job_id]
    planned = agent_ports(bench.target).agent_changes.plan_setting(
        agent, Setting.of(CommitBatchSize=200, SubscriptionStreams=8), "S1"
    )
    with pytest.raises(ConnectionLost):
        apply_all(bench, planned)
    for change in reversed(planned):
        changes.undo(change)
    assert bench.value(agent, "CommitBatchSize") == ("100", "profile")
    assert bench.server.state.steps[agent.job_id] == step
    assert bench.topology.agents_of(AgentKind.DISTRIBUTION)[0].profile_id == agent.profile_id


def test_stop_waits_for_the_batch_in_hand() -> None:
    """Stopping only signals; the adapter returns when the job has ended, after the batch being written."""
    bench = make_bench()
    reader, agents = bench.reader(), agent_ports(bench.target).agents
    agent_ports(bench.target).workload.write(reader, 400, (750, 750), 1)
    bench.target.clock.sleep(70.0)
    before_s = bench.target.clock.monotonic_s()
    agents.stop(reader)
    assert bench.target.clock.monotonic_s() - before_s > 5.0
    assert not agents.is_running(reader)
    stops = [record for record in bench.records if record.name == "stop_job"]
    assert len(stops) == 1
    agents.stop(reader)
    assert [record for record in bench.records if record.name == "stop_job"] == stops


def test_agent_that_will_not_stop_is_told() -> None:
    """After the limit the caller learns which agent still runs and what to do."""
    bench = make_bench(faults=(Fault("stop_job", 1, AGENT_WILL_NOT_STOP),))
    reader = bench.reader()
    with pytest.raises(ProcessDidNotRespond, match=r"PUB1-Sales1-1.*stop its job by hand"):
        agent_ports(bench.target).agents.stop(reader)
    assert agent_ports(bench.target).agents.is_running(reader)


def test_start_waits_for_a_new_session() -> None:
    """After start the history shows a session that did not exist before."""
    bench = make_bench()
    agent, agents = bench.own_server(), agent_ports(bench.target).agents
    old = agents.read_history(agent)[0].session_start
    agents.stop(agent)
    agents.start(agent)
    assert agents.read_history(agent)[0].session_start > old
    starts = sum(record.name == "start_job" for record in bench.records)
    agents.start(agent)
    assert sum(record.name == "start_job" for record in bench.records) == starts


def test_stream_fall_back_shows_in_the_history() -> None:
    """A failed stream leaves the comment by which a fall-back to one stream is known."""
    bench = make_bench(faults=(Fault("distributor_sample", 3, STREAM_FALLBACK),))
    agent, target = bench.own_server(), bench.target
    agent_ports(target).agents.stop(agent)
    for change in agent_ports(target).agent_changes.plan_setting(agent, Setting.of(SubscriptionStreams=8), "S1"):
        target.changes.apply(change)
    agent_ports(target).workload.write(bench.reader(), 20_000, (2.5, 2.5), 1)
    target.clock.sleep(60)
    agent_ports(target).agents.start(agent)
    for _tick in range(6):
        target.clock.sleep(1)
        agent_ports(target).agents.sample()
    assert any("single connection mode" in row.comment for row in agent_ports(target).agents.read_history(agent))


def test_disk_nearly_full_shows_in_the_sample() -> None:
    """Free space falls under any reasonable limit when the fault strikes."""
    bench = make_bench(faults=(Fault("distributor_sample", 2, FaultKind.DISK_NEARLY_FULL),))
    before, after = (agent_ports(bench.target).agents.sample().free_disk_gb or 0.0 for _tick in range(2))
    assert before > 100 > 1.0 > after > 0


def test_faults_can_stand_in_the_scenario_file(tmp_path: Path) -> None:
    """A scenario file may list faults."""
    path = tmp_path / "denied.toml"
    listed = '\n[[faults]]\nstatement = "agents"\ncall = 1\nkind = "permission_denied"\n'
    path.write_text(scenario_path("lan").read_text(encoding="utf-8") + listed, encoding="utf-8")
    target = open_lab(path)
    with pytest.raises(PermissionDenied):
        agent_ports(target).agents.discover()


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ('statement = "agents"\ncall = 0\nkind = "deadlock"', "faults.0.call"),
        ('statement = "agents"\ncall = 1\nkind = "fire"', "faults name the kind"),
        ('statement = "no_such"\ncall = 1\nkind = "deadlock"', "no_such"),
        ('statement = "agents"\nkind = "deadlock"', "faults.0.call"),
    ],
)
def test_faulty_fault_is_bad_input(tmp_path: Path, entry: str, complaint: str) -> None:
    """A fault with an unknown statement or kind, or without a call, is one sentence naming file and key."""
    path = tmp_path / "bad.toml"
    path.write_text(scenario_path("lan").read_text(encoding="utf-8") + f"\n[[faults]]\n{entry}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=complaint) as caught:
        open_lab(path)
    assert "bad.toml" in str(caught.value)


def test_unusable_scenario_is_bad_input(tmp_path: Path) -> None:
    """A missing file, and constants that cannot be used beside faults, are sentences, too."""
    with pytest.raises(BadInput):
        open_lab(tmp_path / "none.toml")
    path = tmp_path / "negative.toml"
    text = scenario_path("lan").read_text(encoding="utf-8").replace("pairs = 3", "pairs = -3", 1)
    path.write_text(text + '\n[[faults]]\nstatement = "agents"\ncall = 1\nkind = "deadlock"\n', encoding="utf-8")
    with pytest.raises(BadInput, match=r"topology\.pairs"):
        open_lab(path)
