"""Quantities as people and tools write them into one cell: a number with its unit, hours, minutes and seconds."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from app.domain.units import known_units, units_like
from app.services.explain.importing.number_text import NumberStyle

# What tools and people write for units and for what is counted per second, minute or hour; compared without case.
_CALLED: Final = {
    **dict.fromkeys(("second", "seconds", "sec", "secs", "sek", "sekunde", "sekunden"), "s"),
    **dict.fromkeys(("minute", "minutes", "mins", "m", "minuten"), "min"),
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "std", "stunde", "stunden"), "h"),
    **dict.fromkeys(("day", "days", "tage"), "d"),
    **dict.fromkeys(("millisecond", "milliseconds", "msec", "msecs", "millis"), "ms"),
    **dict.fromkeys(("microsecond", "microseconds", "usec", "µs", "μs"), "us"),
    **dict.fromkeys(("percent", "pct", "prozent"), "%"),
    "rows/s": "rows/s",
    "tps": "transactions/s",
    "tpm": "transactions/min",
}
_COUNTED: Final = {
    **dict.fromkeys(("cmds", "cmd", "command", "kommandos", "befehle"), "commands"),
    **dict.fromkeys(("transaction", "trans", "tx", "txn", "transaktionen"), "transactions"),
    **dict.fromkeys(("row", "zeilen"), "rows"),
    **{"insert": "inserts", "mbytes": "mb", "gbytes": "gb", "kbytes": "kb"},
}
PER: Final = re.compile(r"(?:\s*/\s*|[\s_]+(?:per|pro)[\s_]+)(?=[^\W\d])", re.IGNORECASE)
"""Between what is counted and the time it is counted in, as in `cmds_per_s`."""
CLOCK_FORMAT: Final = re.compile(r"(?:\[?\bh{1,2}\]?:mm(?::ss)?|\bmm:ss)(?:[.,][0f]+)?\b", re.IGNORECASE)
"""How a heading says that times stand below it as on a clock."""
_BITS: Final = re.compile(r"[kMG]b(?:it)?(?:/|p?s)")
ROWS_PER_S: Final = "rows/s"
_KNOWN: Final = {unit.casefold(): unit for unit in known_units()}
# "12:31", "00:12:31", .NET's "1.00:12:31.1000000" with days.
_CLOCK: Final = re.compile(r"(?:(?:(\d+)[. ])?(\d+):(?=\d+:))?(\d+):([0-5]\d(?:[.,]\d+)?)")
_IN_HOURS: Final = re.compile(r"\d+:[0-5]\d(?=\s*(?:h|hrs?|std)\.?$)", re.IGNORECASE)
_CLOCK_UNIT: Final = re.compile(r"(?<=:\d\d)\s*(?:min|h|hrs?|std)\.?$", re.IGNORECASE)
_PARTS: Final = re.compile(
    r"(?:(\d+)\s*d(?:ays?)?,?\s*)?(?:(\d+)\s*(?:h|hrs?|hours?|std)\.?,?\s*)?"
    r"(?:(\d+)\s*(?:m|mins?|minutes?|'|′)\.?,?\s*)?(?:(\d+(?:[.,]\d+)?)\s*(?:s|secs?|seconds?|sek|''|\"|″)\.?)?",
    re.IGNORECASE,
)
_ISO: Final = re.compile(r"P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?")
_ABOUT: Final = re.compile(r"(?:~|≈|ca\.?|approx\.?|about|etwa)\s*", re.IGNORECASE)
_BOUND: Final = re.compile(r"\s*[<>≤≥]\s*=?\s*[\d.,]")
_WITH_UNIT: Final = re.compile(r"([+-]?[\d.,'\u00a0\u202f]+)\s*([kKM](?=\s|$))?\s*([A-Za-zµμ%/][A-Za-zµμ%/ ]*)?")
_SIZE: Final = re.compile(r"([\d.,]+)\s*([A-Za-z]+)")
_TIMES: Final = {"k": 1e3, "K": 1e3, "M": 1e6}
# As vendors count a parameter in bytes, whatever a network counts.
_BYTES: Final = {
    **dict.fromkeys(("bytes", "b"), 1),
    **dict.fromkeys(("kb", "kib", "k"), 1024),
    **dict.fromkeys(("mb", "mib", "m"), 1024**2),
    **dict.fromkeys(("gb", "gib", "g"), 1024**3),
}


class WrittenQuantity(NamedTuple):
    """A number and the unit written with it, "" for none; a duration in hours, minutes and seconds is in seconds."""

    value: float
    unit: str
    is_clock: bool = False


def unit_called(text: str) -> str:
    """Return the unit a word stands for, the word itself where none is known."""
    if text in known_units() or _BITS.match(text):
        return text
    if ":" in text and CLOCK_FORMAT.fullmatch(text):
        return "s"
    word = text.casefold()
    counted = PER.split(word)
    if len(counted) == 2:
        word = "/".join((_COUNTED.get(counted[0], counted[0]), _CALLED.get(counted[1], counted[1])))
    return _CALLED.get(word, _KNOWN.get(word, text))


def quantity_in(text: str, style: NumberStyle) -> WrittenQuantity | None:
    """Return the quantity in a cell that holds more than a number, None where it cannot be told."""
    about = _ABOUT.match(text)
    text = text[about.end() :] if about else text
    seconds = _seconds_in(text)
    if seconds is not None:
        return WrittenQuantity(seconds, "s", is_clock=True)
    written = _WITH_UNIT.fullmatch(text)
    number = style.parse(written[1].strip()) if written else None
    if written is None or number is None:
        return None
    unit = unit_called((written[3] or "").strip())
    return WrittenQuantity(number * _TIMES.get(written[2] or "", 1.0), unit)


def written_quantity(text: str) -> WrittenQuantity | None:
    """Return the quantity in a cell whatever its decimal mark, None where it cannot be told."""
    styles = (NumberStyle(mark, is_given=True) for mark in ".,")
    return next((found for style in styles if (found := quantity_in(text, style)) is not None), None)


def unit_of_cells(texts: Iterable[str]) -> str:
    """Return the unit that cells are written with, "" where they have none or different ones."""
    units = {found.unit if (found := written_quantity(text)) else "" for text in texts}
    return "s" if units and units <= set(units_like("s")) else units.pop() if len(units) == 1 else ""


def is_bound(text: str) -> bool:
    """Tell whether a cell says only that a value is above or below a number."""
    return text[:1] in "<>≤≥" and _BOUND.match(text) is not None


def _seconds_in(text: str) -> float | None:
    """Return the seconds of days, hours, minutes and seconds, None where a text is something else."""
    in_hours = _IN_HOURS.match(text)
    text = f"{in_hours.group()}:00" if in_hours else _CLOCK_UNIT.sub("", text)
    found, least = _CLOCK.fullmatch(text) or _PARTS.fullmatch(text), 2
    if found is None:
        found, least = _ISO.fullmatch(text), 1
    parts = found.groups() if found else ()
    if sum(part is not None for part in parts) < least:
        return None
    days, hours, minutes, seconds = (float((part or "0").replace(",", ".")) for part in parts)
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def bytes_in(text: str, style: NumberStyle) -> int | None:
    """Return a size as vendors count it, 4 MB for 4,194,304 bytes; None where it is none."""
    written = _SIZE.fullmatch(text)
    value = style.parse(written[1]) if written else None
    factor = _BYTES.get(written[2].casefold()) if written else None
    size = None if value is None or factor is None else value * factor
    return int(size) if size is not None and size.is_integer() else None
