"""An interval as a bar on an axis of percent, with zero and the band too small to act on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import GRID_PX, Tone, tone_color
from app.ui.widgets.rich_text import plain_tip

_HEIGHT_PX: Final = 44
_BAR_PX: Final = 8
_DOT_PX: Final = 5.5
_MOST_TICKS: Final = 5
_STEPS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


@dataclass(frozen=True)
class BarInterval:
    """An interval of a change, as shares: −0.4 for 40 % less.

    Attributes:
        middle: where its dot stands, None for none.
        least: smallest change worth acting on, 0 for none.
    """

    low: float
    high: float
    middle: float | None
    least: float = 0.0


@dataclass(frozen=True)
class BarScale:
    """The axis, the same for all bars that are compared."""

    low: float
    high: float


def scale_of(intervals: Sequence[BarInterval]) -> BarScale:
    """Return an axis that holds all intervals, zero, and the band too small to act on, with a little room."""
    low = min((0.0, *(min(one.low, -one.least) for one in intervals)))
    high = max((0.0, *(max(one.high, one.least) for one in intervals)))
    room = 0.08 * max(high - low, 0.02)
    return BarScale(low - room, high + room)


class IntervalBar(QWidget):
    """Paints one interval; its text is also its accessible name."""

    def __init__(self, name: str, interval: BarInterval, scale: BarScale, tone: Tone, spoken: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setToolTip(plain_tip(spoken))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._interval, self._scale, self._tone = interval, scale, tone

    def sizeHint(self) -> QSize:
        """Return the preferred size (Qt calls this)."""
        return QSize(24 * GRID_PX, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        """Return the least size (Qt calls this)."""
        return QSize(16 * GRID_PX, _HEIGHT_PX)

    def _x(self, share: float) -> float:
        room = self.fontMetrics().horizontalAdvance("−00 %") / 2
        part = (share - self._scale.low) / (self._scale.high - self._scale.low)
        return room + part * (self.width() - 2 * room)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw it (Qt calls this)."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle_y = 13.0
        self._draw_axis(painter, middle_y)
        self._draw_interval(painter, middle_y)
        self._draw_ticks(painter)
        painter.end()

    def _draw_axis(self, painter: QPainter, y: float) -> None:
        muted = QColor(tone_color(Tone.MUTED))
        line = self.palette().color(QPalette.ColorRole.Mid)
        if self._interval.least:
            left, right = self._x(-self._interval.least), self._x(self._interval.least)
            ground = QColor(line)
            ground.setAlpha(90)
            painter.fillRect(QRectF(left, y - 11, right - left, 22), ground)
        painter.setPen(QPen(line, 1.0))
        painter.drawLine(QPointF(self._x(self._scale.low), y), QPointF(self._x(self._scale.high), y))
        painter.setPen(QPen(muted, 1.5))
        painter.drawLine(QPointF(self._x(0.0), y - 11), QPointF(self._x(0.0), y + 11))

    def _draw_interval(self, painter: QPainter, y: float) -> None:
        color = tone_color(self._tone)
        left, right = self._x(self._interval.low), self._x(self._interval.high)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        bar = QRectF(left, y - _BAR_PX / 2, max(right - left, 2.0), _BAR_PX)
        painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)
        if self._interval.middle is not None:
            painter.setPen(QPen(color, 2.5))
            painter.setBrush(self.palette().color(QPalette.ColorRole.Base))
            painter.drawEllipse(QPointF(self._x(self._interval.middle), y), _DOT_PX, _DOT_PX)

    def _draw_ticks(self, painter: QPainter) -> None:
        painter.setPen(tone_color(Tone.MUTED))
        metrics = self.fontMetrics()
        for share in _ticks(self._scale):
            text = percent_text(share)
            width = metrics.horizontalAdvance(text)
            painter.drawText(QPointF(self._x(share) - width / 2, self.height() - metrics.descent() - 1), text)


def _ticks(scale: BarScale) -> list[float]:
    """Return round shares on the axis, zero among them."""
    span = scale.high - scale.low
    step = next((step for step in _STEPS if span / step <= _MOST_TICKS), _STEPS[-1] * 2)
    first, last = int(scale.low / step), int(scale.high / step)
    return [place * step for place in range(first, last + 1)]


def percent_text(share: float) -> str:
    """Return a change in percent, with its sign."""
    percent = round(100 * share)
    return f"−{-percent} %" if percent < 0 else f"+{percent} %" if percent > 0 else "0"
