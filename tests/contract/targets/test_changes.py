"""Every change of the lab's servers: planned, made, read back, undone, twice, also when it was never made."""

from datetime import datetime

import pytest

from app.domain.change import Change
from app.domain.errors import BadInput, PermissionDenied, Unsupported, VerificationFailed
from app.domain.setting import Setting, Value
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.lab.faults import FaultKind
from app.drivers.sqlserver.scripts import only_at_server
from app.drivers.sqlserver.session import Place
from app.lab.faults import Fault
from app.runner.undo import SafeChanger
from app.systems.availability_groups.seeding_server import SEEDING_CHANGE_KINDS
from app.systems.availability_groups.server import GROUP_CHANGE_KINDS
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab_server.site import secret_of
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.server.changes import CHANGE_DETAILS
from app.systems.transactional_replication.server.tracer_tokens import TRACER_TOKEN
from app.systems.transactional_replication.topology import Agent
from tests.contract.statements.test_statements import check_batch
from tests.contract.statements.tsql import names_of
from tests.contract.targets.checking import Bench, make_bench
from tests.unit.runner.memory import MemoryJournal

SETTING = Setting.of(CommitBatchSize=200, PacketSize=8192, SubscriptionStreams=8)


def all_changes(bench: Bench) -> list[Change]:
    """Return a change of each kind for the first Distribution Agent, in the order they are made."""
    agent = bench.own_server()
    bench.server.state.scheduled.add(agent.job_id)
    planned = agent_ports(bench.target).agent_changes.plan_setting(agent, SETTING, "S1")
    switches = agent_ports(bench.target).agent_changes
    return [*switches.plan_disabled(agent), switches.plan_stop(agent), *planned, switches.plan_start(agent)]


def fingerprint(bench: Bench, others: str = "\n") -> tuple[object, ...]:
    """Return everything a change may touch, but for profiles whose name begins so."""
    state = bench.server.state
    found = [p for number in range(99) if (p := state.profiles.get(number))]
    profiles = [(p.name, dict(p.values)) for p in found if not p.name.startswith(others)]
    running = [state.agent_state(agent).running for agent in state.site.agents]
    return dict(state.steps), dict(state.profile_ids), profiles, running, set(state.disabled)


def test_setting_is_planned_as_profile_and_job_step() -> None:
    """SubscriptionStreams goes by the job step, the rest by a dedicated profile that is assigned last."""
    kinds = [change.kind for change in all_changes(make_bench())]
    assert kinds == [
        "job_enabled",
        "agent_stopped",
        "dedicated_profile",
        "profile_parameter",
        "profile_parameter",
        "profile_assignment",
        "job_step_token",
        "agent_started",
    ]
    assert set(kinds) == set(CHANGE_DETAILS) - {TRACER_TOKEN, *GROUP_CHANGE_KINDS, *SEEDING_CHANGE_KINDS}


def test_applied_setting_is_in_effect_and_undo_is_complete() -> None:
    """After apply the parameters read back; after undo in reverse order everything is as before, also when repeated."""
    bench = make_bench()
    before, agent = fingerprint(bench), bench.own_server()
    changes = all_changes(bench)
    for change in changes:
        bench.target.changes.apply(change)
    assert bench.value(agent, "CommitBatchSize") == ("200", "profile")
    assert bench.value(agent, "PacketSize") == ("8192", "profile")
    assert bench.value(agent, "SubscriptionStreams") == ("8", "job step")
    assert fingerprint(bench) != before
    for _again in range(2):
        bench.target.changes.quiesce(changes)
        for change in reversed(changes):
            bench.target.changes.undo(change)
            bench.target.changes.undo(change)
        assert fingerprint(bench) == before


@pytest.mark.parametrize("made", range(9))
def test_undo_of_all_when_only_some_were_made(made: int) -> None:
    """Whatever the number of changes made before a crash, undoing all of them puts everything back."""
    bench = make_bench()
    before, changes = fingerprint(bench), all_changes(bench)
    for change in changes[:made]:
        bench.target.changes.apply(change)
    for change in reversed(changes):
        bench.target.changes.undo(change)
    assert fingerprint(bench) == before


def test_shared_and_system_profiles_are_never_touched() -> None:
    """Changes leave the profile other agents use as it was."""
    bench = make_bench()
    shipped = dict(bench.server.state.profiles.find(3, "Default agent profile.").values)  # type: ignore[union-attr]  # the shipped profile exists
    for change in all_changes(bench):
        bench.target.changes.apply(change)
    assert bench.server.state.profiles.find(3, "Default agent profile.").values == shipped  # type: ignore[union-attr]  # the shipped profile exists


