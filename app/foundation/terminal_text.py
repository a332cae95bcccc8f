"""Text for a terminal or a script, without characters that act on it or turn text round, whoever named a server so.

A terminal obeys control characters: colours, the clipboard (OSC 52), what it types back. Marks of direction show a name
as another (https://www.unicode.org/reports/tr36/, 2.1.2 and 3.6). Each is written as its code, as JSON writes it, so
that a document stays the same document.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

_ACTING: Final = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f"
    "\\ufeff\\ufff9-\\ufffb\\U000e0000-\\U000e007f]|\\r(?!\\n)"
)


def for_terminal(text: str) -> str:
    """Return a text whose control characters and invisible marks are written as codes; lines and tabulators stay."""
    return without_acting(text, _codes)


def without_acting(text: str, write: Callable[[str], str]) -> str:
    """Return a text in which each control character and invisible mark is written otherwise; line ends stay."""
    return _ACTING.sub(lambda found: write(found[0]), text)


def one_line(text: str) -> str:
    """Return a text for one line of a terminal: a line end in a name begins no line of its own."""
    return for_terminal(text).replace("\r", "\\u000d").replace("\n", "\\u000a")


def lines_of(lines: Iterable[str]) -> str:
    """Return lines as they are printed, each on one line."""
    return "".join(f"{one_line(line)}\n" for line in lines)


def utf16_units(character: str) -> tuple[str, ...]:
    """Return a character in the units of UTF-16, four hexadecimal digits each."""
    units = character.encode("utf-16-be", "surrogatepass")
    return tuple(units[place : place + 2].hex() for place in range(0, len(units), 2))


def _codes(character: str) -> str:
    return "".join(f"\\u{unit}" for unit in utf16_units(character))
