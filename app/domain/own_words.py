"""Texts a consultant writes into a report: title, foreword, version, confidentiality, prose for each decision,
notes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.agreed import AGREED, Agreement, agreement_of
from app.domain.errors import BadInput
from app.domain.mix import MIX, mix_of
from app.domain.naming import Sentence

OF_DECISION: Final = "decision "
"""In front of a decision's key, where its prose is kept."""


@dataclass(frozen=True)
class OwnWords:
    """Words of the consultant's own; "" and () where there are none.

    Attributes:
        title: stands in place of the session's own.
        confidentiality: one line, in the head of every page.
        decisions: prose by `Decision.key`.
        mix: the client's mix of transactions, as `mix_of` reads it.
        due, most_behind, hourly_cost: the client's agreement, as `agreement_of` reads it.
        notes: on the session and its runs, oldest first; a report prints them where that is asked for.
    """

    title: Sentence = ""
    foreword: Sentence = ""
    version: Sentence = ""
    confidentiality: Sentence = ""
    decisions: tuple[tuple[Sentence, Sentence], ...] = ()
    notes: tuple[Sentence, ...] = ()
    due: Sentence = ""
    most_behind: Sentence = ""
    hourly_cost: Sentence = ""
    mix: Sentence = ""

    @property
    def shares(self) -> dict[float, float]:
        """Return the shares of the client's mix by rows per statement, {} where none is told."""
        try:
            return mix_of(self.mix)
        except BadInput:
            return {}

    @property
    def agreed(self) -> Agreement | None:
        """Return the client's agreement, None for none, or for one that a damaged file spells otherwise."""
        try:
            return agreement_of({place: getattr(self, place) for place in AGREED})
        except BadInput:
            return None

    def of(self, key: str) -> str:
        """Return the prose for a decision, "" where there is none."""
        return dict(self.decisions).get(key, "")

    def by_place(self) -> dict[str, str]:
        """Return the texts by where they stand, as a session file keeps them; notes are kept apart."""
        own = {place: getattr(self, place) for place in LINES + TEXTS + NUMBERS}
        own |= {OF_DECISION + key: text for key, text in self.decisions}
        return {place: text for place, text in own.items() if text}


LINES: Final = ("title", "version", "confidentiality")
"""Of one line each."""

TEXTS: Final = ("foreword",)
"""Of paragraphs, with an empty line between them."""

NUMBERS: Final = (*AGREED, MIX)
"""The client's numbers, which hold no name: kept as they were typed."""


NO_WORDS: Final = OwnWords()


def own_words(by_place: Mapping[str, str], notes: tuple[str, ...] = ()) -> OwnWords:
    """Return the words that a session file keeps; a place this program does not know is left out."""
    decisions = tuple(
        (place.removeprefix(OF_DECISION), text) for place, text in by_place.items() if place.startswith(OF_DECISION)
    )
    return OwnWords(
        **{place: by_place.get(place, "") for place in LINES + TEXTS + NUMBERS}, decisions=decisions, notes=notes
    )
