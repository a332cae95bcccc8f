"""The family `commit_mode`: its plan, what it makes of a trial, its facts, plots, tables and checks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.advice import evaluate
from app.domain.comparison import Verdict
from app.domain.family import Evidence
from app.domain.plan import Phase, TrialSpec
from app.domain.session import Advice
from app.domain.setting import Setting
from app.systems.availability_groups.commit_steps import (
    MakeTestTables,
    SetCommitMode,
    SetLogCompression,
    WaitSynchronized,
    compression_flags,
    compression_in_effect,
)
from app.systems.availability_groups.commit_trial import CommitObservation, MeasureShapes, Shape, ShapeObservation
from app.systems.availability_groups.families.commit_mode import FAMILY
from app.systems.availability_groups.groups import CommitMode, InsertLoop
from app.systems.availability_groups.readings import GroupSample, ReplicaReading, ServerReading
from app.systems.availability_groups.site import GroupSite
from tests.unit.runner.commit_runs import CommitRun, commit_plan, rules_of_the_family, run_in_memory
from tests.unit.runner.groups import PRIMARY, SECONDARY, database, group, replica, topology

ASYNC = Setting.of(availability_mode="async", log_stream_compression="default")
SYNC = Setting.of(availability_mode="sync", log_stream_compression="default")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module", name="run")
def _run() -> CommitRun:
    modes = ("standalone", "async", "sync")
    return run_in_memory(commit_plan(modes, blocks=3, standalone_database="Alone"), noise_cv=0.01)


@pytest.fixture(scope="module", name="said")
def _said(run: CommitRun) -> Advice:
    return run.advise()


def evidence(run: CommitRun, said: Advice) -> Evidence:
    """Return the run as its family is asked to explain it."""
    used = tuple(m for trial in run.trials for m in trial.measurements)
    site = GroupSite(parameters={}, topology=run.target.groups.start)
    none = Setting()
    return Evidence("commit_mode", none, run.plan, site, used, said.comparisons, (), run.trials, 0.05, None)


@pytest.mark.parametrize(
    ("major", "mode", "wanted", "flags", "effect"),
    [
        (13, CommitMode.SYNCHRONOUS, "on", {9591: False, 1462: False, 9592: True}, "on"),
        (13, CommitMode.SYNCHRONOUS, "default", {9591: False, 1462: False, 9592: False}, "off"),
        (13, CommitMode.SYNCHRONOUS, "off", {9591: False, 1462: False, 9592: False}, "off"),
        (16, CommitMode.ASYNCHRONOUS, "default", {9591: False, 1462: False, 9592: False}, "on"),
        (16, CommitMode.ASYNCHRONOUS, "off", {9591: False, 1462: True, 9592: False}, "off"),
        (12, CommitMode.SYNCHRONOUS, "default", {9591: False}, "on"),
        (12, CommitMode.SYNCHRONOUS, "off", {9591: True}, "off"),
        (11, CommitMode.ASYNCHRONOUS, "on", {9591: False}, "on"),
    ],
)
def test_trace_flags_follow_the_version(
    major: int, mode: CommitMode, wanted: str, flags: dict[int, bool], effect: str
) -> None:
    """2012 and 2014 compress always, 2016 and later only for asynchronous replicas; older versions know 9591 only."""
    assert compression_flags(major, mode, wanted) == flags
    assert compression_in_effect(major, mode, wanted) == effect


def test_steps_make_the_arm_before_it_is_measured() -> None:
    """Tables, mode, compression, catching up, shapes by rising inserts; a standalone arm needs less."""
    plan = commit_plan(database="Orders", standalone_database="Alone", inserts=(100, 1), rows_total=1_000)
    steps = FAMILY.trial_steps(plan, SYNC)
    assert [type(step) for step in steps] == [
        MakeTestTables,
        SetCommitMode,
        SetLogCompression,
        WaitSynchronized,
        MeasureShapes,
    ]
    assert isinstance(steps[-1], MeasureShapes)
    assert steps[-1].shapes == (Shape(1, 1_000), Shape(100, 10))
    assert steps[0] == MakeTestTables("Orders", 1_000)
    alone = FAMILY.trial_steps(plan, Setting.of(availability_mode="standalone", log_stream_compression="default"))
    assert [type(step) for step in alone] == [MakeTestTables, MeasureShapes]
    assert alone[0] == MakeTestTables("Alone", 1_000)


def reading(after_s: float = 0.0, send_kb: float = 0.0, redo_kb: float = 0.0, **totals: Any) -> GroupSample:
    """Return a reading of a group of which nothing was counted but these totals."""
    counted = ("commit_delay_ms", "mirrored_transactions", "sync_commit_wait_ms", "writelog_wait_ms")
    figures = dict.fromkeys((*counted, "flow_control_ms", "log_flushed_bytes", "sent_bytes"), 0.0) | totals
    return GroupSample(
        at=NOW + timedelta(seconds=after_s),
        primary=PRIMARY,
        readings=(ReplicaReading(SECONDARY, "SYNCHRONIZED", send_kb, 0.0, redo_kb, 0.0),),
        log_used_share=0.1,
        free_disk_gb=10.0,
        servers=(ServerReading(PRIMARY, figures.pop("cpu_ms", 0.0), 1, 1),),
        **figures,
    )


def seen(mode: CommitMode = CommitMode.SYNCHRONOUS, **more: float) -> CommitObservation:
    """Return a trial of one shape: 1,000 inserts of 10 rows in two loops of five seconds."""
    loops = (InsertLoop(1_000, 10_000, 5_000.0), InsertLoop(1_000, 10_000, 5_000.0))
    shape = ShapeObservation(Shape(1_000, 10), loops, ((reading(redo_kb=512.0), reading(10.0, **more)),))
    return CommitObservation(mode, 13, True, (shape,), ())


PLAN = commit_plan(inserts=(1_000,), rows_total=10_000)
SPEC = TrialSpec("E1-T001", 1, 1, Phase.CONFIRM, SYNC)
SITE = GroupSite(parameters={}, topology=topology())


def test_measures_are_means_per_insert_shares_and_peaks() -> None:
    """Each in its unit, at its shape."""
    counters = {
        "commit_delay_ms": 1_400.0,
        "mirrored_transactions": 2_000.0,
        "sync_commit_wait_ms": 1_600.0,
        "writelog_wait_ms": 800.0,
        "flow_control_ms": 500.0,
        "log_flushed_bytes": 40e6,
        "sent_bytes": 10e6,
        "send_kb": 2_048.0,
        "redo_kb": 512.0 + 1_024.0,  # of which the first were there before
        "cpu_ms": 4_000.0,
    }
    made = FAMILY.measure(PLAN, SPEC, seen(CommitMode.SYNCHRONOUS, **counters), SITE)
    assert {m.conditions for m in made} == {Setting.of(inserts=1_000, rows_per_insert=10)}
    assert {m.metric: m.value for m in made} == pytest.approx(
        {
            "shape_time": 5_000.0,
            "insert_rate": 200.0,
            "commit_delay": 0.7,
            "sync_commit_wait": 0.8,
            "writelog_wait": 0.4,
            "flow_control": 0.05,
            "send_queue": 2.097152,
            "redo_queue": 1.048576,
            "log_rate": 4.0,
            "wire_share": 0.25,
            "primary_cpu": 0.4,
        }
    )
    alone = FAMILY.measure(PLAN, SPEC, seen(CommitMode.STANDALONE, **counters), SITE)
    assert {m.metric for m in alone} == {"shape_time", "insert_rate", "writelog_wait", "log_rate", "primary_cpu"}


def test_inserts_cut_short_are_counted_because_the_time_is_worked_out_from_them() -> None:
    """A loop whose time was over counts its inserts; one that did them all says nothing."""
    cut = (InsertLoop(1_000, 10_000, 5_000.0), InsertLoop(400, 4_000, 5_000.0))
    short = replace(seen(), shapes=(replace(seen().shapes[0], loops=cut),))
    made = {m.metric: m.value for m in FAMILY.measure(PLAN, SPEC, short, SITE)}
    assert made["inserts_done"] == 700
    assert made["shape_time"] == pytest.approx(10_000 / 1_400 * 1_000)
    assert "inserts_done" not in {m.metric for m in FAMILY.measure(PLAN, SPEC, seen(), SITE)}


def test_a_trial_that_failed_is_told_from_a_good_one() -> None:
    """A missing shape, missing rows, a secondary that was not synchronized, and a stream still compressed."""
    good = seen(log_flushed_bytes=40e6, sent_bytes=41e6)
    assert FAMILY.failed_checks(PLAN, SPEC, good) == ()
    [shape] = good.shapes
    assert FAMILY.failed_checks(PLAN, SPEC, replace(good, shapes=())) == (
        "the shape of 1,000 inserts was not measured",
    )
    poor = replace(shape, loops=(InsertLoop(1_000, 9_999, 5_000.0),))
    assert FAMILY.failed_checks(PLAN, SPEC, replace(good, shapes=(poor,))) == (
        "the shape of 1,000 inserts wrote fewer rows than planned",
    )
    [lost] = FAMILY.failed_checks(PLAN, SPEC, replace(good, is_synchronized=False))
    assert "not synchronized" in lost
    [packed] = FAMILY.failed_checks(PLAN, SPEC, seen(log_flushed_bytes=40e6, sent_bytes=10e6))
    assert "25\u00a0% of the log's bytes" in packed
    on = replace(SPEC, setting=Setting.of(availability_mode="sync", log_stream_compression="on"))
    assert FAMILY.failed_checks(PLAN, on, seen(log_flushed_bytes=40e6, sent_bytes=10e6)) == ()
    assert FAMILY.failed_checks(PLAN, SPEC, seen(log_flushed_bytes=1e6, sent_bytes=0.0)) == (), "too little log to tell"


def test_facts_tell_the_round_trip_from_the_bytes(run: CommitRun, said: Advice) -> None:
    """Small inserts pay per insert, large ones per row; both with the ends of their intervals."""
    facts = FAMILY.facts(evidence(run, said), "availability_mode")
    assert (facts["rows_small"], facts["rows_large"], facts["shapes_total"]) == (10, 100_000, 3)
    assert facts["server_major"] == 13
    assert facts["compression_now"] == "off"
    assert float(facts["penalty_small_ms"]) == pytest.approx(0.76, abs=0.1)  # round trip, and 10 rows of log
    assert float(facts["penalty_large_ms_per_thousand_rows"]) == pytest.approx(6.0, abs=0.5)
    for name in ("penalty_small", "penalty_large", "standalone_sync", "standalone_async"):
        low, middle, high = (float(facts[f"{name}{end}_percent"]) for end in ("_low", "", "_high"))
        assert low < middle < high
    assert float(facts["penalty_most_percent"]) > float(facts["penalty_worst_percent"])
    assert facts["verdict"] == str(Verdict.WORSE)
    assert facts["commit_delay_ms"] == pytest.approx(0.76)
    assert facts["confirmed"] is True


def without_rows(whole: Evidence) -> Evidence:
    """Return evidence from a file without the column for rows per insert."""

    def bare(conditions: Setting) -> Setting:
        return Setting.from_mapping({name: value for name, value in conditions.items() if name != "rows_per_insert"})

    return replace(
        whole,
        measurements=tuple(replace(m, conditions=bare(m.conditions)) for m in whole.measurements),
        comparisons=tuple(replace(c, conditions=bare(c.conditions)) for c in whole.comparisons),
    )


def test_inserts_of_unknown_size_are_not_called_small(run: CommitRun, said: Advice) -> None:
    """Where nobody said how many rows an insert has, no fact counts them, and no rule speaks of single rows."""
    bare = without_rows(evidence(run, said))
    for factor in ("availability_mode", "log_stream_compression"):
        facts = FAMILY.facts(bare, factor)
        assert facts["shapes_total"] == 3
        assert not [name for name in facts if name.startswith("rows_") or "thousand_rows" in name]
        assert not {"round_trip_ms", "commit_delay_ms", "sync_commit_wait_share"} & set(facts)
        found, unknown = evaluate(rules_of_the_family(), "sqlserver", "commit_mode", facts, ())
        assert not {"commit-round-trip", "commit-bytes", "commit-compress-synchronous"} & {f.rule for f in found}
        assert not any("per insert" in f"{f.title} {f.because}" for f in found)
        assert any("rows per insert" in entry.because for entry in unknown)


def test_bytes_are_blamed_where_round_trips_do_not_explain_it(run: CommitRun, said: Advice) -> None:
    """The penalty of one large insert is many times what a small one waits; the counters decide before the penalty."""
    whole = evidence(run, said)
    facts = FAMILY.facts(whole, "availability_mode")
    assert facts["round_trip_ms"] == facts["commit_delay_ms"]
    assert float(facts["penalty_large_ms"]) > 100 * float(facts["round_trip_ms"])
    uncounted = replace(whole, measurements=tuple(m for m in whole.measurements if m.metric != "commit_delay"))
    facts = FAMILY.facts(uncounted, "availability_mode")
    assert facts["round_trip_ms"] == facts["penalty_small_high_ms"]


def test_redo_is_compared_with_the_log_of_the_same_shape(run: CommitRun, said: Advice) -> None:
    """A long queue of one shape is not divided by the faster log of another."""
    whole = evidence(run, said)
    queues, logs = {1: 90.0, 100: 10.0, 10_000: 10.0}, {1: 30.0, 100: 0.5, 10_000: 60.0}
    made = [m for m in whole.measurements if m.metric not in ("redo_queue", "log_rate")]
    for m in whole.measurements:
        if m.metric == "shape_time":
            inserts = int(m.conditions["inserts"])
            made.append(replace(m, metric="redo_queue", unit="MB", value=queues[inserts]))
            made.append(replace(m, metric="log_rate", unit="MB/s", value=logs[inserts]))
    facts = FAMILY.facts(replace(whole, measurements=tuple(made)), "availability_mode")
    assert (facts["redo_queue_mb"], facts["redo_behind_s"]) == pytest.approx((10.0, 20.0))


def test_facts_of_compression_tell_what_it_gains_and_sends(run: CommitRun, said: Advice) -> None:
    """It gains on large inserts; the share of bytes sent says how well the data compresses."""
    facts = FAMILY.facts(evidence(run, said), "log_stream_compression")
    assert (facts["baseline_choice"], facts["best_choice"], facts["best_differs"]) == ("default", "on", True)
    assert facts["verdict"] == str(Verdict.IMPROVEMENT)
    assert float(facts["gain_large_low_percent"]) > 30
    assert float(facts["gain_small_high_percent"]) < 10
    assert facts["wire_share_percent"] == pytest.approx(30.0)


def test_the_advice_on_2016_is_to_compress_where_it_gains(said: Advice) -> None:
    """The flag with its value now and recommended, the change of default, both causes, the price against no group."""
    rules = {finding.rule: finding for finding in said.findings}
    assert {
        "commit-round-trip",
        "commit-bytes",
        "commit-compress-synchronous",
        "commit-know-what-changed",
        "commit-against-standalone",
    } <= set(rules)
    change = rules["commit-compress-synchronous"]
    assert (change.parameter, change.from_value, change.to_value) == ("log_stream_compression", "default", "on")
    assert "not confirmed" not in change.title
    assert {finding.figure for finding in said.findings} <= {plot.plot_id for plot in said.plots}


def test_on_2014_nothing_is_to_be_switched_on() -> None:
    """The version compresses by itself, so there is nothing to gain and the flag has no meaning."""
    old = topology(version="12.0.6024.0")
    plan = commit_plan(compression=("default", "off"), blocks=3)
    said = run_in_memory(plan, old, noise_cv=0.01).advise()
    assert {"commit-compression-old-version"} <= {finding.rule for finding in said.findings}
    assert all(finding.to_value is None for finding in said.findings)


def test_data_that_does_not_compress_is_left_alone() -> None:
    """The bytes sent stay the same, and the rule says so; no other rule asks to compress it."""
    run = run_in_memory(commit_plan(blocks=3), noise_cv=0.01, is_compressible=False)
    rules = {finding.rule for finding in run.advise().findings}
    assert "commit-incompressible" in rules
    assert not {"commit-compress-synchronous", "commit-know-what-changed"} & rules


def test_tables_are_those_of_the_field(said: Advice) -> None:
    """For each dearer arm: shape, times, penalty, per insert, per cent, rates; every number with its interval."""
    titles = [table.title for table in said.tables]
    assert "Synchronous, log not compressed against asynchronous, log compressed" in titles
    table = said.tables[titles.index("Synchronous, log not compressed against asynchronous, log compressed")]
    assert [column.key for column in table.columns][:4] == ["inserts", "rows_per_insert", "reference_ms", "other_ms"]
    for row in table.rows:
        cells = [cell for cell in row if not isinstance(cell, str)]
        inserts, _rows, first, second, penalty, each, percent, *_rates = (cell.value for cell in cells)
        assert penalty == pytest.approx(second - first)
        assert each == pytest.approx(penalty / inserts)
        assert percent == pytest.approx(penalty / first * 100)
        assert all(c.low is not None and c.high is not None and c.low <= c.value <= c.high for c in cells[2:])


def test_plots_show_penalty_time_compression_waits_and_order(said: Advice) -> None:
    """Penalty in per cent by shape, run time on a logarithmic axis, the effect of compression, waits, order."""
    kinds = {plot.plot_id.rsplit("/", 1)[-1]: plot for plot in said.plots}
    assert set(kinds) == {"penalty", "by-setting", "effects", "waits", "in-order"}
    assert kinds["by-setting"].log_y
    assert [text for _x, text in kinds["penalty"].x_ticks] == ["1 × 100,000", "100 × 1,000", "10,000 × 10"]
    assert {len(series.x) for series in kinds["penalty"].series} == {3}


def test_preflight_tells_of_failover_other_secondaries_log_and_flags() -> None:
    """Each check that does not pass says what to do; none of them forbids the run."""
    other = replica("SQL-C", "secondary", CommitMode.SYNCHRONOUS)
    one = group("AG1", "Orders")
    full = replace(
        topology(replace(one, replicas=(*one.replicas, other))),
        databases=(database("Orders", "AG1", log_used_share=0.999), database("Alone")),
        trace_flags=(("SQL-A", 9592),),
    )
    plan = commit_plan(group="AG1", database="Orders", secondary=SECONDARY)
    failed = [c for c in FAMILY.preflight(plan, GroupSite(parameters={}, topology=full)) if not c.passed]
    assert len(failed) == 4
    assert not any(check.blocking for check in failed)
    said = " ".join(check.remedy for check in failed)
    assert "no automatic failover" in said
    assert "SQL-C commits asynchronously" in said
    assert "20 MB are free" in said
    assert "Set now: 9592" in said


def test_a_longer_budget_and_more_loops_take_longer() -> None:
    """The estimate grows with loops and shapes, and a budget bounds it."""
    short = FAMILY.estimate_trial_s(commit_plan(inserts=(1,)))
    assert short < FAMILY.estimate_trial_s(commit_plan(inserts=(1, 10_000)))
    assert FAMILY.estimate_trial_s(commit_plan(loops=2)) > FAMILY.estimate_trial_s(commit_plan())
    assert FAMILY.estimate_trial_s(commit_plan(budget_s=1.0)) < FAMILY.estimate_trial_s(commit_plan(budget_s=60.0))


def test_a_flag_found_set_is_the_state_before_the_change(run: CommitRun, said: Advice) -> None:
    """Where 9592 was set all along there is nothing to recommend, and the new default is not to blame."""
    flagged = GroupSite(parameters={}, topology=replace(run.target.groups.start, trace_flags=(("SQL-A", 9592),)))
    facts = FAMILY.facts(replace(evidence(run, said), site=flagged), "log_stream_compression")
    assert facts["compression_now"] == "on"
    assert (facts["baseline_choice"], facts["best_differs"]) == ("on", False)


def test_one_shape_is_told_as_one(run: CommitRun, said: Advice) -> None:
    """Of a single shape nothing is "the most" or "all"."""
    whole = evidence(run, said)
    inserts = whole.comparisons[0].conditions["inserts"]
    one = replace(
        whole,
        measurements=tuple(m for m in whole.measurements if m.conditions.get("inserts") == inserts),
        comparisons=tuple(c for c in whole.comparisons if c.conditions["inserts"] == inserts),
    )
    facts = {**FAMILY.facts(one, "availability_mode"), "shapes_undecided": 0}
    assert facts["shapes_total"] == 1
    found, _unknown = evaluate(rules_of_the_family(), "sqlserver", "commit_mode", facts, ())
    told = [f"{f.title} {f.because}" for f in found if f.rule in {"commit-one-shape", "commit-not-dearer"}]
    assert len(told) == 1
    assert "on the one shape measured" in told[0]
    assert not any(word in told[0] for word in ("most,", "All ", "all shapes"))
