"""The objects named in the bodies of statements, as a file beside them lists them."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from app.drivers.sqlserver import catalogue
from app.foundation.paths import statement_folders, systems_roots

FILE: Final = "named_objects.json"
"""Holds, by statement, what its body names; a test holds it to what Microsoft's own parser reads there."""


def folders() -> tuple[Path, ...]:
    """Return the folders of statements that have such a file."""
    return _folders_below(systems_roots())


@cache
def _folders_below(roots: tuple[Path, ...]) -> tuple[Path, ...]:
    found = (Path(catalogue.__file__).parent / "statements", *statement_folders("sqlserver", roots))
    return tuple(folder for folder in found if (folder / FILE).is_file())


def named_objects() -> Mapping[str, tuple[str, ...]]:
    """Return the objects in each statement's body, such as "SELECT on dbo.orders", by statement."""
    return _read(folders())


@cache
def _read(places: tuple[Path, ...]) -> Mapping[str, tuple[str, ...]]:
    return {
        statement: tuple(named)
        for folder in places
        for statement, named in json.loads((folder / FILE).read_text(encoding="utf-8")).items()
    }
