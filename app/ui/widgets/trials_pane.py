"""The trials of the runs chosen, and the time series of one or two of them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from app.domain.measurement import Sample
from app.flows.explain.run_trials_view import trial_of, trials_hint, trials_table
from app.flows.explain.runs_overlay import no_series_text, overlay_plot, stream_names
from app.flows.explain.runs_view import COMPARED
from app.flows.run.series_names import series_title
from app.foundation.texts import _
from app.services.hand_over.past_sessions import RunTrials, read_time_series
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.eliding_combo import ElidingCombo
from app.ui.widgets.plot import PlotView
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable

_MOST_TABLE_SHARE: Final = 0.7

Series = tuple[tuple[str, tuple[Sample, ...]], ...]


class TrialsPane(QSplitter):
    """A table of trials, and beside it the time series of those chosen in it."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("runs.trials_splitter")
        self.setChildrenCollapsible(False)
        self._desk = desk
        self._path: Path | None = None
        self._asked: tuple[str, ...] = ()
        self._series: Series = ()
        self._table = DataTable("runs.trials_table", _("Trials of the runs chosen"), desk.table_layouts, self)
        self._table.set_placeholder(_("Choose a run above to see its trials."))
        self._stream = ElidingCombo("runs.stream_combo", _("Time series shown"))
        self._hint = StatusLine("runs.trials_hint", self)
        self._plot = PlotView("runs.plot", parent=self)
        self._is_divided = False
        self._lay_out()
        self.splitterMoved.connect(self._on_divided)
        self._table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self._stream.currentIndexChanged.connect(self._draw)
        self._draw()

    def _lay_out(self) -> None:
        label = PlainLabel(_("&Time series"))
        label.setBuddy(self._stream)
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addWidget(label)
        row.addWidget(self._stream, 1)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(GRID_PX // 2, 0, 0, 0)
        column.setSpacing(GRID_PX // 2)
        column.addLayout(row)
        column.addWidget(self._hint)
        column.addWidget(self._plot, 1)
        self.addWidget(self._table.below_alike())
        self.addWidget(right)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 1)

    def show_runs(self, path: Path | None, runs: Sequence[RunTrials]) -> None:
        """Show the trials of some runs of a session file; the first is chosen where none is."""
        self._path = path
        content = trials_table(runs)
        self._table.show_content(content)
        self._divide()
        if not self._table.selected_keys and content.rows:
            self._table.choose_row(content.rows[0].key)
        self._on_selection_changed()

    def _divide(self) -> None:
        """Give the table what it asks for, up to its share, and the plot the rest; a division of the person stays."""
        if not self._is_divided and self.width() > 0:
            table_px = min(self._table.whole_width_px, round(_MOST_TABLE_SHARE * self.width()))
            self.setSizes([table_px, self.width() - table_px])

    @Slot()
    def _on_divided(self) -> None:
        self._is_divided = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the width there is now (Qt calls this)."""
        super().resizeEvent(event)
        self._divide()

    @Slot()
    def _on_selection_changed(self) -> None:
        keys = self._table.selected_keys
        self._hint.show_status(trials_hint(len(keys)), Tone.MUTED)
        wanted = keys[:COMPARED]
        if wanted == self._asked:
            return
        self._asked = wanted
        if not wanted or self._path is None:
            self._show_series((), ())
            return
        work = partial(read_time_series, self._path, [trial_of(key) for key in wanted])
        self._desk.tasks.query(self, work, partial(self._show_series, wanted), self._on_failed)

    def _show_series(self, keys: tuple[str, ...], series: tuple[tuple[Sample, ...], ...]) -> None:
        if keys != self._asked:  # others were chosen meanwhile
            return
        self._series = tuple((trial_of(key)[1], samples) for key, samples in zip(keys, series, strict=True))
        names = stream_names(series)
        shown = self._stream.currentData()
        with QSignalBlocker(self._stream):
            self._stream.clear()
            for name in names:
                self._stream.addItem(series_title(name, self._desk.program.systems.values()), name)
            self._stream.setCurrentIndex(max(0, self._stream.findData(shown)))
        self._stream.setEnabled(bool(names))
        self._draw()

    @Slot()
    @Slot(int)
    def _draw(self, _index: int = 0) -> None:
        spec = overlay_plot(str(self._stream.currentData() or ""), self._series, self._stream.currentText())
        self._plot.show_plot(spec, no_series_text(len(self._series)))

    def _on_failed(self, error: BaseException) -> None:
        self._hint.show_status(str(error), Tone.BAD)
