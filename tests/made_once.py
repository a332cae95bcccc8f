"""What is made once in a run of tests: all its processes, and those they start, only read it."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import pytest
from PySide6.QtCore import QLockFile

from tests.patience import PATIENCE_MS

T = TypeVar("T")

_NEVER_STALE: Final = 0


def folder_of_all(folders: pytest.TempPathFactory) -> Path:
    """Return the folder that all processes of a run of tests have in common."""
    own = folders.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def made_once(place: Path, name: str, make: Callable[[Path], T]) -> T:
    """Return what the process that is there first makes, in a folder of that name; others wait for it.

    Args:
        make: returns something that can be pickled.
    """
    folder, told = place / name, place / f"{name}.made"
    lock = QLockFile(str(place / f"{name}.lock"))
    lock.setStaleLockTime(_NEVER_STALE)
    assert lock.tryLock(PATIENCE_MS), lock.error()
    try:
        if not told.exists():
            folder.mkdir(exist_ok=True)
            made = pickle.dumps(make(folder))
            told.write_bytes(made)
    finally:
        lock.unlock()
    return pickle.loads(told.read_bytes())  # type: ignore[no-any-return]  # what `make` returned
