"""Windows on a test table: its backlog is written once, and settings change within it."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.events import RunEvent, RunStatus, SamplesTaken, StepMoved, StepStarted
from app.domain.family import ExperimentFamily
from app.domain.measurement import TrialStatus
from app.domain.plan import Design, Factor, Plan, Stop
from app.domain.setting import Setting
from app.domain.work_source import is_in_windows
from app.drivers.sqlserver.lab.faults import FaultKind
from app.flows.plan.plan_form import plan_form
from app.flows.plan.plan_summary import summarise
from app.lab.faults import Fault
from app.runner.control import RunControl
from app.services.plan.checking import check_run
from app.services.plan.dry_run import make_dry_run
from app.services.plan.plan_file import dump_plan, load_plan
from app.systems.transactional_replication.lab.scenario import scenario_path
from app.systems.transactional_replication.metrics import RUN_TIME, THROUGHPUT
from app.systems.transactional_replication.rig.backlog import COMMANDS
from app.systems.transactional_replication.views.consequence import consequence
from tests.contract.families.lab_runs import AGENT_FAMILIES, LabRun, Sink, open_lab_of, run_on_lab

FAMILY = AGENT_FAMILIES["distribution_agent"]
READER = AGENT_FAMILIES["log_reader"]
WRITE = "write_load"
both = pytest.mark.parametrize("family", [FAMILY, READER], ids=["distribution_agent", "log_reader"])
FAST = {
    "read_us_per_command": 15.0,
    "write_us_per_command": 15.0,
    "batch_round_trip_ms": 2.0,
    "apply_us_per_command": 30.0,
    "fetch_us_per_command": 5.0,
    "batch_ms": 0.5,
}
"""Of a site, times of its agents: a tenth or less of those of the published study."""

FILE = """family = "{family}"
[factors]
{factor} = [500, 1000]
[workload]
source = "test_table"
"""


def windows_plan(**design: object) -> Plan:
    """Return four numbers of streams on one backlog of the test table."""
    plan = FAMILY.default_plan()
    return replace(
        plan,
        factors=(Factor("SubscriptionStreams", (1, 2, 4, 8)),),
        baseline=Setting.of(SubscriptionStreams=1),
        load=plan.load.but(source="test_table", scenario="windows"),
        design=Design(**{"stop": Stop.MODEL, **design}),  # type: ignore[arg-type]  # tests name what it takes
    )


def small(family: ExperimentFamily = FAMILY) -> Plan:
    """Return two settings, a window each."""
    design = Design(stop=Stop.BLOCKS, blocks=1, confirm_blocks=0, settling_trials=0, further_blocks=3)
    name, levels = ("ReadBatchSize", (500, 5_000)) if family is READER else ("SubscriptionStreams", (1, 8))
    plan = family.default_plan()
    return replace(
        plan,
        factors=(Factor(name, levels),),
        baseline=Setting.from_mapping({name: levels[0]}),
        load=plan.load.but(source="test_table", scenario="windows"),
        design=design,
    )


def reader_windows() -> Plan:
    """Return the levels of a newcomer's plan, on one backlog in the log."""
    plan = READER.default_plan()
    load = plan.load.but(source="test_table", scenario="windows")
    return replace(plan, load=load, design=replace(plan.design, stop=Stop.MODEL))


def written(run: LabRun) -> list[int]:
    """Return the commands of each writing, in the order of its windows."""
    counts, names = [0], [record.name for record in run.records]
    for name, record in zip(names, run.records, strict=True):
        if name == "stop_job" and counts[-1]:
            counts.append(0)
        if name == WRITE:
            given = json.loads(record.parameters)
            counts[-1] += round(given["transactions"] * (given["commands_low"] + given["commands_high"]) / 2)
    return [count for count in counts if count]


def test_one_backlog_serves_many_windows() -> None:
    """Sized by the first window for all those wanted; a million for each trial would be ten times as much."""
    run = run_on_lab(FAMILY, windows_plan())
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert {trial.status for trial in run.trials} == {TrialStatus.USED}
    first, whole, *more = written(run)
    assert first < whole
    assert len(more) <= 2
    assert sum((first, whole, *more)) < 2_000_000 <= 1_000_000 * (len(run.trials) - 2)
    rates: dict[object, list[float]] = {}
    for trial in run.trials:
        values = {m.metric: m.value for m in trial.measurements}
        assert RUN_TIME.name not in values
        rates.setdefault(trial.setting["SubscriptionStreams"], []).append(values[THROUGHPUT.name])
    assert max(rates[1]) * 1.5 < min(rates[8])
    run.assert_restored("at its end")


