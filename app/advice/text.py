"""Texts of rules: sentences with placeholders, and numbers written as a person reads them."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Final

from app.domain.facts import FactValue
from app.domain.setting import label_text, value_text
from app.domain.units import unit_word
from app.foundation.durations import duration
from app.foundation.texts import _, local_number

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_FORMAT: Final = re.compile(r"\.[0-3]f|better|gain")
_TIMES_FROM: Final = 100.0  # percent; "7.7 times as good" reads better than "672 % better"
_WHOLE_FROM: Final = 9.95  # percent; below it one decimal tells more
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}
_TOLD_FROM_S: Final = {"ms": 1.0, "s": 60.0}  # below it a number with its unit is as short and more exact
_COUNTED: Final = frozenset({"commands", "messages", "rows"})
_SETTING: Final = "_setting"  # ends the name of a fact that is the label of one
_LEVEL: Final = "_level"  # of one that is a value of a parameter
_MINUS: Final = "\N{MINUS SIGN}"
_PERCENT: Final = "\u00a0%"
_LOOSE_PERCENT: Final = re.compile(r"(?<=\d) (?=%)")


class TextError(ValueError):
    """A text cannot be used; the sentence says why, without saying where it stands."""


@dataclass(frozen=True)
class Sentence:
    """One sentence, or several that belong together.

    Attributes:
        text: with placeholders such as `{lag_s:.1f}`; an improvement in percent may be written `{gain_percent:better}`
            ("18 % better", "7.7 times as good", "2.1 % worse") or `{gain_percent:gain}` ("18 %", "7.7 times").
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
            values: the known facts; a sentence that names another one, or an empty text, is left out.
            units: unit of each fact.
        """
        told = (s for s in self.sentences if all(values.get(name, "") != "" for name in s.names))
        return _LOOSE_PERCENT.sub("\u00a0", " ".join(_fill(_(sentence.text), values, units) for sentence in told))


def parse_sentence(text: str) -> Sentence:
    """Return a sentence of a rule.

    Raises:
        TextError: it is empty, a brace is left open, or a placeholder is none of `{fact}`, `{fact:.1f}`,
            `{fact:better}` and `{fact:gain}`.
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
        _check_placeholder(name, form or "", conversion or "")
        if name not in names:
            names.append(name)
    return Sentence(" ".join(text.split()), tuple(names))


def _check_placeholder(name: str, form: str, conversion: str) -> None:
    if not _NAME.fullmatch(name) or conversion or (form and not _FORMAT.fullmatch(form)):
        written = name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
        sentence = _('"{{{name}}}" is no placeholder; write {{fact}}, or {{fact:.1f}} for one decimal')
        raise TextError(sentence.format(name=written))


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
    seconds = number * _SECONDS.get(unit, math.nan)
    if seconds >= _TOLD_FROM_S.get(unit, 0.0):
        return duration(seconds)
    shown = _format_number(number, decimals)
    if unit in ("", "count"):
        return shown
    if shown == "1" and unit in _COUNTED:
        unit = unit.removesuffix("s")
    return f"{shown}\u00a0{unit_word(unit)}"


def _format_number(number: float, decimals: int | None) -> str:
    if math.isnan(number):
        raise ValueError("NaN is no fact; it must be left out before texts are filled")
    if math.isinf(number):
        return "∞" if number > 0 else _MINUS + "∞"
    shown = f"{abs(number):,.{_decimals(number) if decimals is None else decimals}f}"
    is_zero = not shown.strip("0.,")
    return local_number(shown if number >= 0 or is_zero else _MINUS + shown)


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
            parts.append(_formatted(_told(name, values[name]), units[name], form or ""))
    return "".join(parts)


def _told(name: str, value: FactValue) -> FactValue:
    """Return a fact as it is told: of a setting or a level, its values as a person reads them."""
    if isinstance(value, str) and name.endswith(_LEVEL):
        return value_text(value)
    return label_text(value) if isinstance(value, str) and name.endswith(_SETTING) else value


def _formatted(value: FactValue, unit: str, form: str) -> str:
    if form in ("better", "gain") and isinstance(value, int | float):
        return _improvement(float(value), with_word=form == "better")
    return format_fact(value, unit, int(form[1]) if form.startswith(".") else None)


def _improvement(percent: float, with_word: bool) -> str:
    """Return an improvement in percent as a person says it; from twice as much on as a multiple."""
    if percent >= _TIMES_FROM:
        times = local_number(f"{1 + percent / 100:,.1f}")
        return (_("{times} times as good") if with_word else _("{times} times")).format(times=times)
    amount = (
        _format_number(abs(percent), 0 if abs(percent) >= _WHOLE_FROM else 1).removesuffix(local_number(".0"))
        + _PERCENT
    )
    if not with_word:
        return _MINUS + amount if percent < 0 and amount != f"0{_PERCENT}" else amount
    if amount == f"0{_PERCENT}":
        return _("no different")
    return (_("{amount} worse") if percent < 0 else _("{amount} better")).format(amount=amount)
