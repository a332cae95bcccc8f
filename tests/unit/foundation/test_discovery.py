"""Plug-in folders are found, and an empty place is loud."""

import sys
import types
from pathlib import Path

import pytest

from app import experiments
from app.foundation.discovery import load_subpackages


def test_families_are_found() -> None:
    """Every folder below `experiments` is loaded, by name."""
    found = list(load_subpackages(experiments))
    assert found == sorted(found)
    assert {"commit_mode", "log_reader", "streams_apply"} < set(found)


def test_an_empty_package_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundle built without families must not start silently with none."""
    empty = types.ModuleType("empty_package")
    empty.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "empty_package", empty)
    with pytest.raises(RuntimeError, match="the program is incomplete"):
        load_subpackages(empty)