def test_one_backlog_stands_in_the_log_for_many_windows() -> None:
    """In front of the stopped agent, which reads it in windows by its counter; the Distribution Agents run."""
    run = run_on_lab(READER, reader_windows())
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert {trial.status for trial in run.trials} == {TrialStatus.USED}
    first, whole, *more = written(run)
    assert first < whole
    assert len(more) <= 2
    assert 3 * sum((first, whole, *more)) < 1_000_000 * len(run.trials)
    names = [record.name for record in run.records]
    assert names.index("stop_job") < names.index(WRITE) < names.index("start_job"), "written before the agent starts"
    assert sum(trial.took_s for trial in run.trials) < 1.5 * len(run.trials) * READER.estimate_trial_s(run.plan)
    run.assert_restored("at its end")


def test_a_reader_without_a_counter_is_measured_in_trials(tmp_path: Path) -> None:
    """Its history has a row a minute, which would take more of a backlog than trials: the run ends and says so."""
    site = tmp_path / "lan.toml"
    text = scenario_path("lan").read_text(encoding="utf-8")
    assert "[site]" not in text
    site.write_text(f'{text}\n[site]\nreader_counters = "absent"\n', encoding="utf-8")
    run = run_on_lab(READER, small(READER), scenario=site, noise=False)
    assert 'name scenario = "drained"' in run.end.reason
    assert len(written(run)) == 1
    run.assert_restored("where the counter is missing")


def test_the_limit_of_the_log_holds_while_a_backlog_is_written_into_it() -> None:
    """As the agent that would free it stands: the run ends between two statements, and is put back."""
    plan = reader_windows()
    run = run_on_lab(READER, replace(plan, limits=plan.limits.but(log_used_share=0.02)), noise=False)
    assert run.end.status is RunStatus.ABORTED
    assert "log" in run.end.reason
    first, broken_off = written(run)
    assert broken_off < 1_000_000 < 4 * first, "what the windows wanted were to take"
    run.assert_restored("when the log was too full")


@both
@pytest.mark.parametrize("stop", [Stop.BLOCKS, Stop.MODEL])
def test_no_more_is_written_than_was_agreed_to(family: ExperimentFamily, stop: Stop, tmp_path: Path) -> None:
    """Also where agents are ten times as fast as usual: each window ends with its part of the backlog, and counts."""
    site, text = tmp_path / "fast.toml", scenario_path("lan").read_text(encoding="utf-8")
    for name, value in FAST.items():
        text, count = re.subn(rf"^{name} = \S+", f"{name} = {value}", text, flags=re.MULTILINE)
        assert count == 1
    site.write_text(text, encoding="utf-8")
    plan = small(family)
    plan = replace(plan, design=replace(plan.design, stop=stop, confirm_blocks=2))
    target = open_lab_of(family.subject, lambda _record: None, lab=site)
    dry = make_dry_run(check_run(plan, family, target, "plan.toml"), target)
    most = 1_000_000 * dry.most_trials
    assert f"{most:,} commands at most" in consequence("Publisher", dry)
    run = run_on_lab(family, plan, scenario=site, noise=False)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert 0 < sum(written(run)) <= most
    assert {trial.status for trial in run.trials[1:]} == {TrialStatus.USED}, "the first shows how fast they are"
    assert max(m.value for trial in run.trials for m in trial.measurements if m.metric == THROUGHPUT.name) > 25_000
    run.assert_restored("at its end")


def test_a_resumed_run_writes_no_more_than_is_agreed_to_anew() -> None:
    """What is left of it is agreed to, not what it had before."""
    plan = small(READER)
    plan = replace(plan, factors=(Factor("ReadBatchSize", (500, 600, 700, 800, 900, 1_000)),))
    done = run_on_lab(READER, plan, noise=False).trials[:-1]
    target = open_lab_of(READER.subject, lambda _record: None)
    dry = make_dry_run(check_run(plan, READER, target, "plan.toml"), target, done)
    assert dry.most_trials == 1
    assert "1,000,000 commands at most" in consequence("Publisher", dry)
    resumed = run_on_lab(READER, plan, noise=False, done=done)
    assert resumed.end.status is RunStatus.SUCCEEDED, resumed.end.reason
    assert 0 < sum(written(resumed)) <= 1_000_000


