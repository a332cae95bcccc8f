"""What several tests look at and only read, made once in a run of tests: its processes share it."""

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


def made_once(folders: pytest.TempPathFactory, name: str, make: Callable[[Path], T]) -> T:
    """Return what the process that is there first makes in a folder of that name; others wait for it.

    Args:
        make: returns something that can be pickled.
    """
    own = folders.getbasetemp()
    place = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
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
