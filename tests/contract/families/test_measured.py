"""What a family makes of a real run on the lab: measures, facts, plots, preflight checks, advice."""

import math
import re
from collections import defaultdict
from dataclasses import replace
from functools import cache

import pytest

from app.analysis.plan_settings import plan_settings
from app.domain.decision import DecisionKind
from app.domain.events import RunStatus, SamplesTaken
from app.domain.facts import FactType, FactValue
from app.domain.family import Evidence, ExperimentFamily
from app.domain.measurement import Measurement, TrialStatus
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec
from app.domain.session import Advice
from app.flows.run.run_effect import effect_by_block
from app.reporting.blocks import Bullets
from app.reporting.decision_card import card_lines, decision_card
from app.reporting.document.run_sheet import run_sheet_section
from app.reporting.document.scripts import Scripts
from app.reporting.wording import Vocabulary
from app.systems.availability_groups.subjects import COMMIT, SEEDING
from app.systems.change_data_capture.subjects import CAPTURE
from app.systems.oracle_streams.subjects import STREAMS
from app.systems.transactional_replication.load import Scenario, workload_of
from app.systems.transactional_replication.site import AgentSite
from app.systems.transactional_replication.trial_seen import AgentObservation
from tests.contract.families.lab_runs import (
    AGENT_FAMILIES,
    CASE_IDS,
    CASES,
    FAMILIES,
    LabRun,
    run_on_lab,
    small_plan,
)
from tests.kinds import KINDS
from tests.shipped_rules import ADVISOR
from tests.unit.analysis.observing import agent_seen, spec_of, trial_seen

every_family = pytest.mark.parametrize("family_id", FAMILIES)
every_agent_family = pytest.mark.parametrize("family_id", AGENT_FAMILIES)
every_scenario = pytest.mark.parametrize(("family_id", "scenario"), [c for c in CASES if c[0] in AGENT_FAMILIES])
every_case = pytest.mark.parametrize(("family_id", "scenario"), CASES, ids=CASE_IDS)
TYPES = {FactType.NUMBER: (int, float), FactType.TEXT: (str,), FactType.FLAG: (bool,)}


@cache
def lab_run(family_id: str, scenario: Scenario) -> LabRun:
    """Return one finished run of a family, made once."""
    family = FAMILIES[family_id]
    return run_on_lab(family, small_plan(family, scenario, blocks=2, confirm_blocks=2))


@cache
def advice(family_id: str, scenario: Scenario) -> Advice:
    """Return what is said about that run."""
    return lab_run(family_id, scenario).advise()


@pytest.mark.parametrize(
    ("family_id", "scenario"),
    [c for c in CASES if not FAMILIES[c[0]].compares_all and not small_plan(FAMILIES[c[0]], c[1]).design.is_windowed],
    ids=str,
)
def test_a_run_shows_the_interval_that_is_claimed_in_the_end(family_id: str, scenario: Scenario) -> None:
    """What stands on the screen while trials confirm is never surer than the finding it becomes."""
    run = lab_run(family_id, scenario)
    claimed = [c for c in advice(family_id, scenario).comparisons if c.phase is Phase.CONFIRM]
    shown_on_the_way = [effect_by_block(run.family, run.plan, run.trials[:ended]) for ended in range(len(run.trials))]
    assert shown_on_the_way[0] is None
    plot = effect_by_block(run.family, run.plan, run.trials)
    series = () if plot is None else [one for one in plot.series if one.label == "confirming"]
    shown = [(one.y[-1], one.low[-1], one.high[-1], one.x[-1]) for one in series]
    last = float(max(trial.block for trial in run.trials))
    assert shown == [pytest.approx((*(100 * (x - 1) for x in (c.ratio, c.low, c.high)), last)) for c in claimed]


def evidence(run: LabRun) -> Evidence:
    """Return the run as its family is asked to explain it."""
    used = tuple(m for trial in run.trials if trial.status is TrialStatus.USED for m in trial.measurements)
    said = advice(run.family.family_id, workload_of(run.plan.load).scenario)
    return Evidence(
        family=run.family.family_id,
        conditions=used[0].conditions.without({condition.name for condition in run.family.swept}),
        plan=run.plan,
        site=run.site,
        measurements=used,
        comparisons=said.comparisons,
        forecasts=said.forecasts,
        trials=run.trials,
        minimum_effect=run.plan.design.minimum_effect,
        noise_cv=None,
    )


@every_case
def test_a_trial_tells_how_much_of_it_is_done(family_id: str, scenario: Scenario) -> None:
    """From nothing to all of it, never backwards and never more than all."""
    told = defaultdict[str, list[float]](list)
    for event in lab_run(family_id, scenario).events:
        if isinstance(event, SamplesTaken):
            told[event.trial_id].append(event.progress)
    assert min(shares[0] for shares in told.values()) < 0.9
    for trial, shares in told.items():
        assert 0 <= shares[0] <= shares[-1] <= 1, trial
        assert shares == sorted(shares), trial
        assert shares[-1] > 0.5, trial


