"""What is left in free texts that may name somebody: found to be decided by a person, never replaced unasked."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

# Addresses, logins and computers are told by their form alone.
_FORMS: Final = re.compile(
    r"""
      [\w.+-]+@[\w.-]+\w                              # anna@contoso.com
    | \\\\[\w.$-]+(?:\\[\w.$ -]*\w)?                  # \\server\share
    | \b[\w-]+\\[\w.$-]*\w                           # DOMAIN\anna, server\instance
    | \b\d{1,3}(?:\.\d{1,3}){3}\b                     # 10.0.0.7
    | (?<![\w:])(?:(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{1,4}|[0-9a-fA-F:]*::[0-9a-fA-F:]*[0-9a-fA-F])(?![\w:])
    | \b(?:[A-Za-z][\w-]*\.)+[A-Za-z]{2,}\b           # db1.contoso.com, anna.schmidt
    | \+?\d[\d()/ -]{6,}\d                            # a telephone
    | \b\w+_\w+\b                                     # svc_replication
    | \b(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[A-Za-z][\w-]{3,}\b  # SQLPRD01
    """,
    re.VERBOSE,
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def doubtful_words(texts: Iterable[str], ordinary: Collection[str]) -> tuple[str, ...]:
    """Return the words of some texts that look like names, addresses or logins, each once, in their order.

    Args:
        ordinary: words in lower case that name nobody, such as those of the program's own texts.
    """
    return tuple(dict.fromkeys(word for text in texts for word in _doubtful(text, ordinary)))


def _doubtful(text: str, ordinary: Collection[str]) -> Iterator[str]:
    rest = text
    for match in _FORMS.finditer(text):
        if match.group().casefold() not in ordinary:
            yield match.group().strip()
        rest = rest[: match.start()] + " " * len(match.group()) + rest[match.end() :]
    for match in _WORD.finditer(rest):
        word = match.group()
        if word[0].isupper() and len(word) > 1 and word.casefold() not in ordinary:
            yield word


def words_of(text: str) -> set[str]:
    """Return the words of a text in lower case."""
    return {match.group().casefold() for match in _WORD.finditer(text)}
