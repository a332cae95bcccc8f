"""Windows of an apply process on the client's own work: its own counters tell the rate, and it runs as it was found."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.analysis.rhythm import window_rates
from app.analysis.window_length import PARTS
from app.domain.errors import BadInput
from app.domain.events import Note, RunEvent, RunStatus, SamplesTaken, StepStarted
from app.domain.measurement import TrialStatus
from app.domain.plan import Plan
from app.domain.work_source import WorkSource, work_source_of
from app.drivers.oracle.lab_faults import FaultKind
from app.lab.faults import Fault
from app.runner.control import RunControl
from app.services.plan.checking import check_run, prepare_run
from app.systems.oracle_streams.lab_server.server import APPLY_STARTED, APPLY_STOPPED, CAPTURE_STOPPED
from app.systems.oracle_streams.metrics import MESSAGE_RATE, TRANSACTION_SIZE
from tests.contract.families.lab_runs import FAMILIES, LabRun, Sink, open_lab_of, run_on_lab
from tests.contract.families.own_work import ALLOWED_AGE_S, own_plan, run_own
from tests.writers import streams_incident

FAMILY = FAMILIES["streams_apply"]


def _plan(source: WorkSource = WorkSource.OWN_BACKLOG) -> Plan:
    return own_plan(FAMILY, source)


def _rates(run: LabRun) -> dict[object, list[float]]:
    found: dict[object, list[float]] = {}
    for trial in run.trials:
        assert trial.status is TrialStatus.USED, trial.failed_checks
        values = {m.metric: m.value for m in trial.measurements}
        found.setdefault(trial.setting["PARALLELISM"], []).append(values[MESSAGE_RATE.name])
    return found


def test_a_rate_is_that_of_the_servers_counters(tmp_path: Path) -> None:
    """Two windows of one setting agree where nothing moves, and differ from another's; no load of ours is told."""
    run = run_own("streams_apply", WorkSource.OWN_BACKLOG, streams_incident(tmp_path), noise=False)
    rates = _rates(run)
    for found in rates.values():  # some transactions wait for others, and sizes change along the backlog
        assert found[1] == pytest.approx(found[0], rel=0.1)
    assert min(rates[4]) > 1.4 * max(rates[1])
    for trial in run.trials:
        values = {m.metric: m.value for m in trial.measurements}
        assert 1 < values[TRANSACTION_SIZE.name] < 9
        assert not {"run_time", "streams_latency", "destination_redo"} & set(values)


def test_the_sites_own_noise_tells_how_long_windows_are(tmp_path: Path) -> None:
    """By the shared code: once the second window of the baseline has ended; rates of its parts are kept."""
    run = run_own("streams_apply", WorkSource.OWN_BACKLOG, streams_incident(tmp_path, moving=True))
    (told,) = (event.text for event in run.events if isinstance(event, Note) and " windows, because " in event.text)
    assert " s windows, because " in told
    windows = window_rates(run.trials)
    assert len(windows) == len(run.trials)
    for trial, window in zip(run.trials, windows, strict=True):
        (rate,) = (m.value for m in trial.measurements if m.metric == MESSAGE_RATE.name)
        assert sum(window.rates) / PARTS == pytest.approx(rate, rel=0.02)


def test_a_site_whose_apply_is_behind_has_its_backlog_measured(tmp_path: Path) -> None:
    """A plan that says nothing takes what the site has, and nothing in it tells of a test table."""
    target = open_lab_of(FAMILY.subject, lambda _record: None, lab=streams_incident(tmp_path))
    prepared = check_run(FAMILY.default_plan(), FAMILY, target, "plan.toml")
    assert work_source_of(prepared.plan.load) is WorkSource.OWN_BACKLOG
    assert not {"rows", "rows_per_commit", "operation", "trace_10046"} & set(prepared.plan.load)
    assert any("messages wait in the queues, and more in the redo log" in check.title for check in prepared.checks)


def test_a_site_that_keeps_up_has_a_test_table() -> None:
    """As before; and a backlog that nobody has is refused."""
    target = open_lab_of(FAMILY.subject, lambda _record: None)
    plan = check_run(FAMILY.default_plan(), FAMILY, target, "plan.toml").plan
    assert "source" not in plan.load
    assert plan.load["rows"] == 300_000
    with pytest.raises(BadInput, match="Nothing waits for the apply process"):
        prepare_run(_plan(), FAMILY, target, "plan.toml")


def test_work_gathers_while_the_apply_process_is_held(tmp_path: Path) -> None:
    """It shows what a setting can do, and the data never becomes older than was agreed."""
    run = run_own("streams_apply", WorkSource.HELD, _caught_up(tmp_path), noise=False)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    rates = _rates(run)
    assert min(rates[4]) > 1.3 * max(rates[1])
    latency_s = [s.value for trial in run.trials for s in trial.samples if s.stream == "source commit to apply"]
    assert 60 < max(latency_s) <= ALLOWED_AGE_S
    run.assert_restored("at its end")


def test_data_that_becomes_too_old_while_it_is_held_ends_the_run(tmp_path: Path) -> None:
    """The limit is watched while nothing is applied, too."""
    plan = _plan(WorkSource.HELD)
    plan = replace(plan, limits=plan.limits.but(data_age_s=4.0))
    run = run_on_lab(FAMILY, plan, scenario=_caught_up(tmp_path), noise=False)
    assert run.end.status is RunStatus.ABORTED
    assert "age of the data at the destination reached" in run.end.reason
    run.assert_restored("when the data was too old")


