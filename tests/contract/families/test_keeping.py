"""Keeping a setting at real parts: what is in effect then, and that a fault, a limit or a cancel leaves nothing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from app.domain.change import Change, Keep
from app.domain.errors import StoreError
from app.domain.events import Note, RunEvent, SamplesTaken, StepStarted
from app.domain.setting import Setting
from app.domain.work_source import SOURCE, WorkSource
from app.drivers.oracle.lab_faults import FaultKind as OracleFaults
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.runner.control import RunControl
from app.runner.keeping import KeepEnded, KeepOrder, execute_keep
from app.runner.undo.restore import restore_entries
from app.services.plan.completing import read_site
from app.systems.change_data_capture.members import capture_port
from app.systems.oracle_streams.offer import streams_port
from app.systems.transactional_replication.server.job_enabled import JOB_ENABLED
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, LabRun, open_lab_of, settings_of, small_plan
from tests.contract.families.own_work import own_plan, sources_of
from tests.labs import jobs_disabled
from tests.unit.runner.memory import MemoryJournal
from tests.writers import incident, log_to_capture, streams_incident

EIGHT = Setting.of(SubscriptionStreams=8)
# of families with a process of its own that works off the client's backlog: the setting, and statements that keep it
ELSEWHERE: Final[Mapping[str, tuple[Setting, tuple[str, ...]]]] = {
    "streams_apply": (
        Setting.of(PARALLELISM=4),
        ("stop_apply", "set_apply_parameter", "start_apply", "apply_status"),
    ),
    "cdc_capture": (
        Setting.of(maxtrans=2_000, pollinginterval=1),
        ("stop_capture_job", "set_capture_job", "start_capture_job", "capture_job_activity"),
    ),
}
Watch = Callable[[RunEvent, RunControl], None]


def keep(
    scenario: Path,
    how: Keep,
    family_id: str = "distribution_agent",
    setting: Setting = EIGHT,
    *,
    source: WorkSource = WorkSource.OWN_BACKLOG,
    watch: Watch = lambda _event, _control: None,
    made: list[LabRun] | None = None,
    faults: tuple[Fault, ...] = (),
    **limits: float,
) -> tuple[KeepEnded, LabRun]:
    """Keep a setting on a site that is behind; return how it ended, with the target as it is then."""
    family = FAMILIES[family_id]
    target = open_lab_of(family.subject, lambda _record: None, lab=scenario, noise=False, faults=faults)
    plan = own_plan(family, source)
    plan = replace(plan, limits=plan.limits.but(**limits))
    rig = family.system.rig_kind(family.subject)
    site = rig.complete_site(plan, read_site(target, family), target)
    plan, journal, control = rig.complete_plan(plan, site), MemoryJournal([]), RunControl()
    run = LabRun(family, plan, target, site, settings_of(target), journal)

    if made is not None:
        made.append(run)

    def tell(event: RunEvent) -> None:
        run.events.append(event)
        watch(event, control)

    order = KeepOrder("S1", "E1", plan, family, site, target, journal, control, tell, tell, lambda: None, setting, how)
    return execute_keep(order), run


def assert_nothing_left(ended: KeepEnded, run: LabRun, when: str) -> None:
    """Check that everything is undone, by the journal and by the server."""
    assert ended.not_restored == (), when
    assert run.journal.open_entries() == (), when
    run.assert_as_found(when)


def test_schedules_may_start_an_agent_that_is_kept(tmp_path: Path) -> None:
    """Its job is disabled only as long as it must stand."""
    path = incident(tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("[site]\n", "[site]\nrestarted_jobs = [1]\n", 1), encoding="utf-8")
    ended, run = keep(path, Keep.FOR_GOOD)
    made = [entry.change for entry in run.journal.entries.values()]
    assert JOB_ENABLED in {change.kind for change in made}
    assert (ended.is_kept, ended.is_complete) == (True, True), ended.reason
    assert any("Let schedules start" in event.text for event in run.events if isinstance(event, StepStarted))
    assert jobs_disabled(run.target) == frozenset()
    assert all(entry.is_kept for entry in run.journal.open_entries())


def test_a_cancel_while_it_is_kept_undoes_it(tmp_path: Path) -> None:
    """At any moment of the wait."""

    def cancel(event: RunEvent, control: RunControl) -> None:
        if isinstance(event, SamplesTaken):
            control.cancel()

    ended, run = keep(incident(tmp_path), Keep.UNTIL_CAUGHT_UP, watch=cancel)
    assert (ended.is_kept, ended.is_cancelled, ended.not_restored) == (False, True, ())
    assert_nothing_left(ended, run, "cancelled while kept")


def test_a_journal_that_cannot_be_written_is_told_and_everything_undone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """That it is kept no longer stands in no journal then; what was changed is undone all the same."""
    mark_kept = MemoryJournal.mark_kept

    def full(self: MemoryJournal, entry_ids: Sequence[int], how: Keep | None) -> None:
        if how is None:
            raise StoreError("undo.journal: the disk is full")
        mark_kept(self, entry_ids, how)

    monkeypatch.setattr(MemoryJournal, "mark_kept", full)
    ended, run = keep(incident(tmp_path, outage_h=0.1), Keep.UNTIL_CAUGHT_UP)
    assert [event.text for event in run.events if isinstance(event, Note) and "disk is full" in event.text]
    assert_nothing_left(ended, run, "with a full disk")


def test_the_deadline_holds_while_it_is_kept(tmp_path: Path) -> None:
    """Everything is undone by the time of day that was promised; what is kept for good stays beyond it."""
    family = AGENT_FAMILIES["distribution_agent"]
    local = open_lab_of(family.subject, lambda _record: None, lab=incident(tmp_path)).clock.now_utc().astimezone()
    minutes = local.hour * 60 + local.minute + 6
    ended, run = keep(incident(tmp_path), Keep.UNTIL_CAUGHT_UP, restored_by=minutes % 1_440)
    assert not ended.is_kept
    assert "everything is to be undone by" in ended.reason
    assert_nothing_left(ended, run, "by the deadline")
    assert (run.target.clock.now_utc().astimezone() - local).total_seconds() <= 6 * 60


def test_a_limit_of_the_plan_ends_it(tmp_path: Path) -> None:
    """As in a trial; how long one may last is no limit on it."""
    ended, run = keep(incident(tmp_path), Keep.UNTIL_CAUGHT_UP, free_disk_gb=1e6, trial_duration_s=30.0)
    assert (ended.is_kept, ended.is_complete) == (False, False)
    assert "free disk" in ended.reason
    assert_nothing_left(ended, run, "when a limit was exceeded")
    ended, run = keep(incident(tmp_path, outage_h=0.1), Keep.UNTIL_CAUGHT_UP, trial_duration_s=5.0)
    assert ended.is_complete, ended.reason
    assert_nothing_left(ended, run, "once the backlog was gone")


@pytest.mark.parametrize("kind", [FaultKind.TIMEOUT, FaultKind.LOST_AFTER])
@pytest.mark.parametrize("statement", ["start_job", "stop_job", "distributor_sample", "set_job_step_token"])
def test_a_fault_leaves_nothing_half_kept(statement: str, kind: FaultKind, tmp_path: Path) -> None:
    """Whichever statement fails, the agent delivers as it was found, or with the whole of what is kept."""
    ended, run = keep(incident(tmp_path, outage_h=0.1), Keep.FOR_GOOD, faults=(Fault(statement, 1, kind),))
    if ended.is_kept:
        assert all(entry.is_kept for entry in run.journal.open_entries())
        return
    assert_nothing_left(ended, run, f"{kind} at {statement}")


def _behind(family_id: str, folder: Path) -> Path:
    """Return a site that has caught up a few minutes after it is let go."""
    return streams_incident(folder, outage_h=0.03) if family_id == "streams_apply" else log_to_capture(folder, 40_000)


def _keep_elsewhere(family_id: str, folder: Path, how: Keep, **more: object) -> tuple[KeepEnded, LabRun]:
    setting, _statements = ELSEWHERE[family_id]
    return keep(_behind(family_id, folder), how, family_id, setting, **more)  # type: ignore[arg-type]  # as `keep` has them


def _set_by_the_dba(run: LabRun, setting: Setting) -> Iterable[Change]:
    if run.family.family_id == "cdc_capture":
        port = capture_port(run.target)
        found = port.discover(lambda _why: None)
        assert found is not None
        return port.changes.plan_values(found.jobs[0], setting)
    [(name, value)] = setting.items()
    [path] = streams_port(run.target).discover().paths
    return streams_port(run.target).plan_parameter(path, name, value)


def _stops(run: LabRun, change: Change) -> bool:
    of = run.target.changes.process_of(change)
    return of is not None and of.is_stop


def _values_of(run: LabRun) -> dict[str, object]:
    """Return the parameters in effect of whoever works off the backlog, by name."""
    found = run.family.system.discover(run.target, lambda _why: None)
    if run.family.family_id == "cdc_capture":
        return {parameter.name: int(parameter.value) for parameter in found.jobs[0].parameters}
    return {p.effective.name: p.effective.value for p in found.parameters if p.component == "apply"}


@pytest.mark.parametrize("family_id", ELSEWHERE)
def test_kept_for_good_the_process_works_with_all_of_it(family_id: str, tmp_path: Path) -> None:
    """Every value of the setting stands, the process runs, and the journal says of each change that it is kept."""
    ended, run = _keep_elsewhere(family_id, tmp_path, Keep.FOR_GOOD)
    assert (ended.is_kept, ended.is_complete) == (True, True), ended.reason
    values = _values_of(run)
    for name, value in ELSEWHERE[family_id][0].items():
        assert str(values[name]) == str(value)
    entries = run.journal.open_entries()
    assert entries
    assert all(entry.is_kept for entry in entries)
    assert run.target.changes.run_of(next(e.change for e in entries if _stops(run, e.change))), "it runs"
    problems = restore_entries(run.target, run.journal, entries, lambda _change: None)
    assert problems == ()
    assert_nothing_left(ended, run, "undone by its name")


@pytest.mark.parametrize(("family_id", "theirs"), [("streams_apply", "2"), ("cdc_capture", "3000")])
def test_a_value_that_somebody_set_since_stays_and_is_told(family_id: str, theirs: str, tmp_path: Path) -> None:
    """Undoing leaves it, says what stands there now, and undoes the rest."""
    name = next(iter(ELSEWHERE[family_id][0]))
    ended, run = _keep_elsewhere(family_id, tmp_path, Keep.FOR_GOOD)
    assert ended.is_kept, ended.reason
    for change in _set_by_the_dba(run, Setting.from_mapping({name: int(theirs)})):
        run.target.changes.apply(change)
    told: list[str] = []
    entries = run.journal.open_entries()
    problems = restore_entries(
        run.target, run.journal, entries, lambda _change: None, lambda _change, why: told.append(why)
    )
    assert problems == ()
    assert run.journal.open_entries() == ()
    assert any(theirs in why for why in told), told
    assert str(_values_of(run)[name]) == theirs


@pytest.mark.parametrize("family_id", ELSEWHERE)
def test_the_rest_is_worked_off_with_what_is_kept(family_id: str, tmp_path: Path) -> None:
    """Until no backlog is left, which takes minutes, however long applications go on to write."""
    seen: list[object] = []
    runs: list[LabRun] = []
    name, wanted = next(iter(ELSEWHERE[family_id][0].items()))

    def watch(event: RunEvent, _control: RunControl) -> None:
        if isinstance(event, SamplesTaken) and runs:
            seen.append(_values_of(runs[0])[name])

    ended, run = _keep_elsewhere(family_id, tmp_path, Keep.UNTIL_CAUGHT_UP, watch=watch, made=runs)
    assert ended.is_complete, ended.reason
    assert "was kept until the backlog was processed" in ended.reason
    assert {str(value) for value in seen} == {str(wanted)}
    assert 1 < len(seen) < 60, "a reading is sent every ten seconds"
    assert_nothing_left(ended, run, "once nothing waited")


@pytest.mark.parametrize("family_id", ELSEWHERE)
def test_a_cancel_while_it_is_kept_elsewhere_undoes_it(family_id: str, tmp_path: Path) -> None:
    """While the rest is worked off."""

    def cancel(event: RunEvent, control: RunControl) -> None:
        if isinstance(event, SamplesTaken):
            control.cancel()

    ended, run = _keep_elsewhere(family_id, tmp_path, Keep.UNTIL_CAUGHT_UP, watch=cancel)
    assert (ended.is_kept, ended.is_cancelled) == (False, True)
    assert_nothing_left(ended, run, "cancelled while kept")


@pytest.mark.parametrize("kind", [OracleFaults.TIMEOUT, OracleFaults.LOST_AFTER])
@pytest.mark.parametrize(
    ("family_id", "statement"),
    [(family_id, statement) for family_id, (_setting, sent) in ELSEWHERE.items() for statement in sent],
)
def test_a_fault_leaves_nothing_half_kept_elsewhere(
    family_id: str, statement: str, kind: OracleFaults, tmp_path: Path
) -> None:
    """Whichever statement fails, the process works as it was found, or with the whole of what is kept."""
    fault = Fault(statement, 1, kind if family_id == "streams_apply" else FaultKind[kind.name])
    ended, run = _keep_elsewhere(family_id, tmp_path, Keep.FOR_GOOD, faults=(fault,))
    if ended.is_kept:
        assert all(entry.is_kept for entry in run.journal.open_entries())
        return
    assert_nothing_left(ended, run, f"{kind} at {statement}")


@pytest.mark.parametrize("family_id", [*AGENT_FAMILIES, *ELSEWHERE, "commit_mode", "seeding"])
def test_only_settings_for_the_clients_own_work_are_kept(family_id: str) -> None:
    """What is undone once a trial has ended was for a load of the trial's own, and is handed over as scripts."""
    family = FAMILIES[family_id]
    for source in sources_of(family):
        plan = own_plan(family, source)
        kept = family.keep_steps(plan, plan.baseline)
        assert kept
        assert bool(family.rest_steps(plan)) == source.shows_capacity
    if SOURCE not in {field.name for field in family.load_fields} or family_id != "cdc_capture":
        assert family.keep_steps(small_plan(family), small_plan(family).baseline) == ()
