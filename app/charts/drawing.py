"""One plot laid out without a window, to be written as a file or a figure of the report."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import pyqtgraph as pg
from pyqtgraph.exporters import SVGExporter
from PySide6.QtCore import QCoreApplication, QEvent

from app.charts.plot_item import build_plot_item
from app.charts.theme import Theme
from app.domain.plot import PlotSpec

_FONT_OF_A_GROUP: Final = re.compile(rb'(<g [^>]*?)(\s+font-[a-z]+="[^"]*")+')


@contextmanager
def laid_out(
    spec: PlotSpec, theme: Theme, prepare: Callable[[pg.PlotItem], None] = lambda _item: None
) -> Iterator[tuple[pg.GraphicsView, pg.PlotItem]]:
    """Give a plot in the size of the theme, ready to be drawn, and leave no widget behind.

    Args:
        prepare: changes the plot before it is laid out.

    Notes:
        Thread: the GUI thread only.
    """
    view = pg.GraphicsView(background=theme.background)
    try:
        view.resize(theme.width_px, theme.height_px)
        item = build_plot_item(spec, theme)
        prepare(item)
        for drawn in item.listDataItems():
            if isinstance(drawn, pg.PlotDataItem):  # one path instead of a piece for each pair of points
                drawn.curve.setSegmentedLineMode("off")
        view.setCentralItem(item)
        item.resize(theme.width_px, theme.height_px)
        view.grab()  # while it is painted an axis learns how much room its texts take; the layout then gives it
        item.layout.activate()
        view.scene().prepareForPaint()
        yield view, item
    finally:
        view.close()
        view.deleteLater()
        QCoreApplication.sendPostedEvents(view, QEvent.Type.DeferredDelete.value)


def as_svg(item: pg.PlotItem) -> bytes:
    """Return a plot that was laid out as an SVG document, the same whatever font the application has.

    Qt gives each group the font the painter happens to have, which is the application's; each text names its own.
    """
    return without_fonts_of_groups(bytes(SVGExporter(item).export(toBytes=True)))


def without_fonts_of_groups(svg: bytes) -> bytes:
    """Return a document of Qt's without the fonts of its groups: each text names its own."""
    return _FONT_OF_A_GROUP.sub(rb"\1", svg)
