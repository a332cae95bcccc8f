"""The list of the wizard's steps with their states, left of the page."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.charts.shapes import Shape
from app.flows.shell.shell_view import StepLine, StepState
from app.flows.shell.wizard import Step
from app.foundation.texts import _
from app.ui.stylesheet import ROLE
from app.ui.theme import GRID_PX, Tone, tone_color
from app.ui.widgets.rich_text import plain_tip
from app.ui.widgets.state_icons import state_icon

_ICONS: Final = {
    Step.TARGET: Shape.PLUG,
    Step.TOPOLOGY: Shape.NODES,
    Step.PLAN: Shape.CALENDAR,
    Step.PREFLIGHT: Shape.SHIELD,
    Step.RUN: Shape.PLAY,
    Step.FINDINGS: Shape.BULB,
    Step.HAND_OVER: Shape.PAGE,
}
_TONES: Final = {StepState.CURRENT: Tone.ACCENT, StepState.CLOSED: Tone.MUTED}
_IS_DONE: Final = Qt.ItemDataRole.UserRole
_TICK_PX: Final = 14


class _StepDelegate(QStyledItemDelegate):
    """Draws a tick at the right of a step that is done."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a step (Qt calls this)."""
        super().paint(painter, option, index)
        rect: QRect = option.rect
        if index.data(_IS_DONE) and rect.width() > _TICK_PX + 8 * GRID_PX:
            tick = state_icon(Shape.CHECK, Tone.GOOD).pixmap(_TICK_PX, _TICK_PX)
            painter.drawPixmap(rect.right() - _TICK_PX - GRID_PX, rect.center().y() - _TICK_PX // 2, tick)


class StepList(QListWidget):
    """Shows the steps; a step that can be reached is gone to by a click or by Return.

    Signals:
        step_chosen: a Step that can be reached.
        closed_step_chosen: the sentence why the chosen step cannot be reached.
    """

    step_chosen = Signal(object)
    closed_step_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wizard.step_list")
        self.setAccessibleName(_("Steps of the session"))
        self.setProperty(ROLE, "rail")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedWidth(22 * GRID_PX)
        self.setSpacing(2)
        self.setIconSize(QSize(2 * GRID_PX, 2 * GRID_PX))
        self.setItemDelegate(_StepDelegate(self))
        self._lines: tuple[StepLine, ...] = ()
        self._is_compact = False
        self.itemClicked.connect(self._on_item_chosen)
        self.itemActivated.connect(self._on_item_chosen)

    def make_compact(self, *, compact: bool) -> None:
        """Show icons alone where the window is narrow; titles are in the tooltips."""
        if compact != self._is_compact:
            self._is_compact = compact
            self.setFixedWidth((7 if compact else 22) * GRID_PX)
            self.show_lines(self._lines)

    def show_lines(self, lines: Sequence[StepLine]) -> None:
        """Show the steps in their present states."""
        self._lines = tuple(lines)
        while self.count() < len(lines):
            item = QListWidgetItem()
            item.setSizeHint(QSize(0, 4 * GRID_PX))
            self.addItem(item)
        for row, line in enumerate(lines):
            self._show_line(self.item(row), line)
        current = next((row for row, line in enumerate(lines) if line.state is StepState.CURRENT), -1)
        self.setCurrentRow(current)

    def _show_line(self, item: QListWidgetItem, line: StepLine) -> None:
        tone = _TONES.get(line.state, Tone.NEUTRAL)
        item.setText("" if self._is_compact else line.title)
        item.setIcon(state_icon(_ICONS[line.step], tone))
        item.setData(_IS_DONE, line.state is StepState.DONE)
        told = (line.title if self._is_compact else "", line.reason)
        item.setToolTip(plain_tip(" – ".join(filter(None, told))))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, line.spoken)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, line.reason)
        item.setForeground(tone_color(tone))
        font = self.font()
        font.setBold(line.state is StepState.CURRENT)
        item.setFont(font)

    @Slot(QListWidgetItem)
    def _on_item_chosen(self, item: QListWidgetItem) -> None:
        line = self._lines[self.row(item)]
        if line.state is StepState.CURRENT:
            return
        if line.reason:
            self.closed_step_chosen.emit(line.reason)
        else:
            self.step_chosen.emit(line.step)

    def line_of(self, step: Step) -> StepLine:
        """Return the line of a step as it is shown."""
        return next(line for line in self._lines if line.step is step)

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icons in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._lines:
            self.show_lines(self._lines)
