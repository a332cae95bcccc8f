"""The licences of everything bundled are given in full, and of Qt where its sources are."""

import importlib.util
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

_FILE = Path(__file__).resolve().parents[3] / "packaging" / "licences.py"


def _licences() -> ModuleType:
    spec = importlib.util.spec_from_file_location("licences", _FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LICENCES = _licences()
# What the text of a licence says, whichever it is: who may do what, or that nobody answers for it.
_FULL_TEXT = (
    "permission is hereby granted",
    "redistribution and use",
    "terms and conditions",
    "license terms",
    "warrant",
    "mozilla public license",
)


@pytest.mark.parametrize("name", LICENCES.required_packages())
def test_a_licence_is_given_in_full(name: str) -> None:
    """Not by its name alone."""
    text = LICENCES.describe(name)
    if not text:
        pytest.skip("of another operating system")
    assert any(words in text.lower() for words in _FULL_TEXT), text[:500]


@pytest.mark.parametrize("name", ["PySide6_Essentials", "shiboken6"])
def test_qt_comes_with_its_licence_and_the_place_of_its_sources(name: str) -> None:
    """Those of the very version that is bundled; the LGPL adds to the GPL, which stands there, too."""
    text = LICENCES.describe(name)
    assert "GNU LESSER GENERAL PUBLIC LICENSE\n                       Version 3" in text
    assert f"https://download.qt.io/official_releases/QtForPython/pyside6/PySide6-{version(name)}-src/" in text
    qt = LICENCES.describe("PySide6_Essentials")
    assert "GNU GENERAL PUBLIC LICENSE\n                       Version 3" in qt
    assert f"https://download.qt.io/official_releases/qt/6.10/{version(name)}/" in qt or "6.10" not in version(name)


def test_microsofts_driver_and_python_come_with_their_terms() -> None:
    """Of the driver, what its wheel holds; of Python, also what it holds itself."""
    assert "MICROSOFT SOFTWARE LICENSE TERMS" in LICENCES.describe("mssql-python-odbc").upper()
    assert "Apache License" in LICENCES.describe("cryptography")
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in LICENCES.describe_python()
