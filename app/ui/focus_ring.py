"""Where the keyboard is, visible on every widget: most styles show it on few, and not at all on the others."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt, Slot
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QSplitter, QWidget
from shiboken6 import isValid

_WIDTH_PX = 2
_FOLLOWED = frozenset({QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show})


class FocusRing(QObject):
    """Draws a frame around the widget that has the keyboard, unless the mouse gave it.

    Not by `QFocusFrame`: PySide's books make the widget it stands around its child, and declare that deleted with it.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._frame: _Frame | None = None
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        if self._frame is not None and isValid(self._frame):  # else it went with the dialog it stood in
            self._frame.hide()
            self._frame.deleteLater()
        self._frame = None
        by_mouse = QGuiApplication.mouseButtons() is not Qt.MouseButton.NoButton
        if now is None or now.isWindow() or by_mouse:
            return
        _bring_into_sight(now)
        if not isinstance(now, QLineEdit):  # a field shows a frame and its cursor itself
            self._frame = _Frame(now)


def _bring_into_sight(widget: QWidget) -> None:
    """Scroll to a widget: Qt does where Tab leads on inside, not where it leads in from outside."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)  # places are those of the page as shown
    above = widget.parentWidget()
    while above is not None and not above.isWindow():
        if isinstance(above, QScrollArea):
            view = above.viewport()
            place = QRect(widget.mapTo(view, QPoint(0, 0)), widget.size())
            # of what is larger than the view, the part in sight is the one somebody reads
            if place.height() <= view.height() or not place.intersects(view.rect()):
                above.ensureWidgetVisible(widget, 0, 2 * _WIDTH_PX)
        above = above.parentWidget()


class _Frame(QWidget):
    """Stands around a widget, beside it, so that it is moved and hidden with whatever holds both."""

    def __init__(self, around: QWidget) -> None:
        beside = around.parentWidget()
        # a splitter would take it for one more part of its own
        self._inside = around.window() if beside is None or isinstance(beside, QSplitter) else beside
        super().__init__(self._inside)
        self._around = around
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        around.installEventFilter(self)
        self._follow()
        self.show()

    def _follow(self) -> None:
        at = self._around.mapTo(self._inside, QPoint(0, 0))
        around = QRect(at, self._around.size()).adjusted(-_WIDTH_PX, -_WIDTH_PX, _WIDTH_PX, _WIDTH_PX)
        self.setGeometry(around.intersected(self._inside.rect()))
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go where the widget goes (Qt calls this)."""
        if event.type() in _FOLLOWED:
            self._follow()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the frame (Qt calls this)."""
        painter = QPainter(self)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.WindowText), _WIDTH_PX))
        inset = _WIDTH_PX // 2
        painter.drawRect(self.rect().adjusted(inset, inset, -inset, -inset))
        painter.end()
