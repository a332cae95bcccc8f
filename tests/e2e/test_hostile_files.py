"""Files that would take for ever, all memory or the whole stack: each is refused in one sentence where it is read.

The long proofs try many more of them at every place, in processes of their own.
"""

import os
from pathlib import Path

import pytest

from tests.e2e.program import assert_one_sentence, call
from tests.own_folders import move_data
from tests.prove.hostile_files import FILES, PLACES

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has neither devices nor pipes among its files")

HERE = ("measurements", "a plan", "a scenario", "a session to list", "a bundle", "a rule pack", "saved targets")
THESE = (
    "endless zeros",
    "a pipe nobody writes to",
    "a link to itself",
    "deep lists",
    "deep objects",
    "deep tables",
    "a key of many parts",
    "numbers too large",
    "a whole number of 20,000 digits",
    "a row at both ends of what a number can be",
)


@pytest.mark.parametrize("place", HERE)
@pytest.mark.parametrize("file", THESE)
def test_a_file_that_would_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, file: str) -> None:
    """Exit code 2, whatever reads it; nothing is kept for a server or a person to wait for."""
    move_data(monkeypatch, tmp_path / "home")
    path = tmp_path / PLACES[place].name
    path.parent.mkdir(parents=True, exist_ok=True)
    FILES[file](path)
    ended = call(*(part.format(file=path, up=path.parent, out=tmp_path) for part in PLACES[place].arguments))
    if file == "a link to itself" and place == "saved targets":
        assert ended.code in (0, 2)  # the system may call it missing
        return
    assert_one_sentence(ended)
