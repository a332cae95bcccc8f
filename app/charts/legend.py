"""The legend: below the plot, where it hides no data, with a key drawn as the series is."""

from dataclasses import dataclass
from typing import Final

import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from app.charts.marks import Style, band_brush
from app.charts.theme import Theme
from app.domain.plot import Mark

_LEGEND_ROW: Final = 4  # of the plot's own layout, below the horizontal axis
_KEY_PX: Final = 20
_GAP_PX: Final = 30  # around one entry


@dataclass(frozen=True)
class LegendEntry:
    """One series as the legend shows it; `item` is what is hidden when the entry is clicked in a window."""

    item: pg.GraphicsObject
    label: str
    mark: Mark
    style: Style


class KeySample(pg.ItemSample):  # type: ignore[misc] # pyqtgraph ships no types
    """The key beside one text of the legend."""

    def __init__(self, entry: LegendEntry, theme: Theme) -> None:
        super().__init__(entry.item)
        self._entry = entry
        self._theme = theme

    def paint(self, painter: QPainter, *_options: object) -> None:
        """Draw the key (Qt calls this)."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        style, mark = self._entry.style, self._entry.mark
        pen = pg.mkPen(style.color, width=style.width_px)
        if mark is Mark.BAND:
            painter.fillRect(QRectF(1, 4, 18, 13), band_brush(style))
        if mark is Mark.BARS:
            painter.fillRect(QRectF(4, 4, 12, 12), style.fill())
        if mark in (Mark.LINE, Mark.BAND):
            painter.setPen(pen)
            painter.drawLine(1, 10, 19, 10)
        if mark is Mark.INTERVALS:
            painter.setPen(pen)
            painter.drawLine(10, 2, 10, 18)
        if mark in (Mark.POINTS, Mark.INTERVALS):
            painter.translate(10, 10)
            drawSymbol(painter, style.symbol, 8, pg.mkPen(None), style.fill())


def add_legend(plot: pg.PlotItem, entries: list[LegendEntry], theme: Theme, font: QFont) -> None:
    """Add a legend below the plot, in as many columns as fit the theme's width."""
    metrics = QFontMetricsF(font)
    widest = max((metrics.horizontalAdvance(entry.label) for entry in entries), default=0.0) + _KEY_PX + _GAP_PX
    columns = max(1, min(len(entries), int((theme.width_px - 90) / widest)))
    legend = pg.LegendItem(colCount=columns, labelTextColor=theme.foreground, horSpacing=_GAP_PX // 3)
    legend.layout.setContentsMargins(9, 2, 9, 2)  # the style's own would push a second row out of the plot
    for entry in entries:
        legend.addItem(KeySample(entry, theme), escape_label(entry.label))
    for _sample, label in legend.items:
        label.item.setFont(font)
    rows = -(-len(entries) // columns)
    legend.setFixedHeight(rows * (theme.font_px + 10) + 4)
    plot.layout.addItem(legend, _LEGEND_ROW, 1)


def escape_label(text: str) -> str:
    """Escape a text that pyqtgraph reads as HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
