"""A headline, some badges and a button in one line, the badges below it where the window is narrow."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from app.ui.theme import GRID_PX

_HEADLINE_PX = 36 * GRID_PX  # less leaves a headline of more than two lines


class SummaryLine(QWidget):
    """Places its parts; as narrow as the widest of them can be."""

    def __init__(self, headline: QLabel, badges: Sequence[QWidget], button: QPushButton) -> None:
        super().__init__()
        self._badges = QWidget()
        row = QHBoxLayout(self._badges)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * GRID_PX)
        for badge in badges:
            row.addWidget(badge)
        self._button = button
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(2 * GRID_PX)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(headline, 0, 0)
        self._grid.addWidget(button, 0, 2, Qt.AlignmentFlag.AlignVCenter)
        self._is_narrow: bool | None = None
        self._arrange(is_narrow=False)

    def _arrange(self, *, is_narrow: bool) -> None:
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        self._grid.removeWidget(self._badges)
        if is_narrow:
            self._grid.addWidget(self._badges, 1, 0, 1, 3, Qt.AlignmentFlag.AlignLeft)
        else:
            self._grid.addWidget(self._badges, 0, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the badges beside or below the headline (Qt calls this)."""
        super().resizeEvent(event)
        beside = self._badges.sizeHint().width() + self._button.sizeHint().width() + 4 * GRID_PX + _HEADLINE_PX
        self._arrange(is_narrow=event.size().width() < beside)

    def minimumSizeHint(self) -> QSize:
        """Return the size needed with the badges below (Qt calls this)."""
        width = max(self._badges.minimumSizeHint().width(), self._button.minimumSizeHint().width() + 20 * GRID_PX)
        return QSize(width, super().minimumSizeHint().height())
