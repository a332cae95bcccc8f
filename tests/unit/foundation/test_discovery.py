"""Plug-in folders are found, and an empty place is loud."""

import sys
import types
from pathlib import Path

import pytest

from app.foundation.discovery import load_subpackages
from app.systems.transactional_replication import families


def test_families_are_found() -> None:
    """Every folder below `families` is loaded, by name."""
    found = list(load_subpackages(families))
    assert found == sorted(found)
    assert set(found) == {"distribution_agent", "log_reader", "wan_delivery"}


def test_an_empty_package_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundle built without families must not start silently with none."""
    empty = types.ModuleType("empty_package")
    empty.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "empty_package", empty)
    with pytest.raises(RuntimeError, match="the program is incomplete"):
        load_subpackages(empty)
