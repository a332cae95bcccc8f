"""Two parameters of which one depends on the other, beside any values in effect: one decision, one gain, one step."""

import io
import itertools
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from app.analysis.simplest import Judging, choose, costly_of
from app.cli.summary import print_summary
from app.domain import metrics
from app.domain.comparison import Verdict, verdict_counts
from app.domain.decision import Decision, DecisionKind
from app.domain.finding import Finding
from app.domain.measurement import Better, Measurement
from app.domain.plan import Phase, Stop
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Setting, typed_text
from app.reporting.decision_card import card_lines, decision_card
from app.reporting.decision_words import headline, short_gain
from app.reporting.document.decision_page import decision_section
from app.reporting.document.figures import Figures
from app.reporting.document.in_effect import InEffect
from app.reporting.document.scripts import Scripts
from app.reporting.request import ReportRequest
from app.reporting.wording import Vocabulary
from app.services.workplace import Workplace
from app.systems.transactional_replication import metrics as agent_metrics
from tests.golden.document_text import document_text
from tests.one_reference import assert_holds_at_the_site
from tests.report.sample import ISSUED
from tests.shipped_rules import ADVISOR
from tests.unit.analysis.observing import plan_of, trials_of
from tests.unit.services.test_advising import run_of, session_of
from tests.unit.services.test_imported_decisions import _session as imported
from tests.unit.services.test_references import assert_one_reference

SHIPPED = tuple(ADVISOR.families.values())
WORDS = Vocabulary(SHIPPED)
NAMES = ("SubscriptionStreams", "CommitBatchSize")
EVERYDAY, PROVEN = 10, 210

Cells = Mapping[tuple[int, int], float]
"""Seconds by streams and size of a batch."""

BOTH_OR_NEITHER: Cells = {(1, 100): 100, (4, 100): 150, (1, 400): 140, (4, 400): 60}
STREAMS_ALONE: Cells = {(1, 100): 100, (4, 100): 60, (1, 400): 101, (4, 400): 59.5}
BOTH_ADD: Cells = {(1, 100): 100, (4, 100): 60, (1, 400): 80, (4, 400): 48}
NOTHING: Cells = {(1, 100): 100, (4, 100): 101, (1, 400): 99, (4, 400): 100}


def _setting(values: tuple[int, int]) -> Setting:
    return Setting.from_mapping(dict(zip(NAMES, values, strict=True)))


def from_file(cells: Cells, chance: random.Random, *, blocks: int = 4, has_blocks: bool = True) -> SessionRecord:
    """Return a file of so many runs of each setting, with a drift from block to block; some runs may be missing."""
    made = []
    for block in range(1, blocks + 1):
        drift = chance.lognormvariate(0, 0.03 if has_blocks else 0.0)
        for values, seconds in cells.items():
            made.append(
                Measurement(
                    family="distribution_agent",
                    trial_id=f"{values[0]}-{values[1]}-{block}",
                    block=block if has_blocks else 1,
                    metric="run_time",
                    value=seconds * drift * chance.lognormvariate(0, 0.02),
                    unit="s",
                    setting=_setting(values),
                )
            )
    return imported(made)