def test_setting_in_effect_needs_no_change() -> None:
    """Values already in effect are planned as nothing, whatever they come from."""
    bench = make_bench()
    agent = bench.own_server()
    in_effect = Setting.of(CommitBatchSize=100, PacketSize=4096, SubscriptionStreams=1)
    assert agent_ports(bench.target).agent_changes.plan_setting(agent, in_effect, "S1") == ()
    for change in agent_ports(bench.target).agent_changes.plan_setting(agent, SETTING, "S1"):
        bench.target.changes.apply(change)
    assert agent_ports(bench.target).agent_changes.plan_setting(agent, SETTING, "S1") == ()


def test_second_setting_reuses_the_profile() -> None:
    """The next trial changes values in the same profile; undoing both trials puts the originals back."""
    bench = make_bench()
    before, agent, changes = fingerprint(bench), bench.own_server(), bench.target.changes
    first = agent_ports(bench.target).agent_changes.plan_setting(agent, Setting.of(CommitBatchSize=200), "S1")
    for change in first:
        changes.apply(change)
    second = agent_ports(bench.target).agent_changes.plan_setting(agent, Setting.of(CommitBatchSize=400), "S1")
    assert [(c.kind, c.original, c.new) for c in second] == [("profile_parameter", "200", "400")]
    changes.apply(second[0])
    assert bench.value(agent, "CommitBatchSize") == ("400", "profile")
    for change in reversed((*first, *second)):
        changes.undo(change)
    assert fingerprint(bench) == before


def test_profile_left_by_its_owner_is_given_every_wanted_value() -> None:
    """A dedicated profile that exists and is not assigned gets also the values that happen to be in effect now."""
    bench = make_bench()
    agent, changes = bench.own_server(), bench.target.changes
    planned = agent_ports(bench.target).agent_changes.plan_setting(
        agent, Setting.of(CommitBatchSize=200, PollingInterval=1), "S1"
    )
    for change in planned:
        changes.apply(change)
    changes.undo(next(change for change in planned if change.kind == "profile_assignment"))
    again = agent_ports(bench.target).agent_changes.plan_setting(
        agent, Setting.of(CommitBatchSize=300, PollingInterval=5), "S1"
    )
    assert [(c.kind, c.new) for c in again][:2] == [("profile_parameter", "300"), ("profile_parameter", "5")]
    for change in again:
        changes.apply(change)
    assert bench.value(agent, "PollingInterval")[0] == "5"


def test_value_in_the_job_step_is_changed_there() -> None:
    """Where the job step names a parameter, a profile would change nothing: the step is edited and put back exactly."""
    bench = make_bench()
    agent, changes = bench.own_server(), bench.target.changes
    step = bench.server.state.steps[agent.job_id].replace(" -Continuous", " -CommitBatchSize   150\r\n -Continuous\r\n")
    bench.server.state.steps[agent.job_id] = step
    (change,) = agent_ports(bench.target).agent_changes.plan_setting(agent, Setting.of(CommitBatchSize=200), "S1")
    assert (change.kind, change.original) == ("job_step_token", "150")
    changes.apply(change)
    assert bench.value(agent, "CommitBatchSize") == ("200", "job step")
    changes.undo(change)
    assert bench.server.state.steps[agent.job_id] == step


def test_parameter_named_twice_in_a_job_step_is_left_alone() -> None:
    """A step that names the parameter twice is not edited."""
    bench = make_bench()
    agent = bench.own_server()
    bench.server.state.steps[agent.job_id] += " -SubscriptionStreams 2 -SubscriptionStreams 4"
    with pytest.raises(Unsupported, match="twice"):
        agent_ports(bench.target).agent_changes.plan_setting(agent, Setting.of(SubscriptionStreams=8), "S1")


def test_step_edited_by_someone_else_is_told_once() -> None:
    """Undo edits its own token only, says that the step was changed meanwhile, and is satisfied the next time."""
    bench = make_bench()
    agent, changes = bench.own_server(), bench.target.changes
    (change,) = agent_ports(bench.target).agent_changes.plan_setting(agent, Setting.of(SubscriptionStreams=8), "S1")
    changes.apply(change)
    edited = bench.server.state.steps[agent.job_id].replace("-Continuous", "-Continuous -MessageInterval 30")
    bench.server.state.steps[agent.job_id] = edited
    with pytest.raises(VerificationFailed, match="someone else"):
        changes.undo(change)
    assert bench.server.state.steps[agent.job_id] == edited.replace(" -SubscriptionStreams 8", "")
    changes.undo(change)


