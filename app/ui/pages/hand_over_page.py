"""The page of the hand-over: the report with its preview, the scripts, the data, and where they lie."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QAction, QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QMenu, QVBoxLayout, QWidget
from shiboken6 import isValid

from app.domain.errors import ReplituneError
from app.domain.ports import FigureRenderer
from app.flows.hand_over.bundle_view import undecided_text
from app.flows.hand_over.hand_over_view import (
    Kind,
    ReportForm,
    all_text,
    check_form,
    failed_text,
    files_table,
    fill_form,
    options_of,
    path_of_all,
    read_sizes,
    remember_form,
    report_path,
    words_to_keep,
    writing_text,
    written_text,
)
from app.flows.hand_over.own_words_view import words_fields
from app.flows.shell.wizard import Choices, Step
from app.foundation.texts import _
from app.reporting.wording import Vocabulary
from app.services.explain.advising import Advisor
from app.services.explain.explaining import ExplainedSession, Explanations
from app.services.hand_over.engagement import write_own_words
from app.services.hand_over.free_texts import NO_CHOICES, NameChoices, UndecidedTexts
from app.services.hand_over.joined_report import experiments_in, write_joined_report
from app.services.hand_over.own_place import own_place
from app.services.hand_over.report_and_scripts import (
    ReportOptions,
    WrittenFile,
    scripts_of,
    write_data,
    write_explained_report,
    write_scripts,
)
from app.services.workplace import Workplace, open_workplace
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.report_previewer import ReportPreviewer
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.page_heading import PageHeading
from app.ui.widgets.push_button import push_button
from app.ui.widgets.report_form import ReportFormPane
from app.ui.widgets.report_preview import ReportPreview
from app.ui.widgets.rich_text import plain_tip
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable

_FORM_WIDTH_PX = 50 * GRID_PX
_TWO_COLUMNS_PX = 100 * GRID_PX
_PREVIEW_HEIGHT_PX = 50 * GRID_PX


class HandOverPage(WizardPage):
    """Previews the report before it is written, and writes the client's files."""

    step = Step.HAND_OVER

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._place: Workplace | None = None
        self._own: Workplace | None = None
        self._session_id: str | None = None
        self._explained: ExplainedSession | None = None
        self._previewer: ReportPreviewer | None = None
        self._writing: Kind | None = None
        self._names = NO_CHOICES
        self._is_keeping = False
        self._wanted: Kind | None = None
        self._form = ReportFormPane()
        self._preview = ReportPreview()
        self._status = StatusLine("hand_over.status")
        self._files = DataTable("hand_over.files_table", _("Files of the hand-over"), desk.table_layouts)
        self._everything = push_button("hand_over.everything_button", _("&Write everything"))
        self._all = push_button("hand_over.all_button", "", _("One report over every session, with its scripts"))
        self._all.setToolTip(plain_tip(self._all.accessibleName()))
        self._all.hide()
        self._open = push_button("hand_over.open_button", _("Open &report"))
        self._folder = push_button("hand_over.folder_button", _("Open &folder"))
        self._more = push_button("hand_over.more_button", _("Mor&e"))
        menu = QMenu(self._more)
        menu.setObjectName("hand_over.more_menu")
        self._report = self._add_action(menu, "report", _("Write the &report only"))
        self._scripts = self._add_action(menu, "scripts", _("Write the &scripts only"))
        self._data = self._add_action(menu, "data", _("Write the &data only (CSV, JSON)"))
        self._words = self._add_action(menu, "words", _("&Words for each decision…"))
        self._more.setMenu(menu)
        self._lay_out()
        self._connect()

    @staticmethod
    def _add_action(menu: QMenu, name: str, text: str) -> QAction:
        action = menu.addAction(text)
        action.setObjectName(f"hand_over.{name}_action")
        return action

    def _lay_out(self) -> None:
        buttons = QVBoxLayout()
        buttons.setSpacing(GRID_PX)
        buttons.addWidget(self._everything)
        buttons.addWidget(self._all)
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        for button in (self._open, self._folder, self._more):
            row.addWidget(button, 1)
        buttons.addLayout(row)
        left = QWidget()
        left.setFixedWidth(_FORM_WIDTH_PX)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID_PX)
        column.addWidget(self._form)
        column.addLayout(buttons)
        column.addWidget(self._status)
        column.addWidget(self._files, 1)
        self._preview.setMinimumHeight(_PREVIEW_HEIGHT_PX)
        self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._both.setSpacing(2 * GRID_PX)
        self._both.addWidget(left)
        self._both.addWidget(self._preview, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(PageHeading(self.step))
        layout.addLayout(self._both, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put form and preview beside each other where there is room (Qt calls this)."""
        super().resizeEvent(event)
        wide = self.width() >= _TWO_COLUMNS_PX
        self._both.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)

    def _connect(self) -> None:
        self._form.form_changed.connect(self._on_form_changed)
        self._form.form_settled.connect(self._on_form_settled)
        self._everything.clicked.connect(partial(self._on_write, Kind.EVERYTHING))
        self._all.clicked.connect(partial(self._on_write, Kind.ALL))
        self._report.triggered.connect(partial(self._on_write, Kind.REPORT))
        self._scripts.triggered.connect(partial(self._on_write, Kind.SCRIPTS))
        self._data.triggered.connect(partial(self._on_write, Kind.DATA))
        self._words.triggered.connect(self._on_words_clicked)
        self._open.clicked.connect(self._on_open_clicked)
        self._folder.clicked.connect(self._on_folder_clicked)
        self._files.row_activated.connect(self._on_file_activated)

    def show_choices(self, choices: Choices) -> None:
        """Show the hand-over of the session of these choices."""
        session_id = choices.run_end.session_id or None if choices.run_end is not None else None
        if choices.place == self._place and session_id == self._session_id and self._place is not None:
            self._show_files()
            return
        self._place, self._session_id, self._explained = choices.place, session_id, None
        self._own, self._names = None, NO_CHOICES
        self._all.hide()
        self._drop_previewer()
        self._preview.show_pages(())
        self._enable()
        if self._place is None:
            self._say(_("There is no session yet; run the experiment first."), Tone.MUTED)
            return
        self._say(_("Reading the session …"), Tone.MUTED)
        self._preview.show_busy(is_busy=True)
        asked = (self._place, session_id)
        work = partial(_read, self.desk.explanations, *asked)
        self.desk.tasks.query(self, work, partial(self._on_explained, asked), partial(self._on_not_explained, asked))

    def _on_explained(
        self, asked: tuple[Workplace, str | None], found: tuple[ExplainedSession, Workplace, int]
    ) -> None:
        if asked == (self._place, self._session_id):
            explained, self._own, experiments = found
            self._all.setText(all_text(experiments))
            self._all.setVisible(bool(self._all.text()))
            filled = fill_form(explained.session, self.desk.preferences)
            self._form.show_form(filled, explained.session.title)
            self._show_explained(explained)

    def _show_explained(self, explained: ExplainedSession) -> None:
        self._explained = explained
        self._drop_previewer()
        self._previewer = ReportPreviewer(self.desk, explained, self._preview, self)
        self._say("", Tone.MUTED)
        self._show_files()
        self._enable()
        self._previewer.wish(self._form.form)

    def _drop_previewer(self) -> None:
        """Let go of the previews of another session; one still being made is not shown."""
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
        if not isValid(self._report):  # a field loses the keyboard while the page is taken down
            return
        self._enable()
        if not self._keep_words(form) and self._previewer is not None:
            self._previewer.wish(form)

    # Words of the consultant's own

    def _keep_words(self, form: ReportForm) -> bool:
        """Keep title and foreword where they were changed, and tell whether they were."""
        if self._explained is None or self._is_keeping:
            return self._is_keeping
        changed = words_to_keep(form, self._explained.session.own_words)
        self._keep(changed)
        return bool(changed)

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
        self._keep(by_place, is_elsewhere=True)

    def _keep(self, by_place: dict[str, str], *, is_elsewhere: bool = False) -> None:
        """Write words into the session file and read it again.

        Args:
            is_elsewhere: they were entered in the dialog and are to be shown in the form.
        """
        if self._place is None or self._explained is None or not by_place:
            return
        file, session_id = self._place.session_file, self._explained.session.session_id
        asked = (self._place, self._session_id)
        program, explanations = self.desk.program, self.desk.explanations

        def keep() -> ExplainedSession:
            write_own_words(file, by_place, program.advisor, session_id)
            return explanations.explain(file, asked[1])

        self._is_keeping = True
        kept = partial(self._on_words_kept, asked, is_elsewhere)
        self.desk.tasks.query(self, keep, kept, partial(self._on_words_not_kept, asked))

    def _on_words_kept(
        self, asked: tuple[Workplace, str | None], is_elsewhere: bool, explained: ExplainedSession
    ) -> None:
        self._is_keeping = False
        if asked != (self._place, self._session_id):
            return
        if is_elsewhere:
            self._form.show_words(fill_form(explained.session, self.desk.preferences))
        self._show_explained(explained)
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self._on_write(wanted)
        else:
            self._keep_words(self._form.form)  # what was typed meanwhile

    def _on_words_not_kept(self, asked: tuple[Workplace, str | None], error: BaseException) -> None:
        self._is_keeping, self._wanted = False, None
        if asked == (self._place, self._session_id):
            self._report_failure(error)

    # Writing

    def _on_write(self, kind: Kind, _checked: bool = False) -> None:
        """Write the chosen files, with the words that were typed last."""
        if self._explained is None or self._own is None or self._previewer is None:
            return
        form = self._form.form
        if self._keep_words(form):
            self._wanted = kind
            return
        self.desk.prefer(remember_form(self.desk.preferences, form))
        self._write(kind, self._work(kind, self._explained, self._own, self._previewer.figures, form))

    def _work(
        self, kind: Kind, explained: ExplainedSession, place: Workplace, figures: FigureRenderer, form: ReportForm
    ) -> Callable[[], Sequence[WrittenFile]]:
        advisor = self.desk.program.advisor
        out = report_path(place, form)
        report = partial(write_explained_report, explained, out, advisor, figures, options_of(form, self._names))
        scripts = partial(write_scripts, explained, place, advisor)
        data = partial(write_data, explained, place, advisor)
        if kind is Kind.ALL:
            options = options_of(form, self._names)
            return partial(_write_all, place.session_file, path_of_all(place, form), advisor, figures, options)
        if kind is Kind.EVERYTHING:
            return lambda: (*report(), *scripts(), *data())
        return {Kind.REPORT: report, Kind.SCRIPTS: scripts, Kind.DATA: data}[kind]

    def _write(self, kind: Kind, work: Callable[[], Sequence[WrittenFile]]) -> None:
        try:  # a session of a client's file has no folder before something is written
            if self._own is not None:
                open_workplace(self._own.folder)
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
        wanted = self._writing
        self._end_writing()
        if isinstance(error, UndecidedTexts) and wanted is not None:
            self._ask_for_names(error.texts, wanted)
        else:
            self._report_failure(error)

    def _ask_for_names(self, texts: Sequence[str], wanted: Kind) -> None:
        from app.ui.pages.names_dialog import NamesDialog

        self._say(undecided_text(len(texts)), Tone.MUTED)
        dialog = NamesDialog(texts, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.decided.connect(partial(self._on_names_decided, wanted))
        dialog.open()

    def _on_names_decided(self, wanted: Kind, names: NameChoices) -> None:
        self._names += names
        self._on_write(wanted)

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
    def _on_open_clicked(self) -> None:
        if self._own is not None:
            self._on_file_activated(str(report_path(self._own, self._form.form)))

    @Slot()
    def _on_folder_clicked(self) -> None:
        if self._own is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._own.folder)))

    @Slot(str)
    def _on_file_activated(self, path: str) -> None:
        if Path(path).is_file():
            QDesktopServices.openUrl(QUrl.fromLocalFile(path))

    def _show_files(self) -> None:
        if self._own is not None:
            systems = tuple(self.desk.program.systems.values())
            to_come = () if self._explained is None else scripts_of(self._explained, self.desk.program.advisor)
            sizes = read_sizes(self._own, systems, to_come)
            self._files.show_content(files_table(self._own, sizes, systems, to_come))

    def _enable(self) -> None:
        can_write = self._explained is not None and self._writing is None
        form = self._form.form
        can_report = can_write and check_form(form).is_right
        self._everything.setDefault(can_write)
        for wanted in (self._everything, self._all, self._report):
            wanted.setEnabled(can_report)
        for other in (self._scripts, self._data, self._words):
            other.setEnabled(can_write)
        self._folder.setEnabled(self._own is not None)
        self._open.setEnabled(self._own is not None and report_path(self._own, form).is_file())

    def _say(self, text: str, tone: Tone) -> None:
        self._status.show_status(text, tone)


def _read(
    explanations: Explanations, place: Workplace, session_id: str | None
) -> tuple[ExplainedSession, Workplace, int]:
    """Runs on a worker thread: explains a session, finds where its files are or go, and how many its file holds."""
    explained = explanations.explain(place.session_file, session_id)
    return explained, own_place(place, session_id), experiments_in(place.session_file)


def _write_all(
    session_file: Path, out: Path, advisor: Advisor, figures: FigureRenderer, options: ReportOptions
) -> tuple[WrittenFile, ...]:
    """Runs on a worker thread: writes one report over every session of a file, and its scripts."""
    report, scripts = write_joined_report(session_file, None, out, advisor, figures, options, has_scripts=True)
    return (*report, *scripts)
