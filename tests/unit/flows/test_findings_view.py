"""What a session showed and what it did not, in words."""

import math
from dataclasses import replace

import pytest

from app.domain.comparison import Comparison, Forecast, Verdict
from app.domain.finding import NotEvaluated
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Setting
from app.domain.view import TableContent
from app.flows.explain.findings_view import Findings, findings
from app.reporting.wording import Vocabulary
from app.services.explain.explaining import ExplainedSession
from tests.report.sample import FAMILIES, empty_request, full_advice, full_session, imported_request

WORDS = Vocabulary(FAMILIES)
NOTHING = Advice((), (), (), (), ())


def _shown(session: SessionRecord | None = None, advice: Advice | None = None) -> Findings:
    explained = ExplainedSession(session or full_session(), advice or full_advice(), "9c1f")
    return findings(explained, WORDS)


def _texts(table: TableContent, key: str) -> list[str]:
    place = [column.key for column in table.columns].index(key)
    return [row.cells[place].text for row in table.rows]


def test_cards_are_ordered_by_priority() -> None:
    """The most urgent finding is the first card."""
    shown = _shown()
    assert len(shown.cards) == 6
    assert [card.priority for card in shown.cards] == sorted(card.priority for card in shown.cards)
    assert shown.nothing == ""


def test_a_card_carries_everything_needed_to_defend_it() -> None:
    """Verdict, change, effect with interval, reasons, sources, trials, plot and rule stand on one card; what it costs
    and how it is undone is said once, by the decision."""
    shown = _shown()
    place, card = next(
        (place, card) for place, card in enumerate(shown.cards) if card.change.startswith("SubscriptionStreams")
    )
    (decision,) = [one for one in shown.decisions if place in one.evidence]
    asked = dict(decision.card.pairs)
    assert card.verdict is Verdict.IMPROVEMENT
    assert card.verdict_text == "Improvement shown"
    assert "95 % interval" in card.effect
    assert [heading for heading, _text in card.paragraphs] == ["Because"]
    assert {"Recommendation", "Trade-off", "Risk", "Undo"} <= asked.keys()
    assert card.sources
    assert card.evidence[0][0].startswith("distribution_agent/E2-T")
    assert card.plot is None or card.plot != decision.plot
    assert decision.plot is not None
    assert card.facts.rows
    assert card.comparisons.rows
    assert ", version " in card.rule


def test_a_confirmed_effect_says_that_its_trials_were_fresh() -> None:
    """A claim from confirmation trials is told apart from a lead."""
    assert any("From fresh confirmation trials." in card.effect for card in _shown().cards)


def test_a_card_without_a_comparison_has_no_verdict_and_no_effect() -> None:
    """A finding no comparison carries wears no badge that would speak of something else."""
    advice = replace(full_advice(), comparisons=(), plots=())
    for card in _shown(advice=advice).cards:
        assert (card.verdict, card.verdict_text, card.effect, card.plot) == (None, "", "", None)
        assert card.comparisons.rows == ()


def test_texts_a_rule_leaves_out_take_no_room() -> None:
    """A finding without trade-off or risk has no empty headings."""
    advice = full_advice()
    bare = replace(advice.findings[0], trade_offs="", risk="")
    card = _shown(advice=replace(advice, findings=(bare,), decisions=())).cards[0]
    assert [heading for heading, _text in card.paragraphs] == ["Because", "Undo"]


def test_the_headline_names_the_recommended_values_once() -> None:
    """The result in one sentence: what to change, that nothing is to be changed, or that nothing could be compared."""
    assert _shown().headline.startswith("Recommended: ")
    advice = full_advice()
    twice = replace(advice, decisions=advice.decisions * 2)
    assert _shown(advice=twice).headline == _shown().headline
    assert _shown(advice=replace(advice, decisions=())).headline.startswith("These measurements recommend no change")
    assert _shown(advice=NOTHING).headline == "Nothing could be compared yet."


def test_every_verdict_is_counted() -> None:
    """The counts of the verdicts add up to the comparisons."""
    shown = _shown()
    assert sum(int(text.split()[0]) for _verdict, text in shown.counts) == len(full_advice().comparisons)


def test_without_cards_it_says_why() -> None:
    """No trial, no comparison and no rule are three different reasons."""
    session = full_session()
    nothing_run = replace(session, runs=())
    assert "No trial has been measured" in _shown(nothing_run, NOTHING).nothing
    assert "Fewer than two settings" in _shown(session, NOTHING).nothing
    assert "No rule led" in _shown(session, replace(full_advice(), findings=())).nothing
    assert "No trial has been measured" in _shown(empty_request().session, NOTHING).nothing