@every_case
def test_a_good_trial_is_used_and_has_every_finite_measure(family_id: str, scenario: Scenario) -> None:
    """No check fails on a healthy lab; values are finite, not negative, in their metric's unit, and agree."""
    run = lab_run(family_id, scenario)
    assert run.end.status is RunStatus.SUCCEEDED
    assert len(run.trials) >= 4
    for trial in run.trials:
        assert (trial.status, trial.failed_checks) == (TrialStatus.USED, ())
        _check_measures(run.family, trial.measurements)
        main = run.family.main_metric(run.plan)
        measured = [m for m in trial.measurements if m.metric == main.name]
        assert all(m.value > 0 for m in measured)
        assert len({m.conditions for m in measured}) == len(measured) >= 1
        assert run.family.swept or len(measured) == 1
        assert {(m.trial_id, m.block, m.phase) for m in trial.measurements} == {
            (trial.trial_id, trial.block, trial.phase)
        }
        assert {m.setting for m in trial.measurements} == {trial.setting}
        assert not list(run.family.contradictions(trial.measurements))


def _check_measures(family: ExperimentFamily, measurements: tuple[Measurement, ...]) -> None:
    units = {metric.name: metric.unit for metric in family.metrics}
    assert len({(m.metric, m.conditions) for m in measurements}) == len(measurements)
    for m in measurements:
        assert m.family == family.family_id
        assert math.isfinite(m.value)
        assert m.value >= 0
        assert m.unit == units[m.metric]


@every_scenario
def test_trials_of_a_run_hold_for_equal_conditions(family_id: str, scenario: Scenario) -> None:
    """Whatever else distinguishes measurements is the same in all trials, so they may be compared."""
    run = lab_run(family_id, scenario)
    [conditions] = {m.conditions for trial in run.trials for m in trial.measurements}
    assert conditions["scenario"] == str(scenario)
    assert conditions["agent_pairs"] == 1
    assert conditions["commands_per_transaction"] == workload_of(run.plan.load).mean_commands_per_transaction


@every_scenario
def test_a_trial_that_failed_is_told_from_a_good_one(family_id: str, scenario: Scenario) -> None:
    """An agent's error, less than was planned, and nothing at all each give a sentence; a good trial gives none."""
    run = lab_run(family_id, scenario)
    spec = spec_of(run.plan.baseline)
    offered = 400 * 240
    assert isinstance(run.site, AgentSite)
    good = agent_seen(run.site.agents[0], commands=4_000)

    def failed(seen: AgentObservation) -> tuple[str, ...]:
        shown = trial_seen(seen, planned=4_000, offered=offered)
        return run.family.failed_checks(run.plan, spec, shown)

    assert failed(good) == ()
    assert any("log was full" in sentence for sentence in failed(replace(good, failed="the log was full")))
    assert any("3,999 of 4,000" in sentence for sentence in failed(replace(good, delivered_commands=3_999)))
    assert any("delivered nothing" in sentence for sentence in failed(replace(good, elapsed_s=0.0)))


@every_case
def test_facts_are_in_the_catalogue_with_their_types(family_id: str, scenario: Scenario) -> None:
    """Every fact is declared, of its type, and a finite number; those every result rule needs are there."""
    run = lab_run(family_id, scenario)
    for factor in run.plan.factors:
        facts = run.family.facts(evidence(run), factor.name)
        for name, value in facts.items():
            _check_fact(name, value)
        assert facts["factor"] == factor.name
        assert facts["factors_varied"] == len(run.plan.factors)
        assert {"verdict", "measure", "confirmed", "trials_per_setting"} <= set(facts)
        if not run.family.compares_all:
            assert {"best_differs", "baseline_value", "best_value"} <= set(facts)
            assert ("gain_percent" in facts) == facts["best_differs"]


def _check_fact(name: str, value: FactValue) -> None:
    kind = KINDS[name].type
    assert isinstance(value, TYPES[kind]), name
    assert kind is FactType.FLAG or not isinstance(value, bool), name
    assert not isinstance(value, float) or math.isfinite(value), name


@every_case
def test_plots_can_be_drawn(family_id: str, scenario: Scenario) -> None:
    """Ids are unique and start with the family, words are there, and series are finite and of equal lengths."""
    run = lab_run(family_id, scenario)
    plots = run.family.plots(evidence(run))
    assert len(plots) >= 4
    assert len({plot.plot_id for plot in plots}) == len(plots)
    for plot in plots:
        assert plot.plot_id.startswith(f"{family_id}/")
        assert plot.title
        assert plot.x_label
        assert plot.y_label
        assert plot.alt.endswith(".")
        assert (plot.reference_y is None) == (plot.reference_label == "")
        _check_series(plot)


def _check_series(plot: PlotSpec) -> None:
    assert plot.series
    for series in plot.series:
        ends = (series.low, series.high) if series.mark in (Mark.INTERVALS, Mark.BAND) else ()
        assert series.label
        assert series.x
        assert {len(column) for column in (series.y, *ends)} == {len(series.x)}
        assert all(math.isfinite(value) for column in (series.x, series.y, *ends) for value in column)
        assert all(low <= y <= high for low, y, high in zip(series.low, series.y, series.high, strict=False))


