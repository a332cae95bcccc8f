"""Texts a user reads, looked up in one gettext catalogue for window, rules, report and command line.

English is the source. The language is chosen once, when this module is first imported, because many texts are made when
their module is: changing it needs a new start of the program.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from numbers import Real
from string import Formatter
from typing import Any, ClassVar, Concatenate, Final, ParamSpec, Protocol, TypeVar

from app.foundation.catalogue import read_catalogue
from app.foundation.language import Language, choose_language, system_locale
from app.foundation.paths import resource_path, user_data_folder
from app.foundation.pseudo import pseudo
from app.foundation.window_words import names_trials, names_windows, told_of_windows

DOMAIN: Final = "replitune"

LANGUAGE: Final[Language] = choose_language(os.environ, user_data_folder() / "preferences.json", system_locale())
"""Language of this process."""

_catalogue: Final[dict[str, str]] = (
    read_catalogue(resource_path("locale", LANGUAGE, "LC_MESSAGES", f"{DOMAIN}.po")) if LANGUAGE == "de" else {}
)

# As a language is chosen around all texts, what a trial is called is chosen around those of one run.
_ARE_WINDOWS: Final = ContextVar("trials are windows", default=False)

# A name nobody gives: quoted whole it would hide what is wrong.
_LONG_WORD: Final = re.compile(r'[^\s"]{61,}')

_GROUPED: Final = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w.,])")
_GROUPED_GERMAN: Final = re.compile(r"(?<![\w.,])\d{1,3}(?:\.\d{3})+(?![\w.,])")

# English writes 1,234.5 and German 1.234,5.
_SWAPPED: Final = str.maketrans(",.", ".,")


class _NumberFormatter(Formatter):
    """Formats as `str.format` does, with a space between a number and its "%"."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value as its specification says; one without a specification is left as it is."""
        shown = str(super().format_field(value, format_spec))
        return self._local(shown).replace("%", "\u00a0%") if format_spec and isinstance(value, Real) else shown

    def _local(self, number: str) -> str:
        return number


class _GermanFormatter(_NumberFormatter):
    """Formats numbers with the separators of German, too."""

    def _local(self, number: str) -> str:
        return number.translate(_SWAPPED)


class NumberText(str):
    """A text whose `format` writes 0.05 as "5 %", so that no sentence has to ask for it."""

    __slots__ = ()
    _formatter: ClassVar[Formatter] = _NumberFormatter()

    def format(self, *args: object, **kwargs: object) -> str:
        """Return the text with its placeholders filled in."""
        return self._formatter.vformat(self, args, kwargs)


class GermanText(NumberText):
    """A German text whose `format` writes 1234.5 as "1.234,5", too."""

    __slots__ = ()
    _formatter = _GermanFormatter()


def _(text: str) -> str:
    """Return the translation of a text, or the text itself where the catalogue has none."""
    if LANGUAGE == "pseudo":
        return pseudo(text)
    translation = _catalogue.get(text, text)
    if _ARE_WINDOWS.get() and names_trials(text):
        translation = told_of_windows(translation)
    if LANGUAGE == "de" and "{" in translation:
        return GermanText(translation)
    return NumberText(translation) if "%}" in translation else translation


class TellsTrials(Protocol):
    """What has trials, and knows what they are."""

    @property
    def is_windowed(self) -> bool:
        """Whether its trials are windows on one backlog."""
        ...


_T = TypeVar("_T", bound=TellsTrials)
_P = ParamSpec("_P")
_R = TypeVar("_R")


@contextmanager
def in_words_of(told: TellsTrials) -> Iterator[None]:
    """Call trials windows in all texts looked up within this block, by this thread, where they are windows."""
    token = _ARE_WINDOWS.set(told.is_windowed)
    try:
        yield
    finally:
        _ARE_WINDOWS.reset(token)


def in_present_words(text: str) -> str:
    """Return a text that was looked up elsewhere as it is told here: of windows where trials are (`in_words_of`)."""
    return told_of_windows(text) if _ARE_WINDOWS.get() and not names_windows(text) else text


def in_its_words(function: Callable[Concatenate[_T, _P], _R]) -> Callable[Concatenate[_T, _P], _R]:
    """Make a function call trials what they are in its first argument (`in_words_of`); it must be no generator."""

    @wraps(function)
    def telling(told: _T, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        with in_words_of(told):
            return function(told, *args, **kwargs)

    return telling


def local_number(number: str) -> str:
    """Return a number written as English writes it ("1,234.5") as the language of the program does."""
    return number.translate(_SWAPPED) if LANGUAGE == "de" else number


def ungrouped(text: str) -> str:
    """Return a text with its whole numbers as they are typed: "5,000" as "5000", which German writes "5.000"."""
    return (_GROUPED_GERMAN if LANGUAGE == "de" else _GROUPED).sub(lambda n: re.sub("[,.]", "", n[0]), text)


def language_tag() -> str:
    """Return the language as documents name theirs: "en" or "de"."""
    return "de" if LANGUAGE == "de" else "en"


def shortened(text: str, most: int = 60) -> str:
    """Return a text as it is quoted in a sentence: of a longer one the beginning and "…"."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def quoted_reason(reason: str, most: int = 400) -> str:
    """Return why something was refused as a sentence can quote it: on one line, endless words and texts cut."""
    return shortened(_LONG_WORD.sub(lambda word: shortened(word[0]), " ".join(reason.split())), most)


def in_sentence(title: str) -> str:
    """Return a title such as "Run time" as it stands inside a sentence; German keeps the capitals of its nouns."""
    return title if LANGUAGE == "de" else title.lower()