def test_profile_still_in_use_is_kept_and_told() -> None:
    """A dedicated profile another agent was given by hand is not dropped under it."""
    bench = make_bench()
    agent, changes = bench.own_server(), bench.target.changes
    planned = agent_ports(bench.target).agent_changes.plan_setting(agent, Setting.of(CommitBatchSize=200), "S1")
    for change in planned:
        changes.apply(change)
    with pytest.raises(VerificationFailed, match="used by 1 agents"):
        changes.undo(planned[0])
    for change in reversed(planned):
        changes.undo(change)


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("CommitBatchSize", 20_000, "outside the limits"),
        ("CommitBatchSize", 0, "outside the limits"),
        ("SubscriptionStreams", 65, "outside the limits"),
        ("PollingInterval", -1, "outside the limits"),
        ("ReadBatchSize", 500, "has no parameter"),
        ("CommitBatchSize", 1.5, "whole number"),
        ("CommitBatchSize", "many", "whole number"),
    ],
)
def test_impossible_setting_is_bad_input(name: str, value: Value, complaint: str) -> None:
    """A value outside the server's limits, of a wrong kind, or of another agent is refused before anything is sent."""
    bench = make_bench()
    agent = bench.own_server()
    before = fingerprint(bench)
    with pytest.raises(BadInput, match=complaint):
        agent_ports(bench.target).agent_changes.plan_setting(agent, Setting.of(**{name: value}), "S1")
    assert fingerprint(bench) == before


def test_changes_carry_no_secret() -> None:
    """Neither texts nor details nor scripts hold a password or a piece of step text."""
    bench = make_bench()
    everything = repr(all_changes(bench))
    for agent in bench.server.state.site.agents:
        assert secret_of(agent) not in everything
    assert "-SubscriberLogin" not in everything
    assert "-Continuous" not in everything


def test_scripts_stand_alone_and_name_documented_objects_only() -> None:
    """Each script says where to run it, declares what it uses, and each batch of it passes the statements' check."""
    for change in all_changes(make_bench()):
        for script in (change.apply_sql, change.undo_sql):
            assert "-- Run at: DIST1" in script
            assert script.endswith("GO\n")
            for batch in script.split("\nGO\n"):
                if batch.strip() and "USE [" not in batch:
                    guard = only_at_server("DIST1")
                    assert batch.startswith(guard)
                    check_batch(catalogue()["server_info"], batch.removeprefix(guard))
                    assert names_of(batch).calls
    stop = all_changes(make_bench())[1]
    assert "WAITFOR DELAY" in stop.apply_sql
    unless_it_runs = "IF NOT EXISTS (SELECT 1\n    FROM msdb.dbo.sysjobactivity"
    assert (
        stop.undo_sql.index("sp_stop_job") < stop.undo_sql.index(unless_it_runs) < stop.undo_sql.index("sp_start_job")
    )


def test_quotes_in_names_are_doubled() -> None:
    """An owner with a quote does not end the text it stands in."""
    bench = make_bench()
    changes = agent_ports(bench.target).agent_changes.plan_setting(
        bench.own_server(), Setting.of(CommitBatchSize=200), "O'Neill"
    )
    assert "N'Replitune O''Neill distribution 1'" in changes[0].apply_sql


def test_stopping_says_what_it_does_to_production() -> None:
    """Consent names the effect: a Log Reader Agent stops all publications of its database."""
    bench = make_bench()
    assert (
        "every publication of Sales1" in agent_ports(bench.target).agent_changes.plan_stop(bench.reader()).needs_consent
    )
    assert "SUB1" in agent_ports(bench.target).agent_changes.plan_stop(bench.own_server()).needs_consent


def test_unknown_kind_of_change_is_refused() -> None:
    """A journal of a newer program is not guessed at."""
    bench = make_bench()
    change = Change("weather", "sky", "off", "on", (), "", "")
    with pytest.raises(Unsupported, match="weather"):
        bench.target.changes.undo(change)


def test_quiesce_stops_only_agents_that_are_started_again() -> None:
    """An agent whose parameters changed but which was never stopped or started by these changes keeps running."""
    bench = make_bench()
    agent, changes = bench.own_server(), bench.target.changes
    planned = agent_ports(bench.target).agent_changes.plan_setting(agent, Setting.of(CommitBatchSize=200), "S1")
    changes.quiesce(planned)
    assert agent_ports(bench.target).agents.is_running(agent)
    changes.quiesce([agent_ports(bench.target).agent_changes.plan_stop(agent), *planned])
    assert not agent_ports(bench.target).agents.is_running(agent)


