"""Import of measurements made elsewhere: the file, the meaning of its columns, and the session made of it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal, Slot
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.domain.errors import ReplituneError
from app.flows.explain.import_view import (
    ImportForm,
    Understanding,
    can_import,
    check_form,
    compared_table,
    headings_text,
    keep_pasted,
    look_at,
    make_session,
    meaning_text,
    missing_entry,
    plain_comparison,
    preview_text,
    problems_text,
    published_titles,
    raw_table,
    understand,
    with_column,
    with_common_value,
)
from app.flows.hand_over.bundle_view import ENDING
from app.flows.hand_over.engagement_view import SUFFIX
from app.flows.shell.settings_view import sessions_folder
from app.flows.shell.start_view import propose_folder
from app.foundation.texts import _
from app.services.explain.imported_session import save_template
from app.services.explain.importing import ColumnMapping
from app.services.preferences import remember_import
from app.services.program import Program
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.heading import Heading
from app.ui.widgets.keyboard_order import order_keyboard
from app.ui.widgets.mapping_pane import MappingPane
from app.ui.widgets.path_row import PathKind, PathRow
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel, plain_label
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable

_PATTERNS = "*.csv *.tsv *.txt *.log *.md *.json *.xlsx *.xlsm *.xls *.ods"
_TWO_COLUMNS_PX = 110 * GRID_PX


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
        self._has_chosen = False
        self.setAcceptDrops(True)
        pattern = _("Measurements ({patterns})").format(patterns=_PATTERNS)
        self._file = PathRow("import.file", _("File of measurements"), PathKind.FILE, self, pattern=pattern)
        self._file.path_entered.connect(self._on_file_entered)
        self._noise = QLineEdit()
        self._noise.setObjectName("import.noise_edit")
        self._noise.setAccessibleName(_("Noise between runs in percent"))
        self._noise.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._noise.setFixedWidth(10 * GRID_PX)
        self._noise.textEdited.connect(self._on_noise_edited)
        self._noise_error = StatusLine("import.noise_error", self)
        words = _("Optional. With one run of each setting, nothing can be decided without it.")
        self._noise_hint = plain_label(words, quiet=True)
        self._folder = PathRow("import.folder", _("Folder for session file, report and scripts"), PathKind.FOLDER, self)
        self._folder.path_entered.connect(self._on_folder_entered)
        self._paste = push_button("import.paste_button", _("P&aste a table"), _("Paste a table from the clipboard"))
        self._paste.clicked.connect(self._on_paste_clicked)
        self._published = self._make_menu("import.published_button", _("&Published studies"), self._fill_published)
        self._template = self._make_menu("import.template_button", _("Save a &template"), self._fill_template)
        self._understood = StatusLine("import.understood", self)
        self._problems = StatusLine("import.problems", self)
        self._mapping = MappingPane(self)
        self._mapping.column_chosen.connect(self._on_column_chosen)
        self._mapping.chosen.connect(self._on_chosen)
        self._table = DataTable("import.raw_table", _("The file as it is written"), desk.table_layouts, self)
        self._table.set_placeholder(
            _("Choose a file, drop it here or paste a table: it is shown here as it is written.")
        )
        self._table.setMinimumHeight(20 * GRID_PX)
        self._compared = DataTable("import.compared_table", _("Compared without advice"), desk.table_layouts, self)
        self._compared.setMinimumHeight(14 * GRID_PX)
        self._meanings = QWidget()
        self._missing = StatusLine("import.missing", self)
        self._busy = QProgressBar()
        self._busy.setObjectName("import.busy_bar")
        self._busy.setAccessibleName(_("The file is being read"))
        self._busy.setRange(0, 0)
        self._busy.setTextVisible(False)
        self._busy.setFixedSize(8 * GRID_PX, GRID_PX)
        self._leave = push_button("import.leave_button", _("&Back"), _("Back to the start page"))
        self._leave.clicked.connect(self.left)
        self._make = push_button("import.make_button", _("Create &session"), _("Create a session from the file"))
        self._make.setDefault(True)
        self._make.clicked.connect(self._on_make_clicked)
        for button in (self._paste, self._published, self._template, self._leave, self._make):
            button.setMinimumWidth(12 * GRID_PX)
        self._lay_out()
        self._show(busy=False)

    def _make_menu(self, name: str, text: str, fill: Callable[[QMenu], None]) -> QPushButton:
        button = push_button(name, text)
        menu = QMenu(button)
        menu.setObjectName(f"{name}.menu")
        menu.aboutToShow.connect(partial(fill, menu))
        button.setMenu(menu)
        return button

    def _lay_out(self) -> None:
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(3 * GRID_PX, 2 * GRID_PX, 3 * GRID_PX, 2 * GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        hint = _("The file is only read. What it shows is explained like measurements of your own.")
        layout.addWidget(Heading(_("Import"), hint))
        layout.addLayout(self._make_form())
        layout.addWidget(self._understood)
        layout.addWidget(self._problems)
        layout.addWidget(self._compared)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._parts.setSpacing(3 * GRID_PX)
        columns = QVBoxLayout(self._meanings)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.addWidget(self._mapping)
        columns.addStretch(1)
        self._parts.addWidget(self._meanings, 1)
        self._parts.addWidget(self._table, 1)
        layout.addLayout(self._parts, 1)
        scroll = QScrollArea()
        scroll.setObjectName("import.scroll_area")
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put columns and file beside each other where there is room (Qt calls this)."""
        super().resizeEvent(event)
        wide = self.width() >= _TWO_COLUMNS_PX
        self._parts.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)

    def _make_form(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(2 * GRID_PX)
        form.setVerticalSpacing(GRID_PX)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self._file.label(_("&File")), self._file)
        offered = QHBoxLayout()
        offered.setSpacing(GRID_PX)
        offered.addWidget(self._paste)
        offered.addWidget(self._published)
        offered.addWidget(self._template)
        offered.addStretch(1)
        form.addRow("", offered)
        noise = QHBoxLayout()
        noise.setSpacing(GRID_PX)
        noise.addWidget(self._noise)
        noise.addWidget(PlainLabel("%"))
        noise.addWidget(self._noise_hint, 1)
        noise.addWidget(self._noise_error, 1)
        label = PlainLabel(_("&Noise between runs"))
        label.setBuddy(self._noise)
        form.addRow(label, noise)
        form.addRow(self._folder.label(_("F&older")), self._folder)
        return form

    def _change(self, form: ImportForm, *, busy: bool = False) -> None:
        self._form = form
        self._show(busy=busy)

    def _show(self, *, busy: bool) -> None:
        problems = check_form(self._form)
        self._file.show_error(problems.file)
        self._noise_error.show_status(problems.noise, Tone.BAD)
        self._noise_error.setVisible(bool(problems.noise))
        self._noise_hint.setVisible(not problems.noise)
        self._folder.show_error(problems.folder)
        understood = self._form.understood
        self._meanings.setVisible(understood is not None)  # before a file was read its table has all the room
        if understood is None or not busy:  # what was read stays in sight while another meaning is tried
            self._understood.show_status(preview_text(self._form.understood), Tone.NEUTRAL)
            self._understood.setVisible(bool(self._understood.text))
            self._problems.show_status(problems_text(self._form), Tone.BAD)
            self._problems.setVisible(bool(self._problems.text))
            self._compared.show_content(compared_table(self._form))
            self._compared.setVisible(plain_comparison(self._form) is not None)
        self._mapping.show_understanding(understood)
        self._table.show_content(raw_table(None if understood is None else understood.raw))
        self._missing.show_status(missing_entry(self._form), Tone.MUTED)
        self._make.setEnabled(can_import(self._form) and not busy)
        self._busy.setVisible(busy)

    @Slot(str)
    def _on_file_entered(self, path: str) -> None:
        form = replace(self._form, file=path, understood=None, file_problem="")
        if not form.folder:
            proposed = propose_folder(sessions_folder(self._desk.preferences), self._desk.clock.now_utc())
            form = replace(form, folder=str(proposed))
            self._folder.show_path(form.folder)
        self._change(form, busy=bool(path.strip()))
        if path.strip():
            self._has_chosen = False
            kept = dict(self._desk.preferences.imports)
            work = partial(_try_to_look_at, path, self._desk.program, kept)
            self._desk.tasks.query(self, work, partial(self._show_understood, path), self._on_failed)

    def _show_understood(self, path: str, understood: Understanding | str) -> None:
        if path != self._form.file:  # another one was typed meanwhile
            return
        if isinstance(understood, str):
            self._change(replace(self._form, file_problem=understood))
            return
        self._change(replace(self._form, understood=understood))
        fields = (*self._file.widgets, self._paste, self._published, self._template, self._noise, *self._folder.widgets)
        order_keyboard((*fields, self._compared, *self._mapping.lists, self._table, self._leave, self._make))

    # Pasting and dropping

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take a pasted table, where no field takes it as text (Qt calls this)."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self._on_paste_clicked()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a file or a text that is dragged in; sessions and bundles are the window's (Qt calls this)."""
        endings = {Path(path).suffix.lower() for path in _files_in(event.mimeData())}
        if endings & {SUFFIX, ENDING}:
            event.ignore()
        elif event.mimeData().hasUrls() or event.mimeData().hasText():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Read what was dropped (Qt calls this)."""
        event.acceptProposedAction()
        self._take(event.mimeData())

    @Slot()
    def _on_paste_clicked(self) -> None:
        self._take(QGuiApplication.clipboard().mimeData())

    def _take(self, given: QMimeData) -> None:
        """Read the file, or the table as text, that a clipboard or a drop holds; a file goes first."""
        paths = _files_in(given)
        if not paths and not given.text().strip():
            self._missing.show_status(_("There is no file and no table on the clipboard."), Tone.BAD)
            return
        try:
            path = paths[0] if paths else str(self._kept_as_file(given.text()))
        except ReplituneError as error:
            self._missing.show_status(str(error), Tone.BAD)
            return
        self.take_file(path)

    def take_file(self, path: str) -> None:
        """Read a file."""
        self._file.show_path(path)
        self._on_file_entered(path)

    def _kept_as_file(self, text: str) -> Path:
        return keep_pasted(text, sessions_folder(self._desk.preferences), self._desk.clock.now_utc())

    # What the columns hold

    @Slot(int, str)
    def _on_column_chosen(self, place: int, name: str) -> None:
        if self._form.understood is not None:
            self._try_mapping(self._form.understood, with_column(self._form.understood.mapping, place, name))

    @Slot(str, str)
    def _on_chosen(self, name: str, text: str) -> None:
        if self._form.understood is not None:
            self._try_mapping(self._form.understood, with_common_value(self._form.understood.mapping, name, text))

    def _try_mapping(self, understood: Understanding, mapping: ColumnMapping) -> None:
        self._has_chosen = True
        # what was chosen last counts, also while an earlier choice is still being tried
        tried = replace(understood, mapping=mapping, preview=None)
        self._change(replace(self._form, understood=tried), busy=True)
        work = partial(understand, Path(self._form.file.strip()), tried.raw, mapping, self._desk.program)
        self._desk.tasks.query(self, work, partial(self._show_tried, tried), self._on_failed)

    def _show_tried(self, tried: Understanding, understood: Understanding) -> None:
        if tried is self._form.understood:
            self._change(replace(self._form, understood=understood))

    # What is offered

    def _fill_published(self, menu: QMenu) -> None:
        menu.clear()
        for path, title in published_titles():
            menu.addAction(title, partial(self._on_published_chosen, str(path)))

    def _on_published_chosen(self, path: str) -> None:
        self._file.show_path(path)
        self._on_file_entered(path)

    def _fill_template(self, menu: QMenu) -> None:
        menu.clear()
        for name, family in self._desk.program.families.items():
            menu.addAction(family.title, partial(self._on_template_chosen, name))

    def _on_template_chosen(self, family: str) -> None:
        kinds = _("Measurements ({patterns})").format(patterns="*.csv")
        path, _kind = QFileDialog.getSaveFileName(self, _("Save the template"), f"{family}.csv", kinds)
        if not path:
            return
        try:
            save_template(Path(path), self._desk.program.families[family])
        except ReplituneError as error:
            self._missing.show_status(str(error), Tone.BAD)
        else:
            self._missing.show_status(_("Written: {names}.").format(names=path), Tone.GOOD)

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
        understood = self._form.understood
        if understood is not None and self._has_chosen:
            headings, meaning = headings_text(understood.raw), meaning_text(understood.mapping)
            self._desk.prefer(remember_import(self._desk.preferences, headings, meaning))
        self._change(replace(self._form, folder=""))  # the next session gets a folder of its own
        self._folder.show_path("")
        self.session_made.emit(str(path))

    def _on_failed(self, error: BaseException) -> None:
        self._show(busy=False)
        if isinstance(error, ReplituneError):
            self._missing.show_status(str(error), Tone.BAD)
        else:
            self._desk.trouble.emit(error)


def _try_to_look_at(path: str, program: Program, kept: dict[str, str]) -> Understanding | str:
    """Return how a file is understood, or why it cannot be looked at."""
    try:
        return look_at(path, program, kept=kept)
    except ReplituneError as error:
        return str(error)


def _files_in(given: QMimeData) -> list[str]:
    """Return the files that are dragged or copied."""
    return [url.toLocalFile() for url in given.urls() if url.isLocalFile()] if given.hasUrls() else []
