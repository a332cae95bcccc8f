"""A second parser of Oracle's SQL and PL/SQL beside sqlglot: the Oracle dialect of sqlfluff, a grammar of its own."""

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

MISSING: Final = (
    "sqlfluff is not installed here, so no text for Oracle was read by a second parser: install "
    "packaging/requirements-test.txt"
)

KNOWN_GAPS: Final[dict[str, tuple[re.Pattern[str], str]]] = {
    "an argument called force": (re.compile(r"\bforce(?= => )"), "by_force"),
    "ALTER SYSTEM SET": (re.compile(r"\bALTER SYSTEM (SET \w+ = \S+)[^;]*"), r"ALTER SESSION \1"),
}
"""What that grammar lacks, and what is read in its place, which it knows."""


def is_there() -> bool:
    """Tell whether the parser is installed."""
    return find_spec("sqlfluff") is not None


@cache
def _linter() -> Any:
    core = import_module("sqlfluff.core")
    return core.Linter(config=core.FluffConfig(overrides={"dialect": "oracle"}))


def problems_of(text: str) -> list[str]:
    """Return what the parser says against a text as it stands."""
    return [f"line {one.line_no}: {one.desc()}" for one in _linter().parse_string(f"{text}\n").violations]


def without_gaps(text: str) -> tuple[str, frozenset[str]]:
    """Return a text with what the grammar lacks replaced, and the names of the gaps it had."""
    met = set()
    for name, (pattern, instead) in KNOWN_GAPS.items():
        text, count = pattern.subn(instead, text)
        if count:
            met.add(name)
    return text, frozenset(met)
