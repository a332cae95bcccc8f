"""Units of measure: which every system has, and how one is converted into another.

A system brings a unit of its own by declaring a metric, a fact or a parameter in it; it is taken as it is written.
"""

from dataclasses import dataclass
from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _

# unit -> (dimension, factor to the dimension's smallest unit). SI prefixes, as network and disk vendors count: 1 KB is
# 1000 bytes. What SQL Server's views call KB, and Oracle K, M and G, are KiB, MiB and GiB (IEC 80000-13).
_UNITS: Final[dict[str, tuple[str, float]]] = {
    "us": ("time", 1.0),
    "ms": ("time", 1e3),
    "s": ("time", 1e6),
    "min": ("time", 60e6),
    "h": ("time", 3600e6),
    "d": ("time", 86400e6),
    "commands/s": ("command rate", 60.0),
    "commands/min": ("command rate", 1.0),
    "transactions/s": ("transaction rate", 60.0),
    "transactions/min": ("transaction rate", 1.0),
    "messages/min": ("message rate", 1.0),
    "inserts/s": ("insert rate", 1.0),
    "bytes": ("size", 1.0),
    "KB": ("size", 1e3),
    "MB": ("size", 1e6),
    "GB": ("size", 1e9),
    "KiB": ("size", 1_024.0),
    "MiB": ("size", 1_024.0**2),
    "GiB": ("size", 1_024.0**3),
    "KiB/s": ("data rate", 8 * 1_024.0),
    "KB/s": ("data rate", 8e3),
    "MB/s": ("data rate", 8e6),
    "GB/s": ("data rate", 8e9),
    "MB/min": ("data rate", 8e6 / 60),
    "GB/min": ("data rate", 8e9 / 60),
    "GB/h": ("data rate", 8e9 / 3600),
    "kbps": ("data rate", 1e3),
    "Mbps": ("data rate", 1e6),
    "Gbps": ("data rate", 1e9),
    "%": ("share", 1.0),
    "share": ("share", 100.0),
    "commands": ("commands", 1.0),
    "transactions": ("transactions", 1.0),
    "messages": ("messages", 1.0),
    "inserts": ("inserts", 1.0),
    "rows": ("rows", 1.0),
    "connections": ("connections", 1.0),
    "count": ("count", 1.0),
    "": ("none", 1.0),
}

_COUNTED: Final = frozenset({"commands", "transactions", "messages", "inserts", "rows", "connections"})


def known_units() -> tuple[str, ...]:
    """Return every unit that can be converted, sorted, without the empty one."""
    return tuple(sorted(unit for unit in _UNITS if unit))


def units_like(unit: str) -> tuple[str, ...]:
    """Return every unit that can be converted into a unit, itself among them; a system's own stands alone."""
    alike = _UNITS.get(unit)
    return (unit,) if alike is None else tuple(name for name, (kind, _factor) in _UNITS.items() if kind == alike[0])


def dimension_of(unit: str) -> str:
    """Return the dimension of a unit, such as "time".

    Raises:
        BadInput: the unit does not exist.
    """
    if unit not in _UNITS:
        raise BadInput(f'unit "{unit}" does not exist; known units are {", ".join(known_units())}')
    return _UNITS[unit][0]


def convert(value: float, unit: str, wanted: str) -> float:
    """Return `value` given in `unit`, expressed in the unit `wanted`.

    A unit that only a system has converts to itself.

    Raises:
        BadInput: a unit does not exist, or the two measure different things.
    """
    if unit == wanted:
        return value
    have, want = dimension_of(unit), dimension_of(wanted)
    if have != want:
        raise BadInput(
            f'"{unit}" ({have}) and "{wanted}" ({want}) cannot be compared; give both in the same kind of unit'
        )
    factor, wanted_factor = _UNITS[unit][1], _UNITS[wanted][1]
    # divided by what is a whole number, so that 57 % are 0.57 and not a last digit more
    return value * (factor / wanted_factor) if factor > wanted_factor else value / (wanted_factor / factor)


def convert_known(value: float | None, unit: str, wanted: str) -> float | None:
    """Convert a value with `convert`; None stays None."""
    return None if value is None else convert(value, unit, wanted)


@dataclass(frozen=True)
class Quantity:
    """A number with its unit."""

    value: float
    unit: str

    def to(self, unit: str) -> "Quantity":
        """Return the same quantity in another unit; raises BadInput as `convert` does."""
        return Quantity(convert(self.value, self.unit, unit), unit)


def is_counted(unit: str) -> bool:
    """Tell whether a unit is of things that are counted, not measured."""
    return unit in _COUNTED


def unit_of_one(unit: str) -> str:
    """Return the unit of a single one, to be read after "1"."""
    return unit[:-1] if unit in _COUNTED else unit


def unit_word(unit: str) -> str:
    """Return a unit as a person reads it: the words among the units are translated, the symbols are not.

    The word for a system's own unit is translated where the system marks it as a text.
    """
    words = {
        "command": _("command"),
        "commands": _("commands"),
        "commands/s": _("commands/s"),
        "commands/min": _("commands/min"),
        "transaction": _("transaction"),
        "transactions": _("transactions"),
        "transactions/s": _("transactions/s"),
        "transactions/min": _("transactions/min"),
        "message": _("message"),
        "messages": _("messages"),
        "messages/min": _("messages/min"),
        "insert": _("insert"),
        "inserts": _("inserts"),
        "inserts/s": _("inserts/s"),
        "row": _("row"),
        "rows": _("rows"),
        "connection": _("connection"),
        "connections": _("connections"),
        "bytes": _("bytes"),
        "blocks": _("blocks"),
        "pairs": _("pairs"),
        "share": _("share"),
        "entries": _("entries"),
        "preparers": _("preparers"),
        "days": _("days"),
    }
    return words.get(unit) or (_(unit) if unit else unit)
