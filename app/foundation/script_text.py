"""Comments of scripts for a DBA, in what T-SQL and PL/SQL have in common."""

import textwrap
from typing import Final

RULE: Final = "-- " + "-" * 90
"""A line across."""


def comment(text: str, indent: str = "-- ") -> str:
    """Return a text as comment lines; line ends in it cannot leave the comment, and sqlcmd sees no variable."""
    clean = " ".join(text.split()).replace("$(", "$ (")
    return "\n".join(textwrap.wrap(clean, width=98, initial_indent=indent, subsequent_indent="--   ")) or indent.strip()
