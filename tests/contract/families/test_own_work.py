"""Windows on the client's own work: nothing is written, rates are the agents' own, and everything is undone."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.analysis.rhythm import window_rates
from app.analysis.window_length import PARTS
from app.domain.errors import BadInput
from app.domain.events import Note, RunEvent, RunStatus, SamplesTaken, StepStarted, TrialFinished
from app.domain.measurement import BACKLOG, TrialStatus
from app.domain.setting import Setting
from app.domain.statement import Access
from app.domain.work_source import WorkSource, work_source_of
from app.drivers.sqlserver.lab.counters import Shown
from app.drivers.sqlserver.lab.faults import FaultKind
from app.flows.plan.plan_form import plan_form
from app.lab.faults import Fault
from app.runner.bench.windows import Windows
from app.runner.control import RunControl
from app.services.plan.checking import check_run, prepare_run
from app.services.plan.dry_run import make_dry_run
from app.services.plan.plan_file import dump_plan, load_plan
from app.systems.availability_groups.subjects import SYSTEM_ID as GROUPS
from app.systems.change_data_capture.subjects import SYSTEM_ID as CAPTURE_SYSTEM
from app.systems.oracle_streams.subjects import SYSTEM_ID as STREAMS_SYSTEM
from app.systems.transactional_replication.lab_server.site import DISTRIBUTOR
from app.systems.transactional_replication.metrics import ARRIVALS, LATENCY, THROUGHPUT, TRANSACTION_SIZE
from app.systems.transactional_replication.subjects import SYSTEM_ID as REPLICATION
from tests.contract.families.lab_runs import AGENT_FAMILIES, FAMILIES, LabRun, Sink, open_lab_of, run_on_lab
from tests.contract.families.own_work import ALLOWED_AGE_S, OWN_WORK, own_plan, run_own, site_of
from tests.labs import open_lab
from tests.writers import full_log, incident

CHANGED_AT = {
    REPLICATION: {DISTRIBUTOR},
    STREAMS_SYSTEM: {"DST.EXAMPLE.COM"},
    CAPTURE_SYSTEM: {"CDC1"},
    GROUPS: {"SQLNODE1"},  # the mode of every replica is set at the primary
}
WRITES = re.compile(r"load|test_|insert|tracer_token")
"""In the name of a changing statement: it writes rows or tables of this program's at the client."""


def test_each_system_has_statements_that_write() -> None:
    """So that a name of this kind is none of a system's habit alone."""
    for scenario in ("lan", "streams-2009", "ag-2016"):
        statements = open_lab(scenario).statements()
        assert any(WRITES.search(one.name) for one in statements if one.access is Access.CHANGE), scenario


@pytest.mark.parametrize(("family_id", "source"), OWN_WORK)
def test_nothing_is_written_at_the_client(family_id: str, source: WorkSource, tmp_path: Path) -> None:
    """From the checks before a run to its end: no load, no tokens, no test table; a run that cannot be is refused."""
    family, asked = FAMILIES[family_id], []
    plan, site = own_plan(family, source), site_of(family, tmp_path, source)
    target = open_lab_of(family.subject, lambda record: asked.append(record.name), lab=site)
    access = {statement.name: statement.access for statement in target.statements()}
    prepared = check_run(plan, family, target, "plan.toml")
    assert not [name for name in asked if access[name] is Access.CHANGE]
    assert not any("ReplituneLoad" in check.title or "test table" in check.title for check in prepared.checks)
    assert work_source_of(prepared.plan.load) is source
    if any(check.blocking and not check.passed for check in prepared.checks):
        with pytest.raises(BadInput):
            prepare_run(plan, family, target, "plan.toml")
        return

    run = run_own(family_id, source, site)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert len([trial for trial in run.trials if trial.status is TrialStatus.USED]) >= 3
    changed = {(record.name, record.server) for record in run.records if access[record.name] is Access.CHANGE}
    assert not {name for name, _server in changed if WRITES.search(name)}
    assert {server for _name, server in changed} == CHANGED_AT[family.system.system_id]
    never_sent = family.system.rig_kind(family.subject).never_sent
    assert not {record.name for record in run.records} & never_sent(run.plan)
    assert never_sent(family.default_plan()) == frozenset()
    if family.system.system_id == "transactional_replication":
        assert never_sent(run.plan) >= {"write_load", "load_table", "post_tracer_token", "delete_tracer_token"}
    run.assert_restored("at its end")
    _check_counted(run, source)


