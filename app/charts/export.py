"""A plot as a picture to be kept: light, with its title, showing the part in sight on the screen."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPageSize, QPainter, QPdfWriter

from app.charts.drawing import as_svg, laid_out
from app.charts.legend import escape_label
from app.charts.plot_item import plot_font
from app.charts.theme import LIGHT, Theme
from app.domain.plot import PlotSpec

_PNG_SCALE: Final = 2  # sharp on paper and on screens of 200 %
_POINTS_PER_PX: Final = 72 / 96

Ranges = tuple[tuple[float, float], tuple[float, float]]


class PictureKind(StrEnum):
    """The format a picture is kept in; the values are the suffixes of its files."""

    PNG = "png"
    SVG = "svg"
    PDF = "pdf"


def draw_picture(spec: PlotSpec, kind: PictureKind, ranges: Ranges | None = None, theme: Theme = LIGHT) -> bytes:
    """Return a plot as the bytes of a file.

    Args:
        ranges: what is in sight, across and upright, in drawn units; None for everything.

    Notes:
        Thread: the GUI thread only.
    """

    def prepare(item: pg.PlotItem) -> None:
        item.titleLabel.item.setFont(plot_font(theme))
        item.setTitle(escape_label(spec.title), color=theme.foreground, size=f"{theme.font_px}px", bold=True)
        if ranges is not None:
            item.setRange(xRange=ranges[0], yRange=ranges[1], padding=0)

    with laid_out(spec, theme, prepare) as (view, item):
        return _WRITERS[kind](view, item)


def _png(view: pg.GraphicsView, _item: pg.PlotItem) -> bytes:
    image = QImage(view.size() * _PNG_SCALE, QImage.Format.Format_RGB32)
    image.fill(QColor(view.backgroundBrush().color()))
    image.setDevicePixelRatio(_PNG_SCALE)  # points, too, are as large as on a screen
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    view.render(painter, QRectF(view.rect()), view.rect())
    painter.end()
    buffer = _open_buffer()
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # text is what it takes; its stub says bytes
    return bytes(buffer.data().data())


def _svg(_view: pg.GraphicsView, item: pg.PlotItem) -> bytes:
    return as_svg(item)


def _pdf(view: pg.GraphicsView, _item: pg.PlotItem) -> bytes:
    buffer = _open_buffer()
    writer = QPdfWriter(buffer)
    writer.setCreator("Replitune")
    writer.setResolution(view.logicalDpiX())  # an axis is a recording, which Qt plays larger at another resolution
    size = QSizeF(view.size()) * _POINTS_PER_PX
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    view.render(painter)
    painter.end()
    return bytes(buffer.data().data())


def _open_buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


_WRITERS: Final[dict[PictureKind, Callable[[pg.GraphicsView, pg.PlotItem], bytes]]] = {
    PictureKind.PNG: _png,
    PictureKind.SVG: _svg,
    PictureKind.PDF: _pdf,
}
