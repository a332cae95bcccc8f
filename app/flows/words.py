"""Small rules of writing that several pages share."""

import re
from collections.abc import Sequence
from typing import Final

from app.domain.setting import value_text
from app.foundation.durations import duration_text
from app.foundation.texts import _

# An address, a target or a name with a sign in its midst is written as it is.
_NAME: Final = re.compile(r"\S*\w(?:://|[@\\._:])\w")


def counted(count: int, one: str, many: str) -> str:
    """Return a number with its noun.

    Args:
        one: the whole text for 1.
        many: the text for any other number, with `{count}`.
    """
    return one if count == 1 else many.format(count=value_text(count))


def ended(text: str) -> str:
    """Return a text with a full stop at its end, "" for an empty one."""
    trimmed = text.strip()
    return trimmed if not trimmed or trimmed.endswith((".", "!", "?", "…")) else f"{trimmed}."


def sentence(text: str) -> str:
    """Return a text as a sentence: a capital at its start, unless it begins with an address, and a full stop."""
    whole = ended(text)
    return whole if _NAME.match(whole) else whole[:1].upper() + whole[1:]


def named_sentence(name: str, text: str) -> str:
    """Return a text as a sentence that begins with whom it is about, where it does not name them itself."""
    return sentence(text if name in text else f"{name}: {text}")


def time_text(duration_s: float) -> str:
    """Return a rough duration, seconds, in words that stay in one line."""
    return duration_text(duration_s).replace(" ", "\u00a0")


def time_up_to(duration_s: float, longest_s: float) -> str:
    """Return how long something takes, seconds, and how long at most where that is longer, in words of one line."""
    usual, longest = time_text(duration_s), time_text(longest_s)
    return usual if usual == longest else _("{time}, at most {longest}").format(time=usual, longest=longest)


def listed(parts: Sequence[str]) -> str:
    """Return parts as a sentence lists them."""
    if len(parts) < 2:
        return "".join(parts)
    return _("{first} and {last}").format(first=", ".join(parts[:-1]), last=parts[-1])
