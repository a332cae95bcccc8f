"""Two runs or sessions of a client's file beside each other, or one beside the published numbers."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.flows.explain.compare_choices import PUBLISHED, comparables, proposed, why_not_comparable
from app.flows.explain.compare_view import ShownComparison, compare
from app.flows.target.attempt_view import is_mistake
from app.flows.words import sentence
from app.foundation.texts import _
from app.services.hand_over.engagement import Engagement, read_engagement
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.plot import PlotView
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.still_wheel import leave_wheel_to_page
from app.ui.widgets.table import DataTable


class CompareDialog(QDialog):
    """Compares in the background whatever two sides are chosen; it describes and never judges."""

    def __init__(self, desk: Desk, path: Path, wanted: Sequence[str], parent: QWidget) -> None:
        """Show the sides of a file.

        Args:
            wanted: references of the sides shown at first, older one first; others are proposed for missing ones.
        """
        super().__init__(parent)
        self.setObjectName("compare")
        self.setWindowTitle(_("Compare"))
        self._desk, self._path, self._wanted = desk, path, tuple(wanted)
        self._asked = 0
        self._found: ShownComparison | None = None
        self._first = _combo("compare.first_combo", _("First side"))
        self._second = _combo("compare.second_combo", _("Second side"))
        self._status = StatusLine("compare.status")
        self._plots = _combo("compare.plot_combo", _("Plot shown"))
        self._plot = PlotView("compare.plot", parent=self)
        layouts = desk.table_layouts
        self._measured = DataTable("compare.measured_table", _("Measured on both sides"), layouts)
        self._differing = DataTable("compare.differing_table", _("What differs"), layouts)
        self._effects = DataTable("compare.effects_table", _("What each side found by itself"), layouts)
        self._copy = push_button("compare.copy_button", _("Cop&y table"))
        self._close = push_button("compare.close_button", _("&Close"))
        self._tabs = QTabWidget()
        self._lay_out()
        self._first.currentIndexChanged.connect(self._compare)
        self._second.currentIndexChanged.connect(self._compare)
        self._plots.currentIndexChanged.connect(self._draw)
        self._tabs.currentChanged.connect(self._enable)
        self._copy.clicked.connect(self._on_copy_clicked)
        self._close.clicked.connect(self.reject)
        self._say(_("Reading the sessions…"), Tone.MUTED)
        desk.tasks.query(self, partial(read_engagement, path), self._show_choices, self._on_failed)

    def _lay_out(self) -> None:
        sides = QFormLayout()
        sides.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for text, combo in ((_("&First"), self._first), (_("&Second"), self._second)):
            label = PlainLabel(text)
            label.setBuddy(combo)
            sides.addRow(label, combo)
        pictures = QWidget()
        column = QVBoxLayout(pictures)
        column.setContentsMargins(0, GRID_PX, 0, 0)
        column.addWidget(self._plots)
        column.addWidget(self._plot, 1)
        self._tabs.setObjectName("compare.tabs")
        self._tabs.setAccessibleName(_("Parts of the comparison"))
        self._tabs.addTab(self._measured, _("&Measured on both"))
        self._tabs.addTab(pictures, _("&Plots"))
        self._tabs.addTab(self._differing, _("What &differs"))
        self._tabs.addTab(self._effects, _("&Each by itself"))
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX)
        buttons.addWidget(self._copy)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addLayout(sides)
        layout.addWidget(self._status)
        layout.addWidget(self._tabs, 1)
        layout.addLayout(buttons)
        self.resize(148 * GRID_PX, 74 * GRID_PX)

    def _show_choices(self, engagement: Engagement) -> None:
        choices = comparables(engagement)
        first, second = proposed(choices, self._wanted)
        for combo, chosen in ((self._first, first), (self._second, second)):
            with QSignalBlocker(combo):
                for choice in choices:
                    combo.addItem(choice.title, choice.reference)
                if combo is self._second:
                    combo.addItem(_("The published numbers"), PUBLISHED)
                combo.setCurrentIndex(combo.findData(chosen))
        self._compare()

    @Slot()
    @Slot(int)
    def _compare(self, _index: int = 0) -> None:
        self._asked += 1
        first, second = self._first.currentData() or "", self._second.currentData() or ""
        why = why_not_comparable(first, second)
        self._show_nothing()
        if why:
            self._say(why, Tone.NEUTRAL)
            return
        self._say(_("Comparing …"), Tone.MUTED)
        work = partial(compare, self._path, first, second, self._desk.program)
        asked = self._asked
        self._desk.tasks.query(self, work, partial(self._show, asked), partial(self._on_not_compared, asked))

    def _show_nothing(self) -> None:
        self._found = None
        with QSignalBlocker(self._plots):
            self._plots.clear()
        self._draw()
        self._tabs.setEnabled(False)
        self._enable()

    def _show(self, asked: int, comparison: ShownComparison) -> None:
        if asked != self._asked:  # other sides were chosen meanwhile
            return
        self._found = comparison
        self._say(comparison.cautions, Tone.WARNING)
        self._measured.set_placeholder(_("Nothing was measured under equal conditions on both sides."))
        self._differing.set_placeholder(_("Plan and environment are the same."))
        self._effects.set_placeholder(_("No side compared settings by itself, or published numbers have no such rows."))
        self._measured.show_content(comparison.measured)
        self._differing.show_content(comparison.differing)
        self._effects.show_content(comparison.effects)
        with QSignalBlocker(self._plots):
            for plot in comparison.plots:
                self._plots.addItem(plot.title)
        self._draw()
        self._tabs.setEnabled(True)
        self._enable()

    @Slot()
    @Slot(int)
    def _draw(self, _index: int = 0) -> None:
        place = self._plots.currentIndex()
        plot = self._found.plots[place] if self._found is not None and place >= 0 else None
        self._plot.show_plot(plot, _("Nothing to draw: the two sides share no measure."))
        self._plots.setEnabled(plot is not None)

    @Slot()
    @Slot(int)
    def _enable(self, _index: int = 0) -> None:
        self._copy.setEnabled(self._found is not None and isinstance(self._tabs.currentWidget(), DataTable))

    @Slot()
    def _on_copy_clicked(self) -> None:
        table = self._tabs.currentWidget()
        if isinstance(table, DataTable):
            table.copy_all()

    def _on_not_compared(self, asked: int, error: BaseException) -> None:
        if asked == self._asked:
            self._on_failed(error)

    def _on_failed(self, error: BaseException) -> None:
        self._say(sentence(str(error)), Tone.BAD)
        if is_mistake(error):
            self._desk.trouble.emit(error)

    def _say(self, text: str, tone: Tone) -> None:
        self._status.show_status(text, tone)


def _combo(name: str, spoken: str) -> QComboBox:
    combo = QComboBox()
    leave_wheel_to_page(combo)
    combo.setObjectName(name)
    combo.setAccessibleName(spoken)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return combo
