"""Statements of the catalogue found again in a batch, word by word, whatever its line ends and comments are."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.lab.script.tokens import ScriptError, tokens_of
from app.lab.words import Kind, Token

_QUIET: Final = ("SET", "NOCOUNT", "ON", ";")


def known_statement(tokens: Sequence[Token], at: int) -> tuple[Statement, int] | None:
    """Return the statement of the catalogue that stands at a place, the longest, and where it ends; None for none."""
    end, last = at, len(tokens) - 1
    while end < last and len(tokens[at:end]) < _KEY_WORDS:
        end += 1
    for body, statement in _bodies().get(tuple(token.same for token in tokens[at:end]), ()):
        length = len(body)
        if tuple(token.same for token in tokens[at : at + length]) == body:
            return statement, at + length
    return None


_KEY_WORDS: Final = 4


@cache
def _bodies() -> Mapping[tuple[str, ...], Sequence[tuple[tuple[str, ...], Statement]]]:
    """Return the words of each body by the first few of them, the longest first."""
    found: dict[tuple[str, ...], list[tuple[tuple[str, ...], Statement]]] = {}
    for statement in catalogue().values():
        try:
            words = tuple(token.same for token in tokens_of(statement.body) if token.kind is not Kind.END)
        except ScriptError:
            continue  # it has words that no script holds
        words = words[len(_QUIET) :] if words[: len(_QUIET)] == _QUIET else words
        found.setdefault(words[:_KEY_WORDS], []).append((words, statement))
    return {start: sorted(bodies, key=lambda one: -len(one[0])) for start, bodies in found.items()}
