"""The present state of a site, painted: servers, and the hops between them, with rates, delays and limits."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.flows.site_picture import (
    SiteHop,
    SiteNode,
    SitePicture,
    Standing,
    hop_sentence,
    node_sentence,
    standing_title,
)
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone, tone_color
from app.ui.widgets.picture_copy import offer_copy
from app.ui.widgets.rich_text import plain_tip
from app.ui.widgets.site_layout import Heights, HopBox, NodeBox, PictureLayout, place
from app.ui.widgets.state_icons import Shape, state_icon

_LOOKS: Final = {
    Standing.KEEPS_UP: (Shape.CHECK, Tone.GOOD),
    Standing.BEHIND: (Shape.HOURGLASS, Tone.WARNING),
    Standing.STOPPED: (Shape.WARNING, Tone.BAD),
    Standing.FAILING: (Shape.WARNING, Tone.BAD),
    Standing.SILENT: (Shape.CROSS, Tone.BAD),
    Standing.UNKNOWN: (Shape.QUESTION, Tone.MUTED),
}
_BROKEN: Final = frozenset({Standing.STOPPED, Standing.FAILING, Standing.SILENT, Standing.UNKNOWN})
_PAD: Final = 8.0
_ICON_PX: Final = 14
_SMALL: Final = 0.9
_RADIUS: Final = 6.0
_WRAPPED: Final = int(Qt.TextFlag.TextWordWrap)
_MOVES: Final = {
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
}


class SitePictureView(QWidget):
    """Paints one picture; the arrow keys and the mouse choose a box, a double click or Return opens it.

    Signals:
        chosen: key of the box that was chosen.
        opened: key of the box whose parameters are wanted.
    """

    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("site.picture")
        self.setAccessibleName(_("Picture of the topology"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._picture = SitePicture((), ())
        self._layout = PictureLayout((), (), 0.0)
        self._key = ""
        self._small = QFont()
        self._bold = QFont()
        self._icons: dict[Standing, QPixmap] = {}
        self._set_up()
        offer_copy(self)

    def _set_up(self) -> None:
        self._small = QFont(self.font())
        self._small.setPointSizeF(self.font().pointSizeF() * _SMALL)
        self._bold = QFont(self._small)
        self._bold.setBold(True)
        ratio = self.devicePixelRatioF()
        size = QSize(_ICON_PX, _ICON_PX)
        self._icons = {
            standing: state_icon(shape, tone).pixmap(size, ratio) for standing, (shape, tone) in _LOOKS.items()
        }

    @property
    def picture(self) -> SitePicture:
        """The picture shown."""
        return self._picture

    @property
    def key(self) -> str:
        """Key of the box chosen, "" for none."""
        return self._key

    @property
    def narrowest_node(self) -> float:
        """Width of the narrowest server's box, in pixels."""
        return min((box.rect.width() for box in self._layout.nodes), default=0.0)

    def show_picture(self, picture: SitePicture) -> None:
        """Show another moment of the site, or another site; the box chosen stays chosen where it still is."""
        if picture == self._picture:
            return
        self._picture = picture
        if self._sentence(self._key) == "":
            self._key = ""
        self._place()

    def choose(self, key: str) -> None:
        """Choose a box."""
        if key != self._key:
            self._key = key
            self.setAccessibleDescription(self._sentence(key))
            self.update()
            self.chosen.emit(key)

    def _sentence(self, key: str) -> str:
        node, hop = self._picture.node(key), self._picture.hop(key)
        return node_sentence(node) if node is not None else hop_sentence(hop) if hop is not None else ""

    # Measuring

    def _place(self) -> None:
        heights = Heights(self._node_height, self._word_width, self._hop_height)
        before = self._layout.height
        self._layout = place(self._picture, float(max(self.width() - 2, 1)), heights)
        if self._layout.height != before:
            self.updateGeometry()
        self.update()

    def _text_height(self, text: str, width: float, font: QFont) -> float:
        room = QRectF(0, 0, max(width, 1.0), 10_000.0)
        return QFontMetricsF(font).boundingRect(room, _WRAPPED, words_fitted(text, width, font)).height()

    def _word_width(self, nodes: Sequence[SiteNode]) -> float:
        """Return how wide a server's box must be for the longest word below its name."""
        metrics = QFontMetricsF(self._small)
        words = (word for node in nodes for line in (node.role, *node.lines) for word in line.split())
        return max((metrics.horizontalAdvance(word) for word in words), default=0.0) + 2 * _PAD + 1

    def _lines_height(self, lines: Sequence[str], width: float) -> float:
        return sum(self._text_height(line, width - 2 * _PAD, self._small) for line in lines)

    def _node_height(self, node: SiteNode, width: float) -> float:
        title = QFontMetricsF(self._bold).height()
        return 2 * _PAD + title + self._lines_height([node.role, *node.lines, *_marks(node.differing)], width)

    def _hop_height(self, hop: SiteHop, width: float, is_full: bool) -> float:
        title = QFontMetricsF(self._bold).height()
        if not is_full:
            return title + 4.0
        state = self._text_height(hop.state, width - 2 * _PAD - _ICON_PX - 4, self._bold)
        name = QFontMetricsF(self._small).height()
        return 1.5 * _PAD + state + name + self._lines_height([*hop.lines, *_marks(hop.differing)], width)

    def sizeHint(self) -> QSize:
        """Return the preferred size (Qt calls this)."""
        return QSize(90 * GRID_PX, round(self._layout.height) + 2)

    def minimumSizeHint(self) -> QSize:
        """Return the least size (Qt calls this)."""
        columns = len({node.column for node in self._picture.nodes}) or 1
        wide = QFontMetricsF(self._small).horizontalAdvance("0") * 14
        return QSize(round((2 * columns - 1) * wide), 10 * GRID_PX)

    def heightForWidth(self, width: int) -> int:
        """Return the height needed at a width (Qt calls this)."""
        heights = Heights(self._node_height, self._word_width, self._hop_height)
        return round(place(self._picture, float(max(width - 2, 1)), heights).height) + 2

    def hasHeightForWidth(self) -> bool:
        """Tell that the height follows from the width (Qt calls this)."""
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the boxes anew (Qt calls this)."""
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        """Draw with the new colours and fonts (Qt calls this)."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.DevicePixelRatioChange):
            self._set_up()
            self._place()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the visible part (Qt calls this)."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(1, 1)
        area = QRectF(event.rect())
        for hop in self._layout.hops:
            if area.top() <= hop.rect.bottom() and hop.rect.top() <= area.bottom():
                self._draw_arrows(painter, hop)
                self._draw_hop(painter, hop)
        for node in self._layout.nodes:
            if area.intersects(node.rect):
                self._draw_node(painter, node)
        painter.end()

    def _draw_arrows(self, painter: QPainter, box: HopBox) -> None:
        color = tone_color(_LOOKS[box.hop.standing][1])
        y = box.rect.center().y()
        style = Qt.PenStyle.DashLine if box.hop.standing in _BROKEN else Qt.PenStyle.SolidLine
        painter.setPen(QPen(color, 3.0 if style is Qt.PenStyle.SolidLine else 1.5, style))
        painter.drawLine(QPointF(box.from_x, y), QPointF(box.rect.left(), y))
        painter.drawLine(QPointF(box.rect.right(), y), QPointF(box.to_x - 6, y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        tip = QPointF(box.to_x, y)
        painter.drawPolygon(QPolygonF([tip, QPointF(tip.x() - 8, y - 5), QPointF(tip.x() - 8, y + 5)]))

    def _draw_ground(self, painter: QPainter, rect: QRectF, key: str, standing: Standing) -> None:
        roles = QPalette.ColorRole
        is_chosen = key == self._key
        color = self.palette().color(roles.Accent if is_chosen else roles.Mid)
        if not is_chosen and standing in (Standing.SILENT, Standing.STOPPED, Standing.FAILING):
            color = tone_color(Tone.BAD)
        style = Qt.PenStyle.DashLine if standing is Standing.SILENT else Qt.PenStyle.SolidLine
        painter.setPen(QPen(color, 2.0 if is_chosen else 1.0, style))
        painter.setBrush(self.palette().color(roles.AlternateBase))
        painter.drawRoundedRect(rect, _RADIUS, _RADIUS)

    def _draw_node(self, painter: QPainter, box: NodeBox) -> None:
        self._draw_ground(painter, box.rect, box.node.key, box.node.standing)
        inner = box.rect.adjusted(_PAD, _PAD, -_PAD, -_PAD)
        y = inner.top()
        text_color = self.palette().color(QPalette.ColorRole.Text)
        is_plain = box.node.standing is Standing.KEEPS_UP
        if not is_plain:
            painter.drawPixmap(QPointF(inner.left(), y + 1), self._icons[box.node.standing])
        indent = 0.0 if is_plain else _ICON_PX + 4.0
        y = self._draw_name(painter, box.node.name, inner.adjusted(indent, 0, 0, 0), y, self._bold, text_color)
        y = self._draw_wrapped(painter, box.node.role, inner, y, self._small, tone_color(Tone.MUTED))
        color = text_color if is_plain else tone_color(_LOOKS[box.node.standing][1])
        for line in box.node.lines:
            y = self._draw_wrapped(painter, line, inner, y, self._small, color)
        self._draw_marks(painter, box.node.differing, inner, y)

    def _draw_hop(self, painter: QPainter, box: HopBox) -> None:
        hop = box.hop
        self._draw_ground(painter, box.rect, hop.key, hop.standing)
        color = tone_color(_LOOKS[hop.standing][1])
        if not box.is_full:
            inner = box.rect.adjusted(_PAD, 1, -_PAD, -1)
            painter.drawPixmap(QPointF(inner.left(), inner.top() + 1), self._icons[hop.standing])
            text = f"{hop.state} · {hop.name}"
            self._draw_name(painter, text, inner.adjusted(_ICON_PX + 4, 0, 0, 0), inner.top(), self._small, color)
            return
        inner = box.rect.adjusted(_PAD, 0.75 * _PAD, -_PAD, -0.75 * _PAD)
        y = inner.top()
        painter.drawPixmap(QPointF(inner.left(), y + 1), self._icons[hop.standing])
        y = self._draw_wrapped(painter, hop.state, inner.adjusted(_ICON_PX + 4, 0, 0, 0), y, self._bold, color)
        y = self._draw_name(painter, hop.name, inner, y, self._small, tone_color(Tone.MUTED))
        text_color = self.palette().color(QPalette.ColorRole.Text)
        for line in hop.lines:
            y = self._draw_wrapped(painter, line, inner, y, self._small, text_color)
        self._draw_marks(painter, hop.differing, inner, y)

    def _draw_marks(self, painter: QPainter, differing: Sequence[str], inner: QRectF, y: float) -> None:
        for mark in _marks(differing):
            self._draw_wrapped(painter, mark, inner, y, self._small, tone_color(Tone.ACCENT))

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

    # Choosing

    def _boxes(self) -> list[tuple[str, QRectF]]:
        nodes = [(box.node.key, box.rect) for box in self._layout.nodes]
        return nodes + [(box.hop.key, box.rect) for box in self._layout.hops]

    def _key_at(self, point: QPointF) -> str:
        return next((key for key, rect in self._boxes() if rect.contains(point - QPointF(1, 1))), "")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a box (Qt calls this)."""
        key = self._key_at(event.position())
        if key and event.button() is Qt.MouseButton.LeftButton:
            self.choose(key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a box (Qt calls this)."""
        key = self._key_at(event.position())
        if key:
            self.opened.emit(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move to the nearest box, or open the one chosen (Qt calls this)."""
        move = _MOVES.get(Qt.Key(event.key()))
        if move is not None:
            self.choose(self._next(move) or self._key)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._key and not event.modifiers():
            self.opened.emit(self._key)
        else:
            super().keyPressEvent(event)

    def _next(self, move: tuple[int, int]) -> str:
        """Return the key of the nearest box in a direction, the first one where none is chosen, "" for none."""
        boxes = self._boxes()
        here = next((rect.center() for key, rect in boxes if key == self._key), None)
        if here is None:
            return boxes[0][0] if boxes else ""
        across, down = move
        ahead: list[tuple[float, str]] = []
        for key, rect in boxes:
            dx, dy = rect.center().x() - here.x(), rect.center().y() - here.y()
            along, aside = (dx * across, abs(dy)) if across else (dy * down, 4 * abs(dx))
            if along > 1.0 and (not down or abs(dx) < 1.0):
                ahead.append((along + aside / 4 if across else along + aside, key))
        return min(ahead)[1] if ahead else ""

    def event(self, event: QEvent) -> bool:
        """Show a box's text as its tooltip (Qt calls this)."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self._sentence(self._key_at(QPointF(event.pos())))
            if text:
                QToolTip.showText(event.globalPos(), plain_tip(text.replace("; ", "\n")), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)


def words_fitted(text: str, width: float, font: QFont) -> str:
    """Return a text whose words each fit into a width: one that is wider alone is shortened in its middle."""
    metrics = QFontMetricsF(font)
    if all(metrics.horizontalAdvance(word) <= width for word in text.split()):
        return text
    return " ".join(metrics.elidedText(word, Qt.TextElideMode.ElideMiddle, width) for word in text.split())


def _marks(differing: Sequence[str]) -> list[str]:
    """Return the line that marks values other than the default."""
    return ["◇ " + _("{count} not at default").format(count=len(differing))] if differing else []


def legend_text() -> tuple[tuple[Shape, Tone, str], ...]:
    """Return the meaning of the picture's colours and icons."""
    return tuple((*_LOOKS[standing], standing_title(standing)) for standing in reversed(Standing))
