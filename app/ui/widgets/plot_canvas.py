"""Where plots are drawn, looked at more closely and taken from: with the mouse or with keys alone."""

from collections.abc import Callable
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.charts.cursor import Pointed, nearest, neighbour
from app.charts.export import Ranges
from app.domain.plot import PlotSpec
from app.flows.explain.plot_tools import reading
from app.foundation.texts import _
from app.ui.theme import GRID_PX, plot_theme
from app.ui.widgets.plot_menu import PlotMenu

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
_STEPS: Final = {Qt.Key.Key_Period: 1, Qt.Key.Key_Comma: -1}
_MARK_PX: Final = 5.0
_WRAPPED: Final = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)


class PlotCanvas(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph ships no types
    """Shows one plot, which is its central item.

    Signals:
        reset_requested: show everything again, by double click or key.
        view_moved: the person zoomed or moved with keys.
        axis_chosen: whether the upright axis is to be logarithmic.
        painted: some of it was seen.
    """

    reset_requested = Signal()
    view_moved = Signal()
    axis_chosen = Signal(bool)
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
        self._source: Callable[[], PlotSpec | None] = _nothing
        self._can_choose_axis = False
        self._pointed: Pointed | None = None
        self._words = self._explained = ""
        self._has_mouse = True
        self._menu = PlotMenu(name, self)
        self._menu.whole_requested.connect(self.reset_requested)
        self._menu.axis_chosen.connect(self.axis_chosen)

    def take_from(self, source: Callable[[], PlotSpec | None], *, can_choose_axis: bool) -> None:
        """Set the source of the plot as it is shown; asked whenever a value, a picture or a table is wanted."""
        self._source = source
        self._can_choose_axis = can_choose_axis

    @property
    def cursor_words(self) -> str:
        """The value under the cursor in words, "" where there is none."""
        return self._words

    def forget_cursor(self) -> None:
        """Show no value any more."""
        if self._pointed is not None:
            self._pointed, self._words = None, ""
            self.viewport().update()

    def explain(self, *, has_mouse: bool) -> None:
        """Tell screen readers the keys and moves of the mouse; a tooltip would cover the plot.

        Args:
            has_mouse: the wheel zooms; else it scrolls what the plot stands in.
        """
        self._has_mouse = has_mouse
        text = _("Keys: + and − zoom, the arrows move, 0 shows everything again.")
        text += "\n" + _("Point and comma go from value to value; the menu key copies and saves.")
        if has_mouse:
            text += "\n" + _("Mouse: the wheel zooms, dragging moves, a double click shows everything again.")
        self._explained = text
        self.setAccessibleDescription(text)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom, or leave the wheel to the page around the plot (Qt calls this)."""
        if self._has_mouse:
            super().wheelEvent(event)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom, move or show everything (Qt calls this); other keys go to the page."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self._note_what_is_shown()
            self._menu.copy_picture()
            return
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
        elif key in _STEPS:
            self._step(_STEPS[key])
        else:
            event.ignore()

    # The value under the cursor

    def _step(self, step: int) -> None:
        spec = self._source()
        if spec is not None:
            self._point_at(spec, neighbour(spec, self._pointed, step))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the value nearest to the mouse (Qt calls this)."""
        super().mouseMoveEvent(event)
        box, spec = getattr(self.centralWidget, "vb", None), self._source()
        if box is None or spec is None or event.buttons():
            return
        where = self.mapToScene(event.position().toPoint())
        if not box.sceneBoundingRect().contains(where):
            self.forget_cursor()
            return
        at = box.mapSceneToView(where)
        (left, right), (bottom, top) = box.viewRange()
        self._point_at(spec, nearest(spec, at.x(), at.y(), right - left, top - bottom))

    def _point_at(self, spec: PlotSpec, pointed: Pointed | None) -> None:
        if pointed == self._pointed:
            return
        self._pointed = pointed
        self._words = "" if pointed is None else reading(spec, pointed.series, pointed.place)
        self.setAccessibleDescription(self._words or self._explained)
        self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        """Show no value any more (Qt calls this)."""
        super().leaveEvent(event)
        self.forget_cursor()

    def _draw_cursor(self) -> None:
        box = getattr(self.centralWidget, "vb", None)
        if self._pointed is None or box is None:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        at = QPointF(self.mapFromScene(box.mapViewToScene(QPointF(self._pointed.x, self._pointed.y))))
        palette = self.palette()
        if box.sceneBoundingRect().contains(self.mapToScene(at.toPoint())):
            painter.setPen(QPen(palette.color(QPalette.ColorRole.Accent), 2))
            painter.drawEllipse(at, _MARK_PX, _MARK_PX)
        room = QRectF(self.viewport().rect()).adjusted(GRID_PX, GRID_PX // 2, -GRID_PX, 0)
        frame = frame_of(self._words, painter.fontMetrics(), room)
        # away from the value it tells
        frame.moveTop(room.top())
        frame.moveLeft(room.left() if at.x() > room.center().x() else room.right() - frame.width())
        painter.setPen(palette.color(QPalette.ColorRole.Mid))
        painter.setBrush(palette.color(QPalette.ColorRole.ToolTipBase))
        painter.drawRoundedRect(frame, 3, 3)
        painter.setPen(palette.color(QPalette.ColorRole.ToolTipText))
        painter.drawText(frame.adjusted(GRID_PX, 0, -GRID_PX, 0), _WRAPPED, self._words)
        painter.end()

    # The menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the plot's data and picture, by mouse or menu key (Qt calls this)."""
        spec = self._source()
        if spec is not None:
            by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
            at = self.mapToGlobal(self.rect().center()) if by_key else event.globalPos()
            self._menu.show_for(spec, self._ranges(), at, can_choose_axis=self._can_choose_axis)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Leave the right button to the menu (Qt calls this)."""
        if event.button() is Qt.MouseButton.RightButton:
            event.accept()
        else:
            super().mousePressEvent(event)

    def _note_what_is_shown(self) -> None:
        spec = self._source()
        if spec is not None:
            self._menu.remember(spec, self._ranges())

    def _ranges(self) -> Ranges | None:
        box = getattr(self.centralWidget, "vb", None)
        if box is None:
            return None
        (left, right), (bottom, top) = box.viewRange()
        return (left, right), (bottom, top)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw, with a frame where the keyboard is here, and tell that it is seen (Qt calls this)."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 2))
            painter.drawRect(QRect(self.viewport().rect()).adjusted(1, 1, -1, -1))
            painter.end()
        self._draw_cursor()
        self.painted.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything again (Qt calls this)."""
        super().mouseDoubleClickEvent(event)
        self.reset_requested.emit()


def frame_of(words: str, metrics: QFontMetrics, room: QRectF) -> QRectF:
    """Return the frame around words that are wrapped where a line does not hold them: a value is never cut off."""
    inside = room.adjusted(GRID_PX, 0, -GRID_PX, 0).toRect()
    taken = QRectF(metrics.boundingRect(inside, _WRAPPED, words))
    return QRectF(0, 0, min(taken.width() + 2 * GRID_PX, room.width()), taken.height() + GRID_PX)


def _nothing() -> None:
    """Return None, until a source is set."""
