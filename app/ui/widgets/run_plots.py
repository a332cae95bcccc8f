"""The two plots of a run: a reading by time, and the measure by setting; drawn again only where something is new."""

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from app.flows.run_state import RunState
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.live_plot import LivePlot
from app.ui.widgets.plot import PlotView


class RunPlots(QSplitter):
    """Shows what a run has measured so far."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("run.plots")
        self.setChildrenCollapsible(False)
        self._state: RunState | None = None
        self._drawn = -1
        self._drawn_trials = -1
        self._stream = QComboBox()
        self._stream.setObjectName("run.stream_combo")
        self._stream.setAccessibleName(_("Reading shown by time"))
        self._stream.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._stream.setEnabled(False)
        self._stream.currentIndexChanged.connect(self._on_stream_changed)
        self._by_time = LivePlot("run.time_plot", _("Reading by time, trials one after another"))
        self._by_setting = PlotView("run.setting_plot", interactive=False)
        label = QLabel(_("B&y time:"))
        label.setBuddy(self._stream)
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addWidget(label)
        row.addWidget(self._stream, 1)
        left = QWidget()
        layout = QVBoxLayout(left)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        layout.addLayout(row)
        layout.addWidget(self._by_time, 1)
        self.addWidget(left)
        self.addWidget(self._by_setting)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 1)

    def show_state(self, state: RunState) -> None:
        """Draw what is new since the last time; costs nothing where nothing is."""
        if state is not self._state:
            self._state, self._drawn, self._drawn_trials = state, -1, -1
        if state.version != self._drawn:
            self._drawn = state.version
            self._offer_streams()
            self._draw_by_time()
        if state.measured_version != self._drawn_trials:
            self._drawn_trials = state.measured_version
            self._by_setting.show_plot(state.by_setting(), _("Intervals appear with the first finished trials."))

    def _offer_streams(self) -> None:
        """Offer the streams there are; the one chosen stays chosen."""
        streams = self._state.series.streams if self._state is not None else ()
        offered = [self._stream.itemData(place) for place in range(self._stream.count())]
        if [stream.key for stream in streams] == offered:
            return
        chosen = self._stream.currentData()
        with QSignalBlocker(self._stream):
            self._stream.clear()
            for stream in streams:
                self._stream.addItem(stream.axis_label, stream.key)
            self._stream.setCurrentIndex(max(0, self._stream.findData(chosen)))
        self._stream.setEnabled(bool(streams))

    @Slot()
    def _on_stream_changed(self) -> None:
        self._draw_by_time()

    def _draw_by_time(self) -> None:
        if self._state is None:
            return
        series = self._state.series
        curve = series.curve(str(self._stream.currentData() or ""))
        self._by_time.show_curve(curve, series.bands, self._stream.currentText())