def test_what_was_not_shown_says_how_many_trials_would_settle_it() -> None:
    """Open comparisons come first, each with the trials needed; equal ones say what would be worth acting on."""
    shown = _shown()
    still_open = next(group for group in shown.not_shown if group.verdict is Verdict.CANNOT_TELL)
    needed = [c.trials_needed for c in full_advice().comparisons if c.verdict is Verdict.CANNOT_TELL]
    assert _texts(still_open.table, "trials_needed") == [f"{count:,}" if count else "at least 2" for count in needed]
    equal = next(group for group in shown.not_shown if group.verdict is Verdict.NO_DIFFERENCE)
    assert all(text.startswith("± ") for text in _texts(equal.table, "minimum_effect"))
    assert shown.all_settled == ""


@pytest.mark.parametrize(("count", "verb"), [(1, "1 comparison "), (3, "3 comparisons ")])
def test_groups_of_one_and_of_many_are_worded(count: int, verb: str) -> None:
    """One comparison is not called several."""
    one = next(c for c in full_advice().comparisons if c.verdict is Verdict.CANNOT_TELL)
    same = replace(one, verdict=Verdict.NO_DIFFERENCE)
    advice = replace(NOTHING, comparisons=(one, same) * count)
    assert [group.sentence.startswith(verb) for group in _shown(advice=advice).not_shown] == [True, True]


def test_where_everything_is_settled_it_says_so() -> None:
    """Every comparison showed a difference, or there was none to make."""
    clear = tuple(c for c in full_advice().comparisons if c.verdict is Verdict.IMPROVEMENT)
    assert _shown(advice=replace(NOTHING, comparisons=clear)).all_settled.startswith("Every comparison")
    assert _shown(advice=NOTHING).all_settled == "No two settings could be compared."


def _unknown_noise() -> Comparison:
    one = next(c for c in full_advice().comparisons if c.verdict is Verdict.CANNOT_TELL)
    return replace(
        one, low=0.0, high=math.inf, smallest_effect=math.inf, trials_needed=0, p_adjusted=1.0, conditions=Setting()
    )


def test_the_table_of_comparisons_has_every_number() -> None:
    """Each comparison has its verdict with a sign, interval, p, trials, and what would settle it."""
    shown = _shown(advice=replace(full_advice(), comparisons=(*full_advice().comparisons, _unknown_noise())))
    assert "Improvement shown" in _texts(shown.comparisons, "verdict")
    assert "< 0.001" in _texts(shown.comparisons, "p_adjusted")
    assert "settled" in _texts(shown.comparisons, "trials_needed")
    assert _texts(shown.comparisons, "trials_needed")[-1] == "at least 2"
    assert _texts(shown.comparisons, "smallest_effect")[-1] == "–"
    assert {"confirmed", "explored"} == set(_texts(shown.comparisons, "phase"))


def test_rules_not_evaluated_say_why() -> None:
    """A rule that lacks a fact is named with its reason."""
    rule = NotEvaluated("wan.link", "wan_delivery", "the round trip is not known")
    shown = _shown(advice=replace(full_advice(), not_evaluated=(rule,)))
    assert _texts(shown.not_evaluated, "because") == ["the round trip is not known"]


def test_forecasts_show_their_band_and_say_where_the_backlog_grows() -> None:
    """A forecast has hours with a band; where commands arrive faster than they leave it never ends."""
    known = Forecast("wan_delivery", Setting.of(SubscriptionStreams=8), Setting(), 240_000, 0.0, 1.5, 1.2, 2.0, ("a",))
    never = replace(known, hours=math.inf, low_hours=math.inf, high_hours=math.inf, inflow_per_s=900.0)
    shown = _shown(advice=replace(NOTHING, forecasts=(known, never)))
    assert _texts(shown.forecasts, "expected") == ["1.50", "–"]
    assert _texts(shown.forecasts, "in_words")[1] == "never: the backlog grows"
    assert shown.forecast_note.endswith("Under 1 setting the backlog would grow.")
    assert _shown(advice=replace(NOTHING, forecasts=(never, never))).forecast_note.endswith("the backlog would grow.")
    assert "grow" not in _shown(advice=replace(NOTHING, forecasts=(known,))).forecast_note
    assert _shown(advice=NOTHING).forecast_note == ""


def test_imported_sessions_are_shown_like_measured_ones() -> None:
    """Measurements made elsewhere have their trials in the same table."""
    request = imported_request()
    shown = _shown(request.session, request.advice)
    assert set(_texts(shown.trials, "status")) == {"from elsewhere"}
    assert len(shown.trials.rows) == len({(m.family, m.trial_id) for m in request.session.imported})
