"""What is decided on measurements made elsewhere: the pair that is told, the setting that is chosen, what it costs."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.comparison import Comparison, Verdict
from app.domain.decision import Decision, DecisionKind
from app.domain.family import ExperimentFamily
from app.domain.measurement import Better, Measurement, Metric
from app.domain.session import NOISE_FACT, Advice, SessionRecord
from app.domain.setting import Costly, Parameter, Setting, value_text
from app.reporting.blocks import Table
from app.reporting.decision_card import decision_card
from app.reporting.document.run_sheet import run_sheet_section
from app.reporting.document.scripts import Scripts
from app.reporting.wording import Vocabulary, effect_text
from app.services.explain.imported_session import read_session
from tests.shipped_rules import ADVISOR

IMPORTS = Path(__file__).parents[1] / "importing" / "imports"
WORDS = Vocabulary(ADVISOR.families.values())
PICKING = [family for family in ADVISOR.families.values() if not family.compares_all]


def _read(name: str) -> SessionRecord:
    return read_session(IMPORTS / name, ADVISOR.families, None)


def _advice(name: str) -> Advice:
    return ADVISOR.advise(_read(name))


def _session(measured: Sequence[Measurement]) -> SessionRecord:
    return replace(_read("stripes_once_each.csv"), imported=tuple(measured), notes=())


def _compared(decision: Decision) -> Comparison:
    assert decision.gain is not None
    return decision.gain.comparison


def _runs(
    family: ExperimentFamily, metric: Metric, time_by_level: dict[int, float], blocks: int = 3
) -> Iterator[Measurement]:
    """Yield runs of levels of the first parameter, each with a share of the time (of a rate: its inverse)."""
    for block in range(1, blocks + 1):
        for level, time in time_by_level.items():
            yield Measurement(
                family=family.family_id,
                trial_id=f"{level}-{block}",
                block=block,
                metric=metric.name,
                value=1000 * (1 + block / 200) * (time if metric.better is Better.LOWER else 1 / time),
                unit=metric.unit,
                setting=Setting.from_mapping({family.parameters[0].name: level}),
            )


def _levels(parameter: Parameter) -> tuple[int, int, int]:
    """Return a default and two other levels, the dearer of which comes last."""
    first, *others = dict.fromkeys((parameter.default, *parameter.levels))
    ordered = sorted((int(level) for level in others[:2]), reverse=parameter.costly is Costly.LOWER)
    return int(first), ordered[0], ordered[1]


# The pair that is told


def test_single_runs_tell_of_the_best_of_them_and_settle_nothing() -> None:
    """Headline, note and reason speak of one pair: the best of the others against the baseline."""
    (decision,) = (advice := _advice("stripes_once_each.csv")).decisions
    compared = _compared(decision)
    assert decision.kind is DecisionKind.MEASURE_AGAIN
    assert (compared.reference["stripes"], compared.candidate["stripes"]) == (1, 4)
    assert decision.finding.because.endswith("The best other value gave 44\u00a0% less time to seed.")
    assert any("stripes 4 and stripes 1 ran once each" in warning for warning in advice.warnings)
    card = decision_card(decision, WORDS)
    assert "5 min 6 s instead of 9 min 6 s. 44\u00a0% less" in card.lead.replace("\u00a0", " ").replace(
        "44 %", "44\u00a0%"
    )
    assert "settle the verdict" not in f"{decision.finding.because} {card.lead} {card.also}"


@pytest.mark.parametrize("family", PICKING, ids=lambda family: family.family_id)
def test_an_open_decision_speaks_of_the_most_promising_value(family: ExperimentFamily) -> None:
    """Of single runs, whatever the order of the file, the pair told is the baseline with the value that did best."""
    base, *others = _levels(family.parameters[0])
    for best in others:
        times = {base: 1.0, **{level: 0.6 if level == best else 0.8 for level in others}}
        measured = list(_runs(family, family.main_metrics[0], times, blocks=1))
        for order in (measured, measured[::-1]):
            (decision, *_more) = ADVISOR.advise(_session(order)).decisions
            compared, name = _compared(decision), family.parameters[0].name
            assert decision.kind is DecisionKind.MEASURE_AGAIN
            assert (compared.reference[name], compared.candidate[name]) == (base, best)


@pytest.mark.parametrize("noise_cv", [None, 0.01], ids=["noise not known", "noise stated"])
@pytest.mark.parametrize("family", PICKING, ids=lambda family: family.family_id)
def test_a_gain_seen_once_elsewhere_is_to_be_measured_here_first(
    family: ExperimentFamily, noise_cv: float | None
) -> None:
    """However little noise is stated: no change, no row of the run sheet, and the title asks for trials here."""
    base, other, _dear = _levels(family.parameters[0])
    name = family.parameters[0].name
    session = _session(list(_runs(family, family.main_metrics[0], {base: 1.0, other: 0.6}, blocks=1)))
    if noise_cv is not None:
        environment = replace(session.environments[0], facts=((NOISE_FACT, repr(noise_cv), "share"),))
        session = replace(session, environments=(environment,))
    advice = ADVISOR.advise(session)
    (decision, *_more) = advice.decisions
    assert {one.kind for one in advice.decisions} <= {DecisionKind.MEASURE_AGAIN, DecisionKind.LEAVE}
    told = (value_text(other), value_text(base))
    assert decision_card(decision, WORDS).headline.startswith(
        f"Measure {name} {told[0]} against {told[1]} here first: "
    )
    sheet = run_sheet_section(advice.decisions, Scripts(session, WORDS, advice.decisions), is_redacted=False)
    assert not [block for block in sheet.blocks if isinstance(block, Table)]


@pytest.mark.parametrize("is_default", [True, False], ids=["default measured", "default not measured"])
@pytest.mark.parametrize("family", PICKING, ids=lambda family: family.family_id)
def test_a_baseline_nobody_named_is_said_to_be_assumed(family: ExperimentFamily, is_default: bool) -> None:
    """The note names the value, whether it is the documented default, and how to name another."""
    base, other, dear = _levels(family.parameters[0])
    levels = sorted((base, other) if is_default else (other, dear))
    advice = ADVISOR.advise(_session(list(_runs(family, family.main_metrics[0], dict.fromkeys(levels, 1.0)))))
    (said,) = (warning for warning in advice.warnings if "is in effect is not said" in warning)
    assert f"{family.parameters[0].name} {value_text(base if is_default else levels[0])}" in said
    assert ("was not measured" in said) != is_default


def test_a_load_that_the_file_states_is_not_said_to_be_missing(tmp_path: Path) -> None:
    """Inserts and their rows are the load of a commit mode, though they vary within each run."""
    told = {}
    for stated in (True, False):
        path = tmp_path / f"{stated}.csv"
        rows = [
            f"commit_mode,{mode}{block},{block},shape_time,{time + block},ms,{mode}" + (",1000,1" if stated else "")
            for block in (1, 2, 3)
            for mode, time in (("async", 7580), ("sync", 9025))
        ]
        heading = "family,run,block,metric,value,unit,availability_mode" + (
            ",inserts,rows_per_insert" if stated else ""
        )
        path.write_text("\n".join((heading, *rows)), encoding="utf-8")
        decisions = ADVISOR.advise(read_session(path, ADVISOR.families, None)).decisions
        told[stated] = [decision.where for decision in decisions if "does not state" in decision.where]
    assert not told[True]
    assert told[False]


def test_large_transactions_with_an_open_verdict_are_left_in_peace() -> None:
    """One run each of 500 and 5,000: open, and no rule says that nothing was gained."""
    (decision,) = _advice("log_large_transactions.csv").decisions
    assert (decision.kind, decision.notes) == (DecisionKind.MEASURE_AGAIN, ())
    assert _compared(decision).ratio == pytest.approx(0.6)


def test_a_gain_too_small_is_the_only_thing_said() -> None:
    """Where a value is left because its gain is small, nobody is asked to compare it with another first."""
    (decision,) = _advice("batch_gain_too_small.csv").decisions
    assert (decision.finding.rule, decision.notes) == ("delivery-gain-too-small", ())


# The simplest setting that does as well


def test_the_simpler_of_two_equal_settings_is_recommended() -> None:
    """Four streams as fast as eight: four, and nothing speaks for more."""
    (decision,) = _advice("streams_equal_at_the_top.csv").decisions
    assert (decision.from_value, decision.to_value) == (2, 4)
    assert _compared(decision).ratio == pytest.approx(0.753, abs=0.001)
    assert "streams-largest-is-best" not in [finding.rule for finding in decision.findings]
    assert any("not shown to be better than 4" in note.task for note in decision.notes)


@pytest.mark.parametrize("dearer", [1.0, 0.99], ids=["a tie", "no difference"])
@pytest.mark.parametrize("family", PICKING, ids=lambda family: family.family_id)
def test_what_costs_more_has_to_earn_it(family: ExperimentFamily, dearer: float) -> None:
    """Of two values that do equally well the one that costs less is chosen, in words, figure and comparisons."""
    base, cheap, dear = _levels(family.parameters[0])
    assert family.parameters[0].costly is not None
    metric = family.main_metrics[0]
    session = _session(list(_runs(family, metric, {base: 1.0, cheap: 0.6, dear: 0.6 * dearer}, blocks=6)))
    advice = ADVISOR.advise(session)
    change = next(decision for decision in advice.decisions if decision.kind is DecisionKind.CHANGE)
    assert change.to_value == cheap
    name = family.parameters[0].name
    assert {c.candidate[name] for c in advice.comparisons} == {cheap}
    plot = next(plot for plot in advice.plots if plot.plot_id.endswith("/by-setting"))
    places = {text: at for at, text in plot.x_ticks}
    (marked,) = (series for series in plot.series if series.emphasised)
    assert marked.x == (places[Setting.from_mapping({name: cheap}).values_text()],)


def test_a_baseline_that_is_not_told_apart_is_no_choice() -> None:
    """Where the best is not told apart from the baseline, that is what is said."""
    family = ADVISOR.families["distribution_agent"]
    base, cheap, dear = _levels(family.parameters[0])
    times = {base: 1.0, cheap: 1.02, dear: 0.99}
    advice = ADVISOR.advise(_session(list(_runs(family, family.main_metrics[0], times, blocks=6))))
    assert not [decision for decision in advice.decisions if decision.kind is DecisionKind.CHANGE]
    assert {c.candidate[family.parameters[0].name] for c in advice.comparisons} == {dear}


# What it costs


def _may_disagree(family: ExperimentFamily) -> bool:
    """Tell whether the first and the last main measure of a run may say opposite things: its time and rate cannot."""
    values = {1: 1.0, 2: 0.7}, {1: 1.0, 2: 2.0}
    ends = zip((family.main_metrics[0], family.main_metrics[-1]), values, strict=True)
    return not list(family.contradictions([m for metric, times in ends for m in _runs(family, metric, times)]))


@pytest.mark.parametrize(
    "family",
    [family for family in PICKING if len(family.main_metrics) > 1 and _may_disagree(family)],
    ids=lambda family: family.family_id,
)
def test_what_gets_worse_stands_in_the_decision(family: ExperimentFamily) -> None:
    """One measure a third better and another twice as bad: both are told of the same pair, in title and run sheet."""
    base, other, _dear = _levels(family.parameters[0])
    first, *_more, last = family.main_metrics
    measured = [*_runs(family, first, {base: 1.0, other: 0.7}), *_runs(family, last, {base: 1.0, other: 2.0})]
    session = _session(measured)
    advice = ADVISOR.advise(session)
    decision = next(decision for decision in advice.decisions if decision.kind is DecisionKind.CHANGE)
    assert decision.gain is not None
    (cost,) = decision.gain.costs
    assert (cost.metric, cost.verdict) == (last.name, Verdict.WORSE)
    assert (cost.reference, cost.candidate) == (_compared(decision).reference, _compared(decision).candidate)
    card = decision_card(decision, WORDS)
    title = WORDS.metric(family.family_id, last.name)
    assert title[1:] in card.headline
    assert title[1:] in card.lead
    sheet = run_sheet_section(advice.decisions, Scripts(session, WORDS, advice.decisions), is_redacted=False)
    rows = [row for block in sheet.blocks if isinstance(block, Table) for row in block.rows]
    assert any(title[1:] in str(row) for row in rows)


def test_a_rate_that_doubles_the_latency_says_so() -> None:
    """30 % more throughput at 2.1 times the latency: the row reads 4 against 1, worse."""
    advice = _advice("streams_rate_and_latency.csv")
    told = {c.metric: (c.reference.label(), c.candidate.label(), c.verdict) for c in advice.comparisons}
    assert told["latency"] == ("SubscriptionStreams 1", "SubscriptionStreams 4", Verdict.WORSE)
    (decision,) = advice.decisions
    assert decision.gain is not None
    assert [math.floor(cost.ratio * 10) / 10 for cost in decision.gain.costs] == [2.1]


def test_a_gain_that_is_too_small_says_why_nothing_is_changed() -> None:
    """A card that says "leave" above an improvement names what counts; a change says what it takes to be worth it."""
    [small] = _advice("batch_gain_too_small.csv").decisions
    assert (small.kind, _compared(small).verdict) == (DecisionKind.LEAVE, Verdict.IMPROVEMENT)
    assert decision_card(small, WORDS).lead.endswith("That is less than the 5\u00a0% worth acting on.")
    changed = replace(small, kind=DecisionKind.CHANGE)
    lead = decision_card(changed, WORDS).lead
    assert "That is less than" not in lead
    assert "change it only if a smaller gain is worth it" in lead


@pytest.mark.parametrize("family", PICKING, ids=lambda family: family.family_id)
def test_what_takes_an_eightieth_of_the_time_is_eighty_times_as_fast(family: ExperimentFamily) -> None:
    """No text on it says "99 % less (99–99 %)", in no measure: not headline, card, finding, table or window."""
    base, other, _dear = _levels(family.parameters[0])
    for metric in family.main_metrics:
        advice = ADVISOR.advise(_session(list(_runs(family, metric, {base: 1.0, other: 1 / 80}))))
        decision = next(decision for decision in advice.decisions if decision.kind is DecisionKind.CHANGE)
        card, finding = decision_card(decision, WORDS), decision.finding
        row = effect_text(_compared(decision), metric.title)
        told = (card.headline, card.lead, card.effect, card.interval, finding.title, finding.because, row)
        assert "99 %" not in " ".join(told).replace("\u00a0", " ")
        of_lower = "80 times as fast (7" if metric.is_duration else "1/80 of the "
        assert (of_lower if metric.better is Better.LOWER else "80.0 times the ") in card.headline


# Measures that stand in for the main ones


STAND_INS = [(family, metric) for family in ADVISOR.families.values() for metric in family.stand_in_metrics]


def _levels_of_any(family: ExperimentFamily) -> tuple[Setting, Setting]:
    """Return the setting claims are made against and another one, of the family's first number or else choice."""
    parameter = next((p for p in family.parameters if not p.choices), family.parameters[0])
    base, other = list(dict.fromkeys((parameter.default, *parameter.levels)))[:2]
    return Setting.from_mapping({parameter.name: base}), Setting.from_mapping({parameter.name: other})


