"""The plots of a run: the client's backlog or a reading by time, below it the measure by setting and the effect.

Drawn again only where something is new.
"""

from typing import Final

from PySide6.QtCore import QElapsedTimer, QSignalBlocker, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.domain.measurement import BACKLOG
from app.domain.units import unit_word
from app.flows.run.run_state import GOING_ON, RunState
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.live_plot import LivePlot
from app.ui.widgets.picture_copy import make_card
from app.ui.widgets.plot import PlotView
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.still_wheel import leave_wheel_to_page

# On the lab many trials end each second, and the plot of the settings is built anew for each: once a second is enough.
_SETTINGS_INTERVAL_MS: Final = 1_000

# Narrower than this two plots beside each other leave no room for their axes; then all stand below each other.
_NARROW_PX: Final = 66 * GRID_PX
_BESIDE_PX: Final = 50 * GRID_PX
_BELOW_PX: Final = 84 * GRID_PX


class RunPlots(QSplitter):
    """Shows the measurements of a run so far."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setObjectName("run.plots")
        self.setChildrenCollapsible(False)
        self._state: RunState | None = None
        self._drawn = -1
        self._drawn_trials = -1
        self._drawn_backlog = -1
        self._since_settings = QElapsedTimer()
        self._since_backlog = QElapsedTimer()
        self._stream = QComboBox()
        leave_wheel_to_page(self._stream)
        self._stream.setObjectName("run.stream_combo")
        self._stream.setAccessibleName(_("Reading shown by time"))
        self._stream.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._stream.setEnabled(False)
        self._stream.currentIndexChanged.connect(self._on_stream_changed)
        self._by_time = LivePlot("run.time_plot", _("Reading by time, without the pauses between"))
        self._backlog = PlotView("run.backlog_plot", interactive=False)
        self._over_time = QStackedWidget()
        self._over_time.addWidget(self._by_time)
        self._over_time.addWidget(self._backlog)
        self._by_setting = PlotView("run.setting_plot", interactive=False, is_card=True)
        self._effect = PlotView("run.effect_plot", interactive=False, is_card=True)
        self._estimates = QSplitter(Qt.Orientation.Horizontal)
        self._estimates.setChildrenCollapsible(False)
        label = PlainLabel(_("O&ver time:"))
        label.setBuddy(self._stream)
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addWidget(label)
        row.addWidget(self._stream, 1)
        left = QFrame()
        make_card(left)
        layout = QVBoxLayout(left)
        layout.setContentsMargins(GRID_PX, GRID_PX // 2, GRID_PX, GRID_PX // 2)
        layout.setSpacing(GRID_PX // 2)
        layout.addLayout(row)
        layout.addWidget(self._over_time, 1)
        self.addWidget(left)
        self._estimates.addWidget(self._by_setting)
        self._estimates.addWidget(self._effect)
        self.addWidget(self._estimates)
        self.setStretchFactor(0, 5)
        self.setStretchFactor(1, 6)
        self.setSizes([500, 600])
        self.setMinimumHeight(_BESIDE_PX)

    def show_state(self, state: RunState) -> None:
        """Draw the new readings since the last time; costs nothing where there are none."""
        if state is not self._state:
            self._state, self._drawn, self._drawn_trials, self._drawn_backlog = state, -1, -1, -1
        if state.version != self._drawn:
            self._drawn = state.version
            self._offer_streams()
            self._draw_by_time()
        if state.has_backlog and self._may_draw_backlog(state):
            self._since_backlog.start()
            self._drawn_backlog = state.version
            self._backlog.show_plot(state.backlog(), _("The backlog appears with the first window."))
        if state.measured_version != self._drawn_trials and self._may_draw_settings(state):
            self._since_settings.start()
            self._drawn_trials = state.measured_version
            self._by_setting.show_plot(state.by_setting(), _("Intervals appear with the first results."))
            effect = state.effect()
            self._effect.show_plot(effect, _("The effect appears once a setting can be told from the baseline."))
            self._show_effect(state, effect is None)

    def _show_effect(self, state: RunState, is_empty: bool) -> None:
        """Leave its room to the others where there is none, or none yet of windows."""
        is_hidden = state.compares_all or (state.is_windowed and is_empty)
        if is_hidden is not self._effect.isHidden():
            self._effect.setHidden(is_hidden)
            self._share_height()

    def _share_height(self) -> None:
        """Give each row the height of its plots; the backlog gets more while there is no effect."""
        is_alone, has_backlog = self._effect.isHidden(), self._state is not None and self._state.has_backlog
        is_below = self._estimates.orientation() is Qt.Orientation.Vertical and not is_alone
        self.setMinimumHeight(_BELOW_PX if is_below else _BESIDE_PX)
        shares = (5, 12) if is_below else (8, 5) if is_alone and has_backlog else (5, 6)
        for place, share in enumerate(shares):
            self.setStretchFactor(place, share)
        self.setSizes([self.height() * share // sum(shares) for share in shares])

    def _may_draw_settings(self, state: RunState) -> bool:
        has_waited = not self._since_settings.isValid() or self._since_settings.hasExpired(_SETTINGS_INTERVAL_MS)
        return has_waited or self._drawn_trials < 1 or state.stage not in GOING_ON

    def _may_draw_backlog(self, state: RunState) -> bool:
        has_waited = not self._since_backlog.isValid() or self._since_backlog.hasExpired(_SETTINGS_INTERVAL_MS)
        return state.version != self._drawn_backlog and (has_waited or state.stage not in GOING_ON)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the estimates beside or below each other (Qt calls this)."""
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW_PX
        wanted = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        if self._estimates.orientation() is not wanted:
            self._estimates.setOrientation(wanted)
            self._estimates.setSizes([1, 1])
            self._share_height()

    def _offer_streams(self) -> None:
        """Offer the streams there are; the one chosen stays chosen."""
        streams = self._state.series.streams if self._state is not None else ()
        entries = [(stream.axis_label, stream.key) for stream in streams if stream.key != BACKLOG]
        if self._state is not None and self._state.has_backlog:
            entries.insert(0, (_("Backlog, by the setting at work"), BACKLOG))
        offered = [self._stream.itemData(place) for place in range(self._stream.count())]
        if [key for _title, key in entries] == offered:
            return
        chosen = self._stream.currentData() if offered else ""
        with QSignalBlocker(self._stream):
            self._stream.clear()
            for title, key in entries:
                self._stream.addItem(title, key)
            self._stream.setCurrentIndex(max(0, self._stream.findData(chosen)))
        self._stream.setEnabled(bool(entries))

    @Slot()
    def _on_stream_changed(self) -> None:
        self._draw_by_time()

    def _draw_by_time(self) -> None:
        if self._state is None:
            return
        series, key = self._state.series, str(self._stream.currentData() or "")
        self._over_time.setCurrentWidget(self._backlog if key == BACKLOG else self._by_time)
        if key == BACKLOG:
            return
        shown = next((stream for stream in series.streams if stream.key == key), None)
        label = "" if shown is None else unit_word(shown.unit) or shown.title
        self._by_time.show_trials(series.curve(key), series.means(key), label, series.stamps)
