"""The evidence of each decision: verdict, plot, comparisons, further results of the experiment, price and sources."""

import re
from collections.abc import Sequence
from typing import Final

from app.domain.comparison import Comparison
from app.domain.decision import Decision, DecisionKind
from app.domain.finding import Finding
from app.domain.measurement import Better
from app.domain.plan import Phase
from app.domain.session import Advice
from app.foundation.texts import _
from app.reporting.blocks import (
    Block,
    Bullets,
    Callout,
    Fields,
    FigureBlock,
    Heading,
    Paragraph,
    Section,
    Start,
    VerdictBox,
)
from app.reporting.decision_card import also_texts, price_pairs
from app.reporting.decision_words import headline, lead_text, rivals_text
from app.reporting.document.decision_page import evidence_anchor, paragraphs, prerequisite_blocks
from app.reporting.document.figures import Figures
from app.reporting.document.in_effect import InEffect
from app.reporting.document.result_tables import table_blocks
from app.reporting.document.sources import SourceList
from app.reporting.matching import comparisons_behind
from app.reporting.numbers import number
from app.reporting.place import Places
from app.reporting.printed import printed
from app.reporting.tables.comparisons import comparisons_note, comparisons_table
from app.reporting.wording import Vocabulary, change_of, trial_ranges

_SHORT: Final = 60
"""Characters of a text that says itself again sooner than where it stands."""
_MOST_COMPARISONS: Final = 6  # all stand in the attached comparisons.csv
_BESIDE: Final = ("by-setting", "penalty", "over-time")
"""The plot printed beside the one on the first page."""

_SENTENCE_END: Final = re.compile(r"(?<=\.) (?=[^\W_])")

_AS_IT_WAS: Final = ("backlog",)
"""The plot of a client's own backlog, printed once where windows were measured on it."""

_PREDICTED: Final = ("predicted",)
"""The plot of what was not measured, printed once where a model guided the run."""


