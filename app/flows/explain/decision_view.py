"""Decisions as the page of findings shows them: the answer first, its scripts beside it, its evidence below."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.comparison import Comparison, Verdict
from app.domain.decision import Decision, DecisionKind
from app.domain.finding import Finding
from app.domain.plot import PlotSpec
from app.domain.session import Advice, SessionRecord
from app.reporting.decision_card import DecisionCard, decision_card
from app.reporting.document.figures import Figures
from app.reporting.document.scripts import Scripts
from app.reporting.wording import Vocabulary

_MOST_RATIO = 2.0
"""From here on an effect is told as a multiple, which has no place on an axis of percent."""


@dataclass(frozen=True)
class EffectBar:
    """An effect on an axis, as shares: −0.4 for 40 % less; `least` is the smallest worth acting on."""

    low: float
    high: float
    middle: float
    least: float


@dataclass(frozen=True)
class DecisionView:
    """One decision, ready to be shown.

    Attributes:
        card: its words, those of the report.
        is_gain: trials showed an improvement.
        plot: the figure of its trials, None where there is none or a decision before it shows it.
        bar: None where nothing was measured, or it is no matter of percent.
        apply_script, undo_script: what sets the value and takes it back, "" where no script sets one.
        evidence: places of its findings in the list of all of them.
    """

    card: DecisionCard
    is_gain: bool
    plot: PlotSpec | None
    bar: EffectBar | None
    apply_script: str
    undo_script: str
    evidence: tuple[int, ...]


def decision_views(
    session: SessionRecord, advice: Advice, ordered: Sequence[Finding], words: Vocabulary
) -> tuple[DecisionView, ...]:
    """Return the decisions in the order they should be looked at.

    Args:
        ordered: all findings, as their cards are numbered.
    """
    scripts, figures = Scripts(session, words, advice.decisions), Figures(advice.plots)
    return tuple(_view(decision, figures.shown(decision), scripts, ordered, words) for decision in advice.decisions)


def _view(
    decision: Decision, plot: PlotSpec | None, scripts: Scripts, ordered: Sequence[Finding], words: Vocabulary
) -> DecisionView:
    comparison = None if decision.gain is None else decision.gain.comparison
    applies = takes_back = ""
    if decision.kind is DecisionKind.CHANGE:
        applies, takes_back = (scripts.text_of(decision, is_rollback=is_back) for is_back in (False, True))
    return DecisionView(
        card=decision_card(decision, words, is_effect_large=True),
        is_gain=comparison is not None and comparison.verdict is Verdict.IMPROVEMENT,
        plot=plot,
        bar=None if comparison is None else _bar(comparison),
        apply_script=applies,
        undo_script=takes_back,
        evidence=tuple(place for place, finding in enumerate(ordered) if finding in decision.findings),
    )


def _bar(comparison: Comparison) -> EffectBar | None:
    ends = (comparison.low, comparison.ratio, comparison.high)
    if not all(math.isfinite(end) and 0.0 < end < _MOST_RATIO for end in ends):
        return None
    low, middle, high = (end - 1.0 for end in ends)
    return EffectBar(low, high, middle, comparison.minimum_effect)
