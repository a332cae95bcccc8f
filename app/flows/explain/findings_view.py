"""The results of a session in words: cards, tables and counts, from session and advice alone."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.comparison import Comparison, Verdict
from app.domain.decision import Decision, DecisionKind
from app.domain.finding import Finding, Source
from app.domain.plan import Phase
from app.domain.plot import PlotSpec
from app.domain.session import Advice
from app.domain.view import TableContent, View
from app.flows.explain.decision_view import DecisionView, decision_views
from app.flows.explain.findings_tables import (
    facts_table,
    forecast_note,
    forecasts_table,
    not_evaluated_table,
)
from app.flows.explain.trial_view import trials_table
from app.flows.words import counted
from app.foundation.texts import _, in_its_words
from app.reporting.document.in_effect import InEffect
from app.reporting.export.told_findings import told_findings
from app.reporting.matching import carrying_comparison, comparisons_behind
from app.reporting.place import Places
from app.reporting.tables.comparisons import EQUAL, OPEN, comparisons_table
from app.reporting.tables.measured import measured_table
from app.reporting.tables.trials import trial_key
from app.reporting.wording import Vocabulary, counted_verdicts, effect_text, is_change, verdict_word
from app.services.explain.explaining import ExplainedSession

_MOST_WITH_RANGES: Final = 4
"""Columns of a table whose medians have room for their lowest and highest in a window."""


@dataclass(frozen=True)
class Card:
    """One finding, ready to be shown.

    Attributes:
        verdict: None where no comparison carries it.
        change: the recommended change of a parameter, "" for none.
        effect: what the carrying comparison shows, with its interval and sizes; "" without one.
        recommendation: "" where its decision says it.
        paragraphs: heading and text: because, trade-off, risk, undo; those that its decision does not say.
        evidence: key and id of each trial behind it.
        plot: None where there is none.
        facts, comparisons: what the rule looked at, and everything compared behind it.
        rule: which rule, in which version.
    """

    title: str
    priority: str
    verdict: Verdict | None
    verdict_text: str
    change: str
    effect: str
    recommendation: str
    paragraphs: tuple[tuple[str, str], ...]
    sources: tuple[Source, ...]
    evidence: tuple[tuple[str, str], ...]
    plot: PlotSpec | None
    facts: TableContent
    comparisons: TableContent
    rule: str


@dataclass(frozen=True)
class OpenQuestions:
    """Comparisons that showed nothing, of one verdict.

    Attributes:
        sentence: how many, and what that means.
        table: each with its interval, and the trials it takes where it is open.
    """

    verdict: Verdict
    sentence: str
    table: TableContent


@dataclass(frozen=True)
class MeasuredTable:
    """A table of measures beyond the comparisons, with the notes its reader needs, "" for none."""

    title: str
    content: TableContent
    note: str


@dataclass(frozen=True)
class Findings:
    """Everything the page of findings shows.

    Attributes:
        headline: the result in one sentence.
        counts: each verdict with how many comparisons have it.
        warnings: what must be known before believing the rest.
        decisions: what the findings come to, in the order they should be looked at, worded as in the report; their
            evidence is among `cards`.
        nothing: what is said in place of cards, "" where there are some.
        all_settled: said in place of `not_shown` where every comparison showed something.
    """

    title: str
    headline: str
    counts: tuple[tuple[Verdict, str], ...]
    warnings: tuple[str, ...]
    cards: tuple[Card, ...]
    decisions: tuple[DecisionView, ...]
    nothing: str
    not_shown: tuple[OpenQuestions, ...]
    all_settled: str
    not_evaluated: TableContent
    comparisons: TableContent
    forecasts: TableContent
    forecast_note: str
    measured: tuple[MeasuredTable, ...]
    trials: TableContent


@in_its_words
def findings(explained: ExplainedSession, words: Vocabulary) -> Findings:
    """Return everything a session showed, in words."""
    session, advice = explained.session, explained.advice
    in_effect, places = InEffect(session, words.writers), Places(session, words)
    pairs = sorted(told_findings(advice, words), key=lambda pair: pair[0].priority)
    ordered = [found for found, _told in pairs]
    decisions = decision_views(session, advice, ordered, words)
    cards = tuple(
        _said_once(_card(told, in_effect, advice, words, places), place, decisions)
        for place, (_found, told) in enumerate(pairs)
    )
    return Findings(
        title=session.title,
        headline=_headline(in_effect, advice),
        counts=_counts(advice, places),
        warnings=advice.warnings,
        cards=cards,
        decisions=decisions,
        nothing="" if cards else _nothing(explained),
        not_shown=_not_shown(advice, words, places),
        all_settled=_all_settled(advice),
        not_evaluated=not_evaluated_table(advice.not_evaluated, words),
        comparisons=comparisons_table(advice.comparisons, words, places).in_view(View.WINDOW),
        forecasts=forecasts_table(advice.forecasts, words),
        forecast_note=forecast_note(advice.forecasts),
        measured=tuple(
            MeasuredTable(t.title, measured_table(t, fits=len(t.columns) <= _MOST_WITH_RANGES), t.note)
            for t in advice.tables
        ),
        trials=trials_table(session, words),
    )


def _headline(in_effect: InEffect, advice: Advice) -> str:
    changing = [decision for decision in advice.decisions if decision.kind is DecisionKind.CHANGE]
    sure = [one for one in changing if not one.is_worth_open]
    if len(sure) == 1:  # its card, the first, tells the values
        return _("1 change recommended.")
    if sure:
        return _("Recommended: {changes}.").format(changes=_changes(in_effect, sure))
    if perhaps := _changes(in_effect, changing):
        return _("Shown, but perhaps less than is worth acting on: {changes}.").format(changes=perhaps)
    if advice.comparisons:
        return _("These measurements recommend no change.")
    return _("Nothing could be compared yet.")


def _changes(in_effect: InEffect, decisions: Iterable[Decision]) -> str:
    parts = (part for one in decisions for part in one.parts)
    return "; ".join(dict.fromkeys(in_effect.change(part.finding) for part in parts))


def _counts(advice: Advice, places: Places) -> tuple[tuple[Verdict, str], ...]:
    """Return how often each verdict was found, mere hints of exploring apart."""
    counts = Counter((c.verdict, places.verdict_text(c)) for c in advice.comparisons)
    in_order = sorted(counts, key=lambda key: (list(Verdict).index(key[0]), key[1] != verdict_word(key[0])))
    return tuple((verdict, counted_verdicts(counts[verdict, word], word)) for verdict, word in in_order)


def _nothing(explained: ExplainedSession) -> str:
    session = explained.session
    if not session.imported and not any(run.trials for run in session.runs):
        return _("No trial has been measured in this session yet.")
    if not explained.advice.comparisons:
        return _("Fewer than two settings gave usable trials, so nothing can be compared. The trials say why.")
    return _("No rule led to a finding. See Comparisons for what was compared.")


def _card(finding: Finding, in_effect: InEffect, advice: Advice, words: Vocabulary, places: Places) -> Card:
    carrying = carrying_comparison(finding, advice.comparisons)
    behind = comparisons_behind(finding, advice.comparisons)
    return Card(
        title=finding.title,
        priority=_("Priority {priority} of 5 (1 is most urgent)").format(priority=finding.priority),
        verdict=None if carrying is None else carrying.verdict,
        verdict_text="" if carrying is None else places.verdict_text(carrying),
        change=in_effect.change(finding) if is_change(finding) else "",
        effect="" if carrying is None else _effect(carrying, words),
        recommendation=finding.recommendation,
        paragraphs=tuple(
            (heading, text)
            for heading, text in (
                (_("In effect"), in_effect.note(finding)),
                (_("Because"), finding.because),
                (_("Trade-off"), finding.trade_offs),
                (_("Risk"), finding.risk),
                (_("Undo"), finding.undo),
            )
            if text
        ),
        sources=finding.sources,
        evidence=tuple((trial_key(finding.family, trial), trial) for trial in finding.evidence),
        plot=next((plot for plot in advice.plots if plot.plot_id == finding.figure), None),
        facts=facts_table(finding, words),
        comparisons=comparisons_table(behind, words, places).in_view(View.WINDOW),
        rule=_("{family} · rule {rule}, version {version}").format(
            family=words.family(finding.family), rule=finding.rule, version=finding.version
        ),
    )


def _said_once(card: Card, place: int, decisions: Sequence[DecisionView]) -> Card:
    """Return a card without what the decision above it says or shows already."""
    above = [decision for decision in decisions if place in decision.evidence]
    said = "\n".join("\n".join((one.card.lead, *dict(one.card.pairs).values())) for one in above)
    return replace(
        card,
        recommendation="" if card.recommendation in said else card.recommendation,
        paragraphs=tuple((heading, text) for heading, text in card.paragraphs if text not in said),
        plot=None if card.plot in [one.plot for one in above] else card.plot,
    )


def _effect(comparison: Comparison, words: Vocabulary) -> str:
    text = effect_text(comparison, words.metric(comparison.family, comparison.metric))
    if comparison.conditions:
        text += " " + _("Conditions: {conditions}.").format(conditions=words.conditions(comparison.conditions))
    if comparison.phase is Phase.CONFIRM:
        text += " " + _("From fresh confirmation trials.")
    return text


def _not_shown(advice: Advice, words: Vocabulary, places: Places) -> tuple[OpenQuestions, ...]:
    equal = [c for c in advice.comparisons if c.verdict is Verdict.NO_DIFFERENCE]
    still_open = [c for c in advice.comparisons if c.verdict is Verdict.CANNOT_TELL]
    lines = []
    if still_open:
        text = counted(
            len(still_open),
            _("1 comparison is still open; the table says how many trials of each setting it takes."),
            _("{count} comparisons are still open; the table says how many trials of each setting it takes."),
        )
        table = comparisons_table(still_open, words, places).only(*OPEN)
        lines.append(OpenQuestions(Verdict.CANNOT_TELL, text, table))
    if equal:
        text = counted(
            len(equal),
            _("1 comparison lies within the smallest effect worth acting on: changing this value gains nothing here."),
            _(
                "{count} comparisons lie within the smallest effect worth acting on: "
                "changing these values gains nothing here."
            ),
        )
        table = comparisons_table(equal, words, places).only(*EQUAL)
        lines.append(OpenQuestions(Verdict.NO_DIFFERENCE, text, table))
    return tuple(lines)


def _all_settled(advice: Advice) -> str:
    if any(c.verdict in (Verdict.NO_DIFFERENCE, Verdict.CANNOT_TELL) for c in advice.comparisons):
        return ""
    if not advice.comparisons:
        return _("No two settings could be compared.")
    return _("Every comparison of this session showed a difference.")
