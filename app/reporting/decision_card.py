"""A decision as a card, as a terminal and the window show it, in the words of the report."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.decision import Decision, DecisionKind
from app.foundation.texts import _
from app.reporting.decision_words import (
    headline,
    interval_told,
    kind_word,
    lead_text,
    level_word,
    listed_text,
    short_gain,
    short_gain_interval,
    task_text,
)
from app.reporting.wording import Vocabulary, change_of, trial_ranges

MOST_LISTED: Final = 10
"""That a terminal lists: who has more reads them in the report."""


@dataclass(frozen=True)
class DecisionCard:
    """One decision, ready to be shown.

    Attributes:
        kind_text: "Change", "Change if worth it", "Measure again" or "Leave".
        is_worth_open: the gain of a change may be smaller than is worth acting on.
        headline: what is to be done and what that gains.
        lead: in a sentence or two what it rests on, in the client's units.
        where: the experiment and conditions it is valid for.
        effect, interval, measure: "−43 %", "−46 % to −39 %", "Run time"; "" where nothing was measured for it.
        interval_told: "95 % interval −46 % to −39 %", or that none can be given; "" where there is no effect.
        pairs: heading and text of what a change asks for, costs and risks; () where nothing is to be changed.
        also: what else the experiment showed and changes nothing, a sentence or two each.
        set_aside: what other experiments say of the same place.
        trials: the trials behind it.
        own_words: what the consultant says of it, "" for nothing.
    """

    number: int
    kind: DecisionKind
    kind_text: str
    is_worth_open: bool
    headline: str
    lead: str
    where: str
    effect: str
    interval: str
    interval_told: str
    measure: str
    pairs: tuple[tuple[str, str], ...]
    also: tuple[str, ...]
    set_aside: tuple[str, ...]
    trials: str
    own_words: str


def decision_card(decision: Decision, words: Vocabulary, *, is_effect_large: bool = False) -> DecisionCard:
    """Return a decision as it is shown.

    Args:
        is_effect_large: effect and interval stand by themselves, so headline and lead repeat neither.
    """
    gain = decision.gain
    is_one = gain is not None and (gain.mixed is not None or not gain.elsewhere)
    tells_effect = not is_effect_large or gain is None or bool(gain.elsewhere)
    return DecisionCard(
        number=decision.number,
        kind=decision.kind,
        kind_text=kind_word(decision),
        is_worth_open=decision.is_worth_open,
        headline=headline(decision, words, tells_effect=tells_effect),
        lead=lead_text(decision, words, tells_effect=tells_effect),
        where=decision.where or words.family(decision.family),
        effect="" if gain is None else short_gain(gain),
        interval=short_gain_interval(gain) if gain is not None and is_one else "",
        interval_told=interval_told(gain) if gain is not None and is_one else "",
        measure="" if gain is None else words.metric(gain.comparison.family, gain.comparison.metric),
        pairs=price_pairs(decision),
        also=also_texts(decision),
        set_aside=tuple(change_of(other) or other.task for other in decision.set_aside),
        trials=trial_ranges(decision.trials),
        own_words=decision.own_words,
    )


def price_pairs(decision: Decision) -> tuple[tuple[str, str], ...]:
    """Return effort, cost, risk and undo of a change, each under its heading."""
    if decision.kind is not DecisionKind.CHANGE:
        return ()
    asked, findings = decision.change_effort, [part.finding for part in decision.parts]
    pairs = (
        (_("Recommendation"), _each_once(finding.recommendation for finding in findings)),
        (_("Effort"), f"{level_word(asked.effort_level)}. {asked.effort}"),
        (_("Interruption"), asked.interruption_told),
        (_("Trade-off"), _each_once(finding.trade_offs for finding in findings)),
        (_("Risk"), f"{level_word(asked.risk_level)}. {_each_once(decision.risks)}"),
        (_("Undo"), _each_once(finding.undo for finding in findings)),
    )
    return tuple(pair for pair in pairs if pair[1])


def _each_once(texts: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(text for text in texts if text))


def also_texts(decision: Decision) -> tuple[str, ...]:
    """Return the experiment's further results: findings that change nothing, each once however many factors it is of,
    and none that says the same as the decision.

    Where its numbers contradict each other nothing else is read from them.
    """
    if decision.gain is not None and decision.gain.is_contradicted:
        return ()
    told = {task_text(decision), *(part.finding.task for part in decision.together)}
    said = (
        f"{note.title if note.title.endswith(('.', '!', '?')) else f'{note.title}.'} {note.recommendation}"
        for note in decision.notes
        if note.task not in told
    )
    return tuple(dict.fromkeys(text.strip() for text in said))


def card_lines(cards: Sequence[DecisionCard]) -> list[str]:
    """Return decisions as lines of a terminal: headline, evidence, and further results as bullets."""
    lines: list[str] = []
    for card in cards[:MOST_LISTED]:
        lines.append(f"{card.number}. {listed_text(card.kind, card.kind_text, card.headline)}")
        lines += [
            f"   {text}" for text in (_("Where: {where}").format(where=card.where), card.lead, card.own_words) if text
        ]
        lines += [f"   - {' '.join(text.split())}" for text in card.also]
        lines += [f"   - {_('set aside: {what}').format(what=what)}" for what in card.set_aside]
    if len(cards) > MOST_LISTED:
        left = len(cards) - MOST_LISTED
        lines.append(_("… and {count} more, in the report").format(count=left))
    return lines
