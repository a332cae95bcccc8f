"""What a newcomer copies stands where the program's own systems stand: the toy, checked as those are."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.patience import PATIENCE_S

ROOT: Final = Path(__file__).parents[2]
TOY: Final = ROOT / "tests" / "toy" / "app"
COPIED: Final = Path("app", "systems", "turnstile")
TOOLS: Final = Path(sys.executable).parent

CONTRACTS: Final = (
    "test_complexity.py",
    "test_declared_changes.py",
    "test_exclusions.py",
    "test_no_sql_outside.py",
    "test_one_clock.py",
    "test_units.py",
    "families/test_simulated.py",
    "statements/test_places.py",
    "statements/test_records.py",
)
"""What holds for every system, but what holds statements against the vendor's pages: a turnstile has none."""


def copy_to(folder: Path) -> None:
    """Put the toy's system, rules and scenario beside the program's own."""
    shutil.copytree(TOY / "systems" / "turnstile", folder / COPIED, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(TOY / "advisor_rules", folder / "advisor_rules", dirs_exist_ok=True)
    shutil.copytree(TOY / "lab", folder / "resources" / "lab", dirs_exist_ok=True)


def call(folder: Path, *command: str | Path) -> None:
    """Run a tool there, which must find nothing."""
    environment = {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE_S
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"


def test_its_style_is_that_of_the_program(tmp_path: Path) -> None:
    """Format and lint, by the rules for the program rather than those for tests."""
    (tmp_path / "app").mkdir()
    for entry in (ROOT / "app").iterdir():
        if entry.name not in ("systems", "__pycache__"):
            (tmp_path / "app" / entry.name).symlink_to(entry)
    copy_to(tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    call(tmp_path, TOOLS / "ruff", "check", "--no-cache", COPIED)
    call(tmp_path, TOOLS / "ruff", "format", "--check", "--no-cache", COPIED)


@pytest.mark.prove
def test_it_is_a_system_as_any_other(tmp_path: Path) -> None:
    """Types, layers, and what the contract tests hold every system to, where it was copied to."""
    for name in ("app", "advisor_rules", "resources", "tests", "packaging"):
        ignored = shutil.ignore_patterns("__pycache__", "toy")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("pyproject.toml", "Makefile", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    copy_to(tmp_path)
    call(tmp_path, TOOLS / "lint-imports", "--no-cache")
    call(tmp_path, sys.executable, "-m", "mypy", "app/systems/turnstile")
    contracts = [f"tests/contract/{name}" for name in CONTRACTS]
    call(tmp_path, sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "not prove", *contracts)
