"""The words of the consultant's own in a report, as fields of a form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
    """Return the fields of a session's report: title, version, confidentiality, foreword, then one a decision."""
    own = explained.session.own_words
    titles = {
        "title": _("Title"),
        "version": _("Version"),
        "confidentiality": _("Confidentiality"),
        "foreword": _("Foreword"),
    }
    fields = [WordsField(place, titles[place], getattr(own, place), place in LINES) for place in LINES + TEXTS]
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
