"""One decision as a card: action and gain in large type; its scripts beside it, its evidence folded below."""

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app.charts.shapes import Shape
from app.domain.decision import DecisionKind
from app.domain.plot import PlotSpec
from app.flows.explain.decision_view import DecisionView
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone, tone_color
from app.ui.widgets.card import Card
from app.ui.widgets.columns import Columns
from app.ui.widgets.interval_bar import BarInterval, BarScale, IntervalBar
from app.ui.widgets.plot import PlotView
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel, headed_label, plain_label
from app.ui.widgets.script_view import ScriptView
from app.ui.widgets.state_icons import state_icon

_DISPLAY_SCALE: Final = 3.0
_TITLE_SCALE: Final = 1.3
_LEAST_PLOT_PX: Final = 36 * GRID_PX
_MOST_PLOT_PX: Final = 76 * GRID_PX
_AROUND_PLOT_PX: Final = 10 * GRID_PX
_LEAST_BESIDE_PX: Final = 80 * GRID_PX  # in less, words and figure would have half a line each
_LOOKS: Final = {
    DecisionKind.CHANGE: (Shape.CHECK, Tone.GOOD),
    DecisionKind.MEASURE_AGAIN: (Shape.QUESTION, Tone.WARNING),
    DecisionKind.LEAVE: (Shape.EQUAL, Tone.NEUTRAL),
}


def bar_interval(shown: DecisionView) -> BarInterval | None:
    """Return the interval of a decision, None where it has none."""
    bar = shown.bar
    return None if bar is None else BarInterval(bar.low, bar.high, bar.middle, bar.least)