@pytest.mark.parametrize("runs", [1, 3], ids=["once each", "three times each"])
@pytest.mark.parametrize(
    ("family", "metric"), STAND_INS, ids=[f"{family.family_id}-{metric.name}" for family, metric in STAND_INS]
)
def test_a_file_is_judged_by_what_it_measures(
    family: ExperimentFamily, metric: Metric, runs: int, tmp_path: Path
) -> None:
    """Whatever stands in for the main measures carries a decision with its own numbers, and every figure is drawn."""
    sides = _levels_of_any(family)
    told = [*sides[0]]
    lines = [f"family,run,block,metric,value,unit,{','.join(told)}"]
    for block in range(1, runs + 1):
        for number, side in enumerate(sides):
            value = (0.8 if (number == 1) == (metric.better is Better.LOWER) else 1.0) * (100 + block)
            cells = (family.family_id, f"{number}-{block}", block, metric.name, value, metric.unit, *side.values())
            lines.append(",".join(map(str, cells)))
    path = tmp_path / "stand-in.csv"
    path.write_text("\n".join(lines))
    session = read_session(path, ADVISOR.families, None)
    advice = ADVISOR.advise(session)
    (decision,) = advice.decisions
    compared = _compared(decision)
    assert (compared.metric, compared.candidate[told[0]]) == (metric.name, sides[1][told[0]])
    card = decision_card(decision, WORDS)
    assert metric.title in card.lead
    assert "20" in card.effect or "25" in card.effect
    assert (decision.kind is DecisionKind.MEASURE_AGAIN) == (runs == 1)
    assert [plot for plot in advice.plots if plot.plot_id.endswith("/by-setting")]


