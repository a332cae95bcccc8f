"""Every page and dialog in every look: each text has room, each key one meaning, each number one spelling."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.ui.stylesheet import stylesheet
from app.ui.tokens import CONTRAST, DARK, LIGHT
from tests.own_folders import own_folders
from tests.ui.clipping import clipped_text, painted_texts, sticking_out
from tests.ui.conftest import Shown
from tests.ui.journey import clashing_mnemonics
from tests.ui.walk import forgotten

CHECKOUT = Path(__file__).parents[2]
LEAST_PLACES = 40


def walk(home: Path, language: str, *looks: str) -> None:
    """Walk through everything in a program of its own; fails with what was found."""
    environment = {**os.environ, **own_folders(home), "REPLITUNE_LANGUAGE": language}
    command = [sys.executable, "-m", "tests.ui.walk", *looks]
    walked = subprocess.run(command, cwd=CHECKOUT, env=environment, check=False, capture_output=True, text=True)
    assert walked.returncode == 0, walked.stdout + walked.stderr[-2_000:]
    assert int(walked.stdout.split()[-6]) > LEAST_PLACES


def test_every_page_and_dialog_at_200_percent(tmp_path: Path) -> None:
    """On a laptop of 1366 × 768 pixels, where they have the least room."""
    walk(tmp_path, "en", "scale-200")


@pytest.mark.prove
@pytest.mark.dealt
@pytest.mark.parametrize(
    ("language", "looks"),
    [("en", ("light", "font-110", "scale-200")), ("de", ("light", "font-110", "scale-200")), ("pseudo", ("longer",))],
    ids=["en", "de", "pseudo"],
)
def test_every_page_and_dialog_in_every_look(tmp_path: Path, language: str, looks: tuple[str, ...]) -> None:
    """As it is, at larger text, at 200 %; in dark and high contrast everything has the same size.

    In the pseudo language, 40 % longer than English: nothing plain, nothing cut off at 1280 × 720.
    """
    walk(tmp_path, language, *looks)


def test_schemes_differ_in_colours_only() -> None:
    """What has room in one has room in all: no size, weight or distance depends on the scheme."""
    sheets = {
        re.sub(r"#[0-9A-F]{6}|-(?:light|dark)\.svg", "", stylesheet(colors)) for colors in (LIGHT, DARK, CONTRAST)
    }
    assert len(sheets) == 1


def test_the_walk_sees_a_plain_word_and_a_label_without_room(shown: Shown) -> None:
    """What it looks for is found: a forgotten word among accents, a text in too few pixels."""
    assert forgotten("[Štårt öf thé experiment ····]") == ["experiment"]
    assert forgotten("[Çhöšé å fîlé ····] CommitBatchSize at 3 s") == ["at"]
    holder = QWidget()
    column = QVBoxLayout(holder)
    label, box, long = QLabel("Mean commit delay"), QCheckBox("Only what differs"), QLabel("word " * 60)
    limits = QLabel("1 to 100,000,000")
    widgets = (label, box, long, limits)
    for widget in widgets:
        column.addWidget(widget)
    for wrapped in (long, limits):
        wrapped.setWordWrap(True)
    shown(holder, 600, 400)
    assert not any(clipped_text(widget) for widget in widgets)
    for narrow in (label, box):
        narrow.setMaximumWidth(20)
    limits.setFixedWidth(limits.fontMetrics().horizontalAdvance("100,000,000") + 2)
    long.setMaximumHeight(12)
    column.activate()
    assert all(clipped_text(widget) for widget in widgets)


class _Painted(QWidget):
    """Paints a text into a box of its width, and another where its own width leaves it none."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw them (Qt calls this)."""
        painter = QPainter(self)
        painter.drawText(QRectF(0, 0, self.width(), 40), int(Qt.AlignmentFlag.AlignLeft), "in a box")
        painter.drawText(QPointF(self.width() - 20.0, 60.0), "at a place")
        painter.end()


def test_a_text_painted_beyond_its_box_or_widget_is_seen(shown: Shown) -> None:
    """Painted texts have no widget whose size could be asked for."""
    widget = _Painted()
    shown(widget, 400, 100)
    for width_px, cut in ((400, ["at a place"]), (20, ["in a box", "at a place"])):
        widget.setFixedWidth(width_px)
        with painted_texts() as found:
            widget.grab()
        assert sorted(set(found)) == sorted(cut)


def test_a_widget_beyond_its_parent_is_seen(shown: Shown) -> None:
    """What no scroll bar leads to is told with its name."""
    holder, inner = QWidget(), QPushButton("Next")
    inner.setParent(holder)
    inner.setObjectName("inner_button")
    shown(holder, 300, 100)
    assert sticking_out(inner) == ""
    inner.move(280, 0)
    assert "inner_button" in sticking_out(inner)


def test_one_key_for_two_things_is_seen(shown: Shown) -> None:
    """A button and a field, say."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    label, field, button = QLabel("&Name"), QLineEdit(), QPushButton("&Next")
    label.setBuddy(field)
    for widget in (label, field, button):
        row.addWidget(widget)
    shown(holder, 300, 100)
    assert clashing_mnemonics(holder) == {"N": ["&Name", "&Next"]}
    button.hide()
    assert clashing_mnemonics(holder) == {}