@every_case
def test_a_run_ends_in_advice(family_id: str, scenario: Scenario) -> None:
    """Something is said, with figures that exist and trials that ran; what could not be judged names a reason."""
    said = advice(family_id, scenario)
    run = lab_run(family_id, scenario)
    trials, plots = {trial.trial_id for trial in run.trials}, {plot.plot_id for plot in said.plots}
    assert said.findings
    for finding in said.findings:
        assert finding.family == family_id
        assert finding.figure in plots
        assert set(finding.evidence) <= trials
    assert all(entry.because.startswith("not evaluated: ") for entry in said.not_evaluated)


@every_agent_family
def test_the_claim_comes_from_fresh_trials(family_id: str) -> None:
    """Where a setting beat the baseline, confirmation trials of both followed, and they carry the comparison."""
    run = lab_run(family_id, Scenario.DRAINED)
    confirmed = [c for c in advice(family_id, Scenario.DRAINED).comparisons if c.phase is Phase.CONFIRM]
    fresh = {trial.setting for trial in run.trials if trial.phase is Phase.CONFIRM}
    assert len(fresh) in (0, 2)
    assert {s for c in confirmed for s in (c.reference, c.candidate)} == fresh
    facts = run.family.facts(evidence(run), run.plan.factors[0].name)
    assert facts["confirmed"] is bool(fresh)


@pytest.mark.parametrize("family_id", [name for name, family in FAMILIES.items() if family.compares_all])
def test_comparisons_named_beforehand_are_all_claims(family_id: str) -> None:
    """Every setting ran in every block as a confirmation, and every comparison of each value swept is there."""
    run, said = lab_run(family_id, Scenario.DRAINED), advice(family_id, Scenario.DRAINED)
    settings = plan_settings(run.plan, run.family.parameters)
    assert {(t.block, t.setting) for t in run.trials} == {(b, s) for b in (1, 2) for s in settings}
    assert {t.phase for t in run.trials} == {c.phase for c in said.comparisons} == {Phase.CONFIRM}
    places = {m.conditions for t in run.trials for m in t.measurements}
    assert {c.conditions for c in said.comparisons} == places
    assert len({(c.reference, c.candidate, c.conditions) for c in said.comparisons}) == len(said.comparisons)
    assert {s for c in said.comparisons for s in (c.reference, c.candidate)} == set(settings)
    for table in said.tables:
        assert table.table_id.startswith(f"{family_id}/")
        assert {len(row) for row in table.rows} == {len(table.columns)}


@every_family
def test_preflight_checks_say_what_to_do(family_id: str) -> None:
    """Every check has a title and a remedy; on a healthy lab none forbids the run."""
    run = lab_run(family_id, Scenario.DRAINED)
    checks = run.family.preflight(run.plan, run.site)
    assert checks
    assert len({check.title for check in checks}) == len(checks)
    for check in checks:
        assert check.title
        assert not check.title.endswith(".")
        assert check.remedy.endswith(".")
        assert check.passed or not check.blocking


@every_family
def test_advice_is_the_same_whenever_it_is_asked_for(family_id: str) -> None:
    """Advice is computed from what was measured, so a second look says the same."""
    session = lab_run(family_id, Scenario.DRAINED).session()
    assert ADVISOR.advise(session) == ADVISOR.advise(session)


LOADS = {
    Scenario.DRAINED: "a backlog of 4,000 commands, {} commands per transaction",
    Scenario.CONTINUOUS: "400 commands/s for 4 min, {} commands per transaction",
    Scenario.WINDOWS: "{} commands per transaction, windowed workload",
    COMMIT: "20,000 rows each in 1, 200 inserts",
    SEEDING: "2,000 MB database",
    CAPTURE: "a backlog that was let gather",
    STREAMS: "operation insert, 4,000 rows, 500 rows per commit",
}


@every_case
def test_a_claim_states_the_load_it_was_measured_under(family_id: str, scenario: Scenario) -> None:
    """Once on its card, in its step of the run sheet and in the header of its script: a DBA's own load is another."""
    run, said = lab_run(family_id, scenario), advice(family_id, scenario)
    session, words = run.session(), Vocabulary(tuple(FAMILIES.values()))
    load = LOADS[scenario if family_id in AGENT_FAMILIES else run.family.subject]
    load = load.format(7.5 if family_id == "wan_delivery" else 2.5)
    assert said.decisions
    for decision in said.decisions:
        card = "\n".join(card_lines([decision_card(decision, words)])).replace("\u00a0", " ")
        assert card.count(load) == 1, card
    scripts = Scripts(session, words, said.decisions)
    changes = [decision for decision in said.decisions if decision.kind is DecisionKind.CHANGE]
    sheet = run_sheet_section(said.decisions, scripts, is_redacted=False)
    bullets = [text.replace("\u00a0", " ") for one in sheet.blocks if isinstance(one, Bullets) for text in one.items]
    assert sum(text.count(load) for text in bullets) == len(changes)
    for files in scripts.needed():
        header = re.sub(r"\n-- +|\u00a0", " ", scripts.apply(files))
        assert header.count(load) == 1, header
