"""Performance counters of a simulated instance: which of them a statement finds, and what one of a rate shows.

Objects begin with SQLServer at a default instance and with MSSQL$NAME at a named one, and have blanks behind them.

Source: MicrosoftDocs/sql-docs:docs/relational-databases/performance-monitor/use-sql-server-objects.md.
"""

import re
from enum import StrEnum
from functools import cache
from typing import Final

from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.counters import RAW, TOTAL

_ASKED: Final = re.compile(r"object_name\s*(?P<operator>LIKE|=)\s*N'(?P<called>[^']+)'")
_WIDTH: Final = 128


@cache
def finds_counters(statement: str, objects: str) -> bool:
    """Tell whether a statement of the catalogue finds all counters it asks for where their objects begin so."""
    return all(_is_found(asked, objects) for asked in _ASKED.finditer(catalogue()[statement].body))


def _is_found(asked: re.Match[str], objects: str) -> bool:
    called = asked["called"]
    name = f"{objects}:{called.rpartition(':')[2].rstrip('%')}"
    if asked["operator"] == "=":
        return called.rstrip() == name  # blanks at the end do not count
    parts = {"%": ".*", "_": "."}
    pattern = "".join(parts.get(letter, re.escape(letter)) for letter in called)
    return re.fullmatch(pattern, name.ljust(_WIDTH), re.DOTALL) is not None


class Shown(StrEnum):
    """What a counter whose name ends with /sec shows: a total, as most of its kind, or something to be wary of."""

    TOTAL = "total"
    RATE = "rate"
    STILL = "still"
    BACKWARDS = "backwards"
    HALF = "half"
    ABSENT = "absent"


_BEGINS_ANEW_AT: Final = 20_000


def shown(how: Shown, total: int, elapsed_s: float) -> tuple[int | None, int | None]:
    """Return value and type of such a counter, None where the instance has none.

    Args:
        total: what it counts, since so many seconds.
    """
    values = {
        Shown.TOTAL: total,
        Shown.RATE: round(total / elapsed_s) if elapsed_s > 0 else 0,
        Shown.STILL: 0,
        Shown.BACKWARDS: total % _BEGINS_ANEW_AT,
        Shown.HALF: total // 2,
    }
    return (None, None) if how is Shown.ABSENT else (values[how], RAW if how is Shown.RATE else TOTAL)
