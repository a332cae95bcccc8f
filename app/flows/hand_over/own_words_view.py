"""The words of the consultant's own in a report, as fields of a form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.agreed import DUE, HOURLY_COST, MOST_BEHIND
from app.domain.mix import MIX
from app.domain.own_words import LINES, TEXTS
from app.foundation.texts import _
from app.reporting.decision_words import headline
from app.reporting.wording import Vocabulary
from app.services.explain.explaining import ExplainedSession


@dataclass(frozen=True)
class WordsField:
    """One field.

    Attributes:
        place: as `write_own_words` takes it: "foreword", the number of a decision …
        is_line: one line is asked for, else paragraphs.
    """

    place: str
    title: str
    text: str
    is_line: bool


def words_fields(explained: ExplainedSession, words: Vocabulary) -> tuple[WordsField, ...]:
    """Return the fields of a session's report: those of the whole, the agreement, then one a decision."""
    own = explained.session.own_words
    titles = {
        "title": _("Title"),
        "version": _("Version"),
        "confidentiality": _("Confidentiality"),
        "foreword": _("Foreword"),
    }
    fields = [WordsField(place, titles[place], getattr(own, place), place in LINES) for place in LINES + TEXTS]
    agreed = {
        DUE: _("Must have arrived by (UTC), such as 06:00"),
        MOST_BEHIND: _("May be behind by at most, in minutes"),
        HOURLY_COST: _("Cost of an hour behind, such as 400 EUR"),
        MIX: _("Rows per statement and their share, such as 1: 80, 1000: 20"),
    }
    fields += [WordsField(place, title, getattr(own, place), is_line=True) for place, title in agreed.items()]
    fields += [
        WordsField(f"{one.number}", f"{one.number}. {headline(one, words)}", one.own_words, is_line=False)
        for one in explained.advice.decisions
    ]
    return tuple(fields)


def changed_words(fields: Sequence[WordsField], entered: Mapping[str, str]) -> dict[str, str]:
    """Return the entries that were changed, by place."""
    return {
        field.place: entered[field.place].strip()
        for field in fields
        if entered.get(field.place, field.text).strip() != field.text
    }
