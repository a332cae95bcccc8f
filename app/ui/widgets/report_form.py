"""The fields of the report: title, client, foreword, logo, template, format, and whether names are replaced."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.flows.hand_over.hand_over_view import (
    FormProblems,
    ReportForm,
    check_form,
    format_titles,
    paper_names,
    redact_hint,
)
from app.flows.shell.settings_view import LOGO_SUFFIXES
from app.foundation.texts import _
from app.reporting.request import Paper
from app.services.hand_over.report_and_scripts import ReportFormat
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.keyboard_order import order_keyboard
from app.ui.widgets.path_row import LABEL_SPARE_PX, PathKind, PathRow
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.still_wheel import leave_wheel_to_page


class ReportFormPane(QWidget):
    """Shows a `ReportForm`, with the error beside each field as it is typed.

    Signals:
        form_changed: the new ReportForm, at every letter.
        form_settled: the new ReportForm, once a field is left or a switch is turned.
    """

    form_changed = Signal(object)
    form_settled = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hand_over.form")
        self._title = QLineEdit()
        self._title.setObjectName("hand_over.title_edit")
        self._title.setAccessibleName(_("Title of the report"))
        self._foreword = _Paragraphs()
        self._client, self._client_error = _name_field("client", _("Client on the cover"))
        self._consultant, self._consultant_error = _name_field("consultant", _("Consultant on the cover"))
        pattern = _("Pictures ({patterns})").format(patterns=" ".join(f"*{suffix}" for suffix in LOGO_SUFFIXES))
        self._logo = PathRow("hand_over.logo", _("Logo on the cover"), PathKind.FILE, self, pattern=pattern)
        self._template = PathRow("hand_over.template", _("Folder with colours and fonts"), PathKind.FOLDER, self)
        self._written_as = QComboBox()
        self._written_as.setObjectName("hand_over.format_combo")
        self._written_as.setAccessibleName(_("What the report is written as"))
        for kind, title in format_titles():
            self._written_as.addItem(title, kind)
        self._paper = QComboBox()
        self._paper.setObjectName("hand_over.paper_combo")
        self._paper.setAccessibleName(_("Paper that a PDF is laid out for"))
        for paper, name in paper_names():
            self._paper.addItem(name, paper)
        leave_wheel_to_page(self._written_as)
        leave_wheel_to_page(self._paper)
        self._redact = QCheckBox(_("Replace na&mes"))
        self._redact.setObjectName("hand_over.redact_check")
        self._redact.setAccessibleName(_("Replace names of servers, databases and the client in the report"))
        self._notes = QCheckBox(_("Print note&s on session and runs"))
        self._notes.setObjectName("hand_over.notes_check")
        self._notes.setAccessibleName(_("Print the notes on the session and its runs in the report"))
        self._hint = PlainLabel()
        self._hint.setWordWrap(True)
        self._hint.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._lay_out()
        names = (self._title, self._client, self._consultant, self._foreword)
        fields = (*names, *self._logo.widgets, *self._template.widgets)
        order_keyboard(
            (*fields, self._written_as, self._paper, self._notes, self._redact)
        )  # those made by rows came first
        for edit in (self._title, self._client, self._consultant):
            edit.textEdited.connect(self._on_changed)
            edit.editingFinished.connect(self._on_settled)
        self._foreword.left.connect(self._on_settled)
        self._logo.path_entered.connect(self._on_changed)
        self._logo.edit.editingFinished.connect(self._on_settled)
        self._template.path_entered.connect(self._on_changed)
        self._template.edit.editingFinished.connect(self._on_settled)
        self._written_as.currentIndexChanged.connect(self._on_settled)
        self._paper.currentIndexChanged.connect(self._on_settled)
        self._notes.toggled.connect(self._on_settled)
        self._redact.toggled.connect(self._on_settled)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        column.addLayout(form)
        form.setVerticalSpacing(GRID_PX)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(_label(_("&Title"), self._title), self._title)
        form.addRow(_label(_("C&lient"), self._client), _with_error(self._client, self._client_error))
        form.addRow(_label(_("&Consultant"), self._consultant), _with_error(self._consultant, self._consultant_error))
        form.addRow(_label(_("Forewor&d"), self._foreword), self._foreword)
        form.addRow(self._logo.label(_("Log&o")), self._logo)
        form.addRow(self._template.label(_("Tem&plate")), self._template)
        form.addRow(_label(_("Written &as"), self._written_as), self._written_as)
        form.addRow(_label(_("Paper si&ze"), self._paper), self._paper)
        form.addRow(self._notes)
        form.addRow(self._redact)
        column.addWidget(self._hint)  # a form takes room from its other rows for a sentence that may wrap

    def minimumSizeHint(self) -> QSize:
        """Return the size its lines need at its width: less would push one over another (Qt calls this)."""
        least = super().minimumSizeHint()
        layout = self.layout()
        needed = 0 if layout is None else layout.heightForWidth(self.width())
        return QSize(least.width(), max(least.height(), needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for the height that another width needs (Qt calls this)."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @property
    def form(self) -> ReportForm:
        """Return the contents of the fields."""
        return ReportForm(
            title=self._title.text(),
            foreword=self._foreword.toPlainText(),
            client=self._client.text(),
            consultant=self._consultant.text(),
            logo=self._logo.path,
            redact=self._redact.isChecked(),
            template=self._template.path,
            written_as=ReportFormat(self._written_as.currentData()),
            with_notes=self._notes.isChecked(),
            paper=Paper(self._paper.currentData()),
        )

    def show_form(self, form: ReportForm, title: str = "") -> None:
        """Show other fields.

        Args:
            title: what the report is called where nobody gives it another title.
        """
        self._title.setPlaceholderText(title)
        self.show_words(form)
        self._client.setText(form.client)
        self._consultant.setText(form.consultant)
        self._logo.show_path(form.logo)
        self._template.show_path(form.template)
        self._redact.blockSignals(True)
        self._redact.setChecked(form.redact)
        self._redact.blockSignals(False)
        self._show_problems()

    def show_words(self, form: ReportForm) -> None:
        """Show other words, which were entered elsewhere."""
        self._title.setText(form.title)
        self._foreword.setPlainText(form.foreword)

    @Slot()
    def _on_changed(self) -> None:
        self._show_problems()
        self.form_changed.emit(self.form)

    @Slot()
    @Slot(int)
    def _on_settled(self, _index: int = 0) -> None:
        self._show_problems()
        self.form_settled.emit(self.form)

    def _show_problems(self) -> None:
        problems: FormProblems = check_form(self.form)
        for edit, line, text in (
            (self._client, self._client_error, problems.client),
            (self._consultant, self._consultant_error, problems.consultant),
        ):
            line.show_status(text, Tone.BAD)
            line.setVisible(bool(text))
            edit.setAccessibleDescription(text)
        self._logo.show_error(problems.logo)
        self._template.show_error(problems.template)
        self._hint.setText(redact_hint(self.form))


class _Paragraphs(QPlainTextEdit):
    """A field of a few lines; Tab leaves it.

    Signals:
        left: other words were typed, and the keyboard went elsewhere.
    """

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("hand_over.foreword_edit")
        self.setAccessibleName(_("Foreword of the report"))
        self.setTabChangesFocus(True)
        self.setFixedHeight(3 * self.fontMetrics().lineSpacing() + 2 * GRID_PX)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the field was left with other words in it (Qt calls this)."""
        super().focusOutEvent(event)
        if self.document().isModified():
            self.document().setModified(False)
            self.left.emit()


def _name_field(name: str, spoken: str) -> tuple[QLineEdit, StatusLine]:
    edit = QLineEdit()
    edit.setObjectName(f"hand_over.{name}_edit")
    edit.setAccessibleName(spoken)
    error = StatusLine(f"hand_over.{name}_error")
    error.hide()
    return edit, error


def _label(text: str, buddy: QWidget) -> QLabel:
    label = PlainLabel(text)
    label.setBuddy(buddy)
    label.setMinimumWidth(label.sizeHint().width() + LABEL_SPARE_PX)
    label.setFixedHeight(min(buddy.sizeHint().height(), buddy.maximumHeight()))
    label.setAlignment(Qt.AlignmentFlag.AlignVCenter)
    return label


def _with_error(edit: QLineEdit, error: StatusLine) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(GRID_PX // 2)
    column.addWidget(edit)
    column.addWidget(error)
    return column
