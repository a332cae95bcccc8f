"""The browser of runs: every run of a session file, any two of them over each other, and their trials."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.domain.metrics import listed_metrics
from app.flows.explain.runs_overlay import run_labels
from app.flows.explain.runs_view import (
    ANY_STATUS,
    COMPARED,
    BrowsedRuns,
    browse_runs,
    file_line,
    row_key,
    run_of,
    runs_hint,
    runs_table,
    status_titles,
)
from app.foundation.texts import _
from app.services.hand_over.past_sessions import RunKey, RunTrials, list_trials
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.heading import Heading
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.runs_comparison import RunsComparison
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.still_wheel import leave_wheel_to_page
from app.ui.widgets.table import DataTable
from app.ui.widgets.trials_pane import TrialsPane


class RunsPage(QWidget):
    """Shows the runs of a session file.

    Signals:
        left: the person wants to go back to the session.
        compare_requested: path of the file, and what names the runs chosen, older one first, as a tuple.
        runs_shown: the table of runs is filled.
    """

    left = Signal()
    compare_requested = Signal(str, object)
    runs_shown = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page.runs")
        self.setWindowTitle(_("Runs"))
        self._desk = desk
        self._runs: BrowsedRuns | None = None
        self._wanted: RunKey | None = None
        self._asked: tuple[str, ...] = ()
        self._heading = Heading(_("Runs"), "")
        self._filter = QLineEdit()
        self._filter.setObjectName("runs.filter_edit")
        self._filter.setAccessibleName(_("Show runs that contain"))
        self._filter.setPlaceholderText(_("Experiment, target, date …"))
        self._filter.setClearButtonEnabled(True)
        self._status = QComboBox()
        leave_wheel_to_page(self._status)
        self._status.setObjectName("runs.status_combo")
        self._status.setAccessibleName(_("Show runs that ended as"))
        for status, title in status_titles():
            self._status.addItem(title, status)
        self._compare = push_button("runs.compare_button", _("&Compare…"), _("Compare the runs chosen"))
        self._leave = push_button("runs.leave_button", _("&Back"), _("Back to the session"))
        self._table = DataTable("runs.table", _("Runs of the session file"), desk.table_layouts, self)
        self._table.setMinimumHeight(15 * GRID_PX)
        self._hint = StatusLine("runs.hint", self)
        self._trials = TrialsPane(desk)
        self._comparison = RunsComparison()
        self._lay_out()
        self._table.filter_by(self._filter)
        self._filter.textChanged.connect(self._on_filter_changed)
        self._status.currentIndexChanged.connect(self._on_status_changed)
        self._compare.clicked.connect(self._on_compare_clicked)
        self._leave.clicked.connect(self.left)
        self._table.selectionModel().selectionChanged.connect(self._on_selection_changed)

    def _lay_out(self) -> None:
        narrow = QHBoxLayout()
        narrow.setSpacing(GRID_PX)
        label = PlainLabel(_("&Show"))
        label.setBuddy(self._filter)
        narrow.addWidget(label)
        narrow.addWidget(self._filter, 2)
        narrow.addWidget(self._status)
        narrow.addWidget(self._hint, 2)
        narrow.addWidget(self._compare)
        narrow.addWidget(self._leave)
        tabs = QTabWidget()
        tabs.setObjectName("runs.tabs")
        tabs.setAccessibleName(_("What is shown of the runs chosen"))
        tabs.setDocumentMode(True)
        tabs.addTab(self._comparison, _("M&easure by setting"))
        tabs.addTab(self._trials, _("Measu&rements and time series"))
        tabs.setMinimumHeight(34 * GRID_PX)
        split = _Split(Qt.Orientation.Vertical)
        split.setObjectName("runs.splitter")
        split.setChildrenCollapsible(False)
        split.addWidget(self._table)
        split.addWidget(tabs)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        area = QScrollArea()
        area.setObjectName("runs.scroll_area")
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(split)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID_PX, 2 * GRID_PX, 3 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(self._heading)
        layout.addLayout(narrow)
        layout.addWidget(area, 1)

    def show_file(self, path: Path, chosen: RunKey | None = None) -> None:
        """Read and show the runs of a session file.

        Args:
            chosen: the run chosen at first, the newest one for None.
        """
        if self._runs is not None and self._runs.listed.path != path:
            self._runs, self._asked = None, ()
        self._wanted = chosen
        self._table.set_placeholder(_("Reading the runs…"))
        work = partial(browse_runs, path, self._desk.program, is_running=self._desk.is_running)
        self._desk.tasks.query(self, work, self._show_runs, self._on_failed)

    def _show_runs(self, runs: BrowsedRuns) -> None:
        self._runs = runs
        self._heading.show_hint("\n".join([file_line(runs.listed), *filter(None, [_told(runs)])]))
        self._table.set_placeholder(_("Nothing was run in this file, or no run matches the search."))
        self._show_table()
        if self._wanted is not None:
            self._table.choose_row(row_key(self._wanted))
        if not self._table.selected_keys and runs.first_key:
            self._table.choose_row(runs.first_key)
        self.runs_shown.emit()

    def _show_table(self) -> None:
        if self._runs is not None:
            self._table.show_content(runs_table(self._runs, self._status.currentData() or ANY_STATUS))
            self._on_selection_changed()

    @Slot(str)
    def _on_filter_changed(self, _wanted: str) -> None:
        self._on_selection_changed()  # rows that are hidden are chosen no more, which the table does not tell

    @Slot(int)
    def _on_status_changed(self, _index: int) -> None:
        self._show_table()

    @Slot()
    def _on_selection_changed(self) -> None:
        keys = self._table.selected_keys
        self._hint.show_status(runs_hint(len(keys)), Tone.MUTED)
        wanted = keys[:COMPARED]
        if wanted == self._asked or self._runs is None:
            return
        self._asked = wanted
        if not wanted:
            self._show_trials((), ())
            return
        work = partial(_list_trials, self._desk.program, self._runs.listed.path, [run_of(key) for key in wanted])
        self._desk.tasks.query(self, work, partial(self._show_trials, wanted), self._on_failed)

    @Slot()
    def _on_compare_clicked(self) -> None:
        if self._runs is not None:
            wanted = tuple(reversed(self._table.selected_keys[:COMPARED]))
            self.compare_requested.emit(str(self._runs.listed.path), wanted)

    def _show_trials(self, keys: tuple[str, ...], trials: tuple[RunTrials, ...]) -> None:
        if keys != self._asked or self._runs is None:  # others were chosen meanwhile
            return
        labels = run_labels(self._runs, [run.key for run in trials])
        self._comparison.show_runs(tuple(zip(labels, trials, strict=True)))
        self._trials.show_runs(self._runs.listed.path, trials)

    def _on_failed(self, error: BaseException) -> None:
        self._table.set_placeholder(str(error))
        self._hint.show_status(str(error), Tone.BAD)


class _Split(QSplitter):
    """A splitter that asks for no more than it needs: spare room is shared, missing room is scrolled."""

    def sizeHint(self) -> QSize:
        """Return the least it needs (Qt calls this)."""
        return self.minimumSizeHint()


def _told(runs: BrowsedRuns) -> str:
    return " · ".join(text for _column, text in runs.told_once)


def _list_trials(program: Program, path: Path, keys: Sequence[RunKey]) -> tuple[RunTrials, ...]:
    """Read the list of trials on a worker thread, with the families that describe its columns."""
    return list_trials(path, keys, listed_metrics(program.families.values()))
