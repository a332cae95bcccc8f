"""The whole demonstration, made once for all tests that look at what it hands over."""

import os
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from PySide6.QtCore import QLockFile

from tests.e2e.program import Ended, run_alone, write
from tests.patience import PATIENCE_MS

_NEVER_STALE: Final = 0


class Demonstration(NamedTuple):
    """What one said, as JSON and to a person, and the folder with what it handed over, which is only read."""

    ended: Ended
    folder: Path


def whole_demonstration(folders: pytest.TempPathFactory) -> Demonstration:
    """Return the demonstration of a run of tests: the process that is there first makes it, others wait for it."""
    own = folders.getbasetemp()
    place = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder, out, err = place / "demonstration", place / "demonstration.out", place / "demonstration.err"
    lock = QLockFile(str(place / "demonstration.lock"))
    lock.setStaleLockTime(_NEVER_STALE)
    assert lock.tryLock(PATIENCE_MS), lock.error()
    try:
        if not out.exists():
            ended = run_alone("demo", "--json", "--out", folder, "--journal", place / "demonstration.journal")
            assert ended.code == 0, ended
            write(err, ended.err)
            write(out, ended.out)  # last, as it says that all is there
    finally:
        lock.unlock()
    return Demonstration(Ended(0, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")), folder)
