"""A site's picture painted: servers, and the hops between them, the same in a window and as a figure of a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from app.charts.shapes import Shape, draw_shape
from app.charts.site_layout import Heights, HopBox, NodeBox, PictureLayout
from app.domain.site_picture import SiteHop, SiteNode, Standing
from app.foundation.texts import _

SHAPES: Final = {
    Standing.KEEPS_UP: Shape.CHECK,
    Standing.BEHIND: Shape.HOURGLASS,
    Standing.STOPPED: Shape.WARNING,
    Standing.FAILING: Shape.WARNING,
    Standing.SILENT: Shape.CROSS,
    Standing.UNKNOWN: Shape.QUESTION,
}
"""The shape of each standing."""
ICON_PX: Final = 14
"""Width and height of a shape."""

_BROKEN: Final = frozenset({Standing.STOPPED, Standing.FAILING, Standing.SILENT, Standing.UNKNOWN})
_PAD: Final = 8.0
_SMALL: Final = 0.9
_RADIUS: Final = 6.0
_WRAPPED: Final = int(Qt.TextFlag.TextWordWrap)
_KEPT_HEIGHTS: Final = 2048
"""Of texts: more than the picture of a large site has at two widths."""


@dataclass(frozen=True)
class SiteColors:
    """How a picture looks in one place.

    Attributes:
        ground, line: of a box. chosen: the line of the box that is chosen.
        standing: the colour of each standing.
    """

    text: QColor
    muted: QColor
    accent: QColor
    ground: QColor
    line: QColor
    chosen: QColor
    standing: Mapping[Standing, QColor]


class SiteDrawing:
    """Measures and paints the boxes of a picture in one font and one set of colours."""

    def __init__(self, font: QFont, colors: SiteColors) -> None:
        self._colors = colors
        self.small = QFont(font)
        if font.pixelSize() > 0:
            self.small.setPixelSize(round(font.pixelSize() * _SMALL))
        else:
            self.small.setPointSizeF(font.pointSizeF() * _SMALL)
        self._bold = QFont(self.small)
        self._bold.setBold(True)
        self._text_height = lru_cache(_KEPT_HEIGHTS)(_text_height)  # a layout asks for each several times

    # Measuring

    @property
    def heights(self) -> Heights:
        """What the boxes need."""
        return Heights(self._node_height, self._word_width, self._hop_height)

    def _word_width(self, nodes: Sequence[SiteNode]) -> float:
        """Return how wide a server's box must be for the longest word below its name."""
        metrics = QFontMetricsF(self.small)
        words = (word for node in nodes for line in (node.role, *node.lines) for word in line.split())
        return max((metrics.horizontalAdvance(word) for word in words), default=0.0) + 2 * _PAD + 1

    def _lines_height(self, lines: Sequence[str], width: float) -> float:
        return sum(self._text_height(line, width - 2 * _PAD, self.small) for line in lines)

    def _node_height(self, node: SiteNode, width: float) -> float:
        title = QFontMetricsF(self._bold).height()
        return 2 * _PAD + title + self._lines_height([node.role, *node.lines, *_marks(node.differing)], width)

    def _hop_height(self, hop: SiteHop, width: float, is_full: bool) -> float:
        title = QFontMetricsF(self._bold).height()
        if not is_full:
            return title + 4.0
        state = self._text_height(hop.state, width - 2 * _PAD - ICON_PX - 4, self._bold)
        name = QFontMetricsF(self.small).height()
        return 1.5 * _PAD + state + name + self._lines_height([*hop.lines, *_marks(hop.differing)], width)

    # Painting

    def paint(self, painter: QPainter, layout: PictureLayout, area: QRectF, chosen: str = "") -> None:
        """Draw the part of a picture within an area.

        Args:
            chosen: key of the box that is marked, "" for none.
        """
        for hop in layout.hops:
            if area.top() <= hop.rect.bottom() and hop.rect.top() <= area.bottom():
                self._draw_arrows(painter, hop)
                self._draw_hop(painter, hop, chosen)
        for node in layout.nodes:
            if area.intersects(node.rect):
                self._draw_node(painter, node, chosen)

    def _draw_arrows(self, painter: QPainter, box: HopBox) -> None:
        color = self._colors.standing[box.hop.standing]
        y = box.rect.center().y()
        style = Qt.PenStyle.DashLine if box.hop.standing in _BROKEN else Qt.PenStyle.SolidLine
        painter.setPen(QPen(color, 3.0 if style is Qt.PenStyle.SolidLine else 1.5, style))
        painter.drawLine(QPointF(box.from_x, y), QPointF(box.rect.left(), y))
        painter.drawLine(QPointF(box.rect.right(), y), QPointF(box.to_x - 6, y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        tip = QPointF(box.to_x, y)
        painter.drawPolygon(QPolygonF([tip, QPointF(tip.x() - 8, y - 5), QPointF(tip.x() - 8, y + 5)]))

    def _draw_ground(self, painter: QPainter, rect: QRectF, is_chosen: bool, standing: Standing) -> None:
        color = self._colors.chosen if is_chosen else self._colors.line
        if not is_chosen and standing in (Standing.SILENT, Standing.FAILING, Standing.STOPPED):
            color = self._colors.standing[standing]
        style = Qt.PenStyle.DashLine if standing is Standing.SILENT else Qt.PenStyle.SolidLine
        painter.setPen(QPen(color, 2.0 if is_chosen else 1.0, style))
        painter.setBrush(self._colors.ground)
        painter.drawRoundedRect(rect, _RADIUS, _RADIUS)

    def _draw_node(self, painter: QPainter, box: NodeBox, chosen: str) -> None:
        self._draw_ground(painter, box.rect, box.node.key == chosen, box.node.standing)
        pad_y = max(min(_PAD, (box.rect.height() - QFontMetricsF(self._bold).height()) / 2), 0.0)
        inner = box.rect.adjusted(_PAD, pad_y, -_PAD, -pad_y)
        y = inner.top()
        is_plain = box.node.standing is Standing.KEEPS_UP
        if not is_plain:
            self.draw_standing(painter, box.node.standing, QPointF(inner.left(), y + 1))
        indent = 0.0 if is_plain else ICON_PX + 4.0
        title = inner.adjusted(indent, 0, 0, 0)
        y = self._draw_name(painter, box.node.name, title, y, self._bold, self._colors.text)
        color = self._colors.text if is_plain else self._colors.standing[box.node.standing]
        told = [(box.node.role, self._colors.muted), *((line, color) for line in box.node.lines)]
        told += [(mark, self._colors.accent) for mark in _marks(box.node.differing)]
        for line, own in told:  # beside a hop in one line there is room for the name alone
            if y + self._text_height(line, inner.width(), self.small) > box.rect.bottom():
                return
            y = self._draw_wrapped(painter, line, inner, y, self.small, own)

    def _draw_hop(self, painter: QPainter, box: HopBox, chosen: str) -> None:
        hop = box.hop
        self._draw_ground(painter, box.rect, hop.key == chosen, hop.standing)
        color = self._colors.standing[hop.standing]
        if not box.is_full:
            inner = box.rect.adjusted(_PAD, 1, -_PAD, -1)
            self.draw_standing(painter, hop.standing, QPointF(inner.left(), inner.top() + 1))
            text = f"{hop.state} · {hop.name}"
            self._draw_name(painter, text, inner.adjusted(ICON_PX + 4, 0, 0, 0), inner.top(), self.small, color)
            return
        inner = box.rect.adjusted(_PAD, 0.75 * _PAD, -_PAD, -0.75 * _PAD)
        y = inner.top()
        self.draw_standing(painter, hop.standing, QPointF(inner.left(), y + 1))
        y = self._draw_wrapped(painter, hop.state, inner.adjusted(ICON_PX + 4, 0, 0, 0), y, self._bold, color)
        y = self._draw_name(painter, hop.name, inner, y, self.small, self._colors.muted)
        for line in hop.lines:
            y = self._draw_wrapped(painter, line, inner, y, self.small, self._colors.text)
        for mark in _marks(hop.differing):
            y = self._draw_wrapped(painter, mark, inner, y, self.small, self._colors.accent)

    def draw_standing(self, painter: QPainter, standing: Standing, at: QPointF) -> None:
        """Draw the shape of a standing in its colour."""
        painter.save()
        painter.translate(at)
        painter.scale(ICON_PX / 16, ICON_PX / 16)
        draw_shape(painter, SHAPES[standing], self._colors.standing[standing])
        painter.restore()

    def _draw_wrapped(self, painter: QPainter, text: str, inner: QRectF, y: float, font: QFont, color: QColor) -> float:
        tall = self._text_height(text, inner.width(), font)
        painter.setFont(font)
        painter.setPen(color)
        shown = words_fitted(text, inner.width(), font)
        painter.drawText(QRectF(inner.left(), y, inner.width(), tall), _WRAPPED, shown)
        return y + tall

    @staticmethod
    def _draw_name(painter: QPainter, text: str, inner: QRectF, y: float, font: QFont, color: QColor) -> float:
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, inner.width())
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(QPointF(inner.left(), y + metrics.ascent()), shown)
        return y + metrics.height()


def _text_height(text: str, width: float, font: QFont) -> float:
    room = QRectF(0, 0, max(width, 1.0), 10_000.0)
    return QFontMetricsF(font).boundingRect(room, _WRAPPED, words_fitted(text, width, font)).height()


def words_fitted(text: str, width: float, font: QFont) -> str:
    """Return a text whose words each fit into a width: one that is wider alone is shortened in its middle."""
    metrics = QFontMetricsF(font)
    if all(metrics.horizontalAdvance(word) <= width for word in text.split()):
        return text
    return " ".join(metrics.elidedText(word, Qt.TextElideMode.ElideMiddle, width) for word in text.split())


def _marks(differing: Sequence[str]) -> list[str]:
    """Return the line that marks values other than the default."""
    return ["◇ " + _("{count} not at default").format(count=len(differing))] if differing else []
