"""Axes: plain numbers with thousands separators, decades on logarithmic axes, texts on categorical ones."""

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPicture

from app.charts.theme import Theme
from app.foundation.texts import local_number

_MANY_DECADES = 2.0  # wider ranges need no ticks between the decades


def format_number(value: float) -> str:
    """Return a tick as a person writes it: up to six significant digits, thousands separated."""
    if value == 0:
        return "0"
    digits = max(0, 5 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{min(digits, 12)}f}"
    return local_number((text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−"))


def log_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return (log10 position, text) of the ticks of a logarithmic axis from 10**low to 10**high.

    Decades, with 2 and 5 between them while the range is short.
    """
    steps = (1,) if high - low > _MANY_DECADES else (1, 2, 5)
    ticks = []
    for decade in range(math.floor(low), math.ceil(high) + 1):
        for step in steps:
            position = decade + math.log10(step)
            if low - 1e-9 <= position <= high + 1e-9:
                ticks.append((position, format_number(step * 10.0**decade)))
    return ticks


class NumberAxis(pg.AxisItem):  # type: ignore[misc] # pyqtgraph ships no types
    """An axis whose ticks are plain numbers; on a logarithmic axis positions are powers of ten."""

    def __init__(self, orientation: str, theme: Theme, is_log: bool) -> None:
        self._text_room_px = 0.0  # Qt asks for the bounds during construction
        super().__init__(orientation, pen=pg.mkPen(theme.muted, width=1), textPen=theme.foreground)
        self.is_log = is_log
        self._text_room_px = float(theme.font_px)
        self.enableAutoSIPrefix(False)

    def boundingRect(self) -> QRectF:
        """Return the item's bounds (Qt calls this), with room for the texts at both ends of the axis."""
        room = self._text_room_px
        return QRectF(super().boundingRect()).adjusted(-room, -room, room, room)

    def take_room(self) -> None:
        """Ask the layout for the room of the present tick texts, which else is known only once they were painted."""
        picture = QPicture()
        painter = QPainter(picture)
        painter.setFont(self.style["tickFont"] or self.font())
        self.generateDrawSpecs(painter)
        painter.end()

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Return the tick positions (pyqtgraph calls this)."""
        if not self.is_log:
            return list(super().tickValues(low, high, size)[:1])
        return [(1.0, [position for position, _text in log_ticks(low, high)])]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Return the tick texts (pyqtgraph calls this)."""
        if self.is_log:
            return [format_number(float(f"{10.0**value:.6g}")) for value in values]
        return [format_number(value * scale) for value in values]
