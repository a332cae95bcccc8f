"""A plot is read, copied and saved with the mouse and with keys alone."""

from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from app.domain.plot import Mark, PlotSpec, Series
from app.ui.widgets.plot import PlotView
from app.ui.widgets.plot_canvas import PlotCanvas, frame_of
from tests.ui.conftest import Shown
from tests.ui.person import find

SPEC = PlotSpec(
    "p",
    "Run time by setting",
    "Run time of three settings.",
    "Streams",
    "Run time (s)",
    (Series("a", Mark.POINTS, (1.0, 2.0, 3.0), (10.0, 100.0, 1000.0)),),
)


@pytest.fixture
def view(shown: Shown, qtbot: QtBot) -> PlotView:
    """A plot on screen."""
    made = PlotView("plot")
    made.show_plot(SPEC)
    shown(made, 640, 360)
    qtbot.waitUntil(lambda: made.plot_item is not None)
    return made


def canvas_of(view: PlotView) -> PlotCanvas:
    """Return where it is drawn."""
    return find(view, PlotCanvas, "plot.canvas")


def choose(view: PlotView, name: str) -> None:
    """Open the menu with its key, choose an entry, and see it close."""
    canvas = canvas_of(view)
    middle = canvas.rect().center()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, canvas.mapToGlobal(middle))
    QApplication.sendEvent(canvas.viewport(), asked)
    menu = find(canvas, QMenu, "plot.canvas.menu")
    action = find(menu, QAction, f"plot.canvas.{name}_action")
    assert action.isEnabled()
    action.trigger()
    menu.close()
    QApplication.processEvents()


def test_the_mouse_reads_the_value_next_to_it(view: PlotView) -> None:
    """Near the last point its value is told in words; outside the axes nothing is."""
    canvas = canvas_of(view)
    assert view.plot_item is not None
    box = view.plot_item.vb
    at = canvas.mapFromScene(box.mapViewToScene(QPoint(3, 1000)))
    QTest.mouseMove(canvas.viewport(), at - QPoint(6, -5))
    assert canvas.cursor_words == "Streams 3 · Run time 1,000 s"
    assert canvas.accessibleDescription() == canvas.cursor_words
    canvas.grab()
    assert canvas.toolTip() == ""  # it would cover what is pointed at
    QTest.mouseMove(canvas.viewport(), QPoint(2, 2))
    assert canvas.cursor_words == ""


@pytest.mark.parametrize("width_px", [200, 500, 2_000])
def test_no_value_is_cut_off(view: PlotView, width_px: int) -> None:
    """Words too long for the width of the plot take more lines: they fit their frame, and the frame the plot."""
    metrics, room = canvas_of(view).fontMetrics(), QRectF(8, 4, width_px, 600)
    words = (
        "SubscriptionStreams 4, CommitBatchSize 1,000 · Run time of the whole backlog 1,234.5 s [1,200.1 to 1,260.9]"
    )
    frame = frame_of(words, metrics, room)
    assert frame.width() <= room.width()
    lines = -(-metrics.horizontalAdvance(words) // (width_px - 16))
    assert frame.height() >= lines * metrics.height()


@pytest.mark.parametrize("width_px", [160, 320, 640])
def test_what_is_told_of_a_value_is_painted_in_the_plot(
    view: PlotView, monkeypatch: pytest.MonkeyPatch, width_px: int
) -> None:
    """Whole and beside its value, whether that stands at the left end, in the middle or at the right end."""
    painted: list[tuple[QRectF, str]] = []
    draw = QPainter.drawText

    def watch(painter: QPainter, *told: Any) -> Any:
        if isinstance(told[0], QRectF):
            painted.append((told[0], told[-1]))
        return draw(painter, *told)

    monkeypatch.setattr(QPainter, "drawText", watch)
    view.resize(width_px, 240)
    QApplication.processEvents()
    canvas = canvas_of(view)
    canvas.setFocus()
    sight = QRectF(canvas.viewport().rect())
    for _value in range(3):
        QTest.keyClick(canvas, Qt.Key.Key_Period)
        painted.clear()
        canvas.grab()
        (box,) = (box for box, text in painted if text == canvas.cursor_words)
        assert sight.contains(box), canvas.cursor_words
        taken = canvas.fontMetrics().boundingRect(box.toAlignedRect(), Qt.TextFlag.TextWordWrap, canvas.cursor_words)
        assert taken.height() <= box.height()


def test_point_and_comma_walk_from_value_to_value(view: PlotView) -> None:
    """The ends stay where they are."""
    canvas = canvas_of(view)
    canvas.setFocus()
    read = []
    for key in (Qt.Key.Key_Period, Qt.Key.Key_Period, Qt.Key.Key_Comma, Qt.Key.Key_Comma):
        QTest.keyClick(canvas, key)
        read.append(canvas.cursor_words.split(" · ")[0])
    assert read == ["Streams 1", "Streams 2", "Streams 1", "Streams 1"]


def test_the_upright_axis_becomes_logarithmic_and_back(view: PlotView, qtbot: QtBot) -> None:
    """A decade takes the same height everywhere; the choice stays while new values come."""

    def height() -> float:
        assert view.plot_item is not None
        low, high = view.plot_item.vb.viewRange()[1]
        return float(high - low)

    choose(view, "log")
    qtbot.waitUntil(lambda: view.plot_item is not None and height() < 10)
    view.show_plot(PlotSpec("p", "", "", "", "Run time (s)", (Series("a", Mark.POINTS, (1.0, 2.0), (1.0, 9.0)),)))
    qtbot.waitUntil(lambda: view.plot_item is not None and height() < 2)
    choose(view, "log")
    qtbot.waitUntil(lambda: view.plot_item is not None and height() > 8)


def test_picture_and_values_are_copied(view: PlotView) -> None:
    """The picture by Ctrl+C, the values in sight by the menu."""
    canvas = canvas_of(view)
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().image().width() > 640
    choose(view, "copy_values")
    assert QApplication.clipboard().text().splitlines()[1] == "a\t1\t10"


@pytest.mark.parametrize("kind", ["png", "svg", "pdf", "csv"])
def test_it_is_saved_as_a_file(view: PlotView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """A picture as PNG, SVG and PDF, the values as CSV; the name proposed says what it shows."""
    proposed: list[str] = []

    def answer(_parent: object, _title: str, name: str, _kinds: str) -> tuple[str, str]:
        proposed.append(name)
        return str(tmp_path / "figure"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    choose(view, f"save_{kind}")
    assert proposed == [f"run-time-by-setting.{kind}"]
    saved = tmp_path / f"figure.{kind}"
    if kind == "png":
        assert QImage(str(saved)).width() > 640
    elif kind == "svg":
        assert "Run time by setting" in saved.read_text(encoding="utf-8")
    elif kind == "pdf":
        assert len(PdfReader(saved).pages) == 1
    else:
        assert saved.read_text(encoding="utf-8-sig").startswith("Series,Streams,Run time (s)\n")


def test_a_file_that_cannot_be_written_is_told(
    view: PlotView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """One sentence names the file and why."""
    missing = tmp_path / "nowhere" / "figure.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(missing), ""))
    choose(view, "save_csv")
    box = find(view, QMessageBox, "plot.not_saved")
    assert str(missing) in box.text()
    box.close()
    qtbot.waitUntil(lambda: not box.isVisible())
