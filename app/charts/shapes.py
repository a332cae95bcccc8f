"""Shapes of states and steps, drawn in one colour: a shape for each, so that colour is never alone."""

from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF


class Shape(StrEnum):
    """The shape of an icon."""

    CHECK = "check"
    DOT = "dot"
    RING = "ring"
    DASH = "dash"
    WARNING = "warning"
    ARROW = "arrow"
    EQUAL = "equal"
    QUESTION = "question"
    HOURGLASS = "hourglass"
    CROSS = "cross"
    PLUG = "plug"
    NODES = "nodes"
    CALENDAR = "calendar"
    SHIELD = "shield"
    PLAY = "play"
    BULB = "bulb"
    PAGE = "page"


def draw_shape(painter: QPainter, shape: Shape, color: QColor) -> None:
    """Draw a shape into a square of sixteen units at the painter's origin."""
    painter.setPen(QPen(color, 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _DRAW[shape](painter, color)


def _draw_check(painter: QPainter, _color: QColor) -> None:
    painter.drawPolyline(QPolygonF([QPointF(3, 8.5), QPointF(6.5, 12), QPointF(13, 4.5)]))


def _draw_dot(painter: QPainter, color: QColor) -> None:
    painter.setBrush(color)
    painter.drawEllipse(QRectF(4.5, 4.5, 7, 7))


def _draw_ring(painter: QPainter, _color: QColor) -> None:
    painter.drawEllipse(QRectF(4, 4, 8, 8))


def _draw_dash(painter: QPainter, _color: QColor) -> None:
    painter.drawLine(QPointF(5, 8), QPointF(11, 8))


def _draw_warning(painter: QPainter, color: QColor) -> None:
    painter.setPen(QPen(color, 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.drawPolygon(QPolygonF([QPointF(8, 2), QPointF(14.5, 13.5), QPointF(1.5, 13.5)]))
    painter.drawLine(QPointF(8, 6.5), QPointF(8, 9.5))
    painter.drawPoint(QPointF(8, 11.6))


def _draw_arrow(painter: QPainter, _color: QColor) -> None:
    painter.drawPolyline(QPolygonF([QPointF(6, 3.5), QPointF(10.5, 8), QPointF(6, 12.5)]))


def _draw_equal(painter: QPainter, _color: QColor) -> None:
    painter.drawLine(QPointF(3.5, 6), QPointF(12.5, 6))
    painter.drawLine(QPointF(3.5, 10.5), QPointF(12.5, 10.5))


def _draw_question(painter: QPainter, _color: QColor) -> None:
    path = QPainterPath(QPointF(5, 5.5))
    path.cubicTo(QPointF(5, 1.5), QPointF(11, 1.5), QPointF(11, 5.5))
    path.cubicTo(QPointF(11, 8), QPointF(8, 7.5), QPointF(8, 10))
    painter.drawPath(path)
    painter.drawPoint(QPointF(8, 13.5))


def _draw_hourglass(painter: QPainter, color: QColor) -> None:
    painter.setPen(QPen(color, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.drawPolygon(QPolygonF([QPointF(4, 2.5), QPointF(12, 2.5), QPointF(4, 13.5), QPointF(12, 13.5)]))


def _draw_cross(painter: QPainter, _color: QColor) -> None:
    painter.drawLine(QPointF(4, 4), QPointF(12, 12))
    painter.drawLine(QPointF(12, 4), QPointF(4, 12))


def _thin(painter: QPainter, color: QColor) -> None:
    painter.setPen(QPen(color, 1.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))


def _draw_plug(painter: QPainter, color: QColor) -> None:
    _thin(painter, color)
    painter.drawLine(QPointF(5.5, 2), QPointF(5.5, 5))
    painter.drawLine(QPointF(10.5, 2), QPointF(10.5, 5))
    cup = QPainterPath(QPointF(3.5, 5))
    cup.lineTo(12.5, 5)
    cup.lineTo(12.5, 7)
    cup.cubicTo(QPointF(12.5, 12), QPointF(3.5, 12), QPointF(3.5, 7))
    cup.closeSubpath()
    painter.drawPath(cup)
    painter.drawLine(QPointF(8, 11), QPointF(8, 14))


def _draw_nodes(painter: QPainter, color: QColor) -> None:
    _thin(painter, color)
    painter.drawEllipse(QRectF(1.5, 6, 4, 4))
    painter.drawEllipse(QRectF(10.5, 2, 4, 4))
    painter.drawEllipse(QRectF(10.5, 10, 4, 4))
    painter.drawLine(QPointF(5.4, 7), QPointF(10.6, 4.8))
    painter.drawLine(QPointF(5.4, 9), QPointF(10.6, 11.2))


def _draw_calendar(painter: QPainter, color: QColor) -> None:
    _thin(painter, color)
    painter.drawRoundedRect(QRectF(2, 3, 12, 11), 1.5, 1.5)
    painter.drawLine(QPointF(2, 6.5), QPointF(14, 6.5))
    painter.drawLine(QPointF(5.5, 1.8), QPointF(5.5, 4))
    painter.drawLine(QPointF(10.5, 1.8), QPointF(10.5, 4))


def _draw_shield(painter: QPainter, color: QColor) -> None:
    _thin(painter, color)
    shield = QPainterPath(QPointF(8, 1.8))
    shield.lineTo(13, 3.6)
    shield.lineTo(13, 8)
    shield.cubicTo(QPointF(13, 11.5), QPointF(10.5, 13.3), QPointF(8, 14.3))
    shield.cubicTo(QPointF(5.5, 13.3), QPointF(3, 11.5), QPointF(3, 8))
    shield.lineTo(3, 3.6)
    shield.closeSubpath()
    painter.drawPath(shield)
    painter.drawPolyline(QPolygonF([QPointF(5.8, 8), QPointF(7.4, 9.6), QPointF(10.3, 6.2)]))


def _draw_play(painter: QPainter, color: QColor) -> None:
    _thin(painter, color)
    painter.drawPolygon(QPolygonF([QPointF(4.5, 2.5), QPointF(13, 8), QPointF(4.5, 13.5)]))


def _draw_bulb(painter: QPainter, color: QColor) -> None:
    _thin(painter, color)
    bulb = QPainterPath(QPointF(6.2, 11))
    bulb.cubicTo(QPointF(6.2, 9.5), QPointF(3.8, 8.8), QPointF(3.8, 6))
    bulb.cubicTo(QPointF(3.8, 0.4), QPointF(12.2, 0.4), QPointF(12.2, 6))
    bulb.cubicTo(QPointF(12.2, 8.8), QPointF(9.8, 9.5), QPointF(9.8, 11))
    bulb.closeSubpath()
    painter.drawPath(bulb)
    painter.drawLine(QPointF(6.5, 13.8), QPointF(9.5, 13.8))


def _draw_page(painter: QPainter, color: QColor) -> None:
    _thin(painter, color)
    page = QPolygonF(
        [QPointF(3.5, 1.8), QPointF(9.5, 1.8), QPointF(12.5, 4.8), QPointF(12.5, 14.2), QPointF(3.5, 14.2)]
    )
    painter.drawPolygon(page)
    painter.drawLine(QPointF(6, 7.5), QPointF(10, 7.5))
    painter.drawLine(QPointF(6, 10.5), QPointF(10, 10.5))


_DRAW = {
    Shape.CHECK: _draw_check,
    Shape.DOT: _draw_dot,
    Shape.RING: _draw_ring,
    Shape.DASH: _draw_dash,
    Shape.WARNING: _draw_warning,
    Shape.ARROW: _draw_arrow,
    Shape.EQUAL: _draw_equal,
    Shape.QUESTION: _draw_question,
    Shape.HOURGLASS: _draw_hourglass,
    Shape.CROSS: _draw_cross,
    Shape.PLUG: _draw_plug,
    Shape.NODES: _draw_nodes,
    Shape.CALENDAR: _draw_calendar,
    Shape.SHIELD: _draw_shield,
    Shape.PLAY: _draw_play,
    Shape.BULB: _draw_bulb,
    Shape.PAGE: _draw_page,
}
