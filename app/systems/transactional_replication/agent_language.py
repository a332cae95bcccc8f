"""The language in which an agent writes its messages, and what it says of giving up its streams.

Source: Microsoft KB953199 ("reset to single connection mode"). Nothing else tells of it: neither status nor totals do.
"""

from collections.abc import Sequence
from typing import Final

from app.systems.transactional_replication.readings import AgentReading

FALLBACK_TEXT: Final = "single connection mode"
# Parts of its usual messages where it speaks English: one of them is in every session.
_ENGLISH: Final = ("starting agent", "initializing", "were delivered", "no replicated transactions", "the process ")


def speaks_english(rows: Sequence[AgentReading]) -> bool | None:
    """Tell whether an agent writes its messages in English, None where it wrote none."""
    said = _said(rows)
    return any(part in text for text in said for part in _ENGLISH) if said else None


def fell_back(rows: Sequence[AgentReading]) -> bool | None:
    """Tell whether an agent gave up its streams, None where it speaks a language in which the words are not known."""
    if any(FALLBACK_TEXT in text for text in _said(rows)):
        return True
    return None if speaks_english(rows) is False else False


def _said(rows: Sequence[AgentReading]) -> list[str]:
    return [row.comment.casefold() for row in rows if row.comment.strip()]
