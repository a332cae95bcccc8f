"""An interval drawn as a bar in a cell of a table, all of a column on one axis."""

import math
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPalette, QPen

from app.domain.comparison import Verdict
from app.domain.view import Span
from app.ui.theme import GRID_PX, Tone, tone_color

BAR_PX: Final = 24 * GRID_PX
"""Width that a column asks for its bars."""

_LEAST_PX: Final = 8 * GRID_PX
_BAR_HEIGHT_PX: Final = 6
_DOT_PX: Final = 4.0
_TONES: Final = {
    Verdict.IMPROVEMENT: Tone.GOOD,
    Verdict.WORSE: Tone.BAD,
    Verdict.NO_DIFFERENCE: Tone.NEUTRAL,
    Verdict.CANNOT_TELL: Tone.WARNING,
}


def draw_span(painter: QPainter, room: QRect, span: Span, spans: Sequence[Span]) -> None:
    """Draw an interval with the line of no change and the band too small to act on; nothing where room is short.

    The axis is logarithmic: half the time lies as far from the line as twice the time.

    Args:
        spans: all intervals on the same axis.
    """
    if room.width() < _LEAST_PX:
        return
    low = min(0.0, *(min(math.log(one.low), -math.log1p(one.least)) for one in spans))
    high = max(0.0, *(max(math.log(one.high), math.log1p(one.least)) for one in spans))
    left, width = room.left() + GRID_PX, room.width() - 2 * GRID_PX
    y = room.center().y() + 0.5

    def at(log_ratio: float) -> float:
        return left + width * (log_ratio - low) / ((high - low) or 1.0)

    palette = QGuiApplication.palette()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    band = math.log1p(span.least)
    ground = QColor(palette.color(QPalette.ColorRole.Mid))
    ground.setAlpha(90)
    painter.fillRect(QRectF(at(-band), room.top(), at(band) - at(-band), room.height()), ground)
    painter.setPen(QPen(tone_color(Tone.MUTED), 1.0))
    painter.drawLine(QPointF(at(0.0), room.top()), QPointF(at(0.0), room.bottom() + 1))
    color = tone_color(_TONES[span.verdict])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    begin, end = at(math.log(span.low)), at(math.log(span.high))
    bar = QRectF(begin, y - _BAR_HEIGHT_PX / 2, max(end - begin, 2.0), _BAR_HEIGHT_PX)
    painter.drawRoundedRect(bar, _BAR_HEIGHT_PX / 2, _BAR_HEIGHT_PX / 2)
    painter.setPen(QPen(color, 2.0))
    painter.setBrush(palette.color(QPalette.ColorRole.Base))
    painter.drawEllipse(QPointF(at(math.log(span.middle)), y), _DOT_PX, _DOT_PX)
    painter.restore()