def _check_counted(run: LabRun, source: WorkSource) -> None:
    """Check that a window tells how much of a backlog is left, or its family why nothing counts it."""
    is_told = any(sample.stream == BACKLOG for trial in run.trials for sample in trial.samples)
    assert is_told == (source.shows_capacity and not run.family.backlog_uncounted)
    why = run.family.backlog_uncounted
    notes = " ".join(table.note for table in run.advise().tables)
    assert not source.shows_capacity or why in notes


@pytest.mark.parametrize("family_id", ["distribution_agent", "wan_delivery"])
def test_a_rate_is_that_of_the_agents_own_rows(family_id: str, tmp_path: Path) -> None:
    """Two windows of one setting agree where nothing moves, and differ from another's; arrivals are told beside."""
    run = run_own(family_id, WorkSource.OWN_BACKLOG, incident(tmp_path), noise=False)
    rates: dict[Setting, list[float]] = {}
    for trial in run.trials:
        values = {m.metric: m.value for m in trial.measurements}
        assert trial.status is TrialStatus.USED, trial.failed_checks
        rates.setdefault(trial.setting, []).append(values[THROUGHPUT.name])
        assert values[TRANSACTION_SIZE.name] == pytest.approx(3.5, rel=0.1)
        if ARRIVALS.name in values:  # a Log Reader Agent that is busy writes a row a minute
            assert values[ARRIVALS.name] < 2_000
    assert any(m.metric == ARRIVALS.name for trial in run.trials for m in trial.measurements)
    one, eight = (rates[Setting.of(SubscriptionStreams=streams)] for streams in (1, 8))
    assert one[1] == pytest.approx(one[0], rel=0.03)
    assert eight[1] == pytest.approx(eight[0], rel=0.03)
    assert eight[0] > 1.5 * one[0]


def test_a_window_keeps_its_rates(tmp_path: Path) -> None:
    """In fifths, whose mean is about its own: a rhythm of the site shows across windows."""
    run = run_own("distribution_agent", WorkSource.OWN_BACKLOG, incident(tmp_path, moving=True))
    windows = window_rates(run.trials)
    assert len(windows) == len(run.trials)
    for trial, window in zip(run.trials, windows, strict=True):
        (rate,) = (m.value for m in trial.measurements if m.metric == THROUGHPUT.name)
        assert sum(window.rates) / PARTS == pytest.approx(rate, rel=0.02)
        assert trial.started_utc.timestamp() < window.middles_s[0] < window.middles_s[-1]
        assert window.middles_s[-1] < trial.finished_utc.timestamp()


def test_the_sites_own_noise_tells_how_long_windows_are(tmp_path: Path) -> None:
    """Once the second window of the baseline has ended, and it is said."""
    run = run_own("distribution_agent", WorkSource.OWN_BACKLOG, incident(tmp_path, moving=True))
    (told,) = (event.text for event in run.events if isinstance(event, Note))
    assert " s windows, because " in told


def test_a_resumed_run_goes_on_with_its_own_windows(tmp_path: Path) -> None:
    """As long as those before the interruption, whose rates told it; nothing is measured anew for it."""
    run = run_own("distribution_agent", WorkSource.OWN_BACKLOG, incident(tmp_path, moving=True))
    (told,) = (event.text for event in run.events if isinstance(event, Note))
    again = Windows.after(run.trials, run.plan.baseline)
    assert again.length is not None
    assert told.split(",")[0] == again.length.reason.split(",")[0]
    assert again.most_rate_per_s == pytest.approx(
        max(m.value for trial in run.trials for m in trial.measurements if m.metric == THROUGHPUT.name), rel=0.02
    )
    assert Windows.after(run.trials[:1], run.plan.baseline).length is None


