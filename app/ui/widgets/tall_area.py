"""A scroll area that can be as high as all it holds, where the page around it scrolls."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from app.ui.theme import GRID_PX

_LEAST_PX = 30 * GRID_PX  # of height: on a lower screen the whole page scrolls


class TallArea(QScrollArea):
    """Scrolls its content, or is as high as all of it and leaves scrolling to the page."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what it holds takes the keyboard
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._is_whole = False
        self.setMinimumHeight(_LEAST_PX)

    def show_whole(self, *, whole: bool) -> None:
        """Be as high as the whole content, or scroll it."""
        self._is_whole = whole
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if whole else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)
        vertical = QSizePolicy.Policy.Fixed if whole else QSizePolicy.Policy.Expanding
        self.setSizePolicy(QSizePolicy.Policy.Expanding, vertical)
        self.fit()

    def fit(self) -> None:
        """Take the height that is needed now."""
        held = self.widget()
        layout = None if held is None else held.layout()
        if not self._is_whole or layout is None:
            self.setMinimumHeight(_LEAST_PX)
            return
        width_px = self.viewport().width()
        tall_px = layout.totalMinimumHeightForWidth(width_px) if layout.hasHeightForWidth() else 0
        self.setMinimumHeight(max(tall_px, layout.totalMinimumSize().height(), _LEAST_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit to the new width (Qt calls this)."""
        super().resizeEvent(event)
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit to its content when that is laid out anew (Qt calls this)."""
        done = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return done
