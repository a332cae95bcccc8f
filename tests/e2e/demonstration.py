"""The whole demonstration, made once for all tests that look at what it hands over."""

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.program import Ended, run_alone
from tests.made_once import folder_of_all, made_once


class Demonstration(NamedTuple):
    """What one said, as JSON and to a person, and the folder with what it handed over, which is only read."""

    ended: Ended
    folder: Path


def whole_demonstration(folders: pytest.TempPathFactory) -> Demonstration:
    """Return the demonstration of a run of tests."""
    return made_once(folder_of_all(folders), "demonstration", _demonstrate)


def _demonstrate(folder: Path) -> Demonstration:
    ended = run_alone("demo", "--json", "--out", folder, "--journal", folder.with_suffix(".journal"))
    assert ended.code == 0, ended
    return Demonstration(ended, folder)
