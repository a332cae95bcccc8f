"""The client's own load under each commit mode: the waits of commits, by counters; the group comes out as it was."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.events import RunEvent, RunStatus, SamplesTaken, StepStarted
from app.domain.measurement import TrialStatus
from app.domain.plan import Factor, Plan
from app.domain.target import Target
from app.domain.work_source import WorkSource
from app.drivers.sqlserver.lab.faults import FaultKind
from app.lab.faults import Fault
from app.lab.scenario_file import shipped_scenarios
from app.runner.control import RunControl
from app.services.plan.checking import check_run, prepare_run
from app.systems.availability_groups.metrics import COMMIT_RATE, COMMIT_WAIT
from tests.contract.families.lab_runs import FAMILIES, Sink, open_lab_of, run_on_lab
from tests.contract.families.own_work import own_plan

FAMILY = FAMILIES["commit_mode"]
BUSY = "ag-busy"


def _plan() -> Plan:
    plan = own_plan(FAMILY, WorkSource.OWN_TRAFFIC)
    return replace(plan, load=plan.load.but(window_s=60.0))


def test_a_synchronous_commit_waits_longer() -> None:
    """By the waits of each commit; the client's applications commit as often as before."""
    run = run_on_lab(FAMILY, _plan(), scenario=BUSY, noise=False)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    waits: dict[object, list[float]] = {}
    for trial in run.trials:
        assert trial.status is TrialStatus.USED, trial.failed_checks
        values = {m.metric: m.value for m in trial.measurements}
        waits.setdefault(trial.setting["availability_mode"], []).append(values[COMMIT_WAIT.name])
        assert values[COMMIT_RATE.name] == pytest.approx(40.0, rel=0.05)
        assert "shape_time" not in values
    assert min(waits["sync"]) > 1.5 * max(waits["async"])
    assert waits["async"][0] == pytest.approx(waits["async"][1], rel=0.02)
    assert FAMILY.main_metric(run.plan) == COMMIT_WAIT
    assert not run.plan.design.is_windowed
    run.assert_restored("at its end")


def test_the_clients_load_is_that_of_the_hour() -> None:
    """It varies by the hour, and each mode meets it within minutes of the other."""
    target = open_lab_of(FAMILY.subject, lambda _record: None, lab=BUSY, noise=False)
    plan = check_run(_plan(), FAMILY, target, "plan.toml").plan
    assert not {"inserts", "rows_total", "loops", "budget_s"} & set(plan.load)
    run = run_on_lab(FAMILY, _plan(), scenario=BUSY, noise=False, wrap=_two_hours_later)
    rates = {round(m.value) for trial in run.trials for m in trial.measurements if m.metric == COMMIT_RATE.name}
    assert min(rates) == 80  # at ten; a burst is twice that


def _two_hours_later(target: Target) -> Target:
    target.clock.sleep(2 * 3600.0)
    return target


def test_the_time_without_protection_is_stated() -> None:
    """At a group that is synchronous: how long in all, how long a window, and by when all is undone."""
    target = open_lab_of(FAMILY.subject, lambda _record: None, lab=BUSY, noise=False)
    checks = check_run(own_plan(FAMILY, WorkSource.OWN_TRAFFIC), FAMILY, target, "plan.toml").checks
    (open_check,) = (check for check in checks if "without a synchronized secondary" in check.title)
    assert not open_check.passed
    assert "For about 7 min in all, in windows of 4 min" in open_check.remedy
    assert "would be lost with the primary" in open_check.remedy
    assert "send_queue_mb" in open_check.remedy


@pytest.mark.parametrize(
    "wrong", [{"sync_database": "Other"}, {"standalone_database": "Other"}], ids=["two groups", "standalone"]
)
def test_only_one_group_can_be_switched(wrong: dict[str, str]) -> None:
    """The client's applications write to one database; a plan over several is refused in one sentence."""
    plan = own_plan(FAMILY, WorkSource.OWN_TRAFFIC)
    levels = ("async", "sync", *(("standalone",) if "standalone_database" in wrong else ()))
    plan = replace(plan, load=plan.load.but(**wrong), factors=(Factor("availability_mode", levels),))
    target = open_lab_of(FAMILY.subject, lambda _record: None, lab=BUSY, noise=False)
    with pytest.raises(BadInput):
        prepare_run(plan, FAMILY, target, "plan.toml")


def test_a_group_in_which_hardly_anybody_commits_tells_nothing(tmp_path: Path) -> None:
    """Too few commits waited: the window says so, and is not used."""
    text = shipped_scenarios()[BUSY].read_text(encoding="utf-8")
    quiet = tmp_path / "quiet.toml"
    quiet.write_text(re.sub(r"^transactions_per_s = [0-9.]+", "transactions_per_s = 1.0", text, flags=re.MULTILINE))
    run = run_on_lab(FAMILY, _plan(), scenario=quiet, noise=False)
    assert {trial.status for trial in run.trials} == {TrialStatus.NOT_USED}
    assert all("too few to tell how long" in "; ".join(trial.failed_checks) for trial in run.trials)


@pytest.mark.parametrize("at", ["async", "sync"])
def test_a_cancel_in_a_window_gives_the_group_its_mode_back(at: str) -> None:
    """Also in the middle of an asynchronous one."""

    def make(control: RunControl) -> Sink:
        steps: list[str] = []

        def watch(event: RunEvent) -> None:
            if isinstance(event, StepStarted):
                steps.append(event.text)
            wanted = "asynchronously" if at == "async" else "synchronously with"
            mode = [text for text in steps if "synchronously" in text][-1:]
            if isinstance(event, SamplesTaken) and mode and wanted in mode[0]:
                control.cancel()

        return watch

    run = run_on_lab(FAMILY, _plan(), scenario=BUSY, noise=False, make_sink=make)
    assert run.end.status is RunStatus.CANCELLED
    run.assert_restored(f"cancelled in a window that is {at}")


@pytest.mark.parametrize("kind", [FaultKind.TIMEOUT, FaultKind.LOST_AFTER])
@pytest.mark.parametrize("statement", ["set_availability_mode", "set_failover_mode", "group_sample_primary"])
def test_a_fault_in_a_window_puts_everything_back(statement: str, kind: FaultKind) -> None:
    """Whichever statement fails, the group commits as it was found."""
    calls: dict[str, int] = {}
    run_on_lab(FAMILY, _plan(), scenario=BUSY, noise=False, before_run=calls.update)
    fault = Fault(statement, calls.get(statement, 0) + 2, kind)
    run = run_on_lab(FAMILY, _plan(), scenario=BUSY, noise=False, faults=(fault,))
    assert any(record.error for record in run.records)
    run.assert_restored(f"{kind} at {statement}")


def test_what_is_not_sent_yet_has_a_limit() -> None:
    """The send queue is held against its limit while commits wait for nobody."""
    plan = _plan()
    plan = replace(plan, limits=plan.limits.but(commit_delay_ms=0.5))
    run = run_on_lab(FAMILY, plan, scenario=BUSY, noise=False)
    assert run.end.status is RunStatus.ABORTED
    assert "mean commit delay" in run.end.reason
    run.assert_restored("when a limit was reached")
