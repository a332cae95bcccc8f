"""Where plots are drawn, and looked at more closely: with the mouse or with keys alone."""

from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QWidget

from app.foundation.texts import _
from app.ui.theme import plot_theme

_ZOOM: Final = 0.8  # of the range shown, with each press
_STEP: Final = 0.1  # of the range shown, with each press

_ZOOMS: Final = {Qt.Key.Key_Plus: _ZOOM, Qt.Key.Key_Equal: _ZOOM, Qt.Key.Key_Minus: 1 / _ZOOM}
_MOVES: Final = {
    Qt.Key.Key_Left: (-_STEP, 0.0),
    Qt.Key.Key_Right: (_STEP, 0.0),
    Qt.Key.Key_Up: (0.0, _STEP),
    Qt.Key.Key_Down: (0.0, -_STEP),
}
_RESETS: Final = (Qt.Key.Key_0, Qt.Key.Key_Home)


class PlotCanvas(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph ships no types
    """Shows one plot, which is its central item.

    Signals:
        reset_requested: show everything again, by double click or key.
        view_moved: the person zoomed or moved with keys.
        painted: some of it was seen.
    """

    reset_requested = Signal()
    view_moved = Signal()
    painted = Signal()

    def __init__(self, name: str, accessible_name: str, parent: QWidget | None = None) -> None:
        """Make an empty canvas.

        Args:
            name: object name such as "runs.plot.canvas".
        """
        super().__init__(parent, background=plot_theme().background)
        self.setObjectName(name)
        self.setAccessibleName(accessible_name)
        self.setFrameShape(pg.GraphicsView.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def explain(self, *, has_mouse: bool) -> None:
        """Say in the tooltip which keys, and which moves of the mouse, do what."""
        text = _("Keys: + and − zoom, the arrows move, 0 shows everything again.")
        if has_mouse:
            text += "\n" + _("Mouse: the wheel zooms, dragging moves, a double click shows everything again.")
        self.setToolTip(text)
        self.setAccessibleDescription(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom, move or show everything (Qt calls this); other keys go to the page."""
        box = getattr(self.centralWidget, "vb", None)
        plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        key = Qt.Key(event.key())
        if box is None or not plain:
            event.ignore()
        elif key in _RESETS:
            self.reset_requested.emit()
        elif key in _ZOOMS:
            box.scaleBy((_ZOOMS[key], _ZOOMS[key]))
            self.view_moved.emit()
        elif key in _MOVES:
            (left, right), (bottom, top) = box.viewRange()
            across, up = _MOVES[key]
            box.translateBy(x=across * (right - left), y=up * (top - bottom))
            self.view_moved.emit()
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw, with a frame where the keyboard is here, and tell that it is seen (Qt calls this)."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 2))
            painter.drawRect(QRect(self.viewport().rect()).adjusted(1, 1, -1, -1))
            painter.end()
        self.painted.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything again (Qt calls this)."""
        super().mouseDoubleClickEvent(event)
        self.reset_requested.emit()
