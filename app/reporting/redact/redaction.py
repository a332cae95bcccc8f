"""Replacing the client's names: the same name by the same word, everywhere."""

import json
import re
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import Final, TypeVar

from app.domain.naming import NOTHING_DECLARED, DeclaredTexts
from app.domain.session import Advice, SessionRecord
from app.reporting.records import map_texts
from app.reporting.redact.client_names import LONGEST_IN_OWN, client_names, enumerated_words, program_words
from app.reporting.redact.name_pattern import pattern_of

_T = TypeVar("_T")

_SHORT: Final = 3
_DISTINCT: Final = 6
_INSIDE: Final = r"[^\W_]"  # a letter or digit: where one goes on, a name is part of another word


class Redactor:
    """Replaces names in texts and in whole records.

    A name is found whatever its case, where letters or digits do not go on at either end; one that no language has as
    a word (six characters or more, letters and digits) is found inside other words as well, and one that differs by its
    case alone from a text `kept` in its own spelling only. Texts of records that are kept as a whole, such as the name
    of a measure, are left alone, whatever name is part of them; so is what stands behind one of the `view_prefixes`.
    """

    def __init__(
        self,
        replacements: Iterable[tuple[str, str]],
        kept: Iterable[str] = (),
        view_prefixes: Iterable[str] = (),
    ) -> None:
        self._kept = frozenset(kept)
        self._words: dict[str, str] = {}
        also_ours = {text.lower() for text in self._kept}
        for name, word in replacements:
            for spelling in _spellings(name):
                lower = spelling.lower()
                is_exact = len(spelling) <= _SHORT or lower in also_ours
                self._words.setdefault(spelling if is_exact else lower, word)
                if len(lower) != len(spelling):  # İ becomes two characters, which the original is not found by
                    self._words.setdefault(spelling, word)
        exact = {spelling for spelling in self._words if len(spelling) <= _SHORT or spelling.lower() in also_ours}
        self._pattern = _pattern(tuple(self._words), exact, view_prefixes)
        distinct = pattern_of(filter(_is_distinct, self._words.keys() - exact))
        self._distinct = re.compile(distinct, re.IGNORECASE) if distinct else None
        self._cached = lru_cache(maxsize=16_384)(self._replace)

    @property
    def words(self) -> frozenset[str]:
        """The words that stand for names."""
        return frozenset(self._words.values())

    def text(self, text: str) -> str:
        """Return a text with every known name replaced."""
        return self._cached(text) if text and self._pattern else text

    def survivor(self, text: str) -> str:
        """Return the first known name a text still holds, "" where it holds none.

        Only names that no language has as a word: a table called "Trials" does not make a chapter of that name a leak.
        """
        match = self._distinct.search(text) if self._distinct else None
        return match.group() if match else ""

    def record(self, value: _T) -> _T:
        """Return a record (a frozen dataclass, a tuple, a text) with the names replaced in all it holds."""
        return map_texts(value, lambda text: text if text in self._kept else self.text(text))

    def _replace(self, text: str) -> str:
        return text if self._pattern is None else self._pattern.sub(self._word_of, text)

    def _word_of(self, match: re.Match[str]) -> str:
        word = match.group()
        return self._words.get(word) or self._words.get(word.lower(), "…")


def redactor_for(
    sessions: Sequence[SessionRecord], also: Sequence[str] = (), declared: DeclaredTexts = NOTHING_DECLARED
) -> Redactor:
    """Return the redactor of the names that any of some sessions knows: one mapping, so that they can be read together.

    Args:
        also: further names, which no record tells (of a person, a project).
        declared: whose words the texts are that sessions keep by a key; what it does not name is a name.
    """
    own = program_words(sessions) | enumerated_words(sessions, declared)
    return Redactor(client_names(sessions, also, declared), own, declared.view_prefixes)


def redact(
    session: SessionRecord, advice: Advice, declared: DeclaredTexts = NOTHING_DECLARED, also: Sequence[str] = ()
) -> tuple[SessionRecord, Advice]:
    """Return both with the client's names replaced, and further ones that no record tells."""
    redactor = redactor_for([session], also, declared)
    return redactor.record(session), redactor.record(advice)


def _pattern(spellings: Sequence[str], exact: Set[str], view_prefixes: Iterable[str]) -> re.Pattern[str] | None:
    """Return the expression that finds the names, None where there are none.

    Args:
        exact: those of which only their own spelling counts: a short one is most likely a word of the language as well.
        view_prefixes: behind which no name stands, in any case.
    """
    before = f"(?<!{_INSIDE})" + "".join(rf"(?<!\b(?i:{re.escape(prefix)}))" for prefix in sorted(view_prefixes))
    short = pattern_of(s for s in spellings if s in exact)
    whole = pattern_of(s for s in spellings if s not in exact)
    inside = pattern_of(s for s in spellings if s not in exact and _is_distinct(s))
    parts = (
        f"{before}(?:{whole})(?!{_INSIDE})" if whole else "",
        inside,
        f"(?-i:{before}(?:{short})(?!{_INSIDE}))" if short else "",
    )
    joined = "|".join(part for part in parts if part)
    return re.compile(joined, re.IGNORECASE) if joined else None


def _is_distinct(name: str) -> bool:
    has_digit = any(char.isdigit() for char in name)
    return len(name) >= _DISTINCT and has_digit and any(char.isalpha() for char in name)


def _spellings(name: str) -> list[str]:
    """Return a name as it may be written in SQL, in JSON and in an address, and as this program's names cut it."""
    written = [
        name,
        name.replace("'", "''"),
        name.replace("]", "]]"),
        name.replace("\\", "\\\\"),
        json.dumps(name)[1:-1],
        json.dumps(name, ensure_ascii=False)[1:-1],
        name[:LONGEST_IN_OWN],
    ]
    return list(dict.fromkeys(written))
