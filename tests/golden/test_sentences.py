"""Lines of text that a look prints begin as sentences do; rows of tables and names of servers are none."""

import re
from pathlib import Path

import pytest

_LOOKS = sorted(Path(__file__).parent.rglob("*-observe.txt"))
_SMALL = re.compile(r"(?!the connection to )[a-z]+(?: |, |: )")  # a message of a driver, which may begin with a name


@pytest.mark.parametrize("path", _LOOKS, ids=lambda path: path.stem)
def test_no_line_of_text_begins_with_a_small_letter(path: Path) -> None:
    """What stands in a cell of a table has two spaces beside it."""
    lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
    assert not [line for line in lines if _SMALL.match(line) and "  " not in line]
