"""What is read at a gentle pace in a trial: the commands Replication Monitor counts."""

import itertools
from dataclasses import replace

import pytest

from app.domain.events import Note, SamplesTaken, TrialFinished
from app.domain.measurement import Sample, TrialStatus
from app.domain.target import Target
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.load import DELIVERY_AHEAD_COMMANDS, Scenario
from app.systems.transactional_replication.offer import agent_ports
from app.systems.transactional_replication.readings import PENDING
from app.systems.transactional_replication.rig.pending import COUNT_EVERY_S, PENDING_EVERY_S
from tests.contract.families.lab_runs import AGENT_FAMILIES, LabRun, run_on_lab, small_plan


def names_sent(run: LabRun) -> list[str]:
    """Return the names of all statements of a run, in order."""
    return [record.name for record in run.records]


def pending_of(run: LabRun) -> list[float]:
    """Return what was counted as pending, in order."""
    taken = [event for event in run.events if isinstance(event, SamplesTaken)]
    return [sample.value for event in taken for sample in event.samples if sample.stream.endswith(PENDING)]


@pytest.mark.parametrize("family_id", AGENT_FAMILIES)
def test_pending_commands_are_counted_now_and_then(family_id: str) -> None:
    """Every two minutes of a trial at most, one agent in turn."""
    family = AGENT_FAMILIES[family_id]
    run = run_on_lab(family, small_plan(family, Scenario.CONTINUOUS))
    sent = names_sent(run)
    trials = [event.trial for event in run.events if isinstance(event, TrialFinished)]
    assert {trial.status for trial in trials} == {TrialStatus.USED}
    assert 0 < len(pending_of(run)) == sent.count("pending_commands") <= 240.0 / PENDING_EVERY_S * len(trials)


def test_what_waits_is_counted_now_and_then_while_agents_are_measured() -> None:
    """Never with every tick, and what is written to keep a backlog in front of the agent still keeps it as it was."""
    family = AGENT_FAMILIES["distribution_agent"]
    plan = small_plan(family, Scenario.CONTINUOUS)
    plan = replace(plan, load=plan.load.but(rate_per_s=None))
    run = run_on_lab(family, plan)
    counted: dict[str, list[Sample]] = {}
    for event in run.events:
        if isinstance(event, SamplesTaken):
            of_trial = counted.setdefault(event.trial_id, [])
            of_trial += [sample for sample in event.samples if sample.stream == "pending in the distribution database"]
    assert len(counted) == sum(isinstance(event, TrialFinished) for event in run.events)
    for samples in counted.values():
        offsets_s = [sample.offset_s for sample in samples]
        assert len(offsets_s) > 10
        assert min(later - earlier for earlier, later in itertools.pairwise(offsets_s)) >= COUNT_EVERY_S - 1e-6
        # once the log is read for the first time, most of what is wanted waits
        waiting = [sample.value / DELIVERY_AHEAD_COMMANDS for sample in samples if sample.offset_s > 60]
        assert 0.75 < min(waiting) <= max(waiting) < 1.1


@pytest.mark.parametrize("statement", ["pending_commands", "agent_backlog", "command_bytes"])
@pytest.mark.parametrize("kind", [FaultKind.PERMISSION_DENIED, FaultKind.TIMEOUT])
def test_what_cannot_be_counted_is_left_out_for_good(kind: FaultKind, statement: str) -> None:
    """It explains and is not needed: asked for once, the trials are measured and used without it."""
    family = AGENT_FAMILIES["distribution_agent"]
    faults = tuple(Fault(statement, call, kind) for call in range(1, 40))
    run = run_on_lab(family, small_plan(family, Scenario.CONTINUOUS), faults=faults)
    assert names_sent(run).count(statement) == 1
    assert not [event for event in run.events if isinstance(event, Note)]  # no limit is left unwatched
    assert (pending_of(run) == []) is (statement == "pending_commands")
    assert {e.trial.status for e in run.events if isinstance(e, TrialFinished)} == {TrialStatus.USED}


@pytest.mark.parametrize("family_id", ["log_reader", "distribution_agent"])
@pytest.mark.parametrize("kind", [FaultKind.PERMISSION_DENIED, FaultKind.TIMEOUT])
def test_a_backlog_that_cannot_be_counted_is_waited_for_by_the_agents_own_word(kind: FaultKind, family_id: str) -> None:
    """It is asked for once; everything written is delivered all the same before the next trial begins."""
    family = AGENT_FAMILIES[family_id]
    plan = small_plan(family)
    limited = replace(plan, limits=plan.limits.but(pending_commands=50_000))
    run = run_on_lab(family, limited, faults=(Fault("agent_backlog", 1, kind),))
    assert names_sent(run).count("agent_backlog") == 1
    (told,) = [event.text for event in run.events if isinstance(event, Note)]
    assert told.startswith("the limit of 50,000 pending commands is not watched for the rest of this run")
    assert {e.trial.status for e in run.events if isinstance(e, TrialFinished)} == {TrialStatus.USED}
    deliverers = agent_ports(run.target).agents.discover().agents_of(AgentKind.DISTRIBUTION)
    assert [agent_ports(run.target).agents.read_backlog(agent, 1_000) for agent in deliverers] == [0] * len(deliverers)


def test_what_waits_for_others_is_not_waited_for() -> None:
    """The agents of another subscription stand for good, and what is written for them waits for ever."""
    family = AGENT_FAMILIES["log_reader"]
    plan = small_plan(family)
    plan = replace(plan, load=plan.load.but(agent_pairs=1))

    def stop_the_last(target: Target) -> Target:
        ports = agent_ports(target)
        last = ports.agents.discover().agents_of(AgentKind.DISTRIBUTION)[-1]
        reader = ports.agents.discover().agents_of(AgentKind.LOG_READER)[-1]
        ports.agents.stop(last)
        ports.workload.write(reader, 500, (2.0, 2.0), 1)
        target.clock.sleep(60.0)
        ports.agents.stop(reader)
        ports.workload.write(reader, 300, (2.0, 2.0), 2)
        assert ports.agents.read_backlog(last, 10_000) == 1_000
        return target

    run = run_on_lab(family, plan, wrap=stop_the_last)
    assert {e.trial.status for e in run.events if isinstance(e, TrialFinished)} == {TrialStatus.USED}
