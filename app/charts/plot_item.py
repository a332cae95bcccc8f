"""A plot specification drawn as a pyqtgraph plot, for a window or for a figure."""

import textwrap
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from app.charts.axis import NumberAxis
from app.charts.legend import LegendEntry, add_legend, escape_label
from app.charts.marks import DRAWERS, Points, points_of, smallest_gap, style_of
from app.charts.theme import Theme
from app.domain.plot import Mark, PlotSpec

_LABEL_MARGIN_PX: Final = 6.0  # around an axis label
_AXIS_SHARE: Final = 0.7  # of a figure's side that its axis has
_BELOW_LINES: Final = 5  # of text, that ticks and label below a plot take with their margins
_FEWEST_CHARACTERS: Final = 10  # in a line of an axis label
_CHARACTER_SHARE: Final = 0.56  # mean width of a character of the shipped face, of its size
_LABEL_SHARE: Final = 0.5  # the same, of a word or two without capitals
_USUAL_WIDTH_PX: Final = 600  # of a plot in a window
_MARGIN: Final = 0.06  # of the data's range, left free on each side
_NO_SPREAD: Final = 1e-6  # of the values: less is one value
_LABEL_ROOM: Final = 0.16  # of the height, above the reference line for its label
_ASIDE: Final = 0.1  # of the distance between two categories
_GRID_ALPHA: Final = 46  # of 255


def build_plot_item(spec: PlotSpec, theme: Theme) -> pg.PlotItem:
    """Draw `spec` with its legend and return the plot, as `draw_plot` does."""
    plot, keys = draw_plot(spec, theme)
    if len(spec.series) > 1:
        add_legend(plot, keys, theme, plot_font(theme))
    return plot


def draw_plot(spec: PlotSpec, theme: Theme) -> tuple[pg.PlotItem, list[LegendEntry]]:
    """Draw `spec` and return the plot, not yet in any scene, and a legend entry for each series that has values.

    Its title is left to the place that shows it.

    Raises:
        ValueError: a series whose lengths differ or whose values cannot be drawn.

    Notes:
        Thread: the GUI thread only.
    """
    plot = pg.PlotItem(viewBox=pg.ViewBox(enableMenu=False), axisItems=_axes(spec, theme))
    plot.hideButtons()
    plot.layout.setContentsMargins(0, theme.font_px * 0.7, theme.font_px * 1.2, 0)  # for tick texts at the ends
    plot.setMenuEnabled(False)
    plot.showGrid(x=not spec.x_ticks, y=True, alpha=_GRID_ALPHA / 255)
    drawn = drawn_points(spec)
    floor = _bar_floor(spec, drawn)
    keys = _draw_series(plot, spec, drawn, floor, theme)
    _fit_range(plot, spec, drawn, floor)
    if spec.reference_y is not None:
        _draw_reference(plot, spec, drawn, spec.reference_y, theme)
    for position, text in spec.stamps:
        _draw_stamp(plot, _position(position, spec.log_x), text, theme)
    return plot, keys


def settle_axes(plot: pg.PlotItem) -> None:
    """Give the axes of a plot that has its size the room of their texts, before it is first painted."""
    plot.layout.activate()
    for place in ("left", "bottom"):
        plot.getAxis(place).take_room()
    plot.layout.activate()


def drawn_points(spec: PlotSpec) -> list[Points]:
    """Return where the values of each series are drawn."""
    return [_beside_intervals(spec, points_of(s, spec.log_x, spec.log_y), s.mark) for s in spec.series]


def plot_font(theme: Theme) -> QFont:
    """Return the font of every text in a plot; properties not set here would be as in the application's font."""
    font = QFont(theme.font_family, weight=QFont.Weight.Normal, italic=False)
    font.setPixelSize(theme.font_px)
    return font


def _axes(spec: PlotSpec, theme: Theme) -> dict[str, NumberAxis]:
    """Return the two labelled axes."""
    font = plot_font(theme)
    axes = {
        "bottom": NumberAxis("bottom", theme, spec.log_x),
        "left": NumberAxis("left", theme, spec.log_y),
    }
    upright_px = min(_AXIS_SHARE * theme.height_px, theme.height_px - _BELOW_LINES * theme.font_px)
    labels = ((axes["bottom"], spec.x_label, _AXIS_SHARE * theme.width_px), (axes["left"], spec.y_label, upright_px))
    for axis, text, length_px in labels:
        axis.setStyle(tickFont=font, tickLength=4, tickTextOffset=5, hideOverlappingLabels=False)
        axis.label.setFont(font)
        lines = _wrapped(text, length_px, theme)
        # pyqtgraph keeps four fifths of a label's height free beside the ticks: several lines need the margin, too.
        axis.label.document().setDocumentMargin(_LABEL_MARGIN_PX * (1 + (len(lines) - 1) / 2))
        axis.setLabel("<br>".join(escape_label(line) for line in lines), color=theme.foreground)
    if spec.x_ticks:
        axes["bottom"].setTicks([[(_position(x, spec.log_x), text) for x, text in spec.x_ticks]])
    return axes


