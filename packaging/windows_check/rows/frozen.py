"""PyInstaller makes both programs, and they do what they do unfrozen."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from rows.answers import report_in
from rows.windows_drawn import picture_of
from under_wine import Windows

BUNDLE: Final = "/frozen/replitune"
GOES_IN: Final = ("app", "advisor_rules", "resources", "packaging", "LICENSE", "README.md", "CHANGELOG.md")
"""Of the checkout, into the programs; Python and its packages besides."""
NOTHING_OF: Final = frozenset({"__pycache__", "windows_check"})


def freeze(windows: Windows) -> str:
    """PyInstaller makes both programs, unless a run before made them of the same files."""
    frozen = windows.folder / "system" / "frozen"
    mark, files = frozen / "made-of", digest_of_files(windows)
    if mark.is_file() and mark.read_text(encoding="ascii") == files:
        return f"{size_mb(frozen):.0f} MB, made by a run before of the same files"
    shutil.rmtree(frozen, ignore_errors=True)
    frozen.mkdir()
    # The archive that Python for Windows comes in has no text of its licence; the other two are the same everywhere.
    environment = {**os.environ, "PYTHONPATH": str(windows.checkout)}
    for name in ("licences", "version_info", "icons"):
        program = [sys.executable, f"packaging/{name}.py"]
        subprocess.run(program, cwd=windows.checkout, env=environment, check=True)
    windows.logged(
        "freeze.log", "/python/python.exe", "-m", "PyInstaller", "--noconfirm", "--distpath", "/frozen",
        "--workpath", "/frozen/work", "packaging/replitune.spec",
    )  # fmt: skip
    mark.write_text(files, encoding="ascii")
    return f"{size_mb(frozen):.0f} MB"


def digest_of_files(windows: Windows) -> str:
    """Return what changes with each file that goes into the programs."""
    digest = hashlib.sha256("".join(path.name for path in windows.folder.glob(".python-*")).encode())
    for name in GOES_IN:
        top = windows.checkout / name
        for path in sorted(top.rglob("*")) if top.is_dir() else (top,):
            if path.is_file() and NOTHING_OF.isdisjoint(path.relative_to(windows.checkout).parts):
                digest.update(f"{path.relative_to(windows.checkout)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def size_mb(frozen: Path) -> float:
    """Return how much both programs take."""
    return sum(path.stat().st_size for path in (frozen / "replitune").rglob("*") if path.is_file()) / 1e6


def frozen_program(windows: Windows) -> str:
    """The frozen program for the console knows its version and parts, and measures on the lab."""
    program = f"{BUNDLE}/replitune.exe"
    said = windows.run(program, "--version").strip()
    families = json.loads(windows.run(program, "doctor", "--json"))["families"]
    windows.run(program, "demo", "--out", "check/frozen")
    return f"{said}, {len(families)} families, {report_in(windows.checkout / 'check' / 'frozen')}"


def frozen_window(windows: Windows) -> str:
    """The frozen program without a console says its version to nobody and shows its window."""
    windows.run(f"{BUNDLE}/replitune-window.exe", "--version")
    return picture_of(windows, "frozen-window.png", f"{BUNDLE}/replitune-window.exe")
