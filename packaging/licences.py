"""Collects the licences of everything the bundle holds into one text, shown in About and kept beside the program.

Run by `make package` before PyInstaller; writes resources/licences.txt.
"""

import importlib.metadata
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LICENCE_FILES = ("licen", "copying", "notice", "eula")
# Of a package under several licences each is a file of its own: LICENSE.APACHE, LICENSE.BSD.
TEXT_ENDS = ("", ".txt", ".md", ".rst", ".apache", ".bsd", ".mit", ".psf")
TEXTS = Path(__file__).resolve().parent / "licence_texts"
# Of whom the wheels name the licence and do not bring its text.
NAMED_ONLY = {
    "PySide6_Essentials": ("LGPL-3.0.txt", "GPL-3.0.txt"),  # the one adds to the other
    "shiboken6": ("LGPL-3.0.txt",),
    "certifi": ("MPL-2.0.txt",),
}
SOURCES_OF_QT = (
    "Sources of this version: https://download.qt.io/official_releases/qt/{series}/{version}/ and "
    "https://download.qt.io/official_releases/QtForPython/pyside6/PySide6-{version}-src/"
)

# What a package's own files do not say, or say only by name.
REMARKS = {
    "PySide6_Essentials": (
        "Qt and Qt for Python are used under the GNU Lesser General Public License, version 3. Their libraries lie "
        "beside the program as files of their own and may be replaced by other builds of the same version. "
        + SOURCES_OF_QT
    ),
    "mssql-python": "Holds Microsoft ODBC Driver 18 for SQL Server under Microsoft's licence terms.",
    "mssql-python-odbc": "Microsoft ODBC Driver 18 for SQL Server under Microsoft's licence terms.",
    "oracledb": "Oracle Client libraries are not part of the bundle; they are under Oracle's own terms.",
    "pyodbc": "MIT No Attribution.",
    "shiboken6": "Part of Qt for Python, under the GNU Lesser General Public License, version 3. " + SOURCES_OF_QT,
}


def required_packages() -> list[str]:
    """Return the names of the packages the program runs on, from the pinned list."""
    lines = (ROOT / "packaging" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line.split("==")[0].strip() for line in lines if "==" in line and not line.startswith("#")]


def describe(name: str) -> str:
    """Return name, version, licence and licence texts of an installed package; "" where it is not installed here."""
    try:
        package = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return ""  # of another operating system
    meta = package.metadata
    licence = meta.get("License-Expression") or meta.get("License") or ""
    classified = [c.rpartition(" :: ")[2] for c in meta.get_all("Classifier") or () if c.startswith("License ::")]
    named = licence if licence and len(licence) < 80 else ", ".join(classified)
    texts = [
        Path(str(package.locate_file(file))).read_text(encoding="utf-8", errors="replace").strip()
        for file in package.files or ()
        if any(part in file.name.lower() for part in LICENCE_FILES) and file.suffix.lower() in TEXT_ENDS
        and Path(str(package.locate_file(file))).is_file()
    ]  # fmt: skip
    texts += [(TEXTS / text).read_text(encoding="utf-8").strip() for text in NAMED_ONLY.get(name, ())]
    remark = REMARKS.get(name, "").format(version=package.version, series=package.version.rpartition(".")[0])
    parts = [f"{meta['Name']} {package.version}", named, remark, *texts]
    return "\n\n".join(part for part in parts if part)


def describe_python() -> str:
    """Return the licence of the interpreter in the bundle, with those of what it holds (OpenSSL, libffi, zlib …)."""
    text = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    licence = text if text.is_file() else Path(sys.base_prefix) / "LICENSE.txt"  # Windows
    return f"Python {sys.version.split()[0]}\n\n{licence.read_text(encoding='utf-8', errors='replace').strip()}"


def main() -> int:
    """Write the text; fails where a package tells no licence at all."""
    entries = {"Python": describe_python(), **{name: describe(name) for name in required_packages()}}
    silent = [name for name, text in entries.items() if text and "\n" not in text]
    if silent:
        sys.stderr.write(f"no licence found for {', '.join(silent)}; name it in packaging/licences.py\n")
        return 1
    fonts = (ROOT / "resources" / "fonts" / "LICENSE-OFL-1.1.txt").read_text(encoding="utf-8").strip()
    text = "\n\n".join(
        [
            "Replitune stands on these works. Each is under its own licence, given here in full where it brings it.",
            *(f"{'=' * 100}\n{entry}" for entry in entries.values() if entry),
            f"{'=' * 100}\nFonts: Inter and JetBrains Mono\n\n{fonts}",
        ]
    )
    (ROOT / "resources" / "licences.txt").write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