def _wrapped(text: str, length_px: float, theme: Theme) -> list[str]:
    """Return an axis label in as many lines as its axis is too short for."""
    longest = int(length_px / (theme.font_px * _CHARACTER_SHARE))
    return textwrap.wrap(text, max(_FEWEST_CHARACTERS, longest), break_long_words=False) or [text]


def _position(value: float, is_log: bool) -> float:
    return float(np.log10(value)) if is_log else value


def _bar_floor(spec: PlotSpec, drawn: list[Points]) -> float:
    """Return where bars stand: zero, or the decade below the smallest value on a logarithmic axis."""
    if not spec.log_y:
        return 0.0
    lowest = min((float(points.y.min()) for points in drawn if points.y.size), default=0.0)
    return float(np.floor(lowest - 1e-9))


def _draw_series(
    plot: pg.PlotItem, spec: PlotSpec, drawn: list[Points], floor: float, theme: Theme
) -> list[LegendEntry]:
    """Draw every series; return its legend entries."""
    bars = [index for index, series in enumerate(spec.series) if series.mark is Mark.BARS]
    keys = []
    counts = {True: 0, False: 0}
    colors: dict[str, str] = {}
    for index, (series, points) in enumerate(zip(spec.series, drawn, strict=True)):
        slot = bars.index(index) if index in bars else 0
        # Bars share a position side by side only where several series have one there.
        slots = len(bars) if _share_positions(spec, bars) else 1
        style = style_of(counts[series.emphasised], slot if slots > 1 else 0, slots, series.emphasised, theme, floor)
        color = colors.get(series.like, style.color)
        style = replace(style, is_dashed=series.is_dashed, begins=series.begins, color=color)
        colors[series.label] = color
        counts[series.emphasised] += series.like not in colors
        if points.x.size:
            item = DRAWERS[series.mark](plot, points, style, theme)
            keys.append(LegendEntry(item, series.label, series.mark, style))
    return keys


def _beside_intervals(spec: PlotSpec, points: Points, mark: Mark) -> Points:
    """Move single points a little to the left of the intervals that summarise them, where positions are categories."""
    has_intervals = any(series.mark is Mark.INTERVALS for series in spec.series)
    if mark is not Mark.POINTS or not has_intervals or not spec.x_ticks:
        return points
    # of every series alike: one that misses a category must not stand further left than one that has all
    places = np.array([place for place, _text in spec.x_ticks])
    return replace(points, x=points.x - _ASIDE * smallest_gap(np.log10(places) if spec.log_x else places))


def _share_positions(spec: PlotSpec, bars: list[int]) -> bool:
    used: set[float] = set()
    for index in bars:
        positions = set(spec.series[index].x)
        if positions & used:
            return True
        used |= positions
    return False


def _heights(y: np.ndarray, floor: float | None, spec: PlotSpec) -> tuple[float, float]:
    """Return the range of heights: readable from zero, or from the floor of bars, where that costs little room."""
    y_low, y_high = _padded(y)
    bottom = 0.0 if floor is None else floor
    is_near_zero = y.size > 0 and not spec.log_y and (y.min() < 0.5 * y.max() or not y.any())
    if y.size and y.min() >= bottom and (floor is not None or is_near_zero):
        y_low = bottom - 0.002 * (y_high - bottom)  # a hair below it, so its tick is drawn
    return y_low, y_high


