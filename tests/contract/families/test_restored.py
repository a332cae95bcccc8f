"""However a run of a family ends, the server is as it was found: cancelled anywhere, failed anywhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pytest

from app.domain.change import Change, OfProcess, StillRunning
from app.domain.errors import ConnectionLost
from app.domain.events import RunEvent, RunStatus, SamplesTaken, StepStarted, TrialFinished, TrialStarted
from app.domain.family import ExperimentFamily
from app.domain.measurement import TrialStatus
from app.domain.plan import Factor
from app.domain.ports import ServerChanges
from app.domain.setting import Setting
from app.domain.statement import Access
from app.domain.target import Target
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.runner.control import RunControl
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.subjects import COMMIT, SEEDING
from app.systems.change_data_capture.subjects import CAPTURE
from app.systems.oracle_streams.subjects import STREAMS
from app.systems.transactional_replication.load import Scenario
from tests.contract.families.lab_runs import (
    CASE_IDS,
    CASES,
    FAMILIES,
    LabRun,
    Sink,
    run_on_lab,
    small_plan,
)
from tests.labs import with_changes
from tests.prove.shares import Share

every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))
every_case = pytest.mark.parametrize(
    ("family", "scenario"), [(FAMILIES[name], scenario) for name, scenario in CASES], ids=CASE_IDS
)
# What writes the load, so that the disk can run full there.
WRITING = {COMMIT: "run_insert_loop", SEEDING: "seeding_sample_primary", CAPTURE: "stop_capture_job"}


def _run(family: ExperimentFamily, scenario: Scenario = Scenario.DRAINED, **how: object) -> LabRun:
    return run_on_lab(family, small_plan(family, scenario), noise=False, **how)  # type: ignore[arg-type]  # callers name what it takes


def _kind_of(event: RunEvent) -> tuple[str, str]:
    """Return what makes an event worth a cancel of its own: its class, and which step it begins."""
    return type(event).__name__, event.text if isinstance(event, StepStarted) else ""


def _cancel_at(position: int) -> Callable[[RunControl], Sink]:
    """Return a watcher that asks for a cancel at the n-th event, from 0."""

    def make(control: RunControl) -> Sink:
        seen = 0

        def watch(_event: RunEvent) -> None:
            nonlocal seen
            if seen == position:
                control.cancel()
            seen += 1

        return watch

    return make


@every_case
def test_a_run_cancelled_at_any_kind_of_event_is_restored(family: ExperimentFamily, scenario: Scenario) -> None:
    """At each step, change, reading and trial: the run says it was cancelled and puts everything back."""
    events = _run(family, scenario).events
    first = {kind: position for position, kind in reversed(list(enumerate(map(_kind_of, events))))}
    last_trial = max(i for i, event in enumerate(events) if isinstance(event, TrialFinished))
    assert len(first) > 10
    for (name, text), position in first.items():
        run = _run(family, scenario, make_sink=_cancel_at(position))
        when = f"cancelled at {name} {text}"
        run.assert_restored(when)
        assert run.end.status is (RunStatus.CANCELLED if position < last_trial else RunStatus.SUCCEEDED), when
        began = sum(isinstance(event, TrialStarted) for event in run.events)
        assert len(run.trials) == began, when
        assert all(trial.status is not TrialStatus.NOT_USED for trial in run.trials), when


class _Breaking:
    """Changes on a server whose connection breaks at the n-th apply, before or after the change arrived."""

    def __init__(self, changes: ServerChanges, at: int, *, arrives: bool) -> None:
        self._changes = changes
        self._left = at
        self._arrives = arrives

    def is_applied(self, change: Change) -> bool:
        """Read as the server does."""
        return self._changes.is_applied(change)

    def is_undone(self, change: Change) -> bool:
        """Read as the server does."""
        return self._changes.is_undone(change)

    def plan_quiesce(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Plan as the server does."""
        return self._changes.plan_quiesce(changes)

    def process_of(self, change: Change) -> OfProcess | None:
        """Tell as the server does."""
        return self._changes.process_of(change)

    def run_of(self, change: Change) -> str:
        """Read as the server does."""
        return self._changes.run_of(change)

    def restart(self, change: Change, make: Callable[[Change], None], take_back: Callable[[Change], None]) -> bool:
        """Restart as the server does."""
        return self._changes.restart(change, make, take_back)

    def quiesce(self, changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop as the server does."""
        return self._changes.quiesce(changes)

    def apply(self, change: Change) -> None:
        """Apply it, or break."""
        self._left -= 1
        if self._left == 0 and not self._arrives:
            raise ConnectionLost("the connection broke before the change was sent")
        self._changes.apply(change)
        if self._left == 0:
            raise ConnectionLost("the connection broke after the change was made")

    def undo(self, change: Change) -> None:
        """Undo as the server does."""
        self._changes.undo(change)


@dataclass
class _Counting(_Breaking):
    """Never breaks, and counts the changes applied."""

    def __init__(self, changes: ServerChanges) -> None:
        super().__init__(changes, 0, arrives=True)
        self.applied = 0

    def apply(self, change: Change) -> None:
        """Count and apply."""
        self.applied += 1
        super().apply(change)


def _changes_of(family: ExperimentFamily) -> int:
    counting: list[_Counting] = []

    def count(changes: ServerChanges) -> ServerChanges:
        counting.append(_Counting(changes))
        return counting[0]

    def wrap(target: Target) -> Target:
        return with_changes(target, count)

    _run(family, wrap=wrap)
    return counting[0].applied


@every_family
@pytest.mark.parametrize("arrives", [False, True], ids=["before it is sent", "after it was created"])
def test_a_connection_lost_at_any_change_is_restored(family: ExperimentFamily, arrives: bool) -> None:
    """Whichever change breaks, and on whichever side of the server, the run fails and puts everything back."""
    changes = _changes_of(family)
    assert changes >= 3
    for at in range(1, changes + 1):

        def wrap(target: Target, at: int = at) -> Target:
            return with_changes(target, lambda changes: _Breaking(changes, at, arrives=arrives))

        run = _run(family, wrap=wrap)
        run.assert_restored(f"change {at} of {changes}")
        assert run.end.status is RunStatus.FAILED
        assert "the connection broke" in run.end.reason


@pytest.mark.prove
@every_case
def test_a_fault_at_any_statement_is_restored(family: ExperimentFamily, scenario: Scenario, share: Share) -> None:
    """Each statement of a run fails once, read or change, every other one at its middle call: nothing is left."""
    reference = _run(family, scenario)
    before = _calls_before(family)
    names = [record.name for record in reference.records]
    access = {statement.name: statement.access for statement in reference.target.statements()}
    turn = [*FAMILIES.values()].index(family)
    for place, name in share.of(list(enumerate(dict.fromkeys(names))), lambda one: (access[one[1]], one[0]), turn):
        kind = FaultKind.LOST_AFTER if access[name] is Access.CHANGE else FaultKind.TIMEOUT
        call = names.count(name) // 2 + 1 if place % 2 else 1
        run = _run(family, scenario, faults=(Fault(name, before.get(name, 0) + call, kind),))
        run.assert_restored(f"{kind} at call {call} of {name}")
        assert any(record.error for record in run.records), f"{name} was not called that often"
        assert run.end.status in (RunStatus.FAILED, RunStatus.SUCCEEDED)


def _calls_before(family: ExperimentFamily) -> dict[str, int]:
    """Return how often each statement is sent before the run itself begins."""
    counts: dict[str, int] = {}
    run_on_lab(family, small_plan(family), noise=False, before_run=counts.update)
    return counts


@pytest.mark.parametrize(
    ("statement", "call"),
    [("run_insert_loop", 1), ("run_insert_loop", 4), ("group_sample_primary", 3), ("set_availability_mode", 1)],
)
def test_a_failover_ends_the_run_and_nothing_stays_changed(statement: str, call: int) -> None:
    """Whatever statement meets it: the run says that the group failed over, and every change is undone."""
    run = _run(FAMILIES["commit_mode"], faults=(Fault(statement, call, FaultKind.FAILOVER),))
    assert run.end.status is RunStatus.FAILED
    assert "failed over" in run.end.reason
    assert run.end.not_restored == ()
    assert run.journal.open_entries() == ()
    found = group_ports(run.target).groups.discover()
    modes = {(g.name, r.server): r.mode for g in found.groups for r in g.replicas}
    assert isinstance(run.before["modes"], dict)
    assert modes == {place: entry[0] for place, entry in run.before["modes"].items()}
    assert found.trace_flags == run.before["flags"]


@pytest.mark.parametrize("family", [f for f in FAMILIES.values() if f.subject != STREAMS])
def test_an_abort_rule_restores(family: ExperimentFamily) -> None:
    """A full disk ends the trial at once; the trial is kept as aborted, with the reason, and the server is restored."""
    faults = (Fault(WRITING.get(family.subject, "write_load"), 1, FaultKind.DISK_NEARLY_FULL),)
    run = _run(family, faults=faults)
    run.assert_restored("disk nearly full")
    assert run.end.status is RunStatus.ABORTED
    assert "free disk" in run.end.reason
    assert [trial.status for trial in run.trials] == [TrialStatus.ABORTED]
    assert not any(isinstance(event, SamplesTaken) and event.progress > 1 for event in run.events)


@pytest.mark.parametrize("times", [1.2, 50.0])
def test_a_trial_much_slower_than_the_baseline_ends_the_run(times: float) -> None:
    """One stream takes more than 1.2 × as long as the eight in effect: its trial is ended and the server restored."""
    family = FAMILIES["distribution_agent"]
    plan = small_plan(family)
    slow = replace(
        plan,
        factors=(Factor("SubscriptionStreams", (1, 8)),),
        baseline=Setting.of(SubscriptionStreams=8),
        limits=plan.limits.but(trial_times_baseline=times),
        design=replace(plan.design, blocks=3),
    )
    run = run_on_lab(family, slow, noise=False)
    run.assert_restored(f"more than {times} × the baseline")
    if times > 2:
        assert run.end.status is RunStatus.SUCCEEDED
        return
    assert run.end.status is RunStatus.ABORTED
    assert "the plan's limit, beside its baseline" in run.end.reason
    assert [trial.setting for trial in run.trials if trial.status is TrialStatus.ABORTED] == [
        Setting.of(SubscriptionStreams=1)
    ]
    assert any(trial.setting == slow.baseline for trial in run.trials[:-1])
