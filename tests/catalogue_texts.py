"""The texts of the program as its catalogues must hold them, collected once in a run of tests."""

import importlib.util
from types import ModuleType
from typing import Any, Final

import pytest

from app.foundation.paths import program_root
from tests.made_once import folder_of_all, made_once


def _load() -> ModuleType:
    """Return `packaging/texts.py`, which is a program and no part of a package."""
    spec = importlib.util.spec_from_file_location("texts_program", program_root() / "packaging" / "texts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TEXTS: Final[Any] = _load()


def all_texts(folders: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return every text of the program and its files, with the places it stands at."""
    return made_once(folder_of_all(folders), "texts", lambda _folder: TEXTS.all_texts())
