"""Packing a client's file as a bundle, and unpacking one on another computer."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.domain.ports import FigureRenderer
from app.flows.hand_over.bundle_view import (
    ExportForm,
    export_problem,
    exported_text,
    import_problem,
    proposed_bundle,
    proposed_folder,
    redact_text,
    undecided_text,
)
from app.flows.shell.settings_view import sessions_folder
from app.flows.target.attempt_view import is_mistake
from app.flows.words import sentence
from app.foundation.texts import _
from app.services.hand_over.bundles import OpenedBundle, WrittenBundle, export_bundle, import_bundle
from app.services.hand_over.free_texts import UndecidedTexts
from app.services.program import Program
from app.services.workplace import open_workplace
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.path_row import PathKind, PathRow
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.undecided_list import UndecidedList

_PATTERN = "*.zip"


class ExportDialog(QDialog):
    """Asks where a bundle goes and whether names are replaced, and writes it in the background."""

    def __init__(self, desk: Desk, engagement: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("bundle_export")
        self.setWindowTitle(_("Export a bundle"))
        self._desk, self._engagement = desk, engagement
        self._is_writing = False
        self._out = QLineEdit(proposed_bundle(engagement, redact=False))
        self._out.setObjectName("bundle_export.out_edit")
        self._out.setAccessibleName(_("File of the bundle"))
        self._browse = push_button("bundle_export.browse_button", _("B&rowse…"))
        self._redact = QCheckBox(_("Replace na&mes"))
        self._redact.setObjectName("bundle_export.redact_check")
        self._redact.setAccessibleName(_("Replace names of servers, databases, logins and the client"))
        self._hint = PlainLabel()
        self._hint.setWordWrap(True)
        self._hide = QPlainTextEdit()
        self._hide.setObjectName("bundle_export.hide_text")
        self._hide.setAccessibleName(_("Further names to replace, a line each"))
        self._hide.setTabChangesFocus(True)
        self._undecided = UndecidedList("bundle_export.undecided_list")
        self._status = StatusLine("bundle_export.status")
        self._write = push_button("bundle_export.write_button", _("&Write bundle"))
        self._close = push_button("bundle_export.close_button", _("&Close"))
        self._lay_out()
        self._out.textEdited.connect(self._show)
        self._browse.clicked.connect(self._on_browse_clicked)
        self._redact.toggled.connect(self._on_redact_toggled)
        self._write.clicked.connect(self._on_write_clicked)
        self._close.clicked.connect(self.reject)
        self._show()

    def _lay_out(self) -> None:
        place = QHBoxLayout()
        place.setSpacing(GRID_PX)
        place.addWidget(self._out, 1)
        place.addWidget(self._browse)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(_labelled(_("&Bundle"), self._out), place)
        form.addRow(self._redact)
        form.addRow(self._hint)
        form.addRow(_labelled(_("&Further names"), self._hide), self._hide)
        form.addRow(self._undecided)
        _finish(self, form, self._status, self._write, self._close)

    @property
    def _form(self) -> ExportForm:
        return ExportForm(
            self._out.text(),
            redact=self._redact.isChecked(),
            hide=self._hide.toPlainText(),
            undecided=self._undecided.texts,
            kept=self._undecided.kept,
        )

    @Slot()
    @Slot(str)
    def _show(self, _text: str = "") -> None:
        problem = export_problem(self._form)
        self._hint.setText(redact_text(redact=self._form.redact))
        self._hide.setEnabled(self._form.redact)
        self._status.show_status(problem, Tone.BAD)
        self._write.setEnabled(not problem and not self._is_writing)

    @Slot(bool)
    def _on_redact_toggled(self, redact: bool) -> None:
        if self._out.text() == proposed_bundle(self._engagement, redact=not redact):
            self._out.setText(proposed_bundle(self._engagement, redact=redact))
        self._show()

    @Slot()
    def _on_browse_clicked(self) -> None:
        kinds = _("Bundles ({pattern})").format(pattern=_PATTERN)
        path, _kind = QFileDialog.getSaveFileName(self, _("File of the bundle"), self._out.text(), kinds)
        if path:
            self._out.setText(path)
            self._show()

    @Slot()
    def _on_write_clicked(self) -> None:
        self._is_writing = True
        self._show()
        self._status.show_status(_("Writing reports, scripts and tables of every session …"), Tone.MUTED)
        renderer = self._desk.program.parts.make_renderer()  # on this thread; figures are drawn here, too
        work = partial(_export, self._engagement, self._form, self._desk.program, renderer)
        self._desk.tasks.query(self, work, self._on_written, self._on_failed)

    def _on_written(self, made: WrittenBundle) -> None:
        self._is_writing = False
        self._show()
        self._status.show_status(exported_text(made), Tone.GOOD)

    def _on_failed(self, error: BaseException) -> None:
        self._is_writing = False
        if isinstance(error, UndecidedTexts):
            self._ask_for(error.texts)
            return
        self._show()
        _tell(self._status, self._desk, error)

    def _ask_for(self, texts: Sequence[str]) -> None:
        self._undecided.add_texts(texts)
        self._show()
        self._status.show_status(undecided_text(len(texts)), Tone.MUTED)


class ImportDialog(QDialog):
    """Asks for a bundle and a new folder, and unpacks it in the background.

    Signals:
        unpacked: path of the client's file.
    """

    unpacked = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("bundle_import")
        self.setWindowTitle(_("Open a bundle"))
        self._desk = desk
        self._is_unpacking = False
        pattern = _("Bundles ({pattern})").format(pattern=_PATTERN)
        self._bundle = PathRow("bundle_import.bundle", _("Bundle"), PathKind.FILE, self, pattern=pattern)
        self._folder = PathRow("bundle_import.folder", _("Folder to unpack to"), PathKind.FOLDER, self)
        self._status = StatusLine("bundle_import.status")
        self._unpack = push_button("bundle_import.unpack_button", _("&Open"))
        self._close = push_button("bundle_import.close_button", _("&Close"))
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self._bundle.label(_("&Bundle")), self._bundle)
        form.addRow(self._folder.label(_("&Folder")), self._folder)
        _finish(self, form, self._status, self._unpack, self._close)
        self._bundle.path_entered.connect(self._on_bundle_entered)
        self._folder.path_entered.connect(self._show)
        self._unpack.clicked.connect(self._on_unpack_clicked)
        self._close.clicked.connect(self.reject)
        self._show()

    @Slot()
    @Slot(str)
    def _show(self, _path: str = "") -> None:
        problem = import_problem(self._bundle.path, self._folder.path)
        self._status.show_status(problem, Tone.MUTED)
        self._unpack.setEnabled(not problem and not self._is_unpacking)

    def take_bundle(self, path: str) -> None:
        """Propose to open a bundle."""
        self._bundle.show_path(path)
        self._on_bundle_entered(path)

    @Slot(str)
    def _on_bundle_entered(self, bundle: str) -> None:
        self._folder.show_path(proposed_folder(bundle, sessions_folder(self._desk.preferences)))
        self._show()

    @Slot()
    def _on_unpack_clicked(self) -> None:
        self._is_unpacking = True
        self._show()
        self._status.show_status(_("Checking and unpacking …"), Tone.MUTED)
        work = partial(_import, Path(self._bundle.path.strip()), Path(self._folder.path.strip()))
        self._desk.tasks.query(self, work, self._on_unpacked, self._on_failed)

    def _on_unpacked(self, opened: OpenedBundle) -> None:
        self.unpacked.emit(str(opened.session_file))
        self.accept()

    def _on_failed(self, error: BaseException) -> None:
        self._is_unpacking = False
        self._show()
        _tell(self._status, self._desk, error)


def _export(engagement: Path, form: ExportForm, program: Program, renderer: FigureRenderer) -> WrittenBundle:
    """Runs on a worker thread: the rules are loaded here, too."""
    out = Path(form.out.strip())
    return export_bundle(engagement, out, program.advisor, renderer, redact=form.redact, names=form.names)


def _import(bundle: Path, folder: Path) -> OpenedBundle:
    """Runs on a worker thread; the folder sessions are kept in may not be there yet."""
    open_workplace(folder.parent)
    return import_bundle(bundle, folder)


def _tell(status: StatusLine, desk: Desk, error: BaseException) -> None:
    status.show_status(sentence(str(error)), Tone.BAD)
    if is_mistake(error):
        desk.trouble.emit(error)


def _finish(dialog: QDialog, form: QFormLayout, status: StatusLine, do: QPushButton, close: QPushButton) -> None:
    buttons = QHBoxLayout()
    buttons.setSpacing(GRID_PX)
    buttons.addStretch(1)
    buttons.addWidget(do)
    buttons.addWidget(close)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, GRID_PX)
    layout.setSpacing(GRID_PX)
    layout.addLayout(form)
    layout.addWidget(status)
    layout.addStretch(1)
    layout.addLayout(buttons)
    dialog.resize(84 * GRID_PX, dialog.sizeHint().height())


def _labelled(text: str, buddy: QWidget) -> QLabel:
    label = PlainLabel(text)
    label.setBuddy(buddy)
    return label