@both
def test_a_backlog_lasts_for_the_window_it_was_written_for(family: ExperimentFamily) -> None:
    """Also the first, whose rate nobody knows: no window runs out of work."""
    run = run_on_lab(family, small(family), noise=False)
    assert [trial.failed_checks for trial in run.trials] == [()] * len(run.trials)
    assert len(written(run)) == 2


@pytest.mark.parametrize(
    ("family", "at"),
    [(FAMILY, at) for at in ("starting", "writing", "reading", "measuring")]
    + [(READER, at) for at in ("starting", "writing", "measuring")],
    ids=lambda value: getattr(value, "family_id", value),
)
def test_a_cancel_puts_everything_back(family: ExperimentFamily, at: str) -> None:
    """While the backlog is written, while it is read, and in a window."""

    def make(control: RunControl) -> Sink:
        def watch(event: RunEvent) -> None:
            now = {SamplesTaken: "measuring", StepStarted: "starting"}.get(type(event), "")
            if isinstance(event, StepMoved):
                now = "writing" if event.unit == COMMANDS else "reading"
            if now == at:
                control.cancel()

        return watch

    run = run_on_lab(family, small(family), noise=False, make_sink=make)
    assert run.end.status is RunStatus.CANCELLED
    run.assert_restored(f"cancelled while {at}")


@pytest.mark.parametrize("kind", [FaultKind.TIMEOUT, FaultKind.LOST_AFTER])
@pytest.mark.parametrize("statement", [WRITE, "start_job", "distributor_sample", "agent_backlog"])
@both
def test_a_fault_puts_everything_back(family: ExperimentFamily, statement: str, kind: FaultKind) -> None:
    """Whichever statement of a window or of its writing fails."""
    calls: dict[str, int] = {}
    run_on_lab(family, small(family), noise=False, before_run=calls.update)
    fault = Fault(statement, calls.get(statement, 0) + 2, kind)
    run = run_on_lab(family, small(family), noise=False, faults=(fault,))
    assert any(record.error for record in run.records)
    run.assert_restored(f"{kind} at {statement}")


def test_a_plan_file_that_names_the_test_table_is_in_windows(tmp_path: Path) -> None:
    """Where the family can be, unless it names a scenario of trials; a plan without a source is as it was."""
    path = tmp_path / "plan.toml"
    asked = {
        ("distribution_agent", "CommitBatchSize", ""): True,
        ("distribution_agent", "CommitBatchSize", 'scenario = "drained"\n'): False,
        ("wan_delivery", "CommitBatchSize", ""): False,
        ("log_reader", "ReadBatchSize", ""): True,
        ("log_reader", "ReadBatchSize", 'scenario = "drained"\n'): False,
    }
    for (family_id, factor, more), in_windows in asked.items():
        path.write_text(FILE.format(family=family_id, factor=factor) + more, encoding="utf-8")
        plan = load_plan(path, AGENT_FAMILIES)
        assert (is_in_windows(plan.load), plan.design.is_windowed) == (in_windows, in_windows), (family_id, more)
        path.write_text(dump_plan(plan, AGENT_FAMILIES[family_id]), encoding="utf-8")
        assert load_plan(path, AGENT_FAMILIES) == plan
    assert not is_in_windows(FAMILY.default_plan().load)


@both
def test_the_plan_page_tells_what_one_backlog_saves(family: ExperimentFamily) -> None:
    """Commands written and minutes, against a backlog for each setting; the dry run tells the Publisher's part."""
    target = open_lab_of(family.subject, lambda _record: None)
    plan = reader_windows() if family is READER else windows_plan()
    prepared = check_run(plan, family, target, "plan.toml")
    form = plan_form(family, prepared.site, prepared.plan)
    said = summarise(form, None)
    assert "One backlog serves all windows" in said.saved
    assert "instead of" in said.saved
    assert summarise(form.enter("workload.scenario", "drained"), None).saved == ""
    dry = make_dry_run(prepared, target)
    assert any("test table" in check.title for check in prepared.checks)
    assert dry.is_windowed
