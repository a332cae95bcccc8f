"""The family `seeding`: its plan, what it makes of a trial, its facts, rules, plots, tables and checks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.analysis.plan_settings import plan_settings
from app.domain.comparison import Verdict
from app.domain.plan import Factor, Phase, TrialSpec
from app.domain.plot import Mark
from app.domain.session import Advice
from app.domain.setting import Setting
from app.domain.table import TableCell
from app.services.explain.advising import Advisor
from app.systems.availability_groups.copies import SeedingMethod, SeedingRequirements, SeedingStep
from app.systems.availability_groups.families.seeding import FAMILY
from app.systems.availability_groups.readings import SeedingSample, SeedingServerReading
from app.systems.availability_groups.seeding_steps import (
    AllowSeeding,
    CompressSeeding,
    HoldSeeding,
    JoinAtPrimary,
    MakeTestDatabase,
    RecordSeedingEvents,
    RemoveCopy,
)
from app.systems.availability_groups.seeding_trial import SeedDatabase, SeedingObservation
from app.systems.availability_groups.site import GroupSite
from tests.unit.runner.groups import database, topology
from tests.unit.runner.seeding_runs import SeedingRun, rules_of_seeding, seed_in_memory, seeding_plan
from tests.unit.runner.seedings import site

START = datetime(2026, 1, 1, tzinfo=UTC)
DIRECT = Setting.of(seeding_method="direct")
SPEC = TrialSpec("E1-T001", 1, 1, Phase.CONFIRM, DIRECT)


@pytest.fixture(scope="module", name="run")
def _run() -> SeedingRun:
    return seed_in_memory(seeding_plan(blocks=3, link_mbps=10_000.0), noise_cv=0.01)


@pytest.fixture(scope="module", name="said")
def _said(run: SeedingRun) -> Advice:
    return run.advise()


def rules(said: Advice) -> set[str]:
    """Return the ids of the rules that spoke."""
    return {finding.rule for finding in said.findings}


def kinds(setting: Setting, **load: object) -> list[type]:
    """Return what a trial does, by kind of step."""
    return [type(step) for step in FAMILY.trial_steps(seeding_plan(**load), setting)]  # type: ignore[arg-type]  # callers name what it takes


def test_a_direct_trial_joins_before_it_lets_seeding_begin() -> None:
    """Events and database once, then flag, join, seeding, and the copy removed."""
    assert kinds(DIRECT) == [
        RecordSeedingEvents,
        MakeTestDatabase,
        HoldSeeding,
        CompressSeeding,
        JoinAtPrimary,
        AllowSeeding,
        SeedDatabase,
        RemoveCopy,
    ]


def test_a_backup_trial_touches_no_flag_and_a_named_database_is_not_made() -> None:
    """Backup and restore need neither trace flag nor automatic seeding."""
    made = kinds(Setting.of(seeding_method="backup_restore"), database="Alone")
    assert made == [RecordSeedingEvents, HoldSeeding, JoinAtPrimary, SeedDatabase, RemoveCopy]


def test_options_of_the_backup_make_no_difference_to_direct_seeding() -> None:
    """Crossed with stripes and transfer size there is one direct setting, with the defaults."""
    plan = seeding_plan(others=(Factor("stripes", (1, 4)), Factor("MAXTRANSFERSIZE", (0, 1_048_576))))
    settings = plan_settings(plan, FAMILY.parameters)
    assert len(settings) == 4 + 1 + 1
    wide = Setting.of(seeding_method="backup_restore", stripes=4, MAXTRANSFERSIZE=1_048_576)
    [step] = [step for step in FAMILY.trial_steps(plan, wide) if isinstance(step, SeedDatabase)]
    assert (step.options.stripes, step.options.buffer_count, step.options.max_transfer_kb) == (4, 0, 1_024)
    assert step.options.folder == r"\\share\backup"


def test_what_is_compared_is_named_before_the_run(said: Advice) -> None:
    """Each direct method against backup and restore, and the two against each other."""
    compared = [(c.reference["seeding_method"], c.candidate["seeding_method"]) for c in said.comparisons]
    assert compared == [
        ("backup_restore", "direct"),
        ("backup_restore", "direct_compressed"),
        ("direct", "direct_compressed"),
    ]
    assert [c.verdict for c in said.comparisons[:2]] == [Verdict.IMPROVEMENT] * 2
    assert {c.phase for c in said.comparisons} == {Phase.CONFIRM}


def test_direct_seeding_is_recommended_with_its_price(said: Advice) -> None:
    """Six times as fast; what it takes of processors and network stands beside it."""
    [found] = [finding for finding in said.findings if finding.rule == "seeding-direct"]
    assert (found.parameter, found.from_value, found.to_value) == ("seeding_method", "backup_restore", "direct")
    assert "6.0 times as fast" in found.because
    assert "8\u00a0% of the bandwidth" in found.trade_offs
    assert "60\u00a0%" in found.trade_offs


def test_compression_that_gains_nothing_is_left_alone(said: Advice) -> None:
    """On a fast network equal times within the smallest effect are a result; processors are near their end."""
    assert {"seeding-compress-leave", "seeding-compress-processors"} <= rules(said)
    assert not rules(said) & {"seeding-compress", "seeding-line-full"}


def test_compression_is_recommended_where_the_wire_is_the_limit() -> None:
    """On a line of 160 Mbps compressed seeding is 2.5 times as fast."""
    plan = seeding_plan(("direct", "direct_compressed"), blocks=3, backup_folder="", link_mbps=160.0)
    said = seed_in_memory(plan, noise_cv=0.01, link_mb_per_s=20.0).advise()
    assert {"seeding-compress", "seeding-line-full"} <= rules(said)
    assert "seeding-more-processors" not in rules(said)
    [found] = [finding for finding in said.findings if finding.rule == "seeding-compress"]
    assert "99\u00a0% of the bandwidth" in found.because


def test_a_page_and_a_table_name_the_same_time(run: SeedingRun, said: Advice) -> None:
    """Means of what a rule says are those of the tables, also where the trials of a method differ much."""
    whole = run.evidence(said)
    spread = [replace(m, value=m.value * (1 + m.block)) if m.metric == "total_time" else m for m in whole.measurements]
    evidence = replace(whole, measurements=tuple(spread))
    facts = FAMILY.facts(evidence, "seeding_method")
    cells = [cell for table in FAMILY.tables(evidence) for row in table.rows for cell in row]
    shown = [cell.value for cell in cells if isinstance(cell, TableCell)]
    for name in ("direct_s", "best_s"):
        assert any(facts[name] == pytest.approx(value) for value in shown)


def test_redo_is_that_of_the_method_that_left_it_most(run: SeedingRun, said: Advice) -> None:
    """The longest queue goes with the rate of its own method, not with the fastest of any."""
    whole = run.evidence(said)
    queues = {"backup_restore": 600.0, "direct": 5.0, "direct_compressed": 1.0}
    rates = {"backup_restore": 4.0, "direct": 40.0, "direct_compressed": 20.0}
    made = [m for m in whole.measurements if m.metric not in ("redo_queue", "redo_rate")]
    for m in whole.measurements:
        if m.metric == "total_time":
            method = str(m.setting["seeding_method"])
            made.append(replace(m, metric="redo_queue", unit="MB", value=queues[method]))
            made.append(replace(m, metric="redo_rate", unit="MB/s", value=rates[method]))
    facts = FAMILY.facts(replace(whole, measurements=tuple(made)), "seeding_method")
    assert (facts["redo_queue_mb"], facts["redo_mb_per_s"]) == pytest.approx((600.0, 4.0))


def test_whether_compression_was_on_is_told_by_bytes() -> None:
    """Data that does not compress sends as many bytes as it reads: nothing is said about the flag."""
    said = seed_in_memory(seeding_plan(blocks=3), noise_cv=0.01, is_compressible=False).advise()
    assert "seeding-compress-was-off" in rules(said)
    assert not rules(said) & {"seeding-compress", "seeding-compress-leave"}


def test_single_runs_show_no_equivalence() -> None:
    """One trial of each: neither the gain nor its absence is claimed."""
    said = seed_in_memory(seeding_plan()).advise()
    assert {"seeding-cannot-tell", "seeding-compress-not-shown"} <= rules(said)
    told = " ".join(finding.recommendation for finding in said.findings)
    assert "2 seedings each way show how much they differ by chance" in told
    assert "four times out of five" not in told, "nothing is promised before the noise is known"
    assert all(finding.to_value is None for finding in said.findings)


def test_stripes_are_judged_by_themselves() -> None:
    """A factor of the backup has a verdict of its own, with its values as they are typed."""
    run = seed_in_memory(seeding_plan(blocks=3, others=(Factor("stripes", (1, 4)),)), noise_cv=0.01)
    facts = FAMILY.facts(run.evidence(run.advise()), "stripes")
    assert facts["baseline_level"] == facts["best_level"] == "1"
    assert facts["best_differs"] is False
    assert "seeding-backup-option-leave" in rules(run.advise())


def test_a_network_that_does_not_fit_the_size_is_pointed_out() -> None:
    """The rate over the time against the size of the database: more than 15 % apart is said first."""
    run = seed_in_memory(seeding_plan(blocks=2), noise_cv=0.01)
    trials = tuple(
        replace(
            trial,
            measurements=tuple(
                replace(m, value=m.value * 1.4) if m.metric == "network_rate" else m for m in trial.measurements
            ),
        )
        for trial in run.trials
    )
    session = run.session()
    odd = replace(session, runs=(replace(session.runs[0], trials=trials),))
    from_run = run.advise()
    assert "seeding-numbers-disagree" not in rules(from_run)
    said = Advisor({"seeding": FAMILY}, rules_of_seeding()).advise(odd)
    assert said.findings[0].rule == "seeding-numbers-disagree"


def test_the_plots_show_steps_levels_and_the_copy_over_time(run: SeedingRun, said: Advice) -> None:
    """Steps are bars with intervals in the order they are done; the copy over time is a line for each method."""
    plots = {plot.plot_id.rsplit("/", 1)[-1]: plot for plot in FAMILY.plots(run.evidence(said))}
    assert set(plots) == {"by-setting", "steps", "effects", "over-time", "cpu", "network", "in-order"}
    assert [series.label for series in plots["steps"].series] == [
        "Backup time",
        "Restore time",
        "Join time",
        "Direct seeding time",
    ]
    assert {series.mark for series in plots["steps"].series} == {Mark.BARS}
    assert [series.label for series in plots["over-time"].series] == [
        "backup and restore",
        "direct seeding",
        "compressed direct seeding",
    ]
    [primary, secondary] = plots["cpu"].series
    assert primary.y == pytest.approx((60.0, 60.0, 95.0))
    assert secondary.y == pytest.approx((50.0, 50.0, 50.0))


def test_the_table_has_a_column_for_each_method(said: Advice) -> None:
    """Steps a method does not have are left empty."""
    [table] = said.tables
    assert [column.title for column in table.columns[2:]] == [
        "backup and restore",
        "direct seeding",
        "compressed direct seeding",
    ]
    rows = {str(row[0]): row[2:] for row in table.rows}
    assert rows["Direct seeding time"][0] == ""
    assert rows["Join time"][1:] == ("", "")


def reading(second: float, **more: object) -> SeedingSample:
    """Return a reading of direct seeding at 100 MB/s."""
    made = SeedingSample(
        at=START + timedelta(seconds=second),
        primary="SQL-A",
        state="running",
        failure="",
        read_mb=second * 100,
        sent_mb=second * 100,
        written_mb=second * 100,
        servers=(
            SeedingServerReading("SQL-A", second * 600, 1, 1, 7_000 + second * 100, 0.0),
            SeedingServerReading("SQL-B", second * 500, 1, 1, 0.0, 9_000 + second * 100),
        ),
        redo_queue_kb=0.0,
        redo_rate_kb_per_s=0.0,
        parallel_redo_threads=0,
        log_used_share=0.1 + second / 100,
        free_disk_gb=50.0,
    )
    return replace(made, **more)  # type: ignore[arg-type]  # callers name what it takes


def observation(**more: object) -> SeedingObservation:
    """Return ten seconds of direct seeding of 1,000 MB."""
    made = SeedingObservation(
        method=SeedingMethod.DIRECT,
        database_mb=1_000.0,
        primary="SQL-A",
        secondary="SQL-B",
        steps=(SeedingStep("seeding", START, START + timedelta(seconds=10), 1_000.0),),
        readings=tuple(reading(second) for second in (0.0, 5.0, 10.0)),
        afterwards=(),
        events=(),
        failure="",
        samples=(),
    )
    return replace(made, **more)  # type: ignore[arg-type]  # callers name what it takes


def measured(seen: SeedingObservation) -> dict[str, float]:
    """Return the measures of an observation by name."""
    found = site()
    values = FAMILY.measure(seeding_plan(), SPEC, seen, GroupSite(parameters={}, topology=found))
    assert {m.conditions for m in values} == {Setting.of(database_mb=1_000)}
    return {m.metric: m.value for m in values}


def test_levels_are_those_of_the_phase_in_which_data_moves() -> None:
    """Ticks in which nothing moved, before and after, do not thin them out."""
    idle = (reading(10.0), reading(10.0, at=START + timedelta(seconds=40)))
    values = measured(observation(readings=(reading(0.0), reading(5.0), *idle)))
    assert values["network_rate"] == pytest.approx(800.0)
    assert values["disk_rate"] == values["read_rate"] == pytest.approx(100.0)
    assert values["primary_cpu"] == pytest.approx(0.6)
    assert values["log_growth"] == pytest.approx(0.1)


def test_a_total_is_the_sum_of_the_steps() -> None:
    """Time between two steps in which nobody worked does not count."""
    late = START + timedelta(seconds=100)
    steps = (
        SeedingStep("backup", START, START + timedelta(seconds=10), 1_000.0),
        SeedingStep("log backup", START + timedelta(seconds=10), START + timedelta(seconds=11), 1.0),
        SeedingStep("restore", late, late + timedelta(seconds=20), 1_000.0),
        SeedingStep("join", late + timedelta(seconds=20), late + timedelta(seconds=22), 0.0),
    )
    values = measured(observation(steps=steps, method=SeedingMethod.BACKUP_RESTORE))
    assert (values["backup_time"], values["restore_time"], values["join_time"]) == (11.0, 20.0, 2.0)
    assert values["total_time"] == 33.0
    assert values["copy_rate"] == pytest.approx(1_000 / 33)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"failure": "no space."}, "the seeding failed: no space"),
        ({"steps": ()}, "the servers did not say how long it took"),
        ({"steps": (SeedingStep("seeding", START, None, 0.0),)}, "the servers did not say how long it took"),
        ({"database_mb": 5_000.0}, "only 1,000 of 5,000 MB were seen to be written at the secondary"),
        (
            {"readings": (reading(0.0), reading(10.0, sent_mb=400.0))},
            "the stream was compressed although it was not to be: 40\u00a0% of the bytes read were sent",
        ),
        ({"method": SeedingMethod.BACKUP_RESTORE}, "not every step of backup, restore and join was timed"),
    ],
)
def test_a_trial_that_failed_is_told_from_a_good_one(more: dict[str, object], sentence: str) -> None:
    """Each reason is one sentence; a good trial has none."""
    assert FAMILY.failed_checks(seeding_plan(), SPEC, observation()) == ()
    assert FAMILY.failed_checks(seeding_plan(), SPEC, observation(**more)) == (sentence,)


def test_preflight_says_what_is_in_the_way() -> None:
    """Little room, an automatic mode, trace flags, a full log and an encrypted database are told."""
    requirements = SeedingRequirements(
        database_mb=1_000.0,
        free_primary_mb=9_000.0,
        free_secondary_mb=1_100.0,
        free_backup_mb=None,
        seeding_mode="automatic",
        may_create_any=True,
        recovery_model="FULL",
        last_full_backup=START,
        other_seedings=0,
    )
    big = database("Big", log_used_share=0.8, is_encrypted=True)
    found = site(databases=(*topology().databases, big), trace_flags=(("SQL-B", 3459),))
    checks = FAMILY.preflight(
        seeding_plan(database="Big"), GroupSite(parameters={}, topology=found, requirements=requirements)
    )
    failed = [check for check in checks if not check.passed]
    assert [check.title.split(" ")[0] for check in failed] == ["The", "The", "The", "No", "Big", "Nobody"]
    assert "1,100 MB are free at the secondary" in failed[0].remedy
    assert "AUTOMATIC" in failed[1].remedy
    assert "3459" in failed[3].remedy
    assert not any(check.blocking for check in checks)


def test_a_healthy_site_passes_everything() -> None:
    """A test database on a site without flags has nothing in its way; what no server tells has to be asked for."""
    checks = FAMILY.preflight(seeding_plan(), GroupSite(parameters={}, topology=site()))
    assert len(checks) > 1
    assert [check.title for check in checks if not check.passed] == [
        "Nobody else backs up the log of ReplituneSeeding during the run"
    ]


def test_a_larger_database_takes_longer() -> None:
    """The estimate grows with the size."""
    assert FAMILY.estimate_trial_s(seeding_plan(database_mb=1_000)) < FAMILY.estimate_trial_s(seeding_plan())
