"""Job steps as the lab keeps them, edited with the same rules as the statements' T-SQL."""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class FoundToken:
    """Where a parameter stands in a step: its value and the spans of value and of the whole token."""

    value: str
    value_span: tuple[int, int]
    token_span: tuple[int, int]


@lru_cache(maxsize=1_024)
def find_tokens(command: str, parameter: str) -> tuple[FoundToken, ...]:
    """Return every place a parameter stands at, in order."""
    pattern = re.compile(rf"(?:(?<=\s)|\A){re.escape(parameter)}[\t\r\n ]+(?P<value>[^\t\r\n ]*)", re.IGNORECASE)
    return tuple(
        FoundToken(
            value=match["value"],
            value_span=match.span("value"),
            token_span=(max(0, match.start() - 1), match.end()),
        )
        for match in pattern.finditer(command)
    )


def masked(command: str, parameter: str) -> str:
    """Return the step without the first place of a parameter."""
    tokens = find_tokens(command, parameter)
    if not tokens:
        return command
    start, end = tokens[0].token_span
    return command[:start] + command[end:]


def masked_hash(command: str, parameter: str) -> str:
    """Return SHA2_256 of the masked step as HASHBYTES computes it: over UTF-16, in upper-case hexadecimal."""
    return hashlib.sha256(masked(command, parameter).encode("utf-16-le")).hexdigest().upper()


def with_token(command: str, parameter: str, value: str) -> str:
    """Return the step with the parameter added, replaced, or removed (`value` "")."""
    tokens = find_tokens(command, parameter)
    if not value:
        return masked(command, parameter)
    if not tokens:
        return f"{command} {parameter} {value}"
    start, end = tokens[0].value_span
    return command[:start] + value + command[end:]


@dataclass(frozen=True)
class Switch:
    """A switch of a step with the value behind it, "" for none."""

    name: str
    value: str
    is_quoted: bool


_TOKEN = re.compile(
    r"\[(?P<bracketed>.*?)\](?=\s|\Z)|\"(?P<quoted>.*?)\"(?=\s|\Z)|'(?P<single>.*?)'(?=\s|\Z)|(?P<bare>\S+)", re.DOTALL
)


_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"


@lru_cache(maxsize=1_024)
def switches_of(command: str, known: frozenset[str] = frozenset()) -> tuple[Switch, ...]:
    """Return the switches of a step in their order, as `job_step_tokens` takes it apart.

    Args:
        known: names in small letters with their dash; one of them behind a slash is a switch, too.
    """
    tokens = [
        (next(text for text in match.groups() if text is not None), match["bare"] is None)
        for match in _TOKEN.finditer(command)
    ]
    found = []
    for place, (token, is_quoted) in enumerate(tokens):
        if _is_name(token, known, is_quoted=is_quoted):
            value, quoted = tokens[place + 1] if place + 1 < len(tokens) else ("", False)
            has_value = not _is_name(value, known, is_quoted=quoted)
            found.append(Switch(token, value if has_value else "", has_value and quoted))
    return tuple(found)


def _is_name(token: str, known: frozenset[str], *, is_quoted: bool) -> bool:
    if is_quoted:
        return False
    is_slashed = token.startswith("/") and f"-{token[1:].lower()}" in known
    return is_slashed or re.match(rf"[-{_DASHES}][A-Za-z]", token) is not None
