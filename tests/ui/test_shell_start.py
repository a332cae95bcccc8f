"""Starting the program without arguments: the window, or one sentence where there is no screen."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.own_folders import own_folders
from tests.patience import PATIENCE_S

# Starts the real program and closes its window as soon as the event loop runs.
START_AND_CLOSE = """
import sys
from PySide6.QtCore import QTimer
from app.ui import app as ui
make = ui.make_application
def made(arguments):
    application = make(arguments)
    QTimer.singleShot(0, application.closeAllWindows)
    return application
ui.make_application = made
from app.__main__ import main
sys.exit(main([]))
"""


def start(environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run Python in a process of its own."""
    kept = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    kept.pop("QT_QPA_PLATFORM", None)
    return subprocess.run(
        [sys.executable, *arguments], env={**kept, **environment}, capture_output=True, text=True, timeout=PATIENCE_S
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can be without a screen")
def test_without_a_screen_one_sentence_names_the_demonstration() -> None:
    """Exit code 2, one line, no traceback."""
    ended = start({}, "-m", "app")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert "make demo" in ended.stderr


def test_the_window_opens_and_closes(tmp_path: Path) -> None:
    """The program shows its window, ends with 0 when it is closed, and says nothing on the terminal."""
    ended = start({"QT_QPA_PLATFORM": "offscreen", **own_folders(tmp_path)}, "-c", START_AND_CLOSE)
    assert ended.returncode == 0, ended.stderr
    said = [line for line in ended.stderr.splitlines() if "does not support" not in line]
    assert said == []
