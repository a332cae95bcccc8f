"""The servers' own history without an experiment: by hour, queues and states now, findings, costs."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSpinBox, QTabWidget, QVBoxLayout, QWidget

from app.domain.view import TableContent
from app.flows.target.attempt_view import is_mistake
from app.flows.target.observe_view import (
    cost_line,
    costs_table,
    look_content,
    look_history,
    look_line,
    look_pages,
    shown_pages,
)
from app.flows.words import counted, sentence
from app.foundation.texts import _
from app.services.look.looking import DEFAULT_WINDOW_H, Look, look
from app.services.look.observing_export import write_history
from app.services.ports import TargetOpener
from app.services.program import Program
from app.services.target.answers import Answers
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.columns import Columns
from app.ui.widgets.look_page import LookPage
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.still_wheel import leave_wheel_to_page
from app.ui.widgets.table import DataTable

_MOST_HOURS = 24 * 30


class ObservePane(QWidget):
    """Shows a look, and looks in the background; a look that was given up is dropped when it arrives.

    Signals:
        seen: the Look somebody asked for here.
    """

    seen = Signal(object)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._target = desk, ""
        self._asked = 0
        self._answers: Answers | None = None
        self._seen: Look | None = None
        self._history: TableContent | None = None
        self._line = StatusLine("observe.line")
        self._cost = StatusLine("observe.cost")
        self._hours = QSpinBox()
        leave_wheel_to_page(self._hours)
        self._hours.setObjectName("observe.hours_spin")
        self._hours.setAccessibleName(_("Hours of history"))
        self._hours.setRange(1, _MOST_HOURS)
        self._hours.setValue(DEFAULT_WINDOW_H)
        self._hours.setSuffix(_(" h"))
        self._look = push_button("observe.look_button", _("&Look again"))
        self._cancel = push_button("observe.cancel_button", _("C&ancel"))
        self._export = push_button("observe.export_button", _("&Export hours…"))
        self._copy = push_button("observe.copy_button", _("&Copy hours"))
        self._costs = DataTable("observe.costs_table", _("What an experiment costs"), desk.table_layouts)
        pages = look_pages(desk.program.systems)
        self._titles = {page.page_id: page.title for page in pages}
        self._first = [LookPage(desk, page) for page in pages if not page.is_last]
        self._last = [LookPage(desk, page) for page in pages if page.is_last]
        self._tabs = QTabWidget()
        self._top = Columns()
        self._lay_out()
        self._look.clicked.connect(self.look)
        self._cancel.clicked.connect(self._on_cancel_clicked)
        for page in self._pages:
            if page.history is not None:
                self._copy.clicked.connect(page.history.copy_all)
        self._export.clicked.connect(self._on_export_clicked)
        self._show_looking(is_looking=False)

    def _lay_out(self) -> None:
        label = PlainLabel(_("Ho&urs of history:"))
        label.setBuddy(self._hours)
        self._top.setSpacing(GRID_PX)
        for widgets in ((label, self._hours, self._look, self._cancel), (self._copy, self._export)):
            row = QHBoxLayout()
            row.setSpacing(GRID_PX)
            for widget in widgets:
                row.addWidget(widget)
            row.addStretch(1)
            self._top.addLayout(row)
        self._tabs.setObjectName("observe.tabs")
        self._tabs.setAccessibleName(_("Parts of what was seen"))
        for page in self._first:
            self._tabs.addTab(page, self._titles[page.page_id])
        self._tabs.addTab(self._costs, _("E&xperiments"))
        for page in self._last:
            self._tabs.addTab(page, self._titles[page.page_id])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX)
        told = QHBoxLayout()
        told.setSpacing(2 * GRID_PX)
        for line in (self._line, self._cost):
            told.addWidget(line, 1)
        layout.addLayout(self._top)
        layout.addLayout(told)
        layout.addWidget(self._tabs, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons of the history below where the window is narrow (Qt calls this)."""
        super().resizeEvent(event)
        self._top.fold(self)

    @property
    def _pages(self) -> tuple[LookPage, ...]:
        """Return the pages of the systems, before and behind the costs of experiments."""
        return (*self._first, *self._last)

    def show_target(self, target: str) -> None:
        """Clear for another target; a reading of the old one is dropped."""
        if target != self._target:
            self._target, self._seen, self._history = target, None, None
            self._leave()
            self._line.show_status("", Tone.MUTED)
            self._cost.show_status("", Tone.MUTED)
            self._show_looking(is_looking=False)

    @Slot()
    def look(self) -> None:
        """Look at the history; changes nothing."""
        self._asked += 1
        self._show_looking(is_looking=True)
        self._line.show_status(_("Reading; nothing is changed …"), Tone.MUTED)
        work = partial(_observe, self._desk.program, self._target, self._hours.value())
        on_done, on_error = partial(self._on_seen, self._asked), partial(self._on_failed, self._asked)
        self._answers = self._desk.servers.query(self, work, on_done, on_error)

    def _leave(self) -> None:
        self._asked += 1
        if self._answers is not None:
            self._desk.servers.leave(self._answers)

    def _show_looking(self, *, is_looking: bool) -> None:
        self._look.setEnabled(not is_looking)
        self._cancel.setEnabled(is_looking)
        looked = None if is_looking else self._seen
        self._tabs.setEnabled(looked is not None)
        for button in (self._copy, self._export):
            button.setEnabled(looked is not None and self._history is not None)

    @Slot()
    def _on_cancel_clicked(self) -> None:
        self._leave()
        self._line.show_status(_("Cancelled; nothing was changed."), Tone.MUTED)
        self._show_looking(is_looking=False)

    def _on_seen(self, asked: int, looked: Look) -> None:
        if asked == self._asked:
            self.show_look(looked)
            self.seen.emit(looked)

    def show_look(self, looked: Look) -> None:
        """Show a look's observations."""
        self._seen, self._history = looked, look_history(looked)
        self._line.show_status(look_line(looked), Tone.NEUTRAL)
        self._cost.show_status(cost_line(looked), Tone.MUTED)
        self._costs.show_content(costs_table(looked))
        content, shown = look_content(looked), shown_pages(looked)
        for page in self._pages:
            page.show_content(content)
            self._tabs.setTabVisible(self._tabs.indexOf(page), page.page_id in shown)
        self._show_looking(is_looking=False)

    def _on_failed(self, asked: int, error: BaseException) -> None:
        if asked == self._asked:
            self._show_looking(is_looking=False)
            self._line.show_status(sentence(str(error)), Tone.BAD)
            if is_mistake(error):
                self._desk.trouble.emit(error)

    @Slot()
    def _on_export_clicked(self) -> None:
        path, _kind = QFileDialog.getSaveFileName(self, _("Export the hours"), "history.csv", _("CSV files (*.csv)"))
        if path:
            self.export(Path(path))

    def export(self, path: Path) -> None:
        """Write the hours to a file, in the background."""
        if self._history is not None:
            work = partial(write_history, self._history, path)
            failed = partial(self._on_failed, self._asked)
            self._desk.tasks.query(self, work, partial(self._on_written, path), failed)

    def _on_written(self, path: Path, count: int) -> None:
        rows = counted(count, _("1 hour"), _("{count} hours"))
        self._line.show_status(_("{rows} written to {file}.").format(rows=rows, file=path), Tone.GOOD)


def _observe(program: Program, target: str, hours: int, open_target: TargetOpener) -> Look:
    """Runs on a worker thread: the rules are loaded here, too."""
    return look(target, program.advisor, open_target, window_h=hours)