class DecisionFrame(Card):
    """Shows one decision; the first one is the largest."""

    def __init__(
        self, shown: DecisionView, scale: BarScale | None, make_evidence: Callable[[DecisionView], QWidget]
    ) -> None:
        """Make the card.

        Args:
            make_evidence: returns what stands behind a decision; called when it is first unfolded.
        """
        super().__init__(f"findings.decision_{shown.card.number}")
        self.setAccessibleName(shown.card.headline)
        self._shown, self._make_evidence = shown, make_evidence
        self._evidence: QWidget | None = None
        self._fold = QToolButton()
        self._actions, self._columns = Columns(), Columns()
        self._icon = PlainLabel()
        self._toned: list[QLabel] = []
        self._words = QVBoxLayout()
        self._words.setSpacing(GRID_PX)
        self._columns.setSpacing(2 * GRID_PX)
        self._columns.addLayout(self._words, 1)
        self.column.addLayout(self._columns, 1)
        self._add_words(scale)
        self._plot = None if shown.plot is None else self._figure(shown.plot)
        if self._plot is not None:
            self._columns.addWidget(self._plot, 1, Qt.AlignmentFlag.AlignTop)
        self._add_actions()
        self._draw()

    def _add_words(self, scale: BarScale | None) -> None:
        card, words = self._shown.card, self._words
        words.addLayout(self._head())
        words.addWidget(_scaled(plain_label(card.headline), _TITLE_SCALE))
        self._add_effect(scale)
        words.addWidget(plain_label(card.lead))
        if card.own_words:
            words.addWidget(plain_label(card.own_words))
        for heading, text in card.pairs:
            words.addWidget(headed_label(heading, text))
        for also in card.also:
            words.addWidget(plain_label(also))
        for set_aside in card.set_aside:
            words.addWidget(plain_label(_("Set aside: {what}").format(what=set_aside), quiet=True))
        words.addStretch(1)

    def _figure(self, plot: PlotSpec) -> PlotView:
        """Return the figure of the trials; it grows with the card."""
        view = PlotView(f"{self.objectName()}.plot", interactive=False)
        view.show_plot(plot)
        view.setFixedHeight(_LEAST_PLOT_PX)
        return view

    def give_height(self, height_px: int) -> None:
        """Make the figure as high as a page in sight allows, head and buttons of the card beside it."""
        if self._plot is not None:
            self._plot.setFixedHeight(max(_LEAST_PLOT_PX, min(height_px - _AROUND_PLOT_PX, _MOST_PLOT_PX)))

    @property
    def _look(self) -> tuple[Shape, Tone]:
        shape, tone = _LOOKS[self._shown.card.kind]
        return shape, Tone.NEUTRAL if self._shown.card.is_worth_open else tone

    def _head(self) -> QHBoxLayout:
        word = PlainLabel(self._shown.card.kind_text)
        word.setObjectName(f"{self.objectName()}.kind")
        self._toned.append(word)
        _scaled(word, 1.0)
        head = QHBoxLayout()
        head.setSpacing(GRID_PX)
        head.addWidget(self._icon)
        head.addWidget(word)
        head.addWidget(plain_label(self._shown.card.where, quiet=True), 1)
        return head

    def _add_effect(self, scale: BarScale | None) -> None:
        card = self._shown.card
        if not card.effect:
            return
        effect = PlainLabel(card.effect)
        effect.setObjectName(f"{self.objectName()}.effect")
        _scaled(effect, _DISPLAY_SCALE if card.number == 1 else _DISPLAY_SCALE / 2)
        self._toned.append(effect)
        interval = plain_label("\n".join(text for text in (card.measure, card.interval_told) if text))
        row = QHBoxLayout()
        row.setSpacing(2 * GRID_PX)
        row.addWidget(effect)
        row.addWidget(interval, 1)
        self._words.addLayout(row)
        own = bar_interval(self._shown)
        if own is not None and scale is not None:
            spoken = _("{effect}, 95 % interval {interval}").format(effect=card.effect, interval=card.interval)
            self._words.addWidget(IntervalBar(f"{self.objectName()}.bar", own, scale, self._look[1], spoken))

    def _add_actions(self) -> None:
        name, number = self.objectName(), self._shown.card.number
        self._fold.setObjectName(f"{name}.evidence_button")
        self._fold.setText(_("Evidence: trials {trials}").format(trials=self._shown.card.trials))
        self._fold.setAccessibleName(_("Evidence of decision {number}").format(number=number))
        self._fold.setCheckable(True)
        self._fold.setAutoRaise(True)
        self._fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._fold.setArrowType(Qt.ArrowType.RightArrow)
        self._fold.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._fold.toggled.connect(self._on_folded)
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addStretch(1)
        self._actions.setSpacing(GRID_PX)
        self._actions.addWidget(self._fold)
        self._actions.addLayout(row, 1)
        self.column.addLayout(self._actions)
        if self._shown.apply_script:
            texts = (
                ("apply", _("Apply script…"), self._shown.apply_script),
                ("undo", _("Undo script…"), self._shown.undo_script),
            )
            for kind, text, script in texts:
                button = push_button(f"{name}.{kind}_button", text)
                button.clicked.connect(partial(self._show_script, text.rstrip("…"), script))
                row.addWidget(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the scripts below the evidence, the figure below the words where the window is narrow (Qt calls this)."""
        super().resizeEvent(event)
        self._columns.fold(self, is_below=self.width() < _LEAST_BESIDE_PX)
        self._actions.fold(self)

    def _show_script(self, title: str, script: str, _checked: bool = False) -> None:
        dialog = QDialog(self)
        dialog.setObjectName("findings.script")
        dialog.setWindowTitle(_("{title}: {decision}").format(title=title, decision=self._shown.card.headline))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        view = ScriptView("findings.script_view", title)
        view.show_text(script)
        layout = QVBoxLayout(dialog)
        layout.addWidget(view)
        dialog.resize(110 * GRID_PX, 70 * GRID_PX)
        dialog.open()

    def _draw(self) -> None:
        shape, tone = self._look
        self._icon.setPixmap(state_icon(shape, tone).pixmap(2 * GRID_PX, 2 * GRID_PX))
        for label in self._toned:
            palette = label.palette()
            palette.setColor(label.foregroundRole(), tone_color(tone))
            if label.palette() != palette:
                label.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        """Draw in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    @Slot(bool)
    def _on_folded(self, is_open: bool) -> None:
        self._fold.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        if self._evidence is None:
            self._evidence = self._make_evidence(self._shown)
            self.column.addWidget(self._evidence)
        self._evidence.setVisible(is_open)


def _scaled(label: QLabel, scale: float) -> QLabel:
    font = label.font()
    font.setPointSizeF(font.pointSizeF() * scale)
    font.setBold(True)
    label.setFont(font)
    return label
