"""What keeps one reading from a server and says nothing about the next: the run goes on, and counts what it skipped."""

from functools import cache

import pytest

from app.domain.events import Note, RunStatus
from app.domain.measurement import TrialStatus
from app.domain.statement import Access
from app.drivers.oracle import lab_faults as oracle
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.runner.skipped import MOST_IN_A_ROW
from app.systems.availability_groups.subjects import COMMIT, SEEDING
from app.systems.change_data_capture.subjects import CAPTURE
from app.systems.oracle_streams.subjects import STREAMS
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, LabRun, run_on_lab, small_plan

SQL_SERVER = (FaultKind.DEADLOCK, FaultKind.BLOCKED, FaultKind.OUT_OF_MEMORY, FaultKind.NO_MEMORY_GRANT)
ORACLE = tuple(oracle.FaultKind(kind) for kind in ("deadlock", "blocked", "out_of_memory", "snapshot_too_old"))
SAMPLED = {COMMIT: "group_sample_primary", SEEDING: "seeding_sample_primary", STREAMS: "sample_streams_before_11_2"} | {
    CAPTURE: "capture_sample"
}
# One family of each subject; the others send the same readings.
CHOSEN = {family.subject: family_id for family_id, family in reversed(FAMILIES.items())}
CASES = [
    (family_id, kind)
    for subject, family_id in CHOSEN.items()
    for kind in (ORACLE if subject == STREAMS else SQL_SERVER)
]


def sampled_by(family_id: str) -> str:
    """Return the statement that each tick of a family's trials sends."""
    return SAMPLED.get(FAMILIES[family_id].subject, "distributor_sample")


@cache
def readings_of(family_id: str) -> dict[str, int]:
    """Return how often a small run sends each statement that reads."""
    run = run_on_lab(FAMILIES[family_id], small_plan(FAMILIES[family_id]), noise=False)
    names = [record.name for record in run.records if record.access is Access.READ]
    return {name: names.count(name) for name in dict.fromkeys(names)}


def run_with(family_id: str, faults: list[Fault]) -> LabRun:
    """Run a small plan in which those faults happen, counted from the beginning of the run itself."""
    family = FAMILIES[family_id]
    before: dict[str, int] = {}
    run_on_lab(family, small_plan(family), noise=False, before_run=before.update)
    moved = [Fault(fault.statement, fault.call + before.get(fault.statement, 0), fault.kind) for fault in faults]
    return run_on_lab(family, small_plan(family), noise=False, faults=moved)


def notes_of(run: LabRun) -> list[str]:
    """Return what a run told of skipped readings."""
    told = [event.text for event in run.events if isinstance(event, Note)]
    return [text for text in told if text.startswith(("readings skipped in a trial", "readings skipped in a window"))]


@pytest.mark.parametrize(("family_id", "kind"), CASES)
def test_one_passing_error_at_any_reading_costs_nothing(family_id: str, kind: str) -> None:
    """Whichever statement reads, before, in or after a trial: it is sent again, and every trial is used."""
    counts = readings_of(family_id)
    run = run_with(family_id, [Fault(name, 1 + count // 2, kind) for name, count in counts.items()])
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert {trial.status for trial in run.trials} == {TrialStatus.USED}
    assert notes_of(run) == []
    run.assert_restored()


@pytest.mark.parametrize(("family_id", "kind"), CASES)
def test_ticks_are_skipped_and_counted_and_several_in_a_row_end_the_trial(family_id: str, kind: str) -> None:
    """What is refused as often as it is sent costs a tick; a server that refuses on and on is not watched any more."""
    sampled = sampled_by(family_id)
    tries = 2 if kind == "blocked" else 3
    count = readings_of(family_id)[sampled]
    # towards the end of a Streams trial nothing else reads the pipeline than the watch
    first = count - MOST_IN_A_ROW * tries - 2 if family_id == CHOSEN[STREAMS] else count // 2
    skipped = run_with(family_id, [Fault(sampled, first + number, kind) for number in range(2 * tries)])
    assert skipped.end.status is RunStatus.SUCCEEDED, skipped.end.reason
    assert {trial.status for trial in skipped.trials} == {TrialStatus.USED}
    assert [text.rpartition("moment: ")[2] for text in notes_of(skipped)] == ["2"]
    ended = run_with(family_id, [Fault(sampled, first + number, kind) for number in range(MOST_IN_A_ROW * tries)])
    assert ended.end.status is RunStatus.FAILED
    ended.assert_restored()


def test_every_subject_is_among_them() -> None:
    """The agents' families, both of availability groups, and that of Streams."""
    assert {*SAMPLED, *(family.subject for family in AGENT_FAMILIES.values())} == set(CHOSEN)
