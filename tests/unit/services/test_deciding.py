"""Decisions: every finding stands in one, changes come first, and none contradicts another."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.comparison import Verdict
from app.domain.decision import DecisionKind, OwnEffect
from app.domain.finding import Finding
from app.domain.session import Advice
from app.domain.setting import Setting
from app.foundation.paths import resource_path
from app.reporting.blocks import Block, Paragraph, Table
from app.reporting.decision_card import decision_card
from app.reporting.document.decision_page import decision_section
from app.reporting.document.figures import Figures
from app.reporting.document.run_sheet import run_sheet_section
from app.reporting.document.scripts import Scripts
from app.reporting.wording import Vocabulary
from app.services.explain.deciding import decided
from app.services.explain.imported_session import read_session
from tests.report.sample import FAMILIES, full_advice, full_request, full_session
from tests.shipped_rules import ADVISOR

SMALL = OwnEffect(0.94, 0.91, 0.97)


def assert_sound(advice: Advice) -> None:
    """Assert what holds of the decisions of any session."""
    decisions = advice.decisions
    assert [decision.number for decision in decisions] == list(range(1, len(decisions) + 1))
    told = [id(finding) for decision in decisions for finding in decision.findings]
    assert sorted(told) == sorted(map(id, advice.findings))
    kinds = [decision.kind for decision in decisions]
    assert kinds == sorted(kinds, key=list(DecisionKind).index)
    scores = [(one.is_worth_open, -one.score) for one in decisions if one.kind is DecisionKind.CHANGE]
    assert scores == sorted(scores)
    settled = [(decision.parameter, place) for decision in decisions if decision.parameter for place in decision.places]
    assert len(settled) == len(set(settled))
    assert all((decision.to_value is not None) == (decision.kind is DecisionKind.CHANGE) for decision in decisions)
    for decision in decisions:  # the effect told is that of the values told
        if decision.kind is DecisionKind.CHANGE and decision.gain is not None:
            compared = decision.gain.comparison
            pair = compared.reference.get(decision.parameter), compared.candidate.get(decision.parameter)
            assert pair[1] == decision.to_value, decision.finding.title
            assert decision.from_value in (None, pair[0]), decision.finding.title


def _with(*findings: Finding) -> Advice:
    return decided(full_session(), replace(full_advice(), findings=findings, decisions=()), FAMILIES)


def test_findings_of_an_experiment_come_to_one_decision_for_each_change() -> None:
    """What changes nothing stands beside the change of its experiment; the surest gain comes first."""
    advice = full_advice()
    assert_sound(advice)
    assert [(decision.parameter, decision.to_value, len(decision.notes)) for decision in advice.decisions] == [
        ("SubscriptionStreams", 8, 0), ("ReadBatchSize", 5000, 1), ("CommitBatchThreshold", 2000, 2),
    ]  # fmt: skip


def test_a_gain_is_told_in_the_units_of_the_client() -> None:
    """Seconds before and after, and the hours a backlog takes."""
    gain = next(d.gain for d in full_advice().decisions if d.parameter == "SubscriptionStreams")
    assert gain is not None
    assert gain.before is not None
    assert gain.after is not None
    assert (round(gain.before, -1), round(gain.after, -1)) == (990, 330)
    assert [forecast.hours for forecast in gain.forecasts] == [9.2, 2.1]
    assert gain.certain_share == pytest.approx(1 - 0.343)


def _texts(block: Block) -> list[str]:
    if isinstance(block, Paragraph):
        return [block.text]
    return [str(cell) for row in block.rows for cell in row] if isinstance(block, Table) else []


def test_a_gain_measured_only_together_names_the_whole_setting() -> None:
    """Whether or not the trials take its parameters apart: one of them alone was not confirmed, and may even lose."""
    words = Vocabulary(FAMILIES)
    alone = next(d for d in full_advice().decisions if d.parameter == "SubscriptionStreams")
    assert alone.gain is not None
    own = alone.gain.comparison
    pair = replace(
        own,
        candidate=Setting.of(CommitBatchSize=400, SubscriptionStreams=8),
        reference=Setting.of(CommitBatchSize=100, SubscriptionStreams=1),
    )
    whole = ("best_setting", pair.candidate.label(), "")
    gain = replace(alone.gain, comparison=pair)
    joint = replace(alone, gain=gain)
    not_apart = replace(joint, finding=replace(joint.finding, facts=(whole, ("factors_not_apart", 2, "count"))))
    assert decision_card(not_apart, words).headline.endswith(
        "– by CommitBatchSize 400, SubscriptionStreams 8 together; which of them gains is not shown"
    )
    apart = replace(joint, finding=replace(joint.finding, facts=(whole,)))
    assert decision_card(apart, words).headline.endswith("– by CommitBatchSize 400, SubscriptionStreams 8 together")
    assert "together" not in decision_card(alone, words).headline
    advice = replace(full_advice(), decisions=(apart, replace(apart, number=2)))
    request = replace(full_request(), advice=advice)
    scripts = Scripts(request.session, words, advice.decisions)
    sheet = run_sheet_section(advice.decisions, scripts, is_redacted=False)
    cover = decision_section(request, words, Figures(()))
    said = [text for section in (sheet, cover) for block in section.blocks for text in _texts(block)]
    for told in ("belong together: make all of them", "\u221267\u00a0% together", "what was measured together with it"):
        assert any(told in text for text in said), told
    small = replace(apart, gain=replace(gain, own=SMALL))
    assert decision_card(small, words).headline.endswith(
        "– by CommitBatchSize 400, SubscriptionStreams 8 together; by itself 6\u00a0% less run time (3–9\u00a0%) in "
        "the exploring trials"
    )
    assert small.gain is not None
    assert small.gain.certain_share == pytest.approx(0.03)  # by which it stands behind the one that gains


@pytest.mark.parametrize(
    ("ratio", "low", "high", "is_open"),
    [
        (0.92, 0.88, 0.97, True), (0.90, 0.86, 0.951, False), (1.08, 1.03, 1.13, True), (1.12, 1.06, 1.18, False),
        (0.90, 0.0, 0.97, True), (0.90, 0.0, math.inf, False),
    ],
)  # fmt: skip
def test_a_gain_that_may_be_smaller_than_is_worth_acting_on_is_no_plain_change(
    ratio: float, low: float, high: float, is_open: bool
) -> None:
    """The near end of the interval is held against the plan's minimum effect (5 %), in the words of every place."""
    words, first = Vocabulary(FAMILIES), full_advice().decisions[0]
    assert first.gain is not None
    compared = replace(first.gain.comparison, ratio=ratio, low=low, high=high, minimum_effect=0.05)
    decision = replace(first, gain=replace(first.gain, comparison=compared))
    card = decision_card(decision, words)
    assert decision.is_worth_open == card.is_worth_open == is_open
    assert card.kind_text == ("Change if worth it" if is_open else "Change")
    assert ("perhaps less than the 5\u00a0% worth acting on" in card.headline) == is_open
    assert ("only if a smaller gain is worth it" in card.lead) == is_open
    request = replace(full_request(), advice=replace(full_advice(), decisions=(decision, *full_advice().decisions[1:])))
    scripts = Scripts(request.session, words, request.advice.decisions)
    sheet = run_sheet_section(request.advice.decisions, scripts, is_redacted=False)
    cover = decision_section(request, words, Figures(()))
    told, listed = ([text for block in part.blocks for text in _texts(block)] for part in (sheet, cover))
    assert any("only if it was decided" in text for text in told) == is_open
    assert any(text.startswith("Change if worth it: ") for text in listed) == is_open
    assert ("perhaps less than" in cover.title) == is_open


