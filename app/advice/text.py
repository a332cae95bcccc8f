"""Texts of rules: sentences with placeholders, and numbers written as a person reads them."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Final

from app.domain.facts import FactValue
from app.foundation.texts import _

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_FORMAT: Final = re.compile(r"\.[0-3]f")
_MINUS: Final = "\N{MINUS SIGN}"


class TextError(ValueError):
    """A text cannot be used; the sentence says why, without saying where it stands."""


@dataclass(frozen=True)
class Sentence:
    """One sentence, or several that belong together.

    Attributes:
        text: with placeholders such as `{gain_percent:.1f}`.
        names: facts it names, in order of appearance, each once.
    """

    text: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Text:
    """Sentences; one that names a fact nobody knows is left out."""

    sentences: tuple[Sentence, ...]

    @property
    def names(self) -> frozenset[str]:
        """Return every fact the text names."""
        return frozenset(name for sentence in self.sentences for name in sentence.names)

    def fill(self, values: Mapping[str, FactValue], units: Mapping[str, str]) -> str:
        """Return the text with its numbers and their units filled in.

        Args:
            values: the known facts; a sentence that names another one is left out.
            units: unit of each fact.
        """
        told = (s for s in self.sentences if all(name in values for name in s.names))
        return " ".join(_fill(_(sentence.text), values, units) for sentence in told)


def parse_sentence(text: str) -> Sentence:
    """Return a sentence of a rule.

    Raises:
        TextError: it is empty, a brace is left open, or a placeholder is neither `{fact}` nor `{fact:.1f}`.
    """
    if not text.strip():
        raise TextError(_("it is empty"))
    names: list[str] = []
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise TextError(_("a brace is left open; write {{ and }} for braces of the text itself")) from error
    for _before, name, form, conversion in parts:
        if name is None:
            continue
        if not _NAME.fullmatch(name) or conversion or (form and not _FORMAT.fullmatch(form)):
            written = name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
            raise TextError(
                _('"{{{name}}}" is no placeholder; write {{fact}}, or {{fact:.1f}} for one decimal').format(
                    name=written
                )
            )
        if name not in names:
            names.append(name)
    return Sentence(" ".join(text.split()), tuple(names))


def format_fact(value: FactValue, unit: str, decimals: int | None = None) -> str:
    """Return a fact as a person reads it, with its unit: "18.4 %", "1,000,000 commands", "8".

    Args:
        value: a share (unit "share") is shown in percent; counts and plain numbers have no unit.
        unit: as in `app.domain.facts`.
        decimals: None shows whole numbers whole and others with about three digits.
    """
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return value
    number = float(value)
    if unit == "share":
        number, unit = number * 100, "%"
    shown = _format_number(number, decimals)
    if unit in ("", "count"):
        return shown
    if shown == "1" and unit == "commands":
        unit = "command"
    return f"{shown} {unit}"


def _format_number(number: float, decimals: int | None) -> str:
    if math.isnan(number):
        raise ValueError("NaN is no fact; it must be left out before texts are filled")
    if math.isinf(number):
        return "∞" if number > 0 else _MINUS + "∞"
    shown = f"{abs(number):,.{_decimals(number) if decimals is None else decimals}f}"
    is_zero = not shown.strip("0.,")
    return shown if number >= 0 or is_zero else _MINUS + shown


def _decimals(number: float) -> int:
    """Return how many decimals tell a number without pretending more: 354, 18.4, 2.5, 0.42, 0.034."""
    size = abs(number)
    if size == math.floor(size) or size >= 100:
        return 0
    if size >= 1:
        return 1
    return min(2 - math.floor(math.log10(size)) - 1, 6)


def _fill(text: str, values: Mapping[str, FactValue], units: Mapping[str, str]) -> str:
    parts: list[str] = []
    for before, name, form, _conversion in Formatter().parse(text):
        parts.append(before)
        if name is not None:
            decimals = int(form[1]) if form else None
            parts.append(format_fact(values[name], units[name], decimals))
    return "".join(parts)
