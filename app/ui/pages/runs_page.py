"""The browser of runs: every trial of a session, and any two of them laid over each other."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QSplitter, QVBoxLayout, QWidget

from app.domain.measurement import Sample
from app.flows.runs_view import (
    ANY_STATUS,
    COMPARED,
    BrowsedRuns,
    browse_runs,
    overlay_hint,
    overlay_missing,
    overlay_plot,
    runs_table,
    session_line,
    status_titles,
    stream_names,
    trial_of,
)
from app.foundation.texts import _
from app.services.past_sessions import read_time_series
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.heading import Heading
from app.ui.widgets.plot import PlotView
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable

Series = tuple[tuple[str, tuple[Sample, ...]], ...]


class RunsPage(QWidget):
    """Shows the trials of a session.

    Signals:
        left: the person wants to go back to the session.
    """

    left = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page.runs")
        self._desk = desk
        self._runs: BrowsedRuns | None = None
        self._asked: tuple[str, ...] = ()
        self._series: Series = ()
        self._heading = Heading(_("What did each trial measure?"), "")
        self._filter = QLineEdit()
        self._filter.setObjectName("runs.filter_edit")
        self._filter.setAccessibleName(_("Show trials that contain"))
        self._filter.setPlaceholderText(_("Setting, trial, status …"))
        self._filter.setClearButtonEnabled(True)
        self._status = QComboBox()
        self._status.setObjectName("runs.status_combo")
        self._status.setAccessibleName(_("Show trials of status"))
        for status, title in status_titles():
            self._status.addItem(title, status)
        self._leave = QPushButton(_("&Back"))
        self._leave.setObjectName("runs.leave_button")
        self._leave.setAccessibleName(_("Back to the session"))
        self._table = DataTable("runs.table", _("Trials of the session"), desk.table_layouts, self)
        self._stream = QComboBox()
        self._stream.setObjectName("runs.stream_combo")
        self._stream.setAccessibleName(_("Time series shown"))
        self._stream.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._hint = StatusLine("runs.hint", self)
        self._plot = PlotView("runs.plot", parent=self)
        self._lay_out()
        self._filter.textChanged.connect(self._table.set_filter)
        self._status.currentIndexChanged.connect(self._on_status_changed)
        self._leave.clicked.connect(self.left)
        self._table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self._stream.currentIndexChanged.connect(self._draw)
        self._draw()

    def _lay_out(self) -> None:
        narrow = QHBoxLayout()
        narrow.setSpacing(GRID_PX)
        label = QLabel(_("&Show"))
        label.setBuddy(self._filter)
        narrow.addWidget(label)
        narrow.addWidget(self._filter, 2)
        narrow.addWidget(self._status)
        narrow.addStretch(1)
        narrow.addWidget(self._leave)
        chosen = QHBoxLayout()
        chosen.setSpacing(GRID_PX)
        series = QLabel(_("&Time series"))
        series.setBuddy(self._stream)
        chosen.addWidget(series)
        chosen.addWidget(self._stream)
        chosen.addWidget(self._hint, 1)
        below = QWidget()
        lower = QVBoxLayout(below)
        lower.setContentsMargins(0, GRID_PX, 0, 0)
        lower.setSpacing(GRID_PX)
        lower.addLayout(chosen)
        lower.addWidget(self._plot, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setObjectName("runs.splitter")
        split.setChildrenCollapsible(False)
        split.addWidget(self._table)
        split.addWidget(below)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID_PX, 2 * GRID_PX, 3 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(self._heading)
        layout.addLayout(narrow)
        layout.addWidget(split, 1)

    def show_session(self, path: Path, session_id: str | None) -> None:
        """Read and show the trials of a session, the newest of the file for None."""
        self._table.set_placeholder(_("Reading the trials…"))
        work = partial(browse_runs, path, session_id, self._desk.program)
        self._desk.tasks.query(self, work, self._show_runs, self._on_failed)

    def _show_runs(self, runs: BrowsedRuns) -> None:
        self._runs = runs
        self._heading.show_hint(session_line(runs.listed))
        self._table.set_placeholder(_("No trial was run in this session, or none fits what is looked for."))
        self._show_table()
        if not self._table.current_key and runs.table.rows:
            self._table.choose_row(runs.table.rows[0].key)

    def _show_table(self) -> None:
        if self._runs is not None:
            status = self._status.currentData()
            whole = status == ANY_STATUS
            content = self._runs.table if whole else runs_table(self._runs.listed, dict(self._runs.titles), status)
            self._table.show_content(content)
            self._on_selection_changed()

    @Slot(int)
    def _on_status_changed(self, _index: int) -> None:
        self._show_table()

    @Slot()
    def _on_selection_changed(self) -> None:
        keys = self._table.selected_keys
        self._hint.show_status(overlay_hint(len(keys)), Tone.MUTED)
        wanted = keys[:COMPARED]
        if wanted == self._asked or self._runs is None:
            return
        self._asked = wanted
        if not wanted:
            self._show_series((), ())
            return
        session = self._runs.listed.session
        work = partial(read_time_series, session.path, session.session_id, [trial_of(key) for key in wanted])
        self._desk.tasks.query(self, work, partial(self._show_series, wanted), self._on_failed)

    def _show_series(self, keys: tuple[str, ...], series: tuple[tuple[Sample, ...], ...]) -> None:
        if keys != self._asked:  # others were chosen meanwhile
            return
        self._series = tuple((trial_of(key)[1], samples) for key, samples in zip(keys, series, strict=True))
        names = stream_names(series)
        shown = self._stream.currentText()
        self._stream.blockSignals(True)
        self._stream.clear()
        self._stream.addItems(list(names))
        self._stream.setCurrentIndex(max(0, self._stream.findText(shown)))
        self._stream.blockSignals(False)
        self._stream.setEnabled(bool(names))
        self._draw()

    @Slot()
    @Slot(int)
    def _draw(self, _index: int = 0) -> None:
        spec = overlay_plot(self._stream.currentText(), self._series)
        self._plot.show_plot(spec, overlay_missing(len(self._series)))

    def _on_failed(self, error: BaseException) -> None:
        self._table.set_placeholder(str(error))
        self._hint.show_status(str(error), Tone.BAD)