# Two parameters, of which only one differs between the best and the baseline


_TABLE_SIZES = (1_000_000, 10_000_000)
_RATES = {(1, 0): 28.0, (4, 0): 44.0, (1, 1): 28.1, (4, 1): 44.1}


def _of_two_parameters() -> SessionRecord:
    """Return runs of which PARALLELISM is best at its default, and _HASH_TABLE_SIZE does nothing to be seen."""
    (rate,) = (m for m in ADVISOR.families["streams_apply"].metrics if m.name == "messages_per_min")
    return _session(
        [
            Measurement(
                family="streams_apply",
                trial_id=f"{servers}-{size}-{block}",
                block=block,
                metric=rate.name,
                value=1000 * value * (1 + 0.02 * math.sin(7 * servers + 5 * size + 3 * block)),
                unit=rate.unit,
                setting=Setting.from_mapping({"PARALLELISM": servers, "_HASH_TABLE_SIZE": _TABLE_SIZES[size]}),
            )
            for block in range(1, 4)
            for (servers, size), value in _RATES.items()
        ]
    )


def test_what_another_parameter_did_is_not_told_of_the_one_that_stays() -> None:
    """A default that beat every other value by far is not open, and no pair in which it is equal stands beside it."""
    advice = ADVISOR.advise(_of_two_parameters())
    (decision,) = advice.decisions
    assert (decision.parameter, decision.kind) == ("PARALLELISM", DecisionKind.LEAVE)
    assert decision.gain is None or decision.gain.comparison.candidate["PARALLELISM"] != 4
    assert not [
        f.recommendation
        for f in advice.findings
        if f.recommendation.startswith("0 ") or " 0 trials" in f.recommendation
    ]


