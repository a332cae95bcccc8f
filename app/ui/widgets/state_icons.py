"""Small icons of states and steps in the colours of the window."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

from app.charts.shapes import Shape, draw_shape
from app.ui.theme import Tone, tone_color

# Drawn at several sizes, so that icons stay sharp from 100 to 300 %.
_SIZES_PX = (16, 32, 48)


def state_icon(shape: Shape, tone: Tone) -> QIcon:
    """Return an icon in the present colours; ask again when the palette has changed."""
    icon = QIcon()
    for size_px in _SIZES_PX:
        drawn = _draw(shape, tone_color(tone), size_px)
        icon.addPixmap(drawn)
        icon.addPixmap(drawn, QIcon.Mode.Selected)  # else the style tints it
    return icon


def _draw(shape: Shape, color: QColor, size_px: int) -> QPixmap:
    pixmap = QPixmap(size_px, size_px)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size_px / 16, size_px / 16)
    draw_shape(painter, shape, color)
    painter.end()
    return pixmap
