"""Declarations of facts: name, type, unit, meaning and title, once for rules, report and documentation."""

from dataclasses import dataclass
from enum import StrEnum

from app.foundation.texts import _


class FactType(StrEnum):
    """Type of a fact in the rules' expression language."""

    NUMBER = "number"
    TEXT = "text"
    FLAG = "flag"


@dataclass(frozen=True)
class FactKind:
    """One fact a rule may use.

    Attributes:
        meaning: completes the sentence "not evaluated: missing data (…)".
        title: what it is, as it stands beside its value and unit.
        words: of a text that can only be one of a few, all of them; a typing error in one would make a rule that never
            fires.
        tells: of a text that puts numbers in words, the facts these are: whoever gets it gets them, too.
    """

    name: str
    type: FactType
    unit: str
    meaning: str
    title: str
    words: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()


def number(name: str, unit: str, meaning: str, title: str = "") -> FactKind:
    """Return a number; its unit ends the name, and where no title is given the meaning is one."""
    return FactKind(name, FactType.NUMBER, unit, meaning, title or meaning)


def text(
    name: str, meaning: str, title: str = "", words: tuple[str, ...] = (), tells: tuple[str, ...] = ()
) -> FactKind:
    """Return a word, a setting, or numbers in words."""
    return FactKind(name, FactType.TEXT, "", meaning, title or meaning, words, tells)


def flag(name: str, meaning: str, title: str = "") -> FactKind:
    """Return something that is so or is not."""
    return FactKind(name, FactType.FLAG, "", meaning, title or meaning)


def interval(
    name: str, unit: str, title: str, meaning: str, low_meaning: str, high_meaning: str
) -> tuple[FactKind, ...]:
    """Return a number and the ends of its interval, `…_low_…` and `…_high_…`; the unit ends the name of each."""
    low, high = _ends(name)
    return (
        number(name, unit, meaning, title),
        number(low, unit, low_meaning, _("{fact}, lower end").format(fact=title)),
        number(high, unit, high_meaning, _("{fact}, upper end").format(fact=title)),
    )


def _ends(name: str) -> tuple[str, str]:
    """Return the names of the ends of a number's interval."""
    stem, _underscore, suffix = name.rpartition("_")
    return f"{stem}_low_{suffix}", f"{stem}_high_{suffix}"


def effect(name: str, title: str, meaning: str, told: str) -> tuple[FactKind, ...]:
    """Return an effect in words and its interval in the same terms, `…_interval`.

    Args:
        told: the number it puts in words.
    """
    interval_title = _("{fact}, 95 % interval").format(fact=title)
    return text(name, meaning, title, tells=(told,)), text(f"{name}_interval", interval_title, tells=_ends(told))


FactValue = float | int | str | bool
