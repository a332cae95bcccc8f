"""Where the keyboard is, visible on every widget: most styles show it on few, and not at all on the others."""

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QApplication, QFocusFrame, QLineEdit, QWidget
from shiboken6 import isValid

_WIDTH_PX = 2


class FocusRing(QObject):
    """Draws a frame around the widget that has the keyboard, unless the mouse gave it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._frame: _Frame | None = None
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        by_mouse = QGuiApplication.mouseButtons() is not Qt.MouseButton.NoButton
        # a field shows a frame and its cursor itself
        inside = now is not None and now.parentWidget() is not None and not isinstance(now, QLineEdit) and not by_mouse
        if self._frame is not None and not isValid(self._frame):
            self._frame = None  # it went with the dialog it stood in
        if now is not None and inside:
            self._frame = self._frame or _Frame(now.parentWidget())
            self._frame.setWidget(now)
        elif self._frame is not None:
            self._frame.setWidget(None)  # type: ignore[arg-type]  # Qt takes none, its types do not


class _Frame(QFocusFrame):
    """Follows the widget wherever it goes; drawn here, since Fusion draws none."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the frame (Qt calls this)."""
        painter = QPainter(self)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), _WIDTH_PX))
        inset = _WIDTH_PX // 2
        painter.drawRect(self.rect().adjusted(inset, inset, -inset, -inset))
        painter.end()
