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
KEY_PX: Final = 20
_GAP_PX: Final = 30  # around one entry
_AXIS_PX: Final = 90  # of the figure's width, left of what the legend stands below


@dataclass(frozen=True)
class LegendEntry:
    """One series as the legend shows it; `item` is hidden when the entry is clicked in a window."""

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
        draw_key(painter, self._entry)


def draw_key(painter: QPainter, entry: LegendEntry) -> None:
    """Draw a key as its series is drawn, into the square of `KEY_PX` at the painter's origin."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    style, mark = entry.style, entry.mark
    pen = style.line()
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
    room_px = theme.width_px - _AXIS_PX
    texts = [_lines(entry.label, room_px - KEY_PX - _GAP_PX, font) for entry in entries]
    widest = max((_width_px(lines, font) for lines in texts), default=0.0) + KEY_PX + _GAP_PX
    columns = max(1, min(len(entries), int(room_px / widest)))
    legend = pg.LegendItem(colCount=columns, labelTextColor=theme.foreground, horSpacing=_GAP_PX // 3)
    legend.layout.setContentsMargins(9, 2, 9, 2)  # the style's own would push a second row out of the plot
    for entry, lines in zip(entries, texts, strict=True):
        legend.addItem(KeySample(entry, theme), "<br>".join(escape_label(line) for line in lines))
    for _sample, label in legend.items:
        label.item.setFont(font)
        label.setText(label.text)  # it has measured itself in another font
    rows = [max(len(lines) for lines in texts[place : place + columns]) for place in range(0, len(texts), columns)]
    more_lines = sum(rows) - len(rows)
    legend.setFixedHeight(len(rows) * (theme.font_px + 10) + more_lines * QFontMetricsF(font).lineSpacing() + 4)
    plot.layout.addItem(legend, _LEGEND_ROW, 1)


def legend_names(plot: pg.PlotItem) -> tuple[str, ...]:
    """Return the names in the legend below a plot; () without one."""
    legends = (item for item in plot.childItems() if isinstance(item, pg.LegendItem))
    return tuple(label.item.toPlainText().replace("\n", " ") for one in legends for _sample, label in one.items)


def _lines(label: str, room_px: float, font: QFont) -> list[str]:
    """Return a label in as many lines as it needs, broken between words: a wider legend would widen the plot."""
    lines: list[str] = []
    for word in label.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and QFontMetricsF(font).horizontalAdvance(longer) <= room_px:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _width_px(lines: list[str], font: QFont) -> float:
    return max(QFontMetricsF(font).horizontalAdvance(line) for line in lines)


def escape_label(text: str) -> str:
    """Escape a text that pyqtgraph reads as HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
