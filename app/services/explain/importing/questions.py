"""Questions that a file leaves open and only its owner can answer: asked once, in the window or on the command line."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from app.domain.errors import BadInput
from app.foundation.texts import _

Answers: TypeAlias = Mapping[str, str]
"""What was answered, by the name of the question; a question that is not there was not asked yet."""


@dataclass(frozen=True)
class Question:
    """A question on a whole file.

    Attributes:
        name: as it is answered by.
        title: what is asked, in a few words.
        choices: the answers, each with what it says.
    """

    name: str
    title: str
    choices: tuple[tuple[str, str], ...]


DECIMAL_MARK: Final = Question(
    "decimal_mark",
    _("Decimal mark"),
    (("point", _("the point: 34,266 is 34 thousand")), ("comma", _("the comma: 34.266 is 34 thousand"))),
)
PLAIN_TIMES: Final = Question(
    "plain_times",
    _("Plain numbers below hh:mm:ss"),
    (("days", _("parts of a day, as spreadsheets keep times")), ("seconds", _("seconds")), ("minutes", _("minutes"))),
)
ROWS_ARE: Final = Question(
    "rows_are",
    _("Rows of one setting"),
    (("samples", _("samples taken during one run")), ("runs", _("runs, each made by itself"))),
)
TABLES_ARE: Final = Question(
    "tables_are",
    _("Tables with the same headings"),
    (
        ("repeats", _("further runs of one experiment")),
        ("conditions", _("of other conditions, each compared by itself")),
    ),
)
N_COUNTS: Final = Question(
    "n_counts",
    _("What n counts"),
    (("samples", _("transactions or samples within one run")), ("runs", _("runs, each made by itself"))),
)
SHARES_ARE: Final = Question(
    "shares_are", _("Shares above 1"), (("percent", _("per cent")), ("shares", _("right as they stand")))
)
ROWS_COUNT: Final = Question(
    "rows_count", _("Rows per second"), (("commands", _("a row is a command: one row changed by each")),)
)
PLUS_MINUS: Final = Question(
    "plus_minus", _("What stands behind ±"), (("left_out", _("left out: each value is one run")),)
)
SD_HOLDS: Final = Question("sd_holds", _("A standard deviation above its mean"), (("yes", _("right as it stands")),))

FAMILY: Final = "family"
METRIC: Final = "metric"
UNIT: Final = "unit"
SHEET: Final = "sheet"
PARAMETER: Final = "parameter"
BASELINE: Final = "baseline"
CONDITIONS: Final = "conditions"
"""All that held for all rows, "rtt_ms=20, concurrency=4"."""

OF_THE_FILE: Final = (FAMILY, METRIC, UNIT, SHEET, PARAMETER)
"""Questions whose answers depend on the file."""

QUESTIONS: Final = {
    question.name: question
    for question in (
        DECIMAL_MARK,
        PLAIN_TIMES,
        TABLES_ARE,
        ROWS_ARE,
        ROWS_COUNT,
        PLUS_MINUS,
        N_COUNTS,
        SHARES_ARE,
        SD_HOLDS,
    )
}


def question_on(name: str, title: str, choices: Iterable[tuple[str, str]]) -> Question:
    """Return a question whose answers depend on the file."""
    return Question(name, title, tuple(choices))


class Asked(BadInput):
    """A file cannot be read before a question is answered; as a text it says how the command line answers.

    Attributes:
        question: the one that is open.
        sentence: why it is asked, without how it is answered.
    """

    def __init__(self, sentence: str, question: Question) -> None:
        self.question, self.sentence = question, sentence
        ways = _(" or ").join(f"--say {question.name}={value} ({words})" for value, words in question.choices)
        super().__init__(_("{sentence}; answer with {ways}").format(sentence=sentence, ways=ways))


def answers_of(texts: list[str]) -> dict[str, str]:
    """Return answers as a command line gives them, "name=answer" each.

    Raises:
        BadInput: no such question or answer.
    """
    answers: dict[str, str] = {}
    for text in texts:
        name, _equals, answer = text.partition("=")
        question = QUESTIONS.get(name)
        known = [f"{q.name}={value}" for q in QUESTIONS.values() for value, _words in q.choices]
        known += [f"{of_file}=…" for of_file in OF_THE_FILE]
        is_open = name in OF_THE_FILE and answer
        if not is_open and (question is None or answer not in dict(question.choices)):
            sentence = _('--say "{text}" answers no question; known are {known}')
            raise BadInput(sentence.format(text=text, known=", ".join(known)))
        answers[name] = answer
    return answers


def conditions_in(text: str) -> dict[str, str]:
    """Return conditions of all rows, "name=value" each with commas between them.

    Raises:
        BadInput: one lacks its value.
    """
    parts = [part for part in re.split(r"[,;]\s+|;", text) if part.strip()]
    pairs = [part.partition("=") for part in parts]
    wrong = next((part for part, (name, _equals, value) in zip(parts, pairs, strict=True) if not (name and value)), "")
    if wrong:
        raise BadInput(
            _('the condition "{text}" has no value; write it as name=value, such as rtt_ms=20').format(text=wrong)
        )
    return {name.strip(): value.strip() for name, _equals, value in pairs}
