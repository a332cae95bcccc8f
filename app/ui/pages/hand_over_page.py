"""The page of the hand-over: the report with its preview, the scripts, the data, and where they lie."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.domain.errors import ReplituneError
from app.flows.hand_over.hand_over_view import (
    Kind,
    ReportForm,
    check_form,
    failed_text,
    files_table,
    fill_form,
    options_of,
    read_sizes,
    remember_form,
    report_path,
    writing_text,
    written_text,
)
from app.flows.hand_over.own_words_view import words_fields
from app.flows.shell.wizard import Choices, Step
from app.foundation.texts import _
from app.reporting.wording import Vocabulary
from app.services.explain.explaining import ExplainedSession
from app.services.hand_over.engagement import write_own_words
from app.services.hand_over.report_and_scripts import WrittenFile, write_data, write_explained_report, write_scripts
from app.services.workplace import Workplace, open_workplace
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.report_previewer import ReportPreviewer
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.page_heading import PageHeading
from app.ui.widgets.push_button import push_button
from app.ui.widgets.report_form import ReportFormPane
from app.ui.widgets.report_preview import ReportPreview
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable

_FORM_WIDTH_PX = 48 * GRID_PX


class HandOverPage(WizardPage):
    """Shows the report before it is written, and writes what the client gets."""

    step = Step.HAND_OVER

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._place: Workplace | None = None
        self._session_id: str | None = None
        self._explained: ExplainedSession | None = None
        self._previewer: ReportPreviewer | None = None
        self._writing: Kind | None = None
        self._form = ReportFormPane()
        self._preview = ReportPreview()
        self._status = StatusLine("hand_over.status")
        self._files = DataTable("hand_over.files_table", _("Files of the hand-over"), desk.table_layouts)
        self._report = push_button("hand_over.report_button", _("&Write report"))
        self._scripts = push_button("hand_over.scripts_button", _("&Save scripts"))
        self._data = push_button("hand_over.data_button", _("Save &data (CSV, JSON)"))
        self._words = push_button("hand_over.words_button", _("Your own wo&rds…"))
        self._folder = push_button("hand_over.folder_button", _("Open &folder"))
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        buttons = QVBoxLayout()
        buttons.setSpacing(GRID_PX)
        for pair in ((self._report, self._scripts), (self._data, self._folder)):
            row = QHBoxLayout()
            row.setSpacing(GRID_PX)
            for button in pair:
                row.addWidget(button, 1)
            buttons.addLayout(row)
        buttons.addWidget(self._words)
        left = QWidget()
        left.setFixedWidth(_FORM_WIDTH_PX)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID_PX)
        column.addWidget(self._form)
        column.addLayout(buttons)
        column.addWidget(self._status)
        column.addWidget(self._files, 1)
        both = QHBoxLayout()
        both.setSpacing(2 * GRID_PX)
        both.addWidget(left)
        both.addWidget(self._preview, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(PageHeading(self.step))
        layout.addLayout(both, 1)

    def _connect(self) -> None:
        self._form.form_changed.connect(self._on_form_changed)
        self._form.form_settled.connect(self._on_form_settled)
        self._report.clicked.connect(self._on_report_clicked)
        self._scripts.clicked.connect(self._on_scripts_clicked)
        self._data.clicked.connect(self._on_data_clicked)
        self._words.clicked.connect(self._on_words_clicked)
        self._folder.clicked.connect(self._on_folder_clicked)
        self._files.row_activated.connect(self._on_file_activated)

    def show_choices(self, choices: Choices) -> None:
        """Show the hand-over of the session of these choices."""
        session_id = choices.run_end.session_id or None if choices.run_end is not None else None
        if choices.place == self._place and session_id == self._session_id and self._place is not None:
            self._show_files()
            return
        self._place, self._session_id, self._explained = choices.place, session_id, None
        self._drop_previewer()
        self._preview.show_pages(())
        self._enable()
        if self._place is None:
            self._say(_("There is no session yet; run the experiment first."), Tone.MUTED)
            return
        self._say(_("Reading the session …"), Tone.MUTED)
        self._preview.show_busy(is_busy=True)
        work = partial(self.desk.explanations.explain, self._place.session_file, session_id)
        asked = (self._place, session_id)
        self.desk.tasks.query(self, work, partial(self._on_explained, asked), partial(self._on_not_explained, asked))

    def _on_explained(self, asked: tuple[Workplace, str | None], explained: ExplainedSession) -> None:
        if asked != (self._place, self._session_id):
            return
        self._explained = explained
        self._drop_previewer()
        self._previewer = ReportPreviewer(self.desk, explained, self._preview, self)
        self._form.show_form(fill_form(explained.session, self.desk.preferences))
        self._say("", Tone.MUTED)
        self._show_files()
        self._enable()
        self._previewer.wish(self._form.form)

    def _drop_previewer(self) -> None:
        """Let go of the previews of another session; what is still being made for it is not shown."""
        if self._previewer is not None:
            self._previewer.deleteLater()
            self._previewer = None

    def _on_not_explained(self, asked: tuple[Workplace, str | None], error: BaseException) -> None:
        if asked == (self._place, self._session_id):
            self._preview.show_busy(is_busy=False)
            self._place = None  # entering the page again reads it again
            self._report_failure(error)

    @Slot(object)
    def _on_form_changed(self, _form: ReportForm) -> None:
        self._enable()

    @Slot(object)
    def _on_form_settled(self, form: ReportForm) -> None:
        self._enable()
        if self._previewer is not None:
            self._previewer.wish(form)

    # Words of the consultant's own

    @Slot()
    def _on_words_clicked(self) -> None:
        from app.ui.pages.own_words_dialog import OwnWordsDialog

        if self._explained is not None:
            words = Vocabulary(self.desk.program.families.values())
            dialog = OwnWordsDialog(words_fields(self._explained, words), self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.words_entered.connect(self._on_words_entered)
            dialog.open()

    @Slot(object)
    def _on_words_entered(self, by_place: dict[str, str]) -> None:
        if self._place is None or self._explained is None or not by_place:
            return
        file, session_id = self._place.session_file, self._explained.session.session_id
        asked = (self._place, self._session_id)
        program, explanations = self.desk.program, self.desk.explanations

        def keep() -> ExplainedSession:
            write_own_words(file, by_place, program.advisor, session_id)
            return explanations.explain(file, asked[1])

        self.desk.tasks.query(self, keep, partial(self._on_explained, asked), self._report_failure)

    # Writing

    @Slot()
    def _on_report_clicked(self) -> None:
        if self._explained is None or self._place is None or self._previewer is None:
            return
        form = self._form.form
        self.desk.prefer(remember_form(self.desk.preferences, form))
        out, advisor = report_path(self._place, form), self.desk.program.advisor
        figures = self._previewer.figures
        work = partial(write_explained_report, self._explained, out, advisor, figures, options_of(form))
        self._write(Kind.REPORT, work)

    @Slot()
    def _on_scripts_clicked(self) -> None:
        if self._explained is not None and self._place is not None:
            self._write(Kind.SCRIPTS, partial(write_scripts, self._explained, self._place, self.desk.program.advisor))

    @Slot()
    def _on_data_clicked(self) -> None:
        if self._explained is not None and self._place is not None:
            self._write(Kind.DATA, partial(write_data, self._explained, self._place))

    def _write(self, kind: Kind, work: Callable[[], Sequence[WrittenFile]]) -> None:
        try:  # a session of a client's file has no folder before something is written
            if self._place is not None:
                open_workplace(self._place.folder)
        except ReplituneError as error:
            self._report_failure(error)
            return
        self._writing = kind
        self._say(writing_text(kind), Tone.MUTED)
        self.busy_changed.emit(writing_text(kind))
        self._enable()
        self.desk.tasks.query(self, work, self._on_written, self._on_not_written)

    def _on_written(self, files: Sequence[WrittenFile]) -> None:
        self._end_writing()
        self._say(written_text(files), Tone.GOOD)
        self._show_files()

    def _on_not_written(self, error: BaseException) -> None:
        self._end_writing()
        self._report_failure(error)

    def _end_writing(self) -> None:
        self._writing = None
        self.busy_changed.emit("")
        self._enable()

    def _report_failure(self, error: BaseException) -> None:
        self._say(failed_text(error), Tone.BAD)
        if not isinstance(error, ReplituneError):
            self.desk.trouble.emit(error)

    # Files

    @Slot()
    def _on_folder_clicked(self) -> None:
        if self._place is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._place.folder)))

    @Slot(str)
    def _on_file_activated(self, path: str) -> None:
        if Path(path).is_file():
            QDesktopServices.openUrl(QUrl.fromLocalFile(path))

    def _show_files(self) -> None:
        if self._place is not None:
            systems = tuple(self.desk.program.systems.values())
            self._files.show_content(files_table(self._place, read_sizes(self._place, systems), systems))

    def _enable(self) -> None:
        can_write = self._explained is not None and self._writing is None
        self._report.setDefault(can_write)
        self._report.setEnabled(can_write and check_form(self._form.form).is_right)
        self._scripts.setEnabled(can_write)
        self._data.setEnabled(can_write)
        self._words.setEnabled(can_write)
        self._folder.setEnabled(self._place is not None)

    def _say(self, text: str, tone: Tone) -> None:
        self._status.show_status(text, tone)
