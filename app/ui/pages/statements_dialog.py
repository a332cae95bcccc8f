"""Every statement a session sent to its servers: searched, copied, exported."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.domain.statement import StatementRecord
from app.flows.hand_over.statement_log_view import statement_text, statements_line, statements_table, written_line
from app.foundation.texts import _
from app.services.hand_over.statement_log import read_statement_log, write_statement_log
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.script_view import ScriptView
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable


class StatementsDialog(QDialog):
    """Shows the statement log of one session; "Read again" adds a run's statements since."""

    def __init__(self, desk: Desk, session_file: Path, session_id: str | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("statements")
        self.setWindowTitle(_("Statements sent to the servers"))
        self._desk = desk
        self._file = session_file
        self._session_id = session_id
        self._statements: tuple[StatementRecord, ...] = ()
        self._line = StatusLine("statements.line")
        self._filter = QLineEdit()
        self._filter.setObjectName("statements.filter_edit")
        self._filter.setAccessibleName(_("Show statements that contain"))
        self._filter.setPlaceholderText(_("Server, statement, error …"))
        self._filter.setClearButtonEnabled(True)
        self._table = DataTable("statements.table", _("Statements in the order they were sent"), desk.table_layouts)
        self._table.set_placeholder(_("No statement was sent yet, or none matches the search."))
        self._text = ScriptView("statements.text", _("The statement chosen"))
        self._again = push_button("statements.again_button", _("Read &again"))
        self._export = push_button("statements.export_button", _("&Export…"))
        self._close = push_button("statements.close_button", _("&Close"))
        self._lay_out()
        self._table.filter_by(self._filter)
        self._table.row_chosen.connect(self._on_row_chosen)
        self._again.clicked.connect(self.read)
        self._export.clicked.connect(self._on_export_clicked)
        self._close.clicked.connect(self.reject)
        self.read()

    def _lay_out(self) -> None:
        label = PlainLabel(_("&Show"))
        label.setBuddy(self._filter)
        narrow = QHBoxLayout()
        narrow.setSpacing(GRID_PX)
        narrow.addWidget(label)
        narrow.addWidget(self._filter, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self._table)
        split.addWidget(self._text)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX)
        buttons.addWidget(self._again)
        buttons.addWidget(self._export)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(self._line)
        layout.addLayout(narrow)
        layout.addWidget(split, 1)
        layout.addLayout(buttons)
        self.resize(112 * GRID_PX, 66 * GRID_PX)

    @Slot()
    def read(self) -> None:
        """Read the log from the session file."""
        self._again.setEnabled(False)
        work = partial(read_statement_log, self._file, self._session_id)
        self._desk.tasks.query(self, work, self._show, self._on_failed)

    def _show(self, statements: tuple[StatementRecord, ...]) -> None:
        self._again.setEnabled(True)
        self._statements = statements
        self._line.show_status(statements_line(statements), Tone.NEUTRAL)
        self._table.show_content(statements_table(statements))
        if statements and not self._table.current_key:
            self._table.choose_row("0")
        self._export.setEnabled(bool(statements))

    @Slot(str)
    def _on_row_chosen(self, key: str) -> None:
        self._text.show_text(statement_text(self._statements[int(key)]) if key else "")

    @Slot()
    def _on_export_clicked(self) -> None:
        path, _kind = QFileDialog.getSaveFileName(
            self, _("Export the statements"), str(self._file.with_name("statements.csv")), _("CSV files (*.csv)")
        )
        if path:
            self.export(Path(path))

    def export(self, path: Path) -> None:
        """Write the statements to a file, in the background."""
        work = partial(write_statement_log, self._statements, path)
        self._desk.tasks.query(self, work, partial(self._on_written, str(path)), self._on_failed)

    def _on_written(self, path: str, count: int) -> None:
        self._line.show_status(written_line(path, count), Tone.GOOD)

    def _on_failed(self, error: BaseException) -> None:
        self._again.setEnabled(True)
        self._line.show_status(str(error), Tone.BAD)