def test_a_site_without_a_test_table_has_its_backlog_measured(tmp_path: Path) -> None:
    """A plan that says nothing takes what the site has: the agent that is farthest behind, and what waits for it."""
    family = AGENT_FAMILIES["distribution_agent"]
    target = open_lab_of(family.subject, lambda _record: None, lab=incident(tmp_path, outage_h=1.0))
    prepared = check_run(family.default_plan(), family, target, "plan.toml")
    load = prepared.plan.load
    assert work_source_of(load) is WorkSource.OWN_BACKLOG
    assert (load["publication"], load["subscriber"]) == ("ERP_Orders", "REPORT1")
    assert not {"commands", "scenario", "duration_s", "rate_per_s"} & set(load)
    assert load["commands_per_transaction"] == pytest.approx((3.5, 3.5), rel=0.1)


def test_a_site_with_a_test_table_keeps_it() -> None:
    """Nothing changes for plans of a site of one's own."""
    family = AGENT_FAMILIES["distribution_agent"]
    plan = check_run(family.default_plan(), family, open_lab_of(family.subject, lambda _record: None), "plan.toml").plan
    assert "source" not in plan.load
    assert plan.load["commands"] == 1_000_000
    assert not plan.design.is_windowed


def test_a_backlog_that_nobody_has_is_refused(tmp_path: Path) -> None:
    """Where nothing waits for the agent, the plan does not begin."""
    family = AGENT_FAMILIES["distribution_agent"]
    plan = own_plan(family, WorkSource.OWN_BACKLOG)
    plan = replace(plan, load=plan.load.but(publication="CRM_Core", database="CRM"))
    target = open_lab_of(family.subject, lambda _record: None, lab=incident(tmp_path), noise=False)
    agents = check_run(plan, family, target, "plan.toml")
    waits = next(check for check in agents.checks if "wait for the agent" in check.title)
    assert waits.passed or waits.blocking


def test_a_backlog_that_is_delivered_ends_the_run(tmp_path: Path) -> None:
    """The run says that nothing waits any more, what was measured stays, and everything is put back."""
    run = run_own("distribution_agent", WorkSource.OWN_BACKLOG, incident(tmp_path, outage_h=0.08), noise=False)
    assert run.end.status is RunStatus.SUCCEEDED
    assert "the backlog was delivered, and what was measured stands" in run.end.reason
    assert "nothing waits for PUB1-ERP-ERP_Orders-REPORT1-1 any more" in run.end.reason
    run.assert_restored("when the backlog was delivered")


@pytest.mark.parametrize("at", ["first window", "second window", "between"])
def test_a_cancel_in_a_window_puts_everything_back(at: str, tmp_path: Path) -> None:
    """While agents are measured, and before the next start."""

    def make(control: RunControl) -> Sink:
        ended: list[RunEvent] = []

        def watch(event: RunEvent) -> None:
            if isinstance(event, TrialFinished):
                ended.append(event)
            is_measured = isinstance(event, SamplesTaken) and len(ended) == (1 if at == "second window" else 0)
            is_between = at == "between" and isinstance(event, StepStarted) and len(ended) == 1
            if is_between or (at != "between" and is_measured):
                control.cancel()

        return watch

    run = run_own("distribution_agent", WorkSource.OWN_BACKLOG, incident(tmp_path), noise=False, make_sink=make)
    assert run.end.status is RunStatus.CANCELLED
    run.assert_restored(f"cancelled in the {at}")


@pytest.mark.parametrize("kind", [FaultKind.TIMEOUT, FaultKind.LOST_AFTER])
@pytest.mark.parametrize("statement", ["start_job", "stop_job", "distributor_sample", "agent_history"])
def test_a_fault_in_a_window_puts_everything_back(statement: str, kind: FaultKind, tmp_path: Path) -> None:
    """Whichever statement of a window fails, the agent delivers as it was found."""
    calls: dict[str, int] = {}
    run_own("distribution_agent", WorkSource.OWN_BACKLOG, incident(tmp_path), noise=False, before_run=calls.update)
    fault = Fault(statement, calls.get(statement, 0) + 2, kind)
    run = run_own("distribution_agent", WorkSource.OWN_BACKLOG, incident(tmp_path), noise=False, faults=(fault,))
    assert any(record.error for record in run.records)
    run.assert_restored(f"{kind} at {statement}")


def test_an_unknown_source_is_refused() -> None:
    """In one sentence, with those there are."""
    family = AGENT_FAMILIES["distribution_agent"]
    (declared,) = (field for field in family.load_fields if field.name == "source")
    with pytest.raises(BadInput, match=r"own_backlog"):
        declared.check("their_backlog", "plan.toml")


