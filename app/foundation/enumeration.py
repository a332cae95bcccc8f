"""Columns of a vendor's catalogue that hold one of a few values: each has a word, any other is told as it is."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.foundation.rows import Row


@dataclass(frozen=True)
class Enumeration:
    """The values a column can hold, as the vendor documents them.

    A value that is not documented is a word of its own, equal to none of them: who acts on a value names those it acts
    on, and leaves all others alone.

    Attributes:
        column: its name in the statements that read it.
        words: what this program calls each value.
        source: page that lists them.
    """

    column: str
    words: Mapping[int | str, str]
    source: str

    def of(self, row: Row) -> str:
        """Return the word for the value in a row, "" for NULL and for an empty text."""
        value = row.cell(self.column)
        return "" if value in (None, "") else self.word(value)

    def word(self, value: object) -> str:
        """Return the word for a value."""
        known = self.words.get(value) if isinstance(value, int | str) else None
        return f"unknown ({value})" if known is None else known

    def value(self, word: str) -> int | str:
        """Return the value a word stands for; another word as it is."""
        return next((value for value, known in self.words.items() if known == word), word)

    def knows(self, word: str) -> bool:
        """Tell whether a word stands for a documented value."""
        return word in self.words.values()


def named_alike(column: str, values: tuple[str, ...], source: str) -> Enumeration:
    """Return a column whose values are words already, which are kept as they are."""
    return Enumeration(column, {value: value for value in values}, source)


def in_small_letters(column: str, values: tuple[str, ...], source: str) -> Enumeration:
    """Return a column whose values are words in capitals, which are kept in small letters."""
    return Enumeration(column, {value: value.lower() for value in values}, source)
