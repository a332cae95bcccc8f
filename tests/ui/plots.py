"""What of the plots in a window has no name, or stands over another text."""

from typing import Any

from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from app.ui.widgets.legend_line import LegendLine
from app.ui.widgets.plot import PlotView
from app.ui.widgets.plot_canvas import PlotCanvas


def nameless_curves(root: QWidget) -> dict[str, str]:
    """Return each series whose name is not in sight, with its plot; a plot of one series is named by its title."""
    plots = [plot for plot in root.findChildren(PlotView) if plot.isVisibleTo(root) and plot.plot_item is not None]
    nameless: dict[str, str] = {}
    for plot in plots:
        labels = [series.label for series in plot.spec.series if series.x] if plot.spec is not None else []
        if plot.spec is None or len(plot.spec.series) < 2:
            continue
        for label in labels:
            if label not in plot.names:
                nameless[label] = plot.objectName()
        nameless |= {label: plot.objectName() for legend in plot.findChildren(LegendLine) for label in _cut(legend)}
    return nameless


def _cut(legend: LegendLine) -> list[str]:
    """Return the names of a legend of few lines that it has no room to draw."""
    if not legend.isVisible() or legend.height() >= legend.heightForWidth(legend.width()):
        return []
    return [*legend.names]


def titles_over_ticks(root: QWidget) -> dict[str, str]:
    """Return each title of an upright axis that stands over the texts of its ticks, with its plot."""
    over: dict[str, str] = {}
    for canvas in root.findChildren(PlotCanvas):
        item = canvas.centralWidget
        if canvas.isVisibleTo(root) and hasattr(item, "getAxis"):
            axis = item.getAxis("left")
            label = axis.label
            if label.isVisible() and _right_end(axis) > _ticks_begin(axis):
                over[" ".join(label.toPlainText().split())] = canvas.objectName()
    return over


def _right_end(axis: Any) -> float:
    """Return where the title of an upright axis ends, in the axis."""
    return float(axis.label.x() + axis.label.boundingRect().height() - axis.label.document().documentMargin())


def _ticks_begin(axis: Any) -> float:
    """Return where the widest text of the ticks begins, in the axis."""
    (low, high), length = axis.range, axis.size().height()
    metrics = QFontMetricsF(axis.style["tickFont"] or axis.font())
    texts = [text for spacing, at in axis.tickValues(low, high, length) for text in axis.tickStrings(at, 1.0, spacing)]
    widest = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
    return float(axis.size().width() - axis.style["tickTextOffset"][0] - axis.style["tickLength"] - widest)
