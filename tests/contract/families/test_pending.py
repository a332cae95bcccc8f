"""What is read at a gentle pace in a trial: the commands Replication Monitor counts."""

import pytest

from app.domain.events import SamplesTaken, TrialFinished
from app.domain.measurement import TrialStatus
from app.drivers.sqlserver.lab.faults import Fault, FaultKind
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.rig.pending import PENDING, PENDING_EVERY_S
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


@pytest.mark.parametrize("statement", ["pending_commands", "command_bytes"])
@pytest.mark.parametrize("kind", [FaultKind.PERMISSION_DENIED, FaultKind.TIMEOUT])
def test_what_cannot_be_counted_is_left_out_for_good(kind: FaultKind, statement: str) -> None:
    """It explains and is not needed: asked for once, the trials are measured and used without it."""
    family = AGENT_FAMILIES["distribution_agent"]
    faults = tuple(Fault(statement, call, kind) for call in range(1, 40))
    run = run_on_lab(family, small_plan(family, Scenario.CONTINUOUS), faults=faults)
    assert names_sent(run).count(statement) == 1
    assert (pending_of(run) == []) is (statement == "pending_commands")
    assert {e.trial.status for e in run.events if isinstance(e, TrialFinished)} == {TrialStatus.USED}
