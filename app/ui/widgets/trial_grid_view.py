"""The trials of a plan, painted: settings below each other, blocks beside each other on an axis of time."""

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.domain.plan import Phase
from app.flows.plan.trial_grid import GridMark, GridRow, RowKind, TrialGrid
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone, plot_theme, tone_color
from app.ui.widgets.picture_copy import offer_copy
from app.ui.widgets.rich_text import plain_tip

_SMALL: Final = 0.9
_GAP: Final = 8.0
_RADIUS: Final = 2.5
_LEAST_ROW: Final = 1.15  # of a line's height
_MOST_ROW: Final = 3.0
_MOST_BOX: Final = 1.3
_HEAD_LINES: Final = 2.0  # phases and blocks
_FOOT_LINES: Final = 1.4  # times
_MOST_LABELS: Final = 0.4  # of the width: longer names are shortened in their middle
_EXPLORING_ALPHA: Final = 120
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)


class TrialGridView(QWidget):
    """Paints a TrialGrid; its content is also its accessible description."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(_("Trials in time"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._grid: TrialGrid | None = None
        self._font = QFont()
        self._bold = QFont()
        self._line = 0.0
        self._labels_width = 0.0
        self._end_room = 0.0
        self._set_up()
        offer_copy(self)

    def _set_up(self) -> None:
        self._font = QFont(self.font())
        self._font.setPointSizeF(self.font().pointSizeF() * _SMALL)
        self._bold = QFont(self._font)
        self._bold.setBold(True)
        self._line = QFontMetricsF(self._bold).height()
        self._measure()

    @property
    def grid(self) -> TrialGrid | None:
        """Return the grid."""
        return self._grid

    def show_grid(self, grid: TrialGrid) -> None:
        """Show another plan."""
        if grid == self._grid:
            return
        before = 0 if self._grid is None else len(self._grid.rows)
        self._grid = grid
        self.setAccessibleDescription(grid.spoken)
        self._measure()
        if len(grid.rows) != before:
            self.updateGeometry()
        self.update()

    def _measure(self) -> None:
        grid = self._grid
        if grid is None:
            return
        plain, bold = QFontMetricsF(self._font), QFontMetricsF(self._bold)
        texts = [grid.head, grid.unit, *(row.label for row in grid.rows[1:])]
        widest = max((plain.horizontalAdvance(text) for text in texts), default=0.0)
        self._labels_width = max(widest, bold.horizontalAdvance(grid.rows[0].label)) + 1
        # right of the axis as much as its last text needs there
        half_tick = max((plain.horizontalAdvance(tick.text) / 2 for tick in grid.ticks), default=0.0)
        right = grid.end.text if grid.end.is_late else "" if grid.limit is None else _limit_text(grid.limit)
        self._end_room = max(half_tick, bold.horizontalAdvance(right) + 3) + 2

    def sizeHint(self) -> QSize:
        """Return the preferred size (Qt calls this)."""
        return QSize(80 * GRID_PX, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the least size (Qt calls this)."""
        wide = QFontMetricsF(self._font).horizontalAdvance("0") * 40
        return QSize(round(wide), round(self._height(_LEAST_ROW)))

    @property
    def most_height_px(self) -> int:
        """How high it has use for."""
        return round(self._height(_MOST_ROW))

    def _height(self, row: float) -> float:
        rows = 1 if self._grid is None else len(self._grid.rows)
        return self._line * (_HEAD_LINES + row * rows + _FOOT_LINES)

    def changeEvent(self, event: QEvent) -> None:
        """Draw with the new colours and fonts (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_up()
            self.updateGeometry()
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.update()

    # Places

    def _area(self) -> QRectF:
        """Return where the rows stand."""
        left = min(self._labels_width, _MOST_LABELS * self.width()) + _GAP
        top = _HEAD_LINES * self._line
        return QRectF(left, top, self.width() - left - self._end_room, self.height() - top - _FOOT_LINES * self._line)

    def _x(self, area: QRectF, at_s: float, grid: TrialGrid) -> float:
        return area.left() + at_s / grid.length_s * area.width()

    def _row(self, area: QRectF, row: int, grid: TrialGrid) -> QRectF:
        tall = min(area.height() / len(grid.rows), _MOST_ROW * self._line)
        return QRectF(area.left(), area.top() + row * tall, area.width(), tall)

    def _rows_bottom(self, area: QRectF, grid: TrialGrid) -> float:
        return self._row(area, len(grid.rows) - 1, grid).bottom()

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw it (Qt calls this)."""
        grid = self._grid
        if grid is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self._area()
        area.setBottom(self._rows_bottom(area, grid))
        self._draw_bands(painter, area, grid)
        self._draw_labels(painter, area, grid)
        self._draw_boxes(painter, area, grid)
        self._draw_axis(painter, area, grid)
        painter.end()

    def _draw_bands(self, painter: QPainter, area: QRectF, grid: TrialGrid) -> None:
        exploring = QColor(self.palette().color(QPalette.ColorRole.Mid))
        exploring.setAlpha(_EXPLORING_ALPHA)
        grounds = {Phase.EXPLORE: exploring, Phase.CONFIRM: self.palette().color(QPalette.ColorRole.Highlight)}
        metrics = QFontMetricsF(self._font)
        painter.setFont(self._font)
        for band in grid.bands:
            left, right = self._x(area, band.start_s, grid), self._x(area, band.end_s, grid)
            gap = 1.0 if right - left > 4 else 0.0
            painter.fillRect(QRectF(left, area.top(), right - left - gap, area.height()), grounds[band.phase])
            painter.setPen(tone_color(Tone.ACCENT if band.phase is Phase.CONFIRM else Tone.MUTED))
            head = QRectF(left, area.top() - self._line, right - left, self._line)
            if band.label and metrics.horizontalAdvance(band.label) + 2 <= head.width():
                painter.drawText(head, _CENTRE, band.label)
        if grid.further is not None:
            left, right = self._x(area, grid.further.start_s, grid), self._x(area, grid.further.end_s, grid)
            hatch = QBrush(tone_color(Tone.MUTED), Qt.BrushStyle.BDiagPattern)
            painter.fillRect(QRectF(left, area.top(), right - left, area.height()), hatch)
        self._draw_phases(painter, area, grid)

    def _draw_phases(self, painter: QPainter, area: QRectF, grid: TrialGrid) -> None:
        """Name the phases above their blocks, those that have room."""
        metrics = QFontMetricsF(self._font)
        painter.setPen(tone_color(Tone.MUTED))
        for phase in (*grid.phases, *(() if grid.further is None else (grid.further,))):
            left, right = self._x(area, phase.start_s, grid), self._x(area, phase.end_s, grid)
            if metrics.horizontalAdvance(phase.text) + 4 <= right - left:
                painter.drawText(QRectF(left, 0, right - left, self._line), _CENTRE, phase.text)

    def _draw_labels(self, painter: QPainter, area: QRectF, grid: TrialGrid) -> None:
        painter.setPen(tone_color(Tone.MUTED))
        painter.setFont(self._font)
        width = area.left() - _GAP
        self._draw_name(painter, QRectF(0, area.top() - self._line, width, self._line), grid.head)
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        for place, row in enumerate(grid.rows):
            painter.setFont(self._bold if row.kind is RowKind.BASELINE else self._font)
            at = self._row(area, place, grid)
            self._draw_name(painter, QRectF(0, at.top(), width, at.height()), row.label)

    @staticmethod
    def _draw_name(painter: QPainter, room: QRectF, text: str) -> None:
        shown = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, _RIGHT, shown)

    def _draw_boxes(self, painter: QPainter, area: QRectF, grid: TrialGrid) -> None:
        colors = [_color(place, row) for place, row in enumerate(grid.rows)]
        rows = [self._row(area, place, grid) for place in range(len(grid.rows))]
        pens = [QPen(color, 1.2) for color in colors]
        for box in grid.boxes:
            left, right = self._x(area, box.start_s, grid), self._x(area, box.end_s, grid)
            row = rows[box.row]
            inset = max(0.18 * row.height(), (row.height() - _MOST_BOX * self._line) / 2)
            side = 1.0 if right - left > 6 else 0.0
            rect = QRectF(left + side, row.top() + inset, max(right - left - 2 * side, 1.0), row.height() - 2 * inset)
            if box.is_certain:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colors[box.row])
                painter.drawRoundedRect(rect, _RADIUS, _RADIUS)
            else:
                painter.setPen(pens[box.row])
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(rect.adjusted(0.6, 0.6, -0.6, -0.6), _RADIUS, _RADIUS)

    def _draw_axis(self, painter: QPainter, area: QRectF, grid: TrialGrid) -> None:
        """Draw the times below the rows: first the end and the limit, then others that have room beside them."""
        top = area.bottom() + 0.3 * self._line
        taken: list[QRectF] = []
        painter.setFont(self._bold)
        is_in_time = grid.limit is None or grid.limit.at_s >= grid.end.at_s
        taken.append(self._draw_mark(painter, area, grid.end, grid, top, is_right=not is_in_time))
        if grid.limit is not None:
            taken.append(self._draw_mark(painter, area, grid.limit, grid, top, is_right=is_in_time))
        painter.setFont(self._font)
        painter.setPen(tone_color(Tone.MUTED))
        metrics = QFontMetricsF(self._font)
        if grid.unit:
            painter.drawText(QRectF(0, top, area.left() - _GAP, self._line), _RIGHT, grid.unit)
        for tick in grid.ticks:
            wide = metrics.horizontalAdvance(tick.text)
            room = QRectF(self._x(area, tick.at_s, grid) - wide / 2 - 1, top, wide + 2, self._line)
            if not any(room.adjusted(-4, 0, 4, 0).intersects(other) for other in taken):
                painter.drawText(room, _CENTRE, tick.text)
                taken.append(room)

    def _draw_mark(
        self, painter: QPainter, area: QRectF, mark: GridMark, grid: TrialGrid, top: float, *, is_right: bool
    ) -> QRectF:
        """Draw a moment as a line with its time on that side of it; return the room it takes."""
        is_end = mark is grid.end
        color = tone_color(Tone.GOOD if is_end and not mark.is_late else Tone.BAD)
        text = mark.text if is_end else _limit_text(mark)
        x = self._x(area, mark.at_s, grid)
        painter.setPen(QPen(color, 2.0, Qt.PenStyle.DashLine if is_end else Qt.PenStyle.SolidLine))
        painter.drawLine(QPointF(x, area.top() - 2), QPointF(x, top + self._line * 0.1))
        wide = QFontMetricsF(self._bold).horizontalAdvance(text) + 1
        left = x + 2 if is_right else x - 2 - wide
        room = QRectF(max(min(left, self.width() - wide), 0.0), top, wide, self._line)
        painter.setPen(color)
        painter.drawText(room, _LEFT if is_right else _RIGHT, text)
        return room

    # What is under the mouse

    def words_at(self, point: QPointF) -> str:
        """Return the text at a place: a trial, or a row's name in full; "" for nothing."""
        grid = self._grid
        if grid is None:
            return ""
        area = self._area()
        area.setBottom(self._rows_bottom(area, grid))
        if point.x() < area.left() and point.y() < area.top():
            return grid.head
        places = [p for p in range(len(grid.rows)) if _holds(self._row(area, p, grid), point.y())]
        if not places:
            return ""
        if point.x() < area.left():
            return grid.rows[places[0]].whole
        return _words_in_row(grid, places[0], (point.x() - area.left()) / area.width() * grid.length_s)

    def event(self, event: QEvent) -> bool:
        """Show the text under the mouse as its tooltip (Qt calls this)."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.words_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain_tip(text), self) if text else QToolTip.hideText()
            return True
        return super().event(event)


def _words_in_row(grid: TrialGrid, row: int, at_s: float) -> str:
    further = grid.further
    if further is not None and further.start_s <= at_s < further.end_s:
        return further.words
    boxes = (box for box in grid.boxes if box.row == row and box.start_s <= at_s < box.end_s)
    return next((box.words for box in boxes), "")


def _holds(row: QRectF, y: float) -> bool:
    return row.top() <= y < row.bottom()


def _limit_text(mark: GridMark) -> str:
    """Return when the time there is ends, with an arrow where that lies beyond the axis."""
    return f"{mark.text} →" if mark.is_beyond else mark.text


def _color(place: int, row: GridRow) -> QColor:
    """Return the colour of a row: grey for the baseline, blue for the leader, those of the plots for the others."""
    theme = plot_theme()
    grey, *others = theme.series
    if row.kind is RowKind.BASELINE:
        return QColor(grey)
    if row.kind is RowKind.LEADER:
        return QColor(theme.accent)
    return QColor(others[(place - 1) % len(others)])
