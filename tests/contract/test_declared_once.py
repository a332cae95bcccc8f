"""What is known of a system is said once: how many files one reading is named in, and what a system costs at least.

The numbers are the most there may be; whoever brings one down lowers it here.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOY_LINES = 300


@pytest.mark.parametrize(("reading", "most"), [("redo_?queue|redo queue", 8), ("subscription_?streams", 9)])
def test_one_reading_or_parameter_is_named_in_few_files(reading: str, most: int) -> None:
    """Code and statements; rules and help speak of it as often as they need."""
    words = re.compile(reading, re.IGNORECASE)
    files = [path for kind in ("*.py", "*.sql") for path in (ROOT / "app").rglob(kind)]
    named = sorted(path.relative_to(ROOT).as_posix() for path in files if words.search(path.read_text("utf-8")))
    assert len(named) <= most, "\n".join(named)


def test_the_toy_is_small() -> None:
    """The smallest system there can be: two settings, from discovery to the report."""
    lines = sum(path.read_text("utf-8").count("\n") for path in (ROOT / "tests" / "toy").rglob("*.py"))
    assert lines <= TOY_LINES
