"""Import of measurements made elsewhere: the file, how it was understood, and the session made of it."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.domain.errors import ReplituneError
from app.flows.explain.import_view import (
    ImportForm,
    can_import,
    check_form,
    make_session,
    preview_table,
    preview_text,
    what_is_missing,
)
from app.flows.shell.settings_view import sessions_folder
from app.flows.shell.start_view import propose_folder
from app.foundation.clock import SystemClock
from app.foundation.texts import _
from app.services.explain.imported_session import preview_file
from app.services.explain.importing import Preview
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.heading import Heading
from app.ui.widgets.path_row import PathKind, PathRow
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable


class ImportPage(QWidget):
    """Makes a session of a measurement file.

    Signals:
        session_made: path of the session file, as text.
        left: the person does not want to import now.
    """

    session_made = Signal(str)
    left = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page.import")
        self.setWindowTitle(_("Import"))
        self._desk = desk
        self._form = ImportForm()
        pattern = _("Measurements ({patterns})").format(patterns="*.csv *.json *.txt")
        self._file = PathRow("import.file", _("File of measurements"), PathKind.FILE, self, pattern=pattern)
        self._file.path_entered.connect(self._on_file_entered)
        self._noise = QLineEdit()
        self._noise.setObjectName("import.noise_edit")
        self._noise.setAccessibleName(_("Run-to-run noise in percent"))
        self._noise.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._noise.setFixedWidth(10 * GRID_PX)
        self._noise.textEdited.connect(self._on_noise_edited)
        self._noise_error = StatusLine("import.noise_error", self)
        self._folder = PathRow("import.folder", _("Folder for session file, report and scripts"), PathKind.FOLDER, self)
        self._folder.path_entered.connect(self._on_folder_entered)
        self._understood = StatusLine("import.understood", self)
        self._table = DataTable("import.columns_table", _("How the columns were understood"), desk.table_layouts, self)
        self._table.show_content(preview_table(None))
        self._missing = StatusLine("import.missing", self)
        self._busy = QProgressBar()
        self._busy.setObjectName("import.busy_bar")
        self._busy.setAccessibleName(_("The file is being read"))
        self._busy.setRange(0, 0)
        self._busy.setTextVisible(False)
        self._busy.setFixedSize(8 * GRID_PX, GRID_PX)
        self._leave = self._make_button("import.leave_button", _("&Back"), _("Back to the start page"))
        self._leave.clicked.connect(self.left)
        self._make = self._make_button("import.make_button", _("&Make session"), _("Make a session of the file"))
        self._make.setDefault(True)
        self._make.clicked.connect(self._on_make_clicked)
        self._lay_out()
        self._show(busy=False)

    def _make_button(self, name: str, text: str, spoken: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAccessibleName(spoken)
        button.setMinimumWidth(12 * GRID_PX)
        return button

    def _lay_out(self) -> None:
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(3 * GRID_PX, 2 * GRID_PX, 3 * GRID_PX, 2 * GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        hint = _("The file is only read. What it shows is explained like measurements of your own.")
        layout.addWidget(Heading(_("Which measurements shall be explained?"), hint))
        layout.addLayout(self._make_form())
        layout.addWidget(self._understood)
        layout.addWidget(self._table, 1)
        scroll = QScrollArea()
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        footer = QHBoxLayout()
        footer.setContentsMargins(3 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        footer.setSpacing(GRID_PX)
        footer.addWidget(self._missing, 1)
        footer.addWidget(self._busy)
        footer.addWidget(self._leave)
        footer.addWidget(self._make)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(scroll, 1)
        outer.addLayout(footer)

    def _make_form(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(2 * GRID_PX)
        form.setVerticalSpacing(GRID_PX)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self._file.label(_("&File")), self._file)
        noise = QHBoxLayout()
        noise.setSpacing(GRID_PX)
        noise.addWidget(self._noise)
        noise.addWidget(QLabel("%"))
        noise.addWidget(self._noise_error, 1)
        label = QLabel(_("Run-to-run &noise"))
        label.setBuddy(self._noise)
        form.addRow(label, noise)
        what_for = QLabel(_("May stay empty. With one run for each setting, nothing can be told without it."))
        what_for.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        form.addRow("", what_for)
        form.addRow(self._folder.label(_("F&older")), self._folder)
        return form

    def _change(self, form: ImportForm, *, busy: bool = False) -> None:
        self._form = form
        self._show(busy=busy)

    def _show(self, *, busy: bool) -> None:
        problems = check_form(self._form)
        self._file.show_error(problems.file)
        self._noise_error.show_status(problems.noise, Tone.BAD)
        self._folder.show_error(problems.folder)
        self._understood.show_status(preview_text(self._form.preview), Tone.NEUTRAL)
        hint = _("Choose a file: how each of its columns is understood is shown here.")
        wrong = _("The file cannot be taken as it is; what has to be changed in it stands above.")
        self._table.set_placeholder(wrong if problems.file else hint)
        self._table.show_content(preview_table(self._form.preview))
        self._missing.show_status(what_is_missing(self._form), Tone.MUTED)
        self._make.setEnabled(can_import(self._form) and not busy)
        self._busy.setVisible(busy)

    @Slot(str)
    def _on_file_entered(self, path: str) -> None:
        form = replace(self._form, file=path, preview=None, file_problem="")
        if not form.folder:
            proposed = propose_folder(sessions_folder(self._desk.preferences), SystemClock().now_utc())
            form = replace(form, folder=str(proposed))
            self._folder.show_path(form.folder)
        self._change(form, busy=bool(path.strip()))
        if path.strip():
            work = partial(_try_preview, path, self._desk.program)
            self._desk.tasks.query(self, work, partial(self._show_preview, path), self._on_failed)

    def _show_preview(self, path: str, preview: Preview | str) -> None:
        if path != self._form.file:  # another one was typed meanwhile
            return
        if isinstance(preview, str):
            self._change(replace(self._form, file_problem=preview))
        else:
            self._change(replace(self._form, preview=preview))

    @Slot(str)
    def _on_noise_edited(self, text: str) -> None:
        self._change(replace(self._form, noise_percent=text))

    @Slot(str)
    def _on_folder_entered(self, path: str) -> None:
        self._change(replace(self._form, folder=path))

    @Slot()
    def _on_make_clicked(self) -> None:
        self._show(busy=True)
        work = partial(make_session, self._form, self._desk.program)
        self._desk.tasks.query(self, work, self._on_made, self._on_failed)

    def _on_made(self, path: Path) -> None:
        self._change(replace(self._form, folder=""))  # the next session gets a folder of its own
        self._folder.show_path("")
        self.session_made.emit(str(path))

    def _on_failed(self, error: BaseException) -> None:
        self._show(busy=False)
        if isinstance(error, ReplituneError):
            self._missing.show_status(str(error), Tone.BAD)
        else:
            self._desk.trouble.emit(error)


def _try_preview(path: str, program: Program) -> Preview | str:
    """Return how a file is understood, or why it cannot be used."""
    try:
        return preview_file(Path(path.strip()), program.families)
    except ReplituneError as error:
        return str(error)
