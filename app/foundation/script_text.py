"""Comments of scripts for a DBA, in the syntax that T-SQL and PL/SQL share."""

import textwrap
from typing import Final

from app.foundation.terminal_text import for_terminal

RULE: Final = "-- " + "-" * 90
"""A line across."""


def comment(text: str, indent: str = "-- ") -> str:
    """Return a text as comment lines; nothing in it leaves the comment or acts, and sqlcmd sees no variable."""
    clean = for_terminal(" ".join(text.split())).replace("$(", "$ (")
    return "\n".join(textwrap.wrap(clean, width=98, initial_indent=indent, subsequent_indent="--   ")) or indent.strip()


def script_bytes(text: str, *, has_mark: bool) -> bytes:
    """Return a script's bytes: ASCII as it is, else UTF-8; made here only, so that a script is the same wherever it is.

    Args:
        has_mark: names beyond ASCII are told by a byte order mark, without which Management Studio and sqlcmd misread
            them; SQL*Plus takes it for a command it does not know.
    """
    return text.encode("utf-8-sig" if has_mark and not text.isascii() else "utf-8", "replace")
