"""PyInstaller makes both programs, and they do what they do unfrozen."""

import json
import os
import subprocess
import sys

from rows.answers import report_in
from rows.windows_drawn import picture_of
from under_wine import Windows


def freeze(windows: Windows) -> str:
    """PyInstaller makes both programs."""
    # The archive that Python for Windows comes in has no text of its licence.
    texts = [sys.executable, str(windows.checkout / "packaging" / "licences.py")]
    subprocess.run(texts, cwd=windows.checkout, env={**os.environ, "PYTHONPATH": str(windows.checkout)}, check=True)
    for name in ("version_info", "icons"):
        windows.python(f"packaging/{name}.py", PYTHONPATH="Z:/checkout")
    windows.python(
        "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", "--distpath", "dist",
        "--workpath", "check/pyinstaller", "packaging/replitune.spec",
    )  # fmt: skip
    bundle = windows.checkout / "dist" / "replitune"
    size_mb = sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file()) / 1e6
    return f"{size_mb:.0f} MB"


def frozen_program(windows: Windows) -> str:
    """The frozen program for the console knows its version and parts, and measures on the lab."""
    program = "/checkout/dist/replitune/replitune.exe"
    said = windows.run(program, "--version").strip()
    families = json.loads(windows.run(program, "doctor", "--json"))["families"]
    windows.run(program, "demo", "--out", "check/frozen")
    return f"{said}, {len(families)} families, {report_in(windows.checkout / 'check' / 'frozen')}"


def frozen_window(windows: Windows) -> str:
    """The frozen program without a console says its version to nobody and shows its window."""
    windows.run("/checkout/dist/replitune/replitune-window.exe", "--version")
    return picture_of(windows, "frozen-window.png", "/checkout/dist/replitune/replitune-window.exe")
