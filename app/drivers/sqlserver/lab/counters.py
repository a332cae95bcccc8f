"""Which performance counters a statement finds at a simulated instance, by what it asks their objects to be called.

Objects begin with SQLServer at a default instance and with MSSQL$NAME at a named one, and have blanks behind them.

Source: MicrosoftDocs/sql-docs:docs/relational-databases/performance-monitor/use-sql-server-objects.md.
"""

import re
from functools import cache
from typing import Final

from app.drivers.sqlserver.catalogue import catalogue

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
