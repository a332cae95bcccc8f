"""What the first page does not need is not loaded before it is painted."""

import subprocess
import sys
from functools import cache
from typing import Final

import pytest

FIRST: Final = "import sys, app.ui.app, app.ui.main_window; print(*sys.modules)"
AHEAD: Final = (
    "import sys; from app.bootstrap import build_program; from app.flows.shell.start_view import load_ahead; "
    "load_ahead(build_program()); print(*sys.modules)"
)


@pytest.mark.parametrize("heavy", ["scipy", "numpy", "pyqtgraph", "rule_engine", "typst", "app.advice"])
def test_the_window_loads_nothing_heavy_before_its_first_page(heavy: str) -> None:
    """Analysis, rules, plots and reports come once a page asks for them; they take as long as all the rest."""
    assert heavy not in _loaded(FIRST)


@pytest.mark.parametrize("heavy", ["scipy.special", "numpy", "rule_engine"])
def test_what_stops_the_window_while_it_is_loaded_is_loaded_ahead(heavy: str) -> None:
    """A library loaded in the middle of a run lets no thread go on meanwhile, the window's neither."""
    assert heavy in _loaded(AHEAD)


@cache
def _loaded(code: str) -> list[str]:
    """Return the modules that are loaded once a process of its own has run this."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()
