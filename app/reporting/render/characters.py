"""Characters a PDF cannot carry: control characters, and those no font at hand has a picture for."""

import re
import struct
from functools import lru_cache
from pathlib import Path
from typing import Final

from app.foundation.paths import resource_path

_ALWAYS: Final = frozenset("\n\t\u00a0\u200b")
_BREAK_AFTER: Final = 28  # characters without a place to break before one is given
_BREAKABLE: Final = frozenset(" -/\u200b\n\t")
# Names of 12 characters are wider than the narrow columns: they break where a reader would.
_LONG_NAME: Final = re.compile(r"[^\s\u00a0\u200b/]{12,}")
_JOINT: Final = re.compile(r"(?<=[^\W_])(?!(?<=\d)[.:]\d)([_.:@\\]+|-(?=\d))(?=[^\W_])")  # never within a number
_REPLACEMENT: Final = "\u25a1"
_NO_XML: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def clean(text: str) -> str:
    """Return a text without control characters, lone surrogates and private-use characters (ISO 19005-3, 6.2.11.7)."""
    return "".join(c if _is_printable(c) else "\ufffd" if ord(c) > 0x7F else " " for c in text)


def office_text(text: str) -> str:
    """Return a text without the characters that a file of an office program has no place for (XML 1.0, 2.2)."""
    return _NO_XML.sub("\ufffd", clean(text))


def _is_printable(character: str) -> bool:
    code = ord(character)
    if character in _ALWAYS:
        return True
    is_control = code < 0x20 or 0x7F <= code < 0xA0 or code == 0x61C
    # joiners, line and paragraph separators, and all marks that turn text round
    is_control |= 0x200C <= code <= 0x200F or 0x2028 <= code <= 0x202E or 0x2060 <= code <= 0x206F
    is_nobody = 0xD800 <= code <= 0xF8FF or 0xFFF9 <= code <= 0xFFFB or code & 0xFFFE == 0xFFFE or code >= 0xF0000
    return not is_control and not is_nobody and code != 0xFEFF


def breakable(text: str) -> str:
    """Return a text with places to break put into words too long for a table cell: at joints of a name, or anywhere."""
    parts, since = [], 0
    for character in _LONG_NAME.sub(lambda name: _JOINT.sub("\\1\u200b", name[0]), text):
        since = 0 if character in _BREAKABLE else since + 1
        parts.append(character)
        if since >= _BREAK_AFTER:
            parts.append("\u200b")
            since = 0
    return "".join(parts)


def uncovered(text: str) -> frozenset[str]:
    """Return the characters of a text that the shipped text face lacks."""
    return frozenset(text) - _covered() - _ALWAYS


def spell_out(text: str, missing: frozenset[str]) -> str:
    """Return a text with each missing character written as its code, such as "[U+4E2D]"."""
    if not missing or missing.isdisjoint(text):
        return text
    return "".join(f"[U+{ord(c):04X}]" if c in missing else c for c in text)


def drawn_text(text: str) -> str:
    """Return a text as a figure carries it: a box for each character that the shipped text face lacks.

    A box of a figure is narrow: it would cut a code in its midst.
    """
    shown = clean(text)
    missing = uncovered(shown)
    return "".join(_REPLACEMENT if c in missing else c for c in shown)


@lru_cache(maxsize=1)
def _covered() -> frozenset[str]:
    """Return the characters both shipped faces have."""
    faces = [characters_of(resource_path("fonts", name)) for name in ("Inter-Regular.otf", "JetBrainsMono-Regular.ttf")]
    return frozenset.intersection(*faces)


def characters_of(font: Path) -> frozenset[str]:
    """Return the characters a font has, from its `cmap` (OpenType specification, formats 4 and 12)."""
    data = font.read_bytes()
    count = struct.unpack_from(">H", data, 4)[0]
    tables = {tag: start for tag, _sum, start, _len in struct.iter_unpack(">4sIII", data[12 : 12 + 16 * count])}
    base = tables[b"cmap"]
    characters: set[int] = set()
    for index in range(struct.unpack_from(">H", data, base + 2)[0]):
        offset = struct.unpack_from(">HHI", data, base + 4 + 8 * index)[2]
        characters |= _subtable(data, base + offset)
    return frozenset(chr(code) for code in characters if code < 0x110000)


def _subtable(data: bytes, at: int) -> set[int]:
    kind = struct.unpack_from(">H", data, at)[0]
    if kind == 4:
        segments = struct.unpack_from(">H", data, at + 6)[0] // 2
        ends = struct.unpack_from(f">{segments}H", data, at + 14)
        starts = struct.unpack_from(f">{segments}H", data, at + 16 + 2 * segments)
        return {code for low, high in zip(starts, ends, strict=True) if low != 0xFFFF for code in range(low, high + 1)}
    if kind == 12:
        groups = struct.unpack_from(">I", data, at + 12)[0]
        rows = (struct.unpack_from(">III", data, at + 16 + 12 * i) for i in range(groups))
        return {code for low, high, _glyph in rows for code in range(low, high + 1)}
    return set()
