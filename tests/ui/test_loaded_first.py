"""What the first page does not need is not loaded before it is painted."""

import subprocess
import sys
from typing import Final

import pytest

FIRST: Final = "import sys, app.ui.app, app.ui.main_window; print(*sys.modules)"


@pytest.mark.parametrize("heavy", ["scipy", "numpy", "pyqtgraph", "rule_engine", "typst", "app.advice"])
def test_the_window_loads_nothing_heavy_before_its_first_page(heavy: str) -> None:
    """Analysis, rules, plots and reports come once a page asks for them; they take as long as all the rest."""
    loaded = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=True)
    assert heavy not in loaded.stdout.split()
