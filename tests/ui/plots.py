"""What of the plots in a window has no name."""

from PySide6.QtWidgets import QWidget

from app.ui.widgets.legend_line import LegendLine
from app.ui.widgets.plot import PlotView


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