def test_work_gathers_while_the_agent_is_held(tmp_path: Path) -> None:
    """It shows what a setting can do, and the data never becomes older than was agreed."""
    run = run_own("distribution_agent", WorkSource.HELD, incident(tmp_path), noise=False)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    values = [{m.metric: m.value for m in trial.measurements} for trial in run.trials]
    rates = [
        (trial.setting["SubscriptionStreams"], each[THROUGHPUT.name])
        for trial, each in zip(run.trials, values, strict=True)
    ]
    one, eight = ([rate for streams, rate in rates if streams == wanted] for wanted in (1, 8))
    assert min(eight) > 1.3 * max(one)
    arrived = [each[ARRIVALS.name] for each in values if ARRIVALS.name in each]
    assert arrived
    assert max(arrived) < min(one)
    latency_ms = [s.value for trial in run.trials for s in trial.samples if s.stream.endswith(": latency")]
    assert 60_000 < max(latency_ms) <= ALLOWED_AGE_S * 1_000
    run.assert_restored("at its end")


def test_data_that_becomes_too_old_while_an_agent_is_held_ends_the_run(tmp_path: Path) -> None:
    """The limit is watched while nothing is measured, too: an agent that does not start in time is put back."""
    family = AGENT_FAMILIES["distribution_agent"]
    plan = own_plan(family, WorkSource.HELD)
    plan = replace(plan, limits=plan.limits.but(data_age_s=2.0))
    run = run_on_lab(family, plan, scenario=incident(tmp_path), noise=False)
    assert run.end.status is RunStatus.ABORTED
    assert "age of the data at the Subscriber reached" in run.end.reason
    run.assert_restored("when the data was too old")


def test_holding_needs_an_agreed_age(tmp_path: Path) -> None:
    """Without one the plan is refused before anything is held."""
    family = AGENT_FAMILIES["distribution_agent"]
    plan = own_plan(family, WorkSource.HELD)
    plan = replace(plan, limits=plan.limits.but(data_age_s=None))
    target = open_lab_of(family.subject, lambda _record: None, lab=incident(tmp_path), noise=False)
    with pytest.raises(BadInput, match="data_age_s"):
        prepare_run(plan, family, target, "plan.toml")


def test_traffic_that_is_kept_up_with_shows_latency_only(tmp_path: Path) -> None:
    """Once the agent has caught up; the checks before the run say that capacity does not show."""
    run = run_own("distribution_agent", WorkSource.OWN_TRAFFIC, incident(tmp_path), noise=False)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    assert {trial.status for trial in run.trials} == {TrialStatus.USED}
    values = [{m.metric: m.value for m in trial.measurements} for trial in run.trials]
    assert all(0 < each[LATENCY.name] < 20_000 for each in values)
    family = AGENT_FAMILIES["distribution_agent"]
    assert family.main_metric(run.plan) == LATENCY
    assert not family.may_forecast(run.plan, Setting())
    assert any("Latency is compared, not capacity" in check.title for check in family.preflight(run.plan, run.site))


@pytest.mark.parametrize("place", ["held", "measured"])
def test_a_cancel_while_work_gathers_starts_the_agent_again(place: str, tmp_path: Path) -> None:
    """Held or measured: it runs as it was found, with what it was started with."""

    def make(control: RunControl) -> Sink:
        steps: list[str] = []

        def watch(event: RunEvent) -> None:
            if isinstance(event, StepStarted):
                steps.append(event.text)
            if isinstance(event, SamplesTaken) and len(steps) == (1 if place == "held" else 3):
                control.cancel()

        return watch

    run = run_own("distribution_agent", WorkSource.HELD, incident(tmp_path), noise=False, make_sink=make)
    assert run.end.status is RunStatus.CANCELLED
    run.assert_restored(f"cancelled while {place}")