def _fit_range(plot: pg.PlotItem, spec: PlotSpec, drawn: list[Points], floor: float) -> None:
    """Show all data with a margin, whole bars, the reference, and zero where it is near."""
    has_bars = any(series.mark is Mark.BARS for series in spec.series)
    x = np.concatenate([points.x for points in drawn] or [np.zeros(0)])
    y = np.concatenate([np.concatenate([p.y, p.low, p.high]) for p in drawn] or [np.zeros(0)])
    if spec.reference_y is not None:
        y = np.append(y, _position(spec.reference_y, spec.log_y))
    if has_bars:
        y = np.append(y, floor)
    if spec.x_ticks:
        x_range = _category_range(np.asarray([_position(x, spec.log_x) for x, _text in spec.x_ticks]), x)
    else:
        x_range = _category_range(x, x) if has_bars else _padded(x)
    y_low, y_high = _heights(y, floor if has_bars else None, spec)
    if spec.reference_y is not None and spec.reference_label:
        reference = _position(spec.reference_y, spec.log_y)
        y_high = max(y_high, reference + _LABEL_ROOM * (y_high - y_low))
    plot.setRange(xRange=x_range, yRange=(y_low, y_high), padding=0)


def _category_range(positions: NDArray[np.float64], x: NDArray[np.float64]) -> tuple[float, float]:
    """Return the range that shows every category, and points beyond the named ones, with half a gap's room."""
    if positions.size == 0:
        return 0.0, 1.0
    room, beyond = 0.5 * smallest_gap(positions), 0.5 * smallest_gap(np.append(x, positions))
    low, high = min((positions.min() - room, *(x - beyond))), max((positions.max() + room, *(x + beyond)))
    return float(low), float(high)


def _padded(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the range of the values with room on both sides."""
    if values.size == 0:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    spread = high - low
    if spread < _NO_SPREAD * max(abs(low), abs(high)):
        spread = 0.0  # ticks of it would all read the same
    room = spread * _MARGIN or abs(high) * _MARGIN or 1.0
    return low - room, high + room


def _draw_reference(plot: pg.PlotItem, spec: PlotSpec, drawn: list[Points], reference_y: float, theme: Theme) -> None:
    """Add the dashed line of the reference, with its label above it: at the right end, or where nothing crosses it."""
    height = _position(reference_y, spec.log_y)
    pen = pg.mkPen(theme.muted, width=1.2, style=Qt.PenStyle.DashLine)
    plot.addItem(pg.InfiniteLine(pos=height, angle=0, pen=pen))
    if spec.reference_label:
        left, right = plot.vb.viewRange()[0]
        axis_px = max(theme.width_px, _USUAL_WIDTH_PX) * _AXIS_SHARE  # a window has no size yet where it is built
        width = len(spec.reference_label) * theme.font_px * _LABEL_SHARE / axis_px * (right - left)
        end = _free_end(_beside(plot, drawn, height), (left, right), width)
        label = pg.TextItem(spec.reference_label, color=theme.muted, anchor=(1, 1))
        label.setFont(plot_font(theme))
        label.setPos(end, height)
        plot.addItem(label, ignoreBounds=True)


def _draw_stamp(plot: pg.PlotItem, position: float, text: str, theme: Theme) -> None:
    """Add an upright dashed line with its text at the foot."""
    pen = pg.mkPen(theme.accent, width=1.0, style=Qt.PenStyle.DashLine)
    plot.addItem(pg.InfiniteLine(pos=position, angle=90, pen=pen), ignoreBounds=True)
    (left, right), (bottom, _top) = plot.vb.viewRange()
    is_right = position > (left + right) / 2
    label = pg.TextItem(text, color=theme.background, anchor=(1 if is_right else 0, 1), fill=theme.accent)
    label.setFont(plot_font(theme))
    label.setPos(position, bottom)
    plot.addItem(label, ignoreBounds=True)


def _beside(plot: pg.PlotItem, drawn: list[Points], height: float) -> NDArray[np.float64]:
    """Return where something is drawn in the stripe above a height that a label there needs."""
    y_low, y_high = plot.vb.viewRange()[1]
    top = height + _LABEL_ROOM * (y_high - y_low)
    inside = []
    for points in drawn:
        low, high = (points.low, points.high) if points.low.size else (points.y, points.y)
        inside.append(points.x[(low <= top) & (high >= height)])
    return np.sort(np.concatenate(inside)) if inside else np.zeros(0)


def _free_end(taken: NDArray[np.float64], view: tuple[float, float], width: float) -> float:
    """Return the right end of a stretch of a width that nothing stands in, the rightmost; the view's where none is."""
    edges: list[float] = [view[1], *taken[::-1].tolist(), view[0]]
    for right, left in pairwise(edges):
        if right - left >= width:
            return right if right == view[1] else (left + right + width) / 2
    return view[1]
