"""Quantities as people and tools write them into one cell: a number with its unit, hours, minutes and seconds."""

import re
from typing import Final, NamedTuple

from app.domain.units import known_units
from app.services.explain.importing.number_text import NumberStyle

# What tools and people write for units; compared without case. `MB/sec` is one of them, `Mb/s` is none.
_CALLED: Final = {
    **dict.fromkeys(("second", "seconds", "sec", "secs", "sek", "sekunden"), "s"),
    **dict.fromkeys(("minute", "minutes", "mins", "m", "minuten"), "min"),
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "std", "stunden"), "h"),
    **dict.fromkeys(("day", "days", "tage"), "d"),
    **dict.fromkeys(("millisecond", "milliseconds", "msec", "msecs", "millis"), "ms"),
    **dict.fromkeys(("microsecond", "microseconds", "usec", "µs", "μs"), "us"),
    **dict.fromkeys(("mb/sec", "mbytes/s", "mb per second", "mb per sec"), "MB/s"),
    **dict.fromkeys(("gb/sec",), "GB/s"),
    **dict.fromkeys(("kb/sec",), "KB/s"),
    **dict.fromkeys(("gb/minute", "gb per minute"), "GB/min"),
    **dict.fromkeys(("gb/hour", "gb per hour", "gb/hr"), "GB/h"),
    **dict.fromkeys(
        ("cmds/sec", "cmds/s", "cmd/s", "cmd/sec", "commands/sec", "commands per second", "kommandos/s", "befehle/s"),
        "commands/s",
    ),
    **dict.fromkeys(
        (
            "tps",
            "transactions/sec",
            "trans/s",
            "trans/sec",
            "tx/s",
            "txn/s",
            "transactions per second",
            "transaktionen/s",
        ),
        "transactions/s",
    ),
    **dict.fromkeys(("row/s", "rows/sec", "rows per second", "zeilen/s"), "rows/s"),
    **dict.fromkeys(("tpm", "transactions per minute", "transactions/minute"), "transactions/min"),
    **dict.fromkeys(("inserts/sec", "inserts per second"), "inserts/s"),
    **dict.fromkeys(("percent", "pct", "prozent"), "%"),
}
ROWS_PER_S: Final = "rows/s"
_KNOWN: Final = {unit.casefold(): unit for unit in known_units()}
# "12:31", "00:12:31", .NET's "1.00:12:31.1000000" with days.
_CLOCK: Final = re.compile(r"(?:(?:(\d+)[. ])?(\d+):(?=\d+:))?(\d+):([0-5]\d(?:[.,]\d+)?)")
_PARTS: Final = re.compile(
    r"(?:(\d+)\s*d(?:ays?)?,?\s*)?(?:(\d+)\s*(?:h|hrs?|hours?|std)\.?,?\s*)?"
    r"(?:(\d+)\s*(?:m|mins?|minutes?|'|′)\.?,?\s*)?(?:(\d+(?:[.,]\d+)?)\s*(?:s|secs?|seconds?|sek|''|\"|″)\.?)?",
    re.IGNORECASE,
)
_ISO: Final = re.compile(r"P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?")
_ABOUT: Final = re.compile(r"(?:~|≈|ca\.?|approx\.?|about|etwa)\s*", re.IGNORECASE)
_BOUND: Final = re.compile(r"\s*[<>≤≥]\s*=?\s*[\d.,]")
_WITH_UNIT: Final = re.compile(r"([+-]?[\d.,'\u00a0\u202f]+)\s*([kKM](?=\s|$))?\s*([A-Za-zµμ%][A-Za-zµμ%/ ]*)?")
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
    if text in known_units():
        return text
    word = text.casefold()
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


def is_bound(text: str) -> bool:
    """Tell whether a cell says only that a value is above or below a number."""
    return text[:1] in "<>≤≥" and _BOUND.match(text) is not None


def _seconds_in(text: str) -> float | None:
    """Return the seconds of days, hours, minutes and seconds, None where a text is something else."""
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