def test_what_holds_of_each_factor_alike_is_said_once() -> None:
    """A rule that speaks of the servers fires for each parameter varied."""
    words, decision = Vocabulary(FAMILIES), full_advice().decisions[0]
    twice = replace(decision, notes=(*decision.notes, decision.finding, decision.finding))
    said = decision_card(twice, words).also
    assert len(said) == len(set(said)) == len(set(decision_card(decision, words).also)) + 1


def test_no_headline_speaks_of_another_comparison() -> None:
    """However large an effect other values had, or the same value had against another one: a card tells its own."""
    told = full_advice()
    words = Vocabulary(FAMILIES)
    settled = [decision for decision in told.decisions if decision.gain is not None]
    assert settled
    for decision in settled:
        assert decision.gain is not None
        own, name = decision.gain.comparison, decision.parameter
        louder = replace(own, verdict=Verdict.IMPROVEMENT, ratio=0.1, low=0.09, high=0.11)
        others = (
            replace(louder, candidate=Setting.from_mapping({**own.candidate, name: 12_345})),
            replace(louder, reference=Setting.from_mapping({**own.reference, name: 12_345})),
        )
        for other in others:
            advice = replace(told, comparisons=(other, *told.comparisons), decisions=())
            again = decided(full_session(), advice, FAMILIES).decisions
            (same,) = (each for each in again if each.parameter == name)
            assert decision_card(same, words).headline == decision_card(decision, words).headline


