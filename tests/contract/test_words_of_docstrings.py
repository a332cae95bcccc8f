"""Docstrings say a thing in the field's words: how many lean on "what" instead may only fall, room by room."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

APP: Final = Path(__file__).parents[2] / "app"

# "Return what it does", "What is known of a site", "Tell what was read": a riddle where a noun would do.
LEANS: Final = re.compile(r"\bwhat (?:is|was|are|were|a|an|the|it|they)\b|^(?:[A-Z][a-z]+ )?what\b", re.IGNORECASE)

# Of any room; lower it, never raise it.
MOST: Final = 12


def first_paragraphs() -> Iterator[tuple[str, str]]:
    """Yield room and first paragraph of every docstring."""
    for path in sorted(APP.rglob("*.py")):
        parts = path.relative_to(APP).parts
        room = "/".join(parts[:2]) if parts[0] in ("systems", "drivers") and len(parts) > 2 else parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                said = ast.get_docstring(node)
                if said is not None:
                    yield room, said.split("\n\n")[0]


@pytest.fixture(scope="module")
def leaning() -> Counter[str]:
    """How many docstrings of a room lean on "what"."""
    return Counter(room for room, said in first_paragraphs() if LEANS.search(said))


def test_no_room_has_more_docstrings_that_lean_on_what(leaning: Counter[str]) -> None:
    """Hardly any room has one left; the number may only fall."""
    assert {room: count for room, count in leaning.items() if count > MOST} == {}
