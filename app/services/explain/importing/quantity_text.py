"""Quantities as people and tools write them into one cell: a number with its unit, hours, minutes and seconds."""

import re
from typing import Final, NamedTuple

from app.domain.units import known_units
from app.services.explain.importing.number_text import NumberStyle

# What tools and people write for units; compared without case. `MB/sec` is one of them, `Mb/s` is none.
_CALLED: Final = {
    **dict.fromkeys(("second", "seconds", "sec", "secs"), "s"),
    **dict.fromkeys(("minute", "minutes", "mins", "m"), "min"),
    **dict.fromkeys(("hour", "hours", "hr", "hrs"), "h"),
    **dict.fromkeys(("millisecond", "milliseconds", "msec", "msecs"), "ms"),
    **dict.fromkeys(("microsecond", "microseconds", "usec", "µs"), "us"),
    **dict.fromkeys(("mb/sec", "mbytes/s", "mb per second"), "MB/s"),
    **dict.fromkeys(("cmds/sec", "cmds/s", "cmd/s", "commands/sec", "commands per second"), "commands/s"),
    **dict.fromkeys(("tps", "transactions/sec", "trans/s", "transactions per second"), "transactions/s"),
    **dict.fromkeys(("row/s", "rows/sec", "rows per second"), "rows/s"),
    **dict.fromkeys(("inserts/sec", "inserts per second"), "inserts/s"),
    **dict.fromkeys(("percent", "pct", "prozent"), "%"),
}
_KNOWN: Final = {unit.casefold(): unit for unit in known_units()}
# "00:12:31" and .NET's "00:12:31.1000000"; "12:31" may be minutes or hours, and is left to be refused.
_CLOCK: Final = re.compile(r"(\d+):([0-5]\d):([0-5]\d(?:[.,]\d+)?)")
_PARTS: Final = re.compile(r"(?:(\d+)\s*h\s*)?(?:(\d+)\s*m(?:in)?\s*)?(?:(\d+(?:[.,]\d+)?)\s*s)?", re.IGNORECASE)
_WITH_UNIT: Final = re.compile(r"([+-]?[\d.,'\u00a0\u202f]+)\s*([kM](?=\s|$))?\s*([A-Za-zµ%][A-Za-zµ%/ ]*)?")
_SIZE: Final = re.compile(r"([\d.,]+)\s*([A-Za-z]+)")
_TIMES: Final = {"k": 1e3, "M": 1e6}
# As vendors count a parameter in bytes, whatever a network counts.
_BYTES: Final = {
    **dict.fromkeys(("bytes", "b"), 1),
    **dict.fromkeys(("kb", "kib"), 1024),
    **dict.fromkeys(("mb", "mib"), 1024**2),
    **dict.fromkeys(("gb", "gib"), 1024**3),
}

ROWS_PER_S: Final = "rows/s"


class WrittenQuantity(NamedTuple):
    """A number and the unit written with it, "" for none; whatever unit it is, its name is one of `known_units`."""

    value: float
    unit: str


def unit_called(text: str) -> str:
    """Return the unit a word stands for, the word itself where none is known."""
    return _CALLED.get(text.casefold(), _KNOWN.get(text.casefold(), text) if text not in known_units() else text)


def quantity_in(text: str, style: NumberStyle) -> WrittenQuantity | None:
    """Return the quantity in a cell that holds more than a number, None where it cannot be told."""
    seconds = _seconds_in(text)
    if seconds is not None:
        return WrittenQuantity(seconds, "s")
    written = _WITH_UNIT.fullmatch(text)
    number = style.parse(written[1].strip()) if written else None
    if written is None or number is None:
        return None
    unit = unit_called((written[3] or "").strip())
    return WrittenQuantity(number * _TIMES.get(written[2] or "", 1.0), unit)


def _seconds_in(text: str) -> float | None:
    """Return the seconds of hours, minutes and seconds, None where a text is something else."""
    found = _CLOCK.fullmatch(text) or _PARTS.fullmatch(text)
    parts = found.groups() if found else ()
    if sum(part is not None for part in parts) < 2:
        return None
    hours, minutes, seconds = (float((part or "0").replace(",", ".")) for part in parts)
    return hours * 3600 + minutes * 60 + seconds


def bytes_in(text: str, style: NumberStyle) -> int | None:
    """Return a size as vendors count it, 4 MB for 4,194,304 bytes; None where it is none."""
    written = _SIZE.fullmatch(text)
    value = style.parse(written[1]) if written else None
    factor = _BYTES.get(written[2].casefold()) if written else None
    size = None if value is None or factor is None else value * factor
    return int(size) if size is not None and size.is_integer() else None
