"""The pseudo language: English in accents and brackets, 40 % longer; shows texts untranslated or cut off."""

import re
from typing import Final

_ACCENTS: Final = str.maketrans("aeiouyncszAEIOUYNCSZ", "åéîöûýñçšžÅÉÎÖÛÝÑÇŠŽ")

# What stays as it is: placeholders, mnemonics, tags and entities, and code in backticks.
_KEPT: Final = re.compile(r"\{\{|\}\}|\{[^{}]*\}|&\w|<[^<>]*>|&\w+;|`[^`]*`")


def pseudo(text: str) -> str:
    """Return a text in the pseudo language; its placeholders stay."""
    if not text.strip():
        return text
    parts: list[str] = []
    end = 0
    for kept in _KEPT.finditer(text):
        parts += [text[end : kept.start()].translate(_ACCENTS), kept.group()]
        end = kept.end()
    parts.append(text[end:].translate(_ACCENTS))
    longer = "·" * max(1, round(0.4 * len(text) - 2))
    # a long filler must break where words break
    filler = " ".join(longer[i : i + 8] for i in range(0, len(longer), 8))
    return f"[{''.join(parts)} {filler}]"
