"""Every text of the window is translated and has room for translations that are longer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from tests.ui.conftest import Shown
from tests.ui.pseudo_walk import clipped_text, forgotten

CHECKOUT = Path(__file__).parents[2]


@pytest.mark.prove
def test_every_page_and_dialog_in_the_pseudo_language(tmp_path: Path) -> None:
    """A walk through all of them, 40 % longer than English: nothing plain, nothing cut off at 1280 × 720."""
    folders = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    environment = {**os.environ, **folders, "REPLITUNE_LANGUAGE": "pseudo"}
    command = [sys.executable, "-m", "tests.ui.pseudo_walk"]
    walked = subprocess.run(command, cwd=CHECKOUT, env=environment, check=False, capture_output=True, text=True)
    assert walked.returncode == 0, walked.stdout + walked.stderr[-2_000:]
    assert int(walked.stdout.split()[0]) > 40


def test_the_walk_sees_a_plain_word_and_a_label_without_room(shown: Shown) -> None:
    """What it looks for is found: a forgotten word among accents, a text in too few pixels."""
    assert forgotten("[Štårt öf thé experiment ····]") == ["experiment"]
    assert forgotten("[Çhöšé å fîlé ····] CommitBatchSize at 3 s") == ["at"]
    holder = QWidget()
    column = QVBoxLayout(holder)
    label, box, long = QLabel("Mean commit delay"), QCheckBox("Only what differs"), QLabel("word " * 60)
    long.setWordWrap(True)
    for widget in (label, box, long):
        column.addWidget(widget)
    shown(holder, 600, 400)
    assert [clipped_text(widget) for widget in (label, box, long)] == ["", "", ""]
    label.setMaximumWidth(20)
    box.setMaximumWidth(20)
    long.setMaximumHeight(12)
    column.activate()
    assert all(clipped_text(widget) for widget in (label, box, long))