def test_another_value_of_the_same_parameter_is_set_aside() -> None:
    """Two experiments on one agent that want different values are one decision, not two."""
    wanted = next(f for f in full_advice().findings if f.parameter == "ReadBatchSize" and f.to_value)
    other = replace(wanted, rule="log_reader.other", to_value=1000, evidence=wanted.evidence[:-1])
    stays = replace(wanted, rule="log_reader.stays", to_value=None, evidence=wanted.evidence[:-2])
    for findings in ((wanted, other), (other, wanted), (wanted, replace(wanted, rule="again", to_value=1000))):
        advice = _with(*findings)
        assert_sound(advice)
        (decision,) = advice.decisions
        assert (decision.to_value, [f.to_value for f in decision.set_aside]) == (5000, [1000])
    (decision,) = _with(stays, wanted).decisions
    assert (decision.to_value, decision.set_aside) == (5000, (stays,))


def test_a_value_in_effect_already_is_left() -> None:
    """What the server has is not asked for again: leave it."""
    wanted = next(f for f in full_advice().findings if f.parameter == "ReadBatchSize" and f.to_value)
    (decision,) = _with(replace(wanted, from_value=1000, to_value=500)).decisions
    assert (decision.kind, decision.to_value, decision.in_effect) == (DecisionKind.LEAVE, None, "500")


def test_a_lead_is_measured_again() -> None:
    """Exploring trials choose; nothing is changed on their account."""
    wanted = next(f for f in full_advice().findings if f.parameter == "ReadBatchSize" and f.to_value)
    facts = tuple((n, False if n == "confirmed" else v, u) for n, v, u in wanted.facts)
    (decision,) = _with(replace(wanted, facts=facts)).decisions
    assert (decision.kind, decision.to_value) == (DecisionKind.MEASURE_AGAIN, None)


@pytest.mark.parametrize("path", sorted(resource_path("published").glob("*.csv")), ids=lambda path: path.stem)
def test_decisions_on_published_measurements_do_not_contradict(path: Path) -> None:
    """Each published study comes to a few decisions, sound as a whole."""
    advice = ADVISOR.advise(read_session(path, ADVISOR.families, None))
    assert_sound(advice)
    assert 0 < len(advice.decisions) <= 10


@pytest.mark.parametrize(
    ("trials", "said"),
    [
        (9, "Measure again. Leave ReadBatchSize at 500; if the −18\u00a0% seen is real, 9 trials each show it"),
        (50, "Measure again. Leave ReadBatchSize at 500; if the −18\u00a0% seen is real, 50 trials each show it"),
        (
            409,
            "Leave. Leave ReadBatchSize at 500: the noise is too large to settle −18\u00a0% here (409 trials each)",
        ),
    ],
)
def test_nobody_is_advised_to_run_hundreds_of_trials(trials: int, said: str) -> None:
    """What no run settles is said to be so, and is nothing to measure again."""
    wanted = next(f for f in full_advice().findings if f.parameter == "ReadBatchSize" and f.to_value)
    facts = tuple((n, False if n == "confirmed" else v, u) for n, v, u in wanted.facts)
    (decision,) = _with(replace(wanted, facts=facts)).decisions
    card = decision_card(replace(decision, trials_needed=trials), Vocabulary(FAMILIES))
    assert f"{card.kind_text}. {card.headline}" == said