def test_everything_is_undone_by_the_deadline(tmp_path: Path) -> None:
    """No window begins that could not end and be undone in time."""
    family = AGENT_FAMILIES["distribution_agent"]
    target = open_lab_of(family.subject, lambda _record: None, lab=incident(tmp_path), noise=False)
    wanted = (target.clock.now_utc() + timedelta(minutes=6)).astimezone().replace(second=0, microsecond=0)
    plan = own_plan(family, WorkSource.OWN_BACKLOG)
    plan = replace(plan, limits=plan.limits.but(restored_by=wanted.hour * 60 + wanted.minute))
    plan = replace(plan, design=replace(plan.design, blocks=20))
    run = run_on_lab(family, plan, scenario=incident(tmp_path), noise=False)
    assert run.end.status is RunStatus.ABORTED
    assert f"undone by {wanted:%H:%M}" in run.end.reason
    assert run.trials
    assert run.target.clock.now_utc() <= wanted
    run.assert_restored("by the deadline")


def test_what_is_agreed_to_before_a_run_ends_by_the_deadline(tmp_path: Path) -> None:
    """Also where the trials would take longer: nobody is promised more time than there is."""
    family = AGENT_FAMILIES["distribution_agent"]
    target = open_lab_of(family.subject, lambda _record: None, lab=incident(tmp_path), noise=False)
    wanted = (target.clock.now_utc() + timedelta(minutes=6)).astimezone()
    plan = own_plan(family, WorkSource.OWN_BACKLOG)
    longest_s = {}
    for restored_by in (None, wanted.hour * 60 + wanted.minute):
        limited = replace(plan, limits=plan.limits.but(restored_by=restored_by))
        longest_s[restored_by] = make_dry_run(prepare_run(limited, family, target, ""), target).longest_s
    without, with_deadline = longest_s.values()
    assert with_deadline <= 6 * 60 < without


def test_an_agent_that_is_behind_is_not_held(tmp_path: Path) -> None:
    """Its Subscriber's data is older already than is agreed, and the dry run says what to name instead."""
    family = AGENT_FAMILIES["distribution_agent"]
    target = open_lab_of(family.subject, lambda _record: None, lab=incident(tmp_path), noise=False)
    plan = own_plan(family, WorkSource.OWN_BACKLOG)
    held = replace(plan, load=plan.load.but(source="held"), limits=plan.limits.but(data_age_s=60.0))
    prepared = check_run(held, family, target, "")
    (check,) = (each for each in prepared.checks if "younger than it may become" in each.title)
    assert not check.passed
    assert check.blocking
    assert 'source = "own_backlog"' in check.remedy


def test_a_form_asks_for_nothing_of_a_test_table(tmp_path: Path) -> None:
    """Where the work is the client's own."""
    family = AGENT_FAMILIES["distribution_agent"]
    target = open_lab_of(family.subject, lambda _record: None, lab=incident(tmp_path))
    prepared = check_run(own_plan(family, WorkSource.OWN_BACKLOG), family, target, "")
    form = plan_form(family, prepared.site, prepared.plan)
    of_table = {f"workload.{name}" for name in ("scenario", "commands", "duration_s", "rate_per_s")}
    sizes = {field.field_id for field in form.fields if "commands_per_transaction" in field.field_id}
    shown = {field.field_id for field in form.fields if field.is_shown}
    assert not shown & (of_table | sizes)
    assert "workload.publication" in shown
    written = {field.field_id for field in form.enter("workload.source", "test_table").fields if field.is_shown}
    assert {"workload.scenario", "workload.commands"} <= written


def test_a_plan_file_names_its_deadline_as_a_time_of_day(tmp_path: Path) -> None:
    """As text or as TOML's time; it is written as it was read, and another word is refused."""
    family = AGENT_FAMILIES["distribution_agent"]
    path = tmp_path / "plan.toml"
    text = 'family = "distribution_agent"\n[factors]\nSubscriptionStreams = [1, 8]\n[limits]\nrestored_by = {}\n'
    for written in ('"17:05"', "17:05:00"):
        path.write_text(text.format(written), encoding="utf-8")
        plan = load_plan(path, AGENT_FAMILIES)
        assert plan.limits["restored_by"] == 17 * 60 + 5
        assert 'restored_by = "17:05"' in dump_plan(plan, family)
    for wrong in ('"five"', "17", '"25:00"', '"17:00:30"', "17:00:30"):
        path.write_text(text.format(wrong), encoding="utf-8")
        with pytest.raises(BadInput, match="a time of day such as"):
            load_plan(path, AGENT_FAMILIES)


