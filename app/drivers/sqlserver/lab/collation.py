"""How a simulated server compares names, as far as the name of its collation tells it: case, the Turkish i, blanks."""

from functools import cache
from typing import Final

DEFAULT: Final = "SQL_Latin1_General_CP1_CI_AS"
_TURKISH: Final = str.maketrans({"I": "\u0131", "\u0130": "i"})


@cache
def compared(name: str, collation: str) -> str:
    """Return what is equal for two names exactly where a collation takes them for one.

    Source: MicrosoftDocs/sql-docs:docs/t-sql/statements/windows-collation-name-transact-sql.md (CS, CI, BIN).
    """
    shown = name.rstrip(" ")  # counts in no collation
    if "_CS" in collation or "_BIN" in collation:
        return shown
    if collation.startswith("Turkish"):
        return shown.translate(_TURKISH).lower()
    return shown.casefold()
