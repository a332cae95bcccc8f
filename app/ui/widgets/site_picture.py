"""The present state of a site, painted: servers, and the hops between them, with rates, delays and limits."""

from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.charts.legend import KEY_PX
from app.charts.shapes import draw_shape
from app.charts.site_drawing import SHAPES, SiteColors, SiteDrawing
from app.charts.site_layout import PictureLayout, place
from app.domain.site_picture import (
    SitePicture,
    Standing,
    hop_sentence,
    node_sentence,
    standing_title,
)
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone, tone_color
from app.ui.widgets.legend_line import DrawKey
from app.ui.widgets.picture_copy import offer_copy
from app.ui.widgets.rich_text import plain_tip

_TONES: Final = {
    Standing.KEEPS_UP: Tone.GOOD,
    Standing.BEHIND: Tone.WARNING,
    Standing.STOPPED: Tone.BAD,
    Standing.FAILING: Tone.BAD,
    Standing.SILENT: Tone.BAD,
    Standing.UNKNOWN: Tone.MUTED,
}
_SHAPE_PX: Final = 16  # a shape's own square
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
        self._drawing = self._drawn_now()
        offer_copy(self)

    def _drawn_now(self) -> SiteDrawing:
        """Return the drawing in the present font and colours."""
        roles, palette = QPalette.ColorRole, self.palette()
        colors = SiteColors(
            text=palette.color(roles.Text),
            muted=tone_color(Tone.MUTED),
            accent=tone_color(Tone.ACCENT),
            ground=palette.color(roles.AlternateBase),
            line=palette.color(roles.Mid),
            chosen=palette.color(roles.Accent),
            standing={standing: tone_color(tone) for standing, tone in _TONES.items()},
        )
        return SiteDrawing(self.font(), colors)

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
        before = self._layout.height
        self._layout = place(self._picture, float(max(self.width() - 2, 1)), self._drawing.heights)
        if self._layout.height != before:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the preferred size (Qt calls this)."""
        return QSize(90 * GRID_PX, round(self._layout.height) + 2)

    def minimumSizeHint(self) -> QSize:
        """Return the least size (Qt calls this)."""
        columns = len({node.column for node in self._picture.nodes}) or 1
        wide = QFontMetricsF(self._drawing.small).horizontalAdvance("0") * 14
        return QSize(round((2 * columns - 1) * wide), 10 * GRID_PX)

    def heightForWidth(self, width: int) -> int:
        """Return the height needed at a width (Qt calls this)."""
        return round(place(self._picture, float(max(width - 2, 1)), self._drawing.heights).height) + 2

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
            self._drawing = self._drawn_now()
            self._place()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the visible part (Qt calls this)."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(1, 1)
        area = QRectF(event.rect())
        self._drawing.paint(painter, self._layout, area, self._key)
        painter.end()

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


def legend_keys() -> tuple[tuple[str, DrawKey], ...]:
    """Return the meaning of the picture's colours and icons."""
    return tuple((standing_title(standing), partial(_draw_standing, standing)) for standing in reversed(Standing))


def _draw_standing(standing: Standing, painter: QPainter) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate((KEY_PX - _SHAPE_PX) / 2, (KEY_PX - _SHAPE_PX) / 2)
    draw_shape(painter, SHAPES[standing], tone_color(_TONES[standing]))
