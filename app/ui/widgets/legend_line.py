"""The legend of a low plot: outside the plot, in as few lines as it takes."""

from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.charts.legend import KEY_PX, LegendEntry, draw_key
from app.foundation.texts import _
from app.ui.theme import GRID_PX

_KEY_GAP_PX: Final = 2.0
_NAME_GAP_PX: Final = 2.0 * GRID_PX
_LINE_GAP_PX: Final = 2.0


class LegendLine(QWidget):
    """Shows keys and names, following each other as words do."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """Make an empty legend.

        Args:
            name: object name such as "plan.power_plot.legend".
        """
        super().__init__(parent)
        self.setObjectName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._entries: tuple[LegendEntry, ...] = ()
        self._metrics = QFontMetricsF(self.font())

    def show_entries(self, entries: list[LegendEntry], font: QFont) -> None:
        """Show other series, in the font of their plot; none hides it."""
        self._entries = tuple(entries)
        self.setFont(font)
        self._metrics = QFontMetricsF(font)
        self.setAccessibleName(_("Legend: {names}").format(names="; ".join(self.names)))
        self.setVisible(bool(entries))
        self.updateGeometry()
        self.update()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names in the legend."""
        return tuple(entry.label for entry in self._entries)

    def heightForWidth(self, width: int) -> int:
        """Return how high it is in a width (Qt calls this)."""
        lines = {at.y() for at in self._places(width)}
        return round(len(lines) * self._line_px)

    def hasHeightForWidth(self) -> bool:
        """Tell that names are broken into lines (Qt calls this)."""
        return True

    def sizeHint(self) -> QSize:
        """Return the size of a single line (Qt calls this)."""
        widths = [self._width_px(entry) for entry in self._entries]
        return QSize(round(sum(widths) + _NAME_GAP_PX * max(0, len(widths) - 1) + 1), round(self._line_px))

    def minimumSizeHint(self) -> QSize:
        """Return room for the longest name (Qt calls this)."""
        return QSize(round(max(map(self._width_px, self._entries), default=0.0) + 1), round(self._line_px))

    @property
    def _line_px(self) -> float:
        return max(self._metrics.lineSpacing(), KEY_PX * 0.8) + _LINE_GAP_PX

    def _width_px(self, entry: LegendEntry) -> float:
        return KEY_PX + _KEY_GAP_PX + self._metrics.horizontalAdvance(entry.label)

    def _places(self, width_px: float) -> list[QPointF]:
        """Return where each entry begins in a width."""
        places: list[QPointF] = []
        x = y = 0.0
        for entry in self._entries:
            taken = self._width_px(entry)
            if x and x + taken > width_px:
                x, y = 0.0, y + self._line_px
            places.append(QPointF(x, y))
            x += taken + _NAME_GAP_PX
        return places

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw keys and names (Qt calls this)."""
        painter = QPainter(self)
        for entry, at in zip(self._entries, self._places(self.width()), strict=True):
            painter.save()
            painter.translate(at.x(), at.y() + (self._line_px - KEY_PX) / 2)
            draw_key(painter, entry)
            painter.restore()
            painter.setPen(pg.mkPen(self.palette().windowText().color()))
            middle = (self._line_px - self._metrics.lineSpacing()) / 2 + self._metrics.ascent()
            painter.drawText(at + QPointF(KEY_PX + _KEY_GAP_PX, middle), entry.label)
        painter.end()