def of_run(
    cells: Cells, baseline: tuple[int, int], chance: random.Random, *, noise: float = 0.02, is_race: bool = False
) -> SessionRecord:
    """Return a run in three blocks, whose choice is confirmed in three fresh ones beside the plan's baseline.

    A race drops the slower half of its settings, but for the baseline, after two blocks.
    """
    streams, sizes = (tuple(dict.fromkeys(values[at] for values in cells)) for at in (0, 1))
    plan = replace(plan_of(SubscriptionStreams=streams, CommitBatchSize=sizes), baseline=_setting(baseline))
    rows = [
        (_setting(values), Phase.EXPLORE, [seconds * chance.lognormvariate(0, noise) for _ in range(3)])
        for values, seconds in cells.items()
    ]
    if is_race:
        plan = replace(plan, design=replace(plan.design, stop=Stop.RACE))
        middle = sorted(cells.values())[len(cells) // 2]
        rows = [
            (setting, phase, times if setting == plan.baseline or cells[values] <= middle else times[:2])
            for (setting, phase, times), values in zip(rows, cells, strict=True)
        ]
    explored = [m for t in trials_of(metrics.RUN_TIME, rows) for m in t.measurements if m.metric == "run_time"]
    family = ADVISOR.families["distribution_agent"]
    judging = Judging(plan.baseline, costly_of(family.parameters), Better.LOWER, 0.05)
    best = choose(explored, judging).setting
    if best != plan.baseline:
        for side in (plan.baseline, best):
            seconds = cells[(int(side[NAMES[0]]), int(side[NAMES[1]]))]
            rows.append((side, Phase.CONFIRM, [seconds * chance.lognormvariate(0, noise) for _ in range(4)]))
    return session_of(run_of(plan, trials_of(metrics.RUN_TIME, rows)))


def in_effect(monkeypatch: pytest.MonkeyPatch, values: Mapping[str, str]) -> None:
    """Let these values be in effect, of what they name."""

    def found(_self: InEffect, finding: Finding) -> tuple[str, ...]:
        return (values[finding.parameter],) if finding.parameter in values else ()

    monkeypatch.setattr(InEffect, "_values", found)


def _said(session: SessionRecord, advice: Advice) -> str:
    scripts = Scripts(session, WORDS, advice.decisions)
    cards = [decision_card(decision, WORDS) for decision in advice.decisions]
    document = document_text(ReportRequest(session, advice, ISSUED, "", SHIPPED))
    return "\n".join([*card_lines(cards), document, *(scripts.apply(files) for files in scripts.needed())])


def _changes(advice: Advice) -> list[Decision]:
    return [decision for decision in advice.decisions if decision.kind is DecisionKind.CHANGE]


@pytest.mark.parametrize("has_blocks", [True, False], ids=["blocks", "no blocks"])
def test_a_file_whose_parameters_gain_only_together_asks_for_both_at_once(has_blocks: bool) -> None:
    """One decision with the gain of the whole; either alone is slower, so one script sets both with one restart."""
    session = from_file(BOTH_OR_NEITHER, random.Random(1), has_blocks=has_blocks)
    advice = ADVISOR.advise(session)
    assert_holds_at_the_site(session, advice, WORDS, {})
    (decision,) = _changes(advice)
    assert set(decision.parameters) == set(NAMES)
    assert decision.gain is not None
    assert decision.gain.comparison.ratio == pytest.approx(0.6, abs=0.02)
    request = ReportRequest(session, advice, ISSUED, "", SHIPPED)
    page = decision_section(request, WORDS, Figures(()))
    assert headline(decision, WORDS) == page.title
    said = _said(session, advice)
    for alone in ("\u221261", "\u221260\u00a0%", "\u221257", "\u221258"):
        assert alone not in said.replace(short_gain(decision.gain), "")
    scripts = Scripts(session, WORDS, advice.decisions)
    (files,) = scripts.files_of(decision)
    text = scripts.apply(files)
    assert all(text.count(name) > 1 for name in NAMES)  # in the headline, and where it is set
    assert text.count("sp_start_job") == 1


def test_a_file_recommends_what_helps_by_itself_alone() -> None:
    """Of two parameters one does nothing: a change of the other, which names no condition."""
    session = from_file(STREAMS_ALONE, random.Random(2))
    advice = ADVISOR.advise(session)
    assert_holds_at_the_site(session, advice, WORDS, {})
    (decision,) = _changes(advice)
    assert decision.parameters == ("SubscriptionStreams",)


@pytest.mark.parametrize("baseline", list(BOTH_OR_NEITHER), ids=str)
@pytest.mark.parametrize("stands", list(BOTH_OR_NEITHER), ids=str)
def test_a_run_leads_from_what_is_in_effect_to_what_was_measured(
    monkeypatch: pytest.MonkeyPatch, baseline: tuple[int, int], stands: tuple[int, int]
) -> None:
    """4 streams with batches of 400 are best by far: whatever the plan compared with, no decision leaves the site at a
    slower setting, nor asks to leave values that exploring trials show to be slower."""
    values = dict(zip(NAMES, map(str, stands), strict=True))
    in_effect(monkeypatch, values)
    session = of_run(BOTH_OR_NEITHER, baseline, random.Random(7))
    advice = ADVISOR.advise(session)
    assert_holds_at_the_site(session, advice, WORDS, values)
    first = advice.decisions[0]
    if stands == (4, 400):
        assert not _changes(advice)
        return
    assert first.kind is not DecisionKind.LEAVE
    if first.kind is DecisionKind.CHANGE:
        reached = {**values, **{part.parameter: typed_text(part.to_value) for part in first.parts if part.to_value}}
        assert reached == {"SubscriptionStreams": "4", "CommitBatchSize": "400"}
    else:
        assert baseline == (4, 400)
        assert "which is in effect: \u2212" in headline(first, WORDS)
    said = _said(session, advice)
    for name, value in values.items():
        if value != {"SubscriptionStreams": "4", "CommitBatchSize": "400"}[name]:
            assert f"Leave {name} at {value}" not in said


def test_a_parameter_without_effect_is_not_changed_for_being_measured_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Streams gain with either size of a batch: the one in effect stays, and the headline says with which the other."""
    values = {"CommitBatchSize": "100", "SubscriptionStreams": "1"}
    in_effect(monkeypatch, values)
    session = of_run(STREAMS_ALONE, (1, 400), random.Random(3))
    advice = ADVISOR.advise(session)
    assert_holds_at_the_site(session, advice, WORDS, values)
    (decision,) = _changes(advice)
    assert decision.parameters == ("SubscriptionStreams",)
    assert headline(decision, WORDS).startswith(
        "SubscriptionStreams 4 instead of 1, measured with CommitBatchSize 400 (in effect: 100): "
    )


def test_a_file_whose_baseline_is_best_counts_the_others_as_worse() -> None:
    """No improvement is counted beside "already the best", and the largest value not worse is named."""
    cells = {(1, 100): 100.0, (4, 100): 150.0, (8, 100): 165.0}
    made = [
        replace(m, setting=m.setting.without(("CommitBatchSize",))) for m in from_file(cells, random.Random(4)).imported
    ]
    advice = ADVISOR.advise(imported(made))
    counts = verdict_counts(advice.comparisons, is_imported=True)
    assert (counts[Verdict.IMPROVEMENT], counts[Verdict.WORSE]) == (0, 2)
    assert {c.reference["SubscriptionStreams"] for c in advice.comparisons} == {1}
    (decision,) = advice.decisions
    assert headline(decision, WORDS).startswith("Leave SubscriptionStreams at 1")
    said = " ".join(decision_card(decision, WORDS).also)
    assert "1 is the largest value tried that was not shown to be worse" in said
    assert "Keep to fewer" not in said


@pytest.mark.parametrize(("fell_back", "kind"), [(7, DecisionKind.MEASURE_AGAIN), (2, DecisionKind.CHANGE)])
def test_streams_that_mostly_fell_back_are_not_recommended_as_such(fell_back: int, kind: DecisionKind) -> None:
    """In most trials of 4 streams one did the work: the gain is nothing anybody sets."""
    plan = plan_of(SubscriptionStreams=(1, 4))
    chance = random.Random(5)
    rows = [
        (Setting.of(SubscriptionStreams=n), phase, [s * chance.lognormvariate(0, 0.02) for _ in range(count)])
        for phase, count in ((Phase.EXPLORE, 3), (Phase.CONFIRM, 4))
        for n, s in ((1, 100.0), (4, 80.0))
    ]
    trials, seen = [], 0
    for trial in trials_of(metrics.RUN_TIME, rows):
        happened = trial.setting["SubscriptionStreams"] == 4 and seen < fell_back
        seen += happened
        first = trial.measurements[0]
        count = replace(
            first, metric=agent_metrics.FALLBACKS.name, unit=agent_metrics.FALLBACKS.unit, value=float(happened)
        )
        trials.append(replace(trial, measurements=(*trial.measurements, count)))
    advice = ADVISOR.advise(session_of(run_of(plan, trials)))
    decision = next(one for one in advice.decisions if one.parameter == "SubscriptionStreams")
    assert decision.kind is kind
    said = headline(decision, WORDS)
    held = "Leave SubscriptionStreams at 1 for now: with 4 the agent fell back to one stream in 7 of 7 trials"
    assert (said == held) == (kind is DecisionKind.MEASURE_AGAIN), said


def test_a_trial_without_influence_is_not_counted() -> None:
    """A block in which only one of two settings ran has no part in their ratio, its table, or its number of trials."""
    cells = {(1, 100): 100.0, (4, 100): 60.0, (1, 400): 80.0}
    made = list(from_file(cells, random.Random(6)).imported)
    wait = agent_metrics.LOCK_WAIT
    made = [m for m in made if m.trial_id != "4-100-4"]
    made = [replace(m, value=m.value * 3) if m.block == 4 else m for m in made]
    made += [replace(m, metric=wait.name, unit=wait.unit, value=0.1) for m in made]
    session = imported(made)
    advice = ADVISOR.advise(session)
    assert_holds_at_the_site(session, advice, WORDS, {})
    pair = next(c for c in advice.comparisons if c.candidate.get("SubscriptionStreams") == 4)
    assert (len(pair.reference_trials), len(pair.candidate_trials)) == (3, 3)


NINE: Final[Cells] = {
    (streams, size): 100 - 8 * place - 15 * column
    for place, streams in enumerate((1, 4, 8))
    for column, size in enumerate((100, 200, 400))
}
"""The best of nine combinations is the last one."""


def test_the_evidence_of_nine_combinations_holds_the_best_of_them() -> None:
    """A page of a few rows has those that matter, and says how many it leaves out."""
    session = of_run(NINE, (1, 100), random.Random(8))
    advice = ADVISOR.advise(session)
    said = document_text(ReportRequest(session, advice, ISSUED, "", SHIPPED))
    explored = sorted((c for c in advice.comparisons if c.phase is Phase.EXPLORE), key=lambda c: c.ratio)
    assert len(explored) == 8
    for told in explored[:5]:
        assert re.search(rf"{re.escape(WORDS.against(told))}.*explored", said), told.candidate
    assert "Further comparisons in comparisons.csv: 3." in said


def test_report_and_summary_count_the_same_comparisons_as_open() -> None:
    """Nothing was confirmed, as the baseline did best: what is clearly worse is not open in one place and settled in
    the other."""
    session = of_run(NINE, (8, 400), random.Random(9))
    advice = ADVISOR.advise(session)
    assert all(c.phase is Phase.EXPLORE for c in advice.comparisons)
    is_open = sum(c.verdict is Verdict.CANNOT_TELL for c in advice.comparisons)
    said = document_text(ReportRequest(session, advice, ISSUED, "", SHIPPED))
    told = re.findall(r"Comparisons still open: (\d+) of (\d+)", said)
    assert told == ([(f"{is_open}", "8")] if is_open else [])
    print_summary(advice, Workplace(Path("a")), (out := io.StringIO()), SHIPPED)
    assert f", {is_open} open" in out.getvalue()


def test_random_sessions_of_two_parameters_hold_at_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few, own and from elsewhere, with and without blocks, interaction and a cliff, beside any values in effect."""
    _assert_random(monkeypatch, range(EVERYDAY))


@pytest.mark.prove
def test_many_random_sessions_of_two_parameters_hold_at_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same of two hundred."""
    _assert_random(monkeypatch, range(EVERYDAY, PROVEN))


def _assert_random(monkeypatch: pytest.MonkeyPatch, seeds: Sequence[int] | range) -> None:
    for seed in seeds:
        chance = random.Random(seed)
        levels = list(itertools.product((1, 4, 8)[: chance.choice((2, 3))], (100, 400)))
        base = chance.choice((BOTH_OR_NEITHER, STREAMS_ALONE, BOTH_ADD, NOTHING))
        cells = {at: base.get(at, 90.0) * chance.lognormvariate(0, chance.choice((0.0, 0.15))) for at in levels}
        if chance.random() < 0.4:  # beyond it streams fall back, or at last do what they are for
            cliff, falls = chance.choice(levels)[0], chance.choice((0.01, 30.0))
            cells = {at: seconds * (falls if at[0] >= cliff else 1.0) for at, seconds in cells.items()}
        values: dict[str, str] = {}
        if seed % 2:
            values = {
                "SubscriptionStreams": chance.choice("1248"),
                "CommitBatchSize": chance.choice(("100", "400", "7")),
            }
            noise, is_race = chance.choice((0.02, 0.1)), chance.random() < 0.4
            session = of_run(cells, chance.choice(levels), chance, noise=noise, is_race=is_race)
        else:
            if chance.random() < 0.4:  # not every combination
                cells = dict(chance.sample(sorted(cells.items()), len(cells) - 1))
            session = from_file(cells, chance, blocks=chance.choice((2, 4, 6)), has_blocks=chance.random() < 0.5)
        in_effect(monkeypatch, values)
        advice = ADVISOR.advise(session)
        try:
            assert_holds_at_the_site(session, advice, WORDS, values)
            assert_one_reference(session, advice, SHIPPED)
        except AssertionError as error:
            raise AssertionError(f"session {seed}: {error}") from error


def test_no_value_is_set_that_no_trial_compared_with_the_one_in_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams gain beside batches of 400; batches of 7 are in effect and never ran: nothing says to change them."""
    values = {"CommitBatchSize": "7", "SubscriptionStreams": "1"}
    in_effect(monkeypatch, values)
    session = of_run(STREAMS_ALONE, (1, 400), random.Random(3))
    advice = ADVISOR.advise(session)
    assert_holds_at_the_site(session, advice, WORDS, values)
    assert not _changes(advice)
    assert headline(advice.decisions[0], WORDS).startswith(
        "Measure SubscriptionStreams 4 with CommitBatchSize 7 first: \u2212"
    )
    assert "was seen with CommitBatchSize 400" in headline(advice.decisions[0], WORDS)


@pytest.mark.parametrize("seed", range(6))
def test_phases_that_cannot_both_hold_are_told(seed: int) -> None:
    """39 % less while exploring and 39 % more when confirmed: nobody reads the one without the other."""
    chance = random.Random(seed)
    turned = chance.choice((1.39, 1.2, 0.61))
    session = of_run({(1, 100): 100.0, (4, 100): 61.0}, (1, 100), chance)
    trials = tuple(
        replace(t, measurements=tuple(replace(m, value=m.value * turned / 0.61) for m in t.measurements))
        if (t.phase, t.setting["SubscriptionStreams"]) == (Phase.CONFIRM, 4)
        else t
        for t in session.runs[0].trials
    )
    session = replace(session, runs=(replace(session.runs[0], trials=trials),))
    told = [warning for warning in ADVISOR.advise(session).warnings if "Both cannot hold" in warning]
    assert len(told) == (turned != 0.61)
