"""One trial: its setting, its measurements, and its readings over time."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from app.flows.explain.runs_overlay import overlay_plot, stream_names
from app.flows.explain.trial_view import TrialDetail, telling_stream
from app.flows.run.series_names import series_title
from app.foundation.texts import _
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.plot import PlotView
from app.ui.widgets.rich_text import PlainLabel, plain_label
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.still_wheel import leave_wheel_to_page
from app.ui.widgets.table import DataTable


class TrialDialog(QDialog):
    """Shows one `TrialDetail`; Escape closes it."""

    def __init__(self, desk: Desk, detail: TrialDetail, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("trial_dialog")
        self.setWindowTitle(detail.title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._detail = detail
        self._plot = PlotView("trial_dialog.plot")
        self._stream = QComboBox()
        leave_wheel_to_page(self._stream)
        self._stream.setObjectName("trial_dialog.stream_combo")
        self._stream.setAccessibleName(_("Reading shown"))
        for name in stream_names([detail.samples]):
            self._stream.addItem(series_title(name, desk.program.systems.values()), name)
        self._stream.setCurrentIndex(self._stream.findData(telling_stream(detail.samples)))
        self._measures = DataTable("trial_dialog.measures_table", _("Measures of the trial"), desk.table_layouts)
        self._measures.show_content(detail.measures)
        self._measures.set_placeholder(_("Nothing was measured."))
        self._lay_out()
        self._stream.currentIndexChanged.connect(self._on_stream_changed)
        self._on_stream_changed()
        self.resize(110 * GRID_PX, 70 * GRID_PX)

    def _lay_out(self) -> None:
        facts = QFormLayout()
        facts.setVerticalSpacing(GRID_PX // 2)
        for name, text in self._detail.facts:
            facts.addRow(f"{name}:", plain_label(text))
        left = QVBoxLayout()
        left.setSpacing(GRID_PX)
        left.addLayout(facts)
        for problem in self._detail.problems:
            line = StatusLine("trial_dialog.problem")
            line.show_status(problem, Tone.WARNING)
            left.addWidget(line)
        left.addWidget(self._measures, 1)
        label = PlainLabel(_("&Reading:"))
        label.setBuddy(self._stream)
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addWidget(label)
        row.addWidget(self._stream, 1)
        right = QVBoxLayout()
        right.setSpacing(GRID_PX)
        right.addLayout(row)
        right.addWidget(self._plot, 1)
        both = QHBoxLayout()
        both.setSpacing(2 * GRID_PX)
        both.addLayout(left, 1)
        both.addLayout(right, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setObjectName("trial_dialog.close_button")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addLayout(both, 1)
        layout.addWidget(buttons)

    @Slot()
    def _on_stream_changed(self) -> None:
        has_samples = bool(self._detail.samples)
        self._stream.setEnabled(has_samples)
        spec = None
        if has_samples:
            trial = (self._detail.title, self._detail.samples)
            spec = overlay_plot(str(self._stream.currentData()), [trial], self._stream.currentText())
        self._plot.show_plot(spec, self._detail.no_samples)