def test_holding_needs_an_agreed_age(tmp_path: Path) -> None:
    """Without one the plan is refused before anything is held."""
    plan = _plan(WorkSource.HELD)
    plan = replace(plan, limits=plan.limits.but(data_age_s=None))
    target = open_lab_of(FAMILY.subject, lambda _record: None, lab=_caught_up(tmp_path), noise=False)
    with pytest.raises(BadInput, match="data_age_s"):
        prepare_run(plan, FAMILY, target, "plan.toml")


def test_a_backlog_is_not_held_on(tmp_path: Path) -> None:
    """Where the data is older already than it may become, the plan is refused, and the way on is said."""
    target = open_lab_of(FAMILY.subject, lambda _record: None, lab=streams_incident(tmp_path), noise=False)
    with pytest.raises(BadInput, match=r'older already, .* source = "own_backlog"'):
        prepare_run(_plan(WorkSource.HELD), FAMILY, target, "plan.toml")


def test_a_backlog_that_is_applied_ends_the_run(tmp_path: Path) -> None:
    """The run says that nothing waits any more, what was measured stays, and everything is put back."""
    plan = replace(_plan(), design=replace(_plan().design, blocks=6))
    run = run_on_lab(FAMILY, plan, scenario=streams_incident(tmp_path, outage_h=0.06), noise=False)
    assert run.end.status is RunStatus.ABORTED
    assert "nothing waits for STREAMS_APPLY any more" in run.end.reason
    assert run.trials
    run.assert_restored("when the backlog was applied")


def test_latency_of_what_arrives_is_not_compared() -> None:
    """The views keep times in whole seconds, so that source is none of this family's."""
    (declared,) = (field for field in FAMILY.load_fields if field.name == "source")
    with pytest.raises(BadInput, match="own_backlog"):
        declared.check("own_traffic", "plan.toml")


@pytest.mark.parametrize("source", [WorkSource.OWN_BACKLOG, WorkSource.HELD])
@pytest.mark.parametrize("step", [1, 3, 4])
def test_a_cancel_starts_the_apply_process_again(source: WorkSource, step: int, tmp_path: Path) -> None:
    """While it is stopped or held, measured, or stopped again: it runs as it was found, with the values it had."""

    def make(control: RunControl) -> Sink:
        steps: list[str] = []

        def watch(event: RunEvent) -> None:
            if isinstance(event, StepStarted):
                steps.append(event.text)
            is_there = len(steps) == step and (isinstance(event, SamplesTaken) or step == 4 or source != "held")
            if is_there:
                control.cancel()

        return watch

    site = streams_incident(tmp_path) if source is WorkSource.OWN_BACKLOG else _caught_up(tmp_path)
    run = run_own("streams_apply", source, site, noise=False, make_sink=make)
    assert run.end.status is RunStatus.CANCELLED
    run.assert_restored(f"cancelled in step {step}")


@pytest.mark.parametrize("kind", [FaultKind.TIMEOUT, FaultKind.LOST_AFTER])
@pytest.mark.parametrize("statement", ["start_apply", "stop_apply", "set_apply_parameter", "sample_streams"])
def test_a_fault_in_a_window_puts_everything_back(statement: str, kind: FaultKind, tmp_path: Path) -> None:
    """Whichever statement of a window fails, the apply process applies as it was found."""
    calls: dict[str, int] = {}
    run_own("streams_apply", WorkSource.OWN_BACKLOG, streams_incident(tmp_path), noise=False, before_run=calls.update)
    fault = Fault(statement, calls.get(statement, 0) + 2, kind)
    site = streams_incident(tmp_path)
    run = run_own("streams_apply", WorkSource.OWN_BACKLOG, site, noise=False, faults=(fault,))
    assert any(record.error for record in run.records)
    run.assert_restored(f"{kind} at {statement}")


@pytest.mark.parametrize("what", [APPLY_STOPPED, CAPTURE_STOPPED])
def test_a_process_stopped_by_others_ends_the_run(what: str, tmp_path: Path) -> None:
    """It is left stopped, whether the apply process is held or measured."""
    calls: dict[str, int] = {}
    site = streams_incident(tmp_path)
    run_own("streams_apply", WorkSource.OWN_BACKLOG, site, noise=False, before_run=calls.update)
    fault = Fault("sample_streams", calls["sample_streams"] + 9, what)
    run = run_own("streams_apply", WorkSource.OWN_BACKLOG, site, noise=False, faults=(fault,))
    assert run.end.status is RunStatus.FAILED
    assert "was stopped by somebody else during the window and is left stopped" in run.end.reason


def test_an_apply_process_that_others_start_while_it_is_held_is_left_running(tmp_path: Path) -> None:
    """The client needs it: the run ends, and says so."""
    calls: dict[str, int] = {}
    site = _caught_up(tmp_path)
    run_own("streams_apply", WorkSource.HELD, site, noise=False, before_run=calls.update)
    fault = Fault("sample_streams", calls["sample_streams"] + 11, APPLY_STARTED)
    run = run_own("streams_apply", WorkSource.HELD, site, noise=False, faults=(fault,))
    assert run.end.status is RunStatus.FAILED
    assert "was started by somebody else while this run held it, and is left running" in run.end.reason
    run.assert_restored("when somebody needed it")


def _caught_up(folder: Path) -> Path:
    """Return a site whose apply process keeps up with what the client's applications write."""
    return streams_incident(folder, outage_h=0.01)
