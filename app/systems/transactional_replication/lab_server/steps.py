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