class EvidencePages:
    """Makes the part of each decision; a table that an earlier part showed is not repeated."""

    def __init__(
        self,
        advice: Advice,
        words: Vocabulary,
        places: Places,
        in_effect: InEffect,
        sources: SourceList,
        figures: Figures,
    ) -> None:
        self._advice, self._words, self._places = advice, words, places
        self._in_effect, self._sources, self._figures = in_effect, sources, figures
        self._shown: set[tuple[Comparison, ...]] = set()
        self._priced: dict[tuple[str, str], int] = {}

    def section(self) -> Section:
        """Return the evidence of all decisions, empty where there are none."""
        decisions = self._advice.decisions
        blocks = [block for decision in decisions for block in self._of(decision)]
        return Section(_("Evidence"), tuple(blocks), Start.NEW_PAGE)

    def _of(self, decision: Decision) -> list[Block]:
        is_only = len(self._advice.decisions) == 1
        title = headline(decision, self._words)
        blocks: list[Block] = [
            Heading(title, tag="" if decision.where in title else decision.where, anchor=evidence_anchor(decision)),
            *self._verdict(decision),
            *(() if decision.number == 1 else paragraphs(decision.own_words)),  # the first page has those of the first
            *(block for part in decision.parts for block in self._notes_on_baseline(part.finding)),
            Paragraph(_because(decision), label=_("Because.")),
            *(self._figures.of(decision) or (self._figures.beside(decision, _BESIDE) if is_only else [])),
            *self._figures.beside(decision, _AS_IT_WAS),
            *self._predicted(decision),
            *self._comparisons(decision),
        ]
        if is_only:
            blocks += table_blocks(self._advice.tables)
        return [*blocks, *_also(decision), *self._aside(decision), *self._price(decision), *self._rests_on(decision)]

    def _predicted(self, decision: Decision) -> list[Block]:
        """Return a model's predictions for settings that were not measured, with how sure it is."""
        shown = self._figures.beside(decision, _PREDICTED)
        label = _("Predicted, not measured.")
        said = [Paragraph(block.alt, label=label) for block in shown if isinstance(block, FigureBlock)]
        return [*shown, *said]

    def _verdict(self, decision: Decision) -> list[Block]:
        gain = decision.gain
        if gain is None:
            return [Paragraph(decision.finding.recommendation, label=_("Recommendation."))]
        comparison = gain.comparison
        told = _because(decision)
        rivals = rivals_text(comparison, decision.parameter)
        text = lead_text(decision, self._words, tells_rivals=not rivals or rivals not in told)
        if self._places.is_lead(comparison):
            text += " " + _("From exploring trials, which only suggest.")
            return [Callout("info", self._places.verdict_text(comparison), text)]
        if comparison.phase is Phase.CONFIRM and self._words.compares_all(decision.family):
            text += " " + _("Like all comparisons of this experiment, it was named before the run.")
        elif comparison.phase is Phase.CONFIRM:
            text += " " + _("From fresh confirmation trials.")
        word = self._places.verdict_text(comparison)
        return [VerdictBox(comparison.verdict, word, text)]

    def _notes_on_baseline(self, finding: Finding) -> list[Block]:
        note = self._in_effect.note(finding)
        return [Callout("warn", _("The baseline is not the value that was in effect"), note)] if note else []

    def _comparisons(self, decision: Decision) -> list[Block]:
        carrying = decision.gain.comparison if decision.gain else None
        behind = self._behind(decision.finding, carrying)
        if not behind or behind in self._shown:
            return []
        self._shown.add(behind)
        table = comparisons_table(behind, self._words, self._places)
        left = len(comparisons_behind(decision.finding, self._advice.comparisons)) - len(behind)
        notes = (comparisons_note(behind, self._places), _left_out(left) if left and self._is_cut(behind) else "")
        return [printed(table, " ".join(filter(None, notes)))]

    def _behind(self, finding: Finding, carrying: Comparison | None) -> tuple[Comparison, ...]:
        """Return the comparisons to show: all of one pair where a condition varies within trials, else a few.

        These are the one that carries the finding, those of fresh trials, and of the others those that did best.
        Without a pair that carries the finding its figure shows them all.
        """
        behind = comparisons_behind(finding, self._advice.comparisons)
        if not behind or not self._words.place(behind[0])[0]:
            first = sorted(behind, key=lambda c: (c != carrying, c.phase is not Phase.CONFIRM, self._loss(c)))
            return tuple(c for c in behind if c in first[:_MOST_COMPARISONS])
        if carrying is None:
            return ()
        pair = (carrying.reference, carrying.candidate)
        return tuple(c for c in behind if (c.reference, c.candidate) == pair)

    def _loss(self, compared: Comparison) -> float:
        is_lower = self._words.better(compared.family, compared.metric) is Better.LOWER
        return compared.ratio if is_lower else -compared.ratio

    def _is_cut(self, behind: Sequence[Comparison]) -> bool:
        return not self._words.place(behind[0])[0]

    def _price(self, decision: Decision) -> list[Block]:
        """Return effort, cost, risk and undo of a change; a long text that stands with an earlier one is named."""
        if decision.kind is not DecisionKind.CHANGE:
            return []
        first = [] if decision.number == 1 else prerequisite_blocks(decision)
        pairs = []
        for title, text in price_pairs(decision):
            place = self._priced.setdefault((title, text), decision.number)
            is_there = place != decision.number and len(text) > _SHORT
            pairs.append((title, _("as for decision {number}").format(number=number(place)) if is_there else text))
        return [*first, Fields(tuple(pairs))]

    def _aside(self, decision: Decision) -> list[Block]:
        """Return findings that contradict the decision and were set aside for it, with where they were measured."""
        if not decision.set_aside:
            return []
        items = tuple(
            _("{what} ({where})").format(what=change_of(other) or other.title, where=self._places.text(other))
            for other in decision.set_aside
        )
        text = _("Other experiments on the same place disagree; one place has one value:")
        return [Paragraph(text), Bullets(items, small=True)]

    def _rests_on(self, decision: Decision) -> list[Block]:
        sources = dict.fromkeys(source for finding in decision.findings for source in finding.sources)
        named = ", ".join(f"[{number}]" for number in dict.fromkeys(map(self._sources.number_of, sources)))
        rules = ", ".join(dict.fromkeys(f"{finding.rule} {finding.version}" for finding in decision.findings))
        text = _("Trials: {trials}. Rules, with their versions: {rules}.").format(
            trials=trial_ranges(decision.trials), rules=rules
        )
        if named:
            text += " " + _("Sources: {sources}.").format(sources=named)
        return [Paragraph(text, quiet=True)]


def _left_out(count: int) -> str:
    return _("Further comparisons in comparisons.csv: {count}.").format(count=number(count))


def _because(decision: Decision) -> str:
    """Return why; of several parameters each sentence once."""
    sentences = (one for part in decision.parts for one in _SENTENCE_END.split(part.finding.because))
    return " ".join(dict.fromkeys(sentences))


def _also(decision: Decision) -> list[Block]:
    """Return the experiment's further results, a sentence or two each."""
    items = also_texts(decision)
    return [Bullets(items, small=True)] if items else []