def test_a_log_reader_agent_reads_the_log_that_waits(tmp_path: Path) -> None:
    """By its counter, so that windows are short, though its history has a row a minute; the limit of its log holds."""
    run = run_own("log_reader", WorkSource.OWN_BACKLOG, full_log(tmp_path), noise=False)
    assert run.end.status is RunStatus.SUCCEEDED, run.end.reason
    rates: dict[object, list[float]] = {}
    for trial in run.trials:
        assert trial.status is TrialStatus.USED, trial.failed_checks
        values = {m.metric: m.value for m in trial.measurements}
        rates.setdefault(trial.setting["ReadBatchSize"], []).append(values[THROUGHPUT.name])
        assert values[TRANSACTION_SIZE.name] == pytest.approx(3.5, rel=0.1)
        assert (trial.finished_utc - trial.started_utc).total_seconds() < 120
    assert min(rates[5_000]) > 1.1 * max(rates[500])
    assert rates[500][1] == pytest.approx(rates[500][0], rel=0.02)
    told, _length = (event.text for event in run.events if isinstance(event, Note))
    assert "measured by its counter of delivered commands, which grew as its history tells" in told
    (check,) = (one for one in run.family.preflight(run.plan, run.site) if "counter of delivered commands" in one.title)
    assert check.passed
    family = AGENT_FAMILIES["log_reader"]
    plan = replace(own_plan(family, WorkSource.OWN_BACKLOG), limits=run.plan.limits.but(log_used_share=0.01))
    full = run_on_lab(family, plan, scenario=full_log(tmp_path), noise=False)
    assert full.end.status is RunStatus.ABORTED
    assert "log" in full.end.reason
    full.assert_restored("when the log was too full")


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        (Shown.HALF, "where its history tells"),
        *(
            pytest.param(shown, why, marks=pytest.mark.prove)
            for shown, why in (
                (Shown.ABSENT, "the server has no counter of the commands that PUB1-ERP-1 delivers"),
                (Shown.RATE, "the counter of the commands that PUB1-ERP-1 delivers is no running total"),
                (Shown.STILL, "stands still while its history moves"),
                (Shown.BACKWARDS, "went backwards"),
            )
        ),
    ],
)
def test_a_counter_that_cannot_be_trusted_leaves_windows_to_the_history(shown: Shown, why: str, tmp_path: Path) -> None:
    """They last for five rows of it then, and the rate is right; it is said once in the run, and before it if known."""
    site = full_log(tmp_path)
    site.write_text(site.read_text(encoding="utf-8").replace("[site]\n", f'[site]\nreader_counters = "{shown}"\n'))

    def make(control: RunControl) -> Sink:
        def watch(event: RunEvent) -> None:
            if isinstance(event, TrialFinished):
                control.cancel()

        return watch

    run = run_own("log_reader", WorkSource.OWN_BACKLOG, site, noise=False, make_sink=make)
    assert run.end.status is RunStatus.CANCELLED
    (trial,) = run.trials
    assert trial.status is TrialStatus.USED
    assert trial.took_s > 300
    (rate,) = (m.value for m in trial.measurements if m.metric == THROUGHPUT.name)
    assert rate == pytest.approx(5_225, rel=0.02)
    (note,) = (event.text for event in run.events if isinstance(event, Note))
    assert why in note
    assert note.endswith("measured by its history, which has a row a minute")
    known = [one.passed for one in run.family.preflight(run.plan, run.site) if "no running total" in one.title]
    assert known == ([True] if shown in (Shown.ABSENT, Shown.RATE) else []), "told, and nothing to warn of"
    run.assert_restored("where the counter was not used")


@pytest.mark.parametrize("source", [WorkSource.HELD, WorkSource.OWN_TRAFFIC])
def test_a_log_reader_agent_is_not_held(source: WorkSource, tmp_path: Path) -> None:
    """It tells too rarely of what gathers in minutes, and the plan is refused in one sentence."""
    family = AGENT_FAMILIES["log_reader"]
    plan = own_plan(family, source)
    target = open_lab_of(family.subject, lambda _record: None, lab=full_log(tmp_path), noise=False)
    with pytest.raises(BadInput, match="once a minute"):
        prepare_run(plan, family, target, "plan.toml")