@pytest.mark.parametrize("resisting", [0, 1])
def test_an_agent_that_will_not_stop_keeps_its_entries_open(resisting: int) -> None:
    """The other agent runs with its originals again; this one does as soon as a later restore can stop it."""
    bench = make_bench()
    before = fingerprint(bench)
    target, agents = bench.target, bench.topology.agents_of(AgentKind.DISTRIBUTION)[:2]
    journal = MemoryJournal([])
    changer = SafeChanger(target, journal, "S1")
    for agent in agents:
        changer.apply(agent_ports(target).agent_changes.plan_stop(agent))
        for change in agent_ports(target).agent_changes.plan_setting(agent, SETTING, "S1"):
            changer.apply(change)
        agent_ports(target).agents.start(agent)
    job_id = agents[resisting].job_id
    bench.server.state.will_not_stop.add(job_id)
    began = {agent.job_id: session_start(bench, agent) for agent in agents}
    problems = changer.restore(lambda _change: None)
    # others see by the profiles that something still runs with what was set
    own = [problem for problem in problems if "it stays until the rest is undone" not in problem]
    assert all("still runs 3600 s after it was asked to stop" in problem for problem in own), problems
    open_now = [entry.change for entry in journal.open_entries() if entry.change.kind != "dedicated_profile"]
    assert {change.detail("job_id") for change in open_now} == {job_id}
    assert {agent.job_id for agent in agents if session_start(bench, agent) == began[agent.job_id]} == {job_id}
    assert fingerprint(bench, others="Replitune") == before
    bench.server.state.will_not_stop.clear()
    assert changer.restore(lambda _change: None) == ()
    assert session_start(bench, agents[resisting]) > began[job_id]
    assert fingerprint(bench) == before


def test_an_agent_that_is_about_to_end_is_started_again() -> None:
    """It was asked to stop and nobody waited for it: running is not taken for put back."""
    bench = make_bench()
    reader, target = bench.reader(), bench.target
    agent_ports(target).workload.write(reader, 400, (750, 750), 1)
    target.clock.sleep(70.0)
    stopping = agent_ports(target).agent_changes.plan_stop(reader)
    bench.session.run("stop_job", Place(bench.session.own_server, "msdb"), job_id=reader.job_id)
    assert agent_ports(target).agents.is_running(reader)
    target.changes.undo(stopping)
    target.clock.sleep(600.0)
    assert agent_ports(target).agents.is_running(reader)
    began = session_start(bench, reader)
    target.changes.undo(stopping)
    assert session_start(bench, reader) == began


@pytest.mark.parametrize("kind", [FaultKind.DEADLOCK, FaultKind.TIMEOUT, FaultKind.LOST_BEFORE, FaultKind.LOST_AFTER])
@pytest.mark.parametrize(("statement", "first_of_restore"), [("job_activity", 7), ("stop_job", 2)])
def test_what_passes_is_not_taken_for_an_agent_that_resists(
    statement: str, first_of_restore: int, kind: FaultKind
) -> None:
    """Stopping it is tried again, and nothing is left to restore."""
    bench = make_bench(faults=(Fault(statement, first_of_restore, kind),))
    before, target, agent = fingerprint(bench), bench.target, bench.own_server()
    journal = MemoryJournal([])
    changer = SafeChanger(target, journal, "S1")
    changer.apply(agent_ports(target).agent_changes.plan_stop(agent))
    for change in agent_ports(target).agent_changes.plan_setting(agent, SETTING, "S1"):
        changer.apply(change)
    agent_ports(target).agents.start(agent)
    assert changer.restore(lambda _change: None) == ()
    assert journal.open_entries() == ()
    assert fingerprint(bench) == before


def test_an_agent_nobody_may_stop_was_never_asked_to() -> None:
    """Where stopping was refused, undoing it leaves the agent alone."""
    faults = tuple(Fault("stop_job", call, FaultKind.PERMISSION_DENIED) for call in (1, 2))
    bench = make_bench(faults=faults)
    agent, target = bench.own_server(), bench.target
    began, stopping = session_start(bench, agent), agent_ports(target).agent_changes.plan_stop(agent)
    with pytest.raises(PermissionDenied):
        target.changes.apply(stopping)
    target.changes.undo(stopping)
    assert agent_ports(target).agents.is_running(agent)
    assert session_start(bench, agent) == began


def session_start(bench: Bench, agent: Agent) -> datetime:
    """Return when the newest session of an agent began."""
    return agent_ports(bench.target).agents.read_history(agent)[0].session_start
