"""An exclusion from lint or types has its reason on the same line."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXCLUSION = re.compile(r"#\s*(type:\s*ignore|noqa|mypy:|ruff:|flake8:)")
WITH_REASON = re.compile(r"#\s*(type:\s*ignore\[[\w, -]+\]|noqa: [A-Z]+\d+(, ?[A-Z]+\d+)*)\s+(#|-) \S")


def unexplained(content: str) -> Iterator[str]:
    """Return each comment that excludes something and does not say why."""
    if not EXCLUSION.search(content):
        return  # no comment can
    for token in tokenize.generate_tokens(io.StringIO(content).readline):
        if token.type == tokenize.COMMENT and EXCLUSION.search(token.string) and not WITH_REASON.search(token.string):
            yield f"line {token.start[0]}: {token.string}"


@pytest.mark.parametrize("folder", ["app", "tests", "packaging"])
def test_every_exclusion_has_a_reason(folder: str) -> None:
    """No line of the program, its tests or its build leaves a rule out without saying why."""
    found = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        lines = list(unexplained(path.read_text(encoding="utf-8")))
        if lines:
            found[name] = lines
    assert found == {}


@pytest.mark.parametrize(
    ("line", "is_explained"),
    [
        ("x = f()  # type: ignore[misc]\n", False),
        ("x = f()  # type: ignore[misc]  # its stub is wrong\n", True),
        ("x = f()  # type: ignore\n", False),
        ("import x  # noqa: E402, F401\n", False),
        ("import x  # noqa: E402 - after the path is set\n", True),
        ("import x  # noqa\n", False),
        ("# mypy: ignore-errors\n", False),
        ('x = "# noqa"\n', True),
    ],
)
def test_what_counts_as_a_reason(line: str, is_explained: bool) -> None:
    """A reason follows the exclusion behind another sign; texts are no comments."""
    assert (list(unexplained(line)) == []) is is_explained
