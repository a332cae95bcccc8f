"""From source on Windows the same is installed and run as by make elsewhere."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
SCRIPT = (ROOT / "replitune.ps1").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_same_locked_versions_are_installed() -> None:
    """Every file of requirements the script names is there, and is one that make installs."""
    named = [path.replace("\\", "/") for path in re.findall(r'"(packaging\\[\w.-]+\.txt)"', SCRIPT)]
    assert named == ["packaging/requirements.txt", "packaging/requirements-test.txt"]
    assert all((ROOT / path).is_file() and path in MAKEFILE for path in named)
    assert "--no-deps --require-hashes" in SCRIPT


def test_the_same_tests_are_run() -> None:
    """What make leaves out of its tests the script leaves out, too, and nothing else."""
    (ours,) = re.findall(r"-m pytest (.+) tests", SCRIPT)
    assert f"-m pytest {ours} tests" in MAKEFILE


def test_it_is_plain_to_windows_powershell() -> None:
    """Windows PowerShell 5.1 takes a file without a byte order mark for the local code page: only ASCII is safe."""
    assert SCRIPT.isascii()


def test_the_readme_names_every_way() -> None:
    """Installer, folder without administrator rights, from source; by the names under which they are built."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    built = (ROOT / ".github" / "workflows" / "bundle.yml").read_text(encoding="utf-8")
    assert "replitune-windows.zip" in readme
    assert "replitune-windows.zip" in built
    assert "-setup.exe" in readme
    assert r".\replitune.ps1 run" in readme
    assert r".\replitune.ps1 test" in readme
