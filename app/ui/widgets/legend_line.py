"""The legend of a low plot or a picture: outside of it, in as few lines as it takes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.charts.legend import KEY_PX, LegendEntry, draw_key
from app.foundation.texts import _
from app.ui.theme import GRID_PX

_KEY_GAP_PX: Final = 2.0
_NAME_GAP_PX: Final = 2.0 * GRID_PX
_LINE_GAP_PX: Final = 2.0

DrawKey = Callable[[QPainter], None]
"""Draws a key into the square of `KEY_PX` at the painter's origin."""


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
        self._keys: tuple[tuple[str, DrawKey], ...] = ()

    def show_entries(self, entries: list[LegendEntry], font: QFont) -> None:
        """Show other series, in the font of their plot; none hides it."""
        self.setFont(font)
        self.show_keys([(entry.label, partial(_draw_entry, entry)) for entry in entries])
        self.setVisible(bool(entries))

    def show_keys(self, keys: Sequence[tuple[str, DrawKey]]) -> None:
        """Show other names, each after its key; a key is drawn anew whenever the colours change."""
        self._keys = tuple(keys)
        self.setAccessibleName(_("Legend: {names}").format(names="; ".join(self.names)))
        self.updateGeometry()
        self.update()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names in the legend."""
        return tuple(name for name, _draw in self._keys)

    def heightForWidth(self, width: int) -> int:
        """Return how high it is in a width (Qt calls this)."""
        lines = {at.y() for at in self._places(width)}
        return round(len(lines) * self._line_px)

    def hasHeightForWidth(self) -> bool:
        """Tell that names are broken into lines (Qt calls this)."""
        return True

    def sizeHint(self) -> QSize:
        """Return the size of a single line (Qt calls this)."""
        widths = [self._width_px(name) for name in self.names]
        return QSize(round(sum(widths) + _NAME_GAP_PX * max(0, len(widths) - 1) + 1), round(self._line_px))

    def minimumSizeHint(self) -> QSize:
        """Return room for the longest name (Qt calls this)."""
        return QSize(round(max(map(self._width_px, self.names), default=0.0) + 1), round(self._line_px))

    def changeEvent(self, event: QEvent) -> None:
        """Make room for text of another size (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    @property
    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.font())

    @property
    def _line_px(self) -> float:
        return max(self._metrics.lineSpacing(), KEY_PX * 0.8) + _LINE_GAP_PX

    def _width_px(self, name: str) -> float:
        return KEY_PX + _KEY_GAP_PX + self._metrics.horizontalAdvance(name)

    def _places(self, width_px: float) -> list[QPointF]:
        """Return where each entry begins in a width."""
        places: list[QPointF] = []
        x = y = 0.0
        for name in self.names:
            taken = self._width_px(name)
            if x and x + taken > width_px:
                x, y = 0.0, y + self._line_px
            places.append(QPointF(x, y))
            x += taken + _NAME_GAP_PX
        return places

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw keys and names (Qt calls this)."""
        painter = QPainter(self)
        for (name, draw), at in zip(self._keys, self._places(self.width()), strict=True):
            painter.save()
            painter.translate(at.x(), at.y() + (self._line_px - KEY_PX) / 2)
            draw(painter)
            painter.restore()
            painter.setPen(pg.mkPen(self.palette().windowText().color()))
            middle = (self._line_px - self._metrics.lineSpacing()) / 2 + self._metrics.ascent()
            painter.drawText(at + QPointF(KEY_PX + _KEY_GAP_PX, middle), name)
        painter.end()


def _draw_entry(entry: LegendEntry, painter: QPainter) -> None:
    draw_key(painter, entry)
