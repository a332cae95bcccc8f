"""Numbers as a person types them into a field; an ambiguous one is refused, never guessed."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _, local_number

# Thousands separators: comma, point, apostrophe, and spaces, also the unbreakable ones.
_GROUPED: Final = re.compile(r"[+-]?[1-9]\d{0,2}(?P<gap>[,.'’ \u00a0\u202f])\d{3}(?:(?P=gap)\d{3})*", re.ASCII)
_WHOLE: Final = re.compile(r"[+-]?\d{1,15}", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?(?:\d{1,15}(?:[.,]\d{0,12})?|[.,]\d{1,12})", re.ASCII)
# English reads "1,500" in two ways, German "1.500".
_GROUP: Final = local_number(",")
_TWO_WAYS: Final = re.compile(rf"[+-]?[1-9]\d{{0,2}}{re.escape(_GROUP)}\d{{3}}", re.ASCII)
_GAPS: Final = re.compile(r"[,.'’ \u00a0\u202f]")
_TIGHT_THOUSAND: Final = re.compile(r"(?<![\d])\d{1,3}(?:,\d{3})+(?![\d])", re.ASCII)


@dataclass(frozen=True)
class Bounds:
    """The bounds of a number, in the unit it is typed in.

    Attributes:
        low, high: None where there is no bound.
        open_low, open_high: the bound itself is not allowed.
        because: where the bounds come from, "" where the program sets them.
    """

    low: float | None = None
    high: float | None = None
    open_low: bool = False
    open_high: bool = False
    because: str = ""

    def hold(self, value: Decimal) -> bool:
        """Tell whether a value is within the bounds."""
        low, high = self.low, self.high
        if low is not None and (value < Decimal(repr(low)) or (self.open_low and value == Decimal(repr(low)))):
            return False
        return high is None or not (value > Decimal(repr(high)) or (self.open_high and value == Decimal(repr(high))))

    def text(self) -> str:
        """Return the bounds for a person, such as "1 to 10,000" or "more than 0", "" where there is none."""
        parts = []
        if self.low is not None and self.high is not None and not (self.open_low or self.open_high):
            return _("{low} to {high}").format(low=number_text(self.low), high=number_text(self.high))
        if self.low is not None:
            words = _("more than {low}") if self.open_low else _("at least {low}")
            parts.append(words.format(low=number_text(self.low)))
        if self.high is not None:
            words = _("less than {high}") if self.open_high else _("at most {high}")
            parts.append(words.format(high=number_text(self.high)))
        return ", ".join(parts)


def number_text(value: float | Decimal) -> str:
    """Return a number as a person reads it: whole ones in groups of three, others with a decimal point."""
    number = value if isinstance(value, Decimal) else Decimal(repr(value))
    return local_number(f"{int(number):,}") if number == number.to_integral_value() else decimal_text(number)


def decimal_text(number: Decimal) -> str:
    """Return a number as a field for decimals shows it: no groups, no exponent, at most twelve decimals."""
    if number == number.to_integral_value():
        return str(int(number))
    return local_number(f"{number.quantize(Decimal('1e-12')).normalize():f}")


def read_whole(text: str) -> Decimal:
    """Return the whole number a person typed.

    Raises:
        BadInput: it is none.
    """
    typed = text.strip()
    if _GROUPED.fullmatch(typed):
        typed = _GAPS.sub("", typed)
    if not typed:
        raise BadInput(_("Type a whole number."))
    if not _WHOLE.fullmatch(typed):
        raise BadInput(_('"{text}" is not a whole number.').format(text=_short(text)))
    return Decimal(typed)


def read_decimal(text: str) -> Decimal:
    """Return the number a person typed, with a decimal point or comma.

    Raises:
        BadInput: it is none, or its comma (in German its point) may be a decimal one or one between thousands.
    """
    typed = text.strip()
    if not typed:
        raise BadInput(_("Type a number."))
    if _TWO_WAYS.fullmatch(typed):
        raise BadInput(
            _('"{text}" can be read in two ways; write {whole} or {decimal}.').format(
                text=typed, whole=typed.replace(_GROUP, ""), decimal=typed.replace(_GROUP, local_number("."))
            )
        )
    if not _DECIMAL.fullmatch(typed):
        raise BadInput(_('"{text}" is not a number.').format(text=_short(text)))
    return Decimal(typed.replace(",", "."))


_FIRST_GROUPED: Final = 1_000


def read_levels(text: str) -> tuple[Decimal, ...]:
    """Return the whole numbers of a list, separated by semicolons, or by commas or spaces where none is grouped.

    Raises:
        BadInput: one is no whole number, or a comma may separate thousands.
    """
    if ";" in text:
        return tuple(_read_level(part.strip()) for part in text.split(";") if part.strip())
    tight = _TIGHT_THOUSAND.search(text)
    if tight:
        raise BadInput(
            _('"{text}" can be read in two ways; separate the values with a semicolon.').format(text=tight.group())
        )
    return tuple(_read_level(word) for word in re.split(r"[,\s]+", text) if word)


def _read_level(word: str) -> Decimal:
    if not _GROUPED.fullmatch(word):
        if not _WHOLE.fullmatch(word):
            raise BadInput(_('"{text}" is not a whole number.').format(text=_short(word)))
        if len(word) > 1 and word.startswith("0"):
            raise BadInput(
                _('"{text}" begins with 0; write numbers without gaps, such as 1000.').format(text=_short(word))
            )
    return read_whole(word)


def levels_text(levels: tuple[int, ...]) -> str:
    """Return a list of levels as a field shows it: grouped as in every other field, then with semicolons between."""
    if len(levels) == 1:
        return str(levels[0])  # grouped and alone it could be two
    separator = "; " if any(level >= _FIRST_GROUPED for level in levels) else ", "
    return separator.join(number_text(level) for level in levels)


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:19] + "…"
