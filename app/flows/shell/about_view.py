"""The program's name, version and components, for the About dialog."""

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from app.domain.view import Column, Row, TableContent, text_cell
from app.foundation.paths import resource_path
from app.foundation.texts import _


@dataclass(frozen=True)
class Part:
    """One library the program is made of, with the licence its authors give it under."""

    name: str
    version: str
    licence: str


# Distribution name, what it is called, licence (SPDX), as the packages themselves state it.
_PARTS = (
    ("PySide6-Essentials", _("Qt and PySide6"), "LGPL-3.0-only"),
    ("pyqtgraph", "pyqtgraph", "MIT"),
    ("numpy", "NumPy", "BSD-3-Clause and others"),
    ("scipy", "SciPy", "BSD-3-Clause"),
    ("pydantic", "pydantic", "MIT"),
    ("PyYAML", "PyYAML", "MIT"),
    ("rule-engine", "rule-engine", "BSD-3-Clause"),
    ("typst", "Typst (typst-py)", "Apache-2.0"),
    ("platformdirs", "platformdirs", "MIT"),
    ("rich", "rich", "MIT"),
    ("pyodbc", "pyodbc", "MIT-0"),
    ("mssql-python", "mssql-python", "MIT"),
    ("mssql-python-odbc", "Microsoft ODBC Driver 18 for SQL Server", _("Microsoft's licence terms")),
    ("azure-identity", "azure-identity", "MIT"),
    ("oracledb", "python-oracledb", "Apache-2.0 OR UPL-1.0"),
    ("cx_Oracle", _("cx_Oracle (optional)"), "BSD-3-Clause"),
    ("keyring", "keyring", "MIT"),
    ("cryptography", "cryptography", "Apache-2.0 OR BSD-3-Clause"),
    ("babel", "Babel", "BSD-3-Clause"),
)


def used_parts() -> tuple[Part, ...]:
    """Return the libraries the program is made of, with the versions installed."""
    return (*(Part(title, _installed(name), licence) for name, title, licence in _PARTS), *_fonts())


def parts_table() -> TableContent:
    """Return the libraries as a table."""
    columns = (Column("name", _("Library")), Column("version", _("Version")), Column("licence", _("Licence")))
    rows = tuple(
        Row(part.name, tuple(map(text_cell, (part.name, part.version, part.licence)))) for part in used_parts()
    )
    return TableContent(columns, rows)


def licence_texts() -> str:
    """Return the licences of everything a bundle holds, word for word; "" in a checkout, which holds no libraries."""
    try:
        return resource_path("licences.txt").read_text(encoding="utf-8")
    except OSError:
        return ""


def _fonts() -> tuple[Part, ...]:
    return (Part("Inter, JetBrains Mono", "", "OFL-1.1"),)


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # a bundle may come without the packages' metadata
        return ""
