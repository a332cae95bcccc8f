"""Parts of a page beside each other, and below each other where there is no room for that."""

from PySide6.QtWidgets import QBoxLayout, QScrollArea, QWidget

_BESIDE = QBoxLayout.Direction.LeftToRight
_BELOW = QBoxLayout.Direction.TopToBottom


class Columns(QBoxLayout):
    """A row that becomes a column; whoever holds it calls `fold` when its own width changes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        if parent is None:
            super().__init__(_BESIDE)
        else:
            super().__init__(_BESIDE, parent)

    def fold(self, holder: QWidget, *, is_below: bool = False) -> None:
        """Lay the parts out side by side where the visible part of the holder has room for all, else below each
        other.

        Args:
            is_below: below each other wherever there is room.
        """
        items = [item for place in range(self.count()) if (item := self.itemAt(place)) is not None]
        parts = [item for item in items if item.spacerItem() is None]
        needed_px = sum(part.minimumSize().width() for part in parts) + self.spacing() * max(len(parts) - 1, 0)
        direction = _BESIDE if not is_below and needed_px <= _seen_width_px(holder) else _BELOW
        if direction != self.direction():
            self.setDirection(direction)


def _seen_width_px(widget: QWidget) -> int:
    """Return how wide a widget is at most without scrolling, its margins and those around it left out."""
    width_px, margins_px = widget.width(), _margins_px(widget)
    around: QWidget | None = widget
    while around is not None and not around.isWindow():
        around = around.parentWidget()
        if isinstance(around, QScrollArea):
            return min(width_px - _margins_px(widget), around.viewport().width() - margins_px)
        margins_px += 0 if around is None else _margins_px(around)
    return width_px - _margins_px(widget)


def _margins_px(widget: QWidget) -> int:
    layout = widget.layout()
    return 0 if layout is None else layout.contentsMargins().left() + layout.contentsMargins().right()
