"""One measure of the runs chosen, by setting: one run alone, or two beside each other."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from app.domain.units import unit_word
from app.flows.explain.runs_overlay import compared_metrics, no_runs_text, overlay_runs
from app.foundation.texts import _
from app.services.hand_over.past_sessions import RunTrials
from app.ui.theme import GRID_PX
from app.ui.widgets.plot import PlotView
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.still_wheel import leave_wheel_to_page


class RunsComparison(QWidget):
    """Shows the plots that `overlay_runs` makes of the runs chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[tuple[str, RunTrials], ...] = ()
        self._metric = QComboBox()
        leave_wheel_to_page(self._metric)
        self._metric.setObjectName("runs.metric_combo")
        self._metric.setAccessibleName(_("Measure shown"))
        self._metric.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._plot = PlotView("runs.setting_plot", parent=self)
        label = PlainLabel(_("&Measure"))
        label.setBuddy(self._metric)
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addWidget(label)
        row.addWidget(self._metric)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID_PX, 0, 0)
        layout.setSpacing(GRID_PX)
        layout.addLayout(row)
        layout.addWidget(self._plot, 1)
        self._metric.currentIndexChanged.connect(self._draw)
        self.show_runs(())

    def show_runs(self, runs: Sequence[tuple[str, RunTrials]]) -> None:
        """Show runs, each with its label."""
        self._runs = tuple(runs)
        shown = self._metric.currentText()
        with QSignalBlocker(self._metric):
            self._metric.clear()
            for metric in compared_metrics([trials for _label, trials in runs]):
                self._metric.addItem(f"{metric.title} ({unit_word(metric.unit)})", metric)
            self._metric.setCurrentIndex(max(0, self._metric.findText(shown)))
        self._metric.setEnabled(self._metric.count() > 0)
        self._draw()

    @Slot()
    @Slot(int)
    def _draw(self, _index: int = 0) -> None:
        metric = self._metric.currentData()
        spec = None if metric is None else overlay_runs(metric, self._runs)
        self._plot.show_plot(spec, no_runs_text(len(self._runs)))
