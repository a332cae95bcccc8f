"""What is printed of a comparison adds up: two values side by side make the effect that is told behind them."""

import re
from typing import Final, NamedTuple

_NUMBER: Final = r"\d[\d,]*(?:\.\d+)?"
_TIME: Final = rf"(?:{_NUMBER} (?:d|h|min|s|ms|µs)(?= |\.|$| instead))"
_DURATION: Final = rf"{_TIME}(?: {_TIME})?"
_QUANTITY: Final = rf"{_NUMBER}(?: [^\W\d][\w/%µ]*(?: [a-z]\w*/\w+)?)?"
_VALUE: Final = rf"(?:≈ ?)?(?:{_DURATION}|{_QUANTITY})"
_PAIR: Final = re.compile(
    rf"(?P<after>{_VALUE}) instead of (?P<before>{_VALUE})\. "
    rf"(?:(?P<percent>{_NUMBER}) % (?P<side>less|more) |(?P<times>{_NUMBER}) times (?P<of>as fast|the \w+)"
    rf"|1/(?P<part>{_NUMBER}) of the |(?P<same>the same ))"
)
_PART: Final = re.compile(rf"({_NUMBER})(?: (\S+))?")
_SECONDS: Final = {"d": 86_400.0, "h": 3_600.0, "min": 60.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6}
_DIGITS: Final = 5e-4
"""Numbers are printed with four significant digits at most."""


class Printed(NamedTuple):
    """A pair of values as printed, with the effect behind it, and whether it makes that."""

    text: str
    adds_up: bool


class _Span(NamedTuple):
    """The values that are printed alike."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        """The number itself."""
        return (self.low + self.high) / 2


def printed_pairs(text: str) -> list[Printed]:
    """Return the pairs of a text that have an effect behind them."""
    plain = re.sub(r"[\u00a0\u202f]", " ", text)
    return [Printed(found.group(), _adds_up(found)) for found in _PAIR.finditer(plain)]


def _adds_up(found: "re.Match[str]") -> bool:
    after, before = _span(found["after"]), _span(found["before"])
    if before.low <= 0:
        return True
    low, high = after.low / before.high, after.high / before.low
    told = _told(found)
    return told.low <= high and low <= told.high


def _told(found: "re.Match[str]") -> _Span:
    """Return the ratios that an effect may mean."""
    if found["percent"]:
        share = _number(found["percent"])
        low, high = share.low / 100, share.high / 100
        return _Span(1 - high, 1 - low) if found["side"] == "less" else _Span(1 + low, 1 + high)
    if found["times"]:
        times = _number(found["times"])
        if found["of"] in ("as fast", "the speed"):
            return _Span(1 / times.high, 1 / times.low)
        return times
    if found["part"]:
        part = _number(found["part"])
        return _Span(1 / part.high, 1 / part.low)
    return _Span(0.9949, 1.0051)


def _span(value: str) -> _Span:
    parts = [(_number(number), _SECONDS.get(unit, 1.0)) for number, unit in _PART.findall(value)]
    before = sum(part.middle * unit_s for part, unit_s in parts[:-1])  # only the last unit is rounded
    last, unit_s = parts[-1]
    return _Span((before + last.low * unit_s) * (1 - _DIGITS), (before + last.high * unit_s) * (1 + _DIGITS))


def _number(text: str) -> _Span:
    """Return what rounds to a number: half of its last digit to both sides."""
    digits = text.replace(",", "")
    half = 0.5 * 10.0 ** -len(digits.partition(".")[2])
    return _Span(float(digits) - half, float(digits) + half)
