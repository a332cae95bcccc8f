r"""A command of another tool as it was copied from a terminal or a script; pure.

Words are parted as at a prompt: at blanks that stand in no quotes. A backslash is part of a name, as in `host\SALES`.
"""

import re
from dataclasses import dataclass
from typing import Final

# What stands before a copied command: `$ `, `> `, `C:\> `, `PS C:\> `, `SQL> `, a call operator.
_PROMPT: Final = re.compile(r"\s*(?:(?:PS )?[A-Za-z]:[^>]*>|[\w@~:.-]{0,60}[$#>])?\s*(?:&\s*)?")
_WORD: Final = re.compile(r"""(?:"[^"]*"|'[^']*'|\S)+""")
_FOLDER: Final = re.compile(r".*[\\/]", re.DOTALL)


@dataclass(frozen=True)
class Command:
    """A program without folder and ending, in small letters, and its words without quotes; they may be passwords."""

    program: str
    words: tuple[str, ...]


def command_in(text: str) -> Command | None:
    """Return the command in a text, None where it is empty."""
    prompt = _PROMPT.match(text)
    found = [_unquoted(word) for word in _WORD.findall(text[prompt.end() if prompt else 0 :])]
    if not found:
        return None
    return Command(_FOLDER.sub("", found[0]).lower().removesuffix(".exe"), tuple(found[1:]))


def _unquoted(word: str) -> str:
    return re.sub(r""""([^"]*)"|'([^']*)'""", lambda match: match[1] or match[2] or "", word)
