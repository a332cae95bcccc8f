"""A site's picture as a vector figure of a report, no taller than a page holds."""

from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtSvg import QSvgGenerator

from app.charts.drawing import without_fonts_of_groups
from app.charts.site_drawing import ICON_PX, SiteColors, SiteDrawing
from app.charts.site_layout import FULL_HOPS, PictureLayout, place
from app.charts.theme import Theme
from app.domain.plot import SiteFigure
from app.domain.site_picture import Standing, standing_title

MOST_HEIGHT_PX: Final = 880
"""At the width of a figure, what a page of US Letter holds beside a heading and the caption."""

# As a light window has them; a report is white.
_GROUND: Final = "#F5F7F9"
_LINE: Final = "#C9D0D6"
_STANDING: Final = {
    Standing.KEEPS_UP: "#00704F",
    Standing.BEHIND: "#8A5A00",
    Standing.STOPPED: "#B04A00",
    Standing.FAILING: "#B04A00",
    Standing.SILENT: "#B04A00",
    Standing.UNKNOWN: "#6B7278",
}
_FEWER_FULL: Final = (FULL_HOPS, 8, 5, 3, 1, 0)
_LEGEND_PX: Final = 26.0
_BETWEEN_PX: Final = 14.0


def site_svg(figure: SiteFigure, theme: Theme) -> bytes:
    """Return a picture as an SVG document with its legend, text as text.

    Notes:
        Thread: the GUI thread only.
    """
    font = QFont(theme.font_family)
    font.setPixelSize(theme.font_px)
    drawing = SiteDrawing(font, _colors(theme))
    layout = _fitting(figure, drawing, theme.width_px - 2)
    size = QSize(theme.width_px, round(layout.height + _LEGEND_PX) + 2)
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    painter = QPainter(generator)
    painter.translate(1, 1)
    drawing.paint(painter, layout, QRectF(0, 0, size.width(), size.height()))
    _draw_legend(painter, drawing, figure, QPointF(0, layout.height + _LEGEND_PX - ICON_PX - 2), QColor(theme.muted))
    painter.end()
    return without_fonts_of_groups(bytes(content.data()))


def _fitting(figure: SiteFigure, drawing: SiteDrawing, width: float) -> PictureLayout:
    """Return the layout with as many hops told in full as there is room for."""
    layouts = (place(figure.picture, width, drawing.heights, full_hops) for full_hops in _FEWER_FULL)
    layout = place(figure.picture, width, drawing.heights, 0)
    return next((fits for fits in layouts if fits.height + _LEGEND_PX <= MOST_HEIGHT_PX), layout)


def _draw_legend(painter: QPainter, drawing: SiteDrawing, figure: SiteFigure, at: QPointF, color: QColor) -> None:
    picture = figure.picture
    seen = {node.standing for node in picture.nodes} | {hop.standing for hop in picture.hops}
    metrics = QFontMetricsF(drawing.small)
    x = at.x()
    for standing in (standing for standing in reversed(Standing) if standing in seen):
        drawing.draw_standing(painter, standing, QPointF(x, at.y()))
        x += ICON_PX + 4
        painter.setFont(drawing.small)
        painter.setPen(color)
        painter.drawText(QPointF(x, at.y() + metrics.ascent()), standing_title(standing))
        x += metrics.horizontalAdvance(standing_title(standing)) + _BETWEEN_PX


def _colors(theme: Theme) -> SiteColors:
    return SiteColors(
        text=QColor(theme.foreground),
        muted=QColor(theme.muted),
        accent=QColor(theme.accent),
        ground=QColor(_GROUND),
        line=QColor(_LINE),
        chosen=QColor(theme.accent),
        standing={one: QColor(color) for one, color in _STANDING.items()},
    )
