"""Drawing one series: a line, points, points with intervals, bars, or a band around a line."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QPen

from app.charts.theme import Theme
from app.domain.plot import Mark, Series

_SYMBOLS: Final = ("o", "s", "t1", "d", "t", "p")  # a second cue beside the colour
_BAND_ALPHA: Final = 56
_BAR_SHARE: Final = 0.62  # of the smallest distance between two positions


@dataclass(frozen=True)
class Style:
    """How one series is drawn.

    Attributes:
        color: #RRGGBB.
        symbol: pyqtgraph's name of the point's shape.
        width_px: of lines.
        floor: where bars stand, in drawn units.
        slot, slots: place of a bar series among the bar series of the plot.
        is_dashed: of lines.
        begins: places where a line begins anew.
    """

    color: str
    symbol: str
    width_px: float
    floor: float
    slot: int = 0
    slots: int = 1
    is_dashed: bool = False
    begins: tuple[int, ...] = ()

    def line(self) -> QPen:
        """Return the pen of lines."""
        style = Qt.PenStyle.DashLine if self.is_dashed else Qt.PenStyle.SolidLine
        pen: QPen = pg.mkPen(self.color, width=self.width_px, style=style)
        return pen

    def fill(self) -> QBrush:
        """Return the brush of points and bars."""
        return QBrush(pg.mkColor(self.color))


@dataclass(frozen=True)
class Points:
    """A series in drawn units: logarithms already taken; each array has the shape (n,)."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def points_of(series: Series, log_x: bool, log_y: bool) -> Points:
    """Return the series in drawn units.

    Raises:
        ValueError: lengths differ, a value is not finite, or not positive on a logarithmic axis.
    """
    x, y, low, high = (np.asarray(v, dtype=np.float64) for v in (series.x, series.y, series.low, series.high))
    wanted = x.size if series.mark in (Mark.INTERVALS, Mark.BAND) else 0
    if y.size != x.size or low.size != high.size or low.size not in (wanted, x.size):
        raise ValueError(f'series "{series.label}": x, y, low and high differ in length')
    return Points(
        _drawn(x, log_x, series.label),
        _drawn(y, log_y, series.label),
        _drawn(low, log_y, series.label),
        _drawn(high, log_y, series.label),
    )


def _drawn(values: NDArray[np.float64], is_log: bool, label: str) -> NDArray[np.float64]:
    if not np.all(np.isfinite(values)) or (is_log and np.any(values <= 0)):
        raise ValueError(f'series "{label}": a value cannot be drawn on this axis')
    return np.log10(values) if is_log else values


def draw_line(plot: pg.PlotItem, points: Points, style: Style, theme: Theme) -> pg.GraphicsObject:
    """Add a line; return the item that stands for it in the legend."""
    if not style.begins:
        return plot.plot(points.x, points.y, pen=style.line())
    places = list(style.begins)
    x, y = np.insert(points.x, places, points.x[places]), np.insert(points.y, places, np.nan)
    return plot.plot(x, y, pen=style.line(), connect="finite")


def draw_points(plot: pg.PlotItem, points: Points, style: Style, theme: Theme) -> pg.GraphicsObject:
    """Add points; return the item that stands for them in the legend."""
    item = pg.ScatterPlotItem(
        points.x,
        points.y,
        symbol=style.symbol,
        size=9 if style.width_px > 2 else 7,
        brush=style.fill(),
        pen=pg.mkPen(theme.background, width=1),
    )
    plot.addItem(item)
    return item


def draw_intervals(plot: pg.PlotItem, points: Points, style: Style, theme: Theme) -> pg.GraphicsObject:
    """Add points with the ends of their intervals; return the item that stands for them in the legend."""
    bars = pg.ErrorBarItem(
        x=points.x,
        y=points.y,
        top=points.high - points.y,
        bottom=points.y - points.low,
        beam=smallest_gap(points.x) * 0.05,
        pen=pg.mkPen(style.color, width=style.width_px * 0.75),
    )
    plot.addItem(bars)
    return draw_points(plot, points, style, theme)


def draw_bars(plot: pg.PlotItem, points: Points, style: Style, theme: Theme) -> pg.GraphicsObject:
    """Add bars, and their intervals where there are any; return the item that stands for them in the legend."""
    width = smallest_gap(points.x) * _BAR_SHARE / style.slots
    x = points.x + (style.slot - (style.slots - 1) / 2) * width
    item = pg.BarGraphItem(
        x=x,
        y0=np.full_like(points.y, style.floor),
        height=points.y - style.floor,
        width=width * 0.94,
        brush=style.fill(),
        pen=pg.mkPen(None),  # a stroke would be scaled with the axes in a vector figure
    )
    plot.addItem(item)
    if points.low.size:
        plot.addItem(
            pg.ErrorBarItem(
                x=x,
                y=points.y,
                top=points.high - points.y,
                bottom=points.y - points.low,
                beam=width * 0.2,
                pen=pg.mkPen(theme.foreground, width=1.2),
            )
        )
    return item


def draw_band(plot: pg.PlotItem, points: Points, style: Style, theme: Theme) -> pg.GraphicsObject:
    """Add a line with a band around it; return the item that stands for both in the legend."""
    edge = pg.mkPen(None)
    low, high = (pg.PlotCurveItem(points.x, ends, pen=edge) for ends in (points.low, points.high))
    band = pg.FillBetweenItem(low, high, brush=band_brush(style))
    for item in (low, high, band):
        plot.addItem(item)
    return draw_line(plot, points, style, theme)


def band_brush(style: Style) -> QBrush:
    """Return the brush of a band: the series' colour, translucent."""
    color = pg.mkColor(style.color)
    color.setAlpha(_BAND_ALPHA)
    return QBrush(color)


Drawer = Callable[[pg.PlotItem, Points, Style, Theme], pg.GraphicsObject]

DRAWERS: Final[dict[Mark, Drawer]] = {
    Mark.LINE: draw_line,
    Mark.POINTS: draw_points,
    Mark.INTERVALS: draw_intervals,
    Mark.BARS: draw_bars,
    Mark.BAND: draw_band,
}


def style_of(index: int, slot: int, slots: int, is_emphasised: bool, theme: Theme, floor: float) -> Style:
    """Return the style of the series at `index` among those of its kind (emphasised or not)."""
    color = theme.accent if is_emphasised else theme.series[index % len(theme.series)]
    width_px = 2.6 if is_emphasised else 1.8
    return Style(color, _SYMBOLS[index % len(_SYMBOLS)], width_px, floor, slot, slots)


def smallest_gap(x: NDArray[np.float64]) -> float:
    """Return the smallest distance between two different positions, 1.0 where there is only one."""
    positions = np.unique(x)
    return float(np.min(np.diff(positions))) if positions.size > 1 else 1.0