def _notes(times_by_streams: dict[int, tuple[float, ...]]) -> list[str]:
    measured = [
        Measurement(
            "distribution_agent", f"{n}-{block}", block, "run_time", time_s, "s", Setting.of(SubscriptionStreams=n)
        )
        for n, times in times_by_streams.items()
        for block, time_s in enumerate(times, start=1)
    ]
    (decision,) = ADVISOR.advise(_session(measured)).decisions
    assert (decision.kind, decision.to_value) == (DecisionKind.CHANGE, max(times_by_streams))
    return [note.rule for note in decision.notes]


@pytest.mark.parametrize(("of_four", "is_told"), [((800.0, 820.0, 810.0), True), ((620.0, 650.0, 690.0), False)])
def test_the_most_tried_is_told_as_the_best_only_where_that_is_shown(of_four: tuple[float, ...], is_told: bool) -> None:
    """More of what was shown to help is worth trying; of what only looks better nothing is said."""
    notes = _notes({1: (1990.0, 2010.0, 2000.0), 4: of_four, 8: (600.0, 605.0, 598.0)})
    assert ("streams-largest-is-best" in notes) is is_told


def test_nobody_is_told_to_go_on_with_what_makes_something_worse() -> None:
    """At 2.1 times the latency four streams are no step towards more."""
    (decision,) = _advice("streams_rate_and_latency.csv").decisions
    assert decision.gain is not None
    assert decision.gain.costs
    assert "streams-largest-is-best" not in [note.rule for note in decision.notes]


def test_a_backup_option_that_gains_is_told_with_its_numbers(tmp_path: Path) -> None:
    """A level that rules know as a text is the number that was measured: its comparison carries the decision."""
    path = tmp_path / "stripes.csv"
    path.write_text("stripes,Duration (min),run\n1,20.1,a\n1,20.3,b\n8,6.2,c\n8,6.3,d\n")
    (decision,) = ADVISOR.advise(read_session(path, ADVISOR.families, None)).decisions
    assert decision.kind is DecisionKind.CHANGE
    assert (_compared(decision).reference["stripes"], _compared(decision).candidate["stripes"]) == (1, 8)
