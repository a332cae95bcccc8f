"""The settings: colours, language, folder of new sessions, cover of reports, seed of the lab."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.flows.shell.settings_view import (
    LOGO_SUFFIXES,
    MOST_SEED,
    SettingsForm,
    apply_form,
    check_form,
    fill_form,
    language_titles,
    scheme_titles,
    sessions_folder,
)
from app.foundation.texts import _
from app.services.preferences import Preferences
from app.ui.desk import Desk
from app.ui.theme import GRID_PX
from app.ui.widgets.path_row import PathKind, PathRow
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.still_wheel import leave_wheel_to_page


class SettingsDialog(QDialog):
    """Shows the preferences and saves them all at once."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settings")
        self.setWindowTitle(_("Settings"))
        self._desk = desk
        self._scheme = QComboBox()
        leave_wheel_to_page(self._scheme)
        self._scheme.setObjectName("settings.scheme_combo")
        self._scheme.setAccessibleName(_("Colours of the window"))
        for scheme, title in scheme_titles():
            self._scheme.addItem(title, scheme)
        self._language = QComboBox()
        leave_wheel_to_page(self._language)
        self._language.setObjectName("settings.language_combo")
        self._language.setAccessibleName(_("Language"))
        for language, title in language_titles():
            self._language.addItem(title, language)
        self._folder = PathRow("settings.folder", _("Folder of new sessions"), PathKind.FOLDER, self)
        self._folder.edit.setPlaceholderText(str(sessions_folder(Preferences())))
        self._consultant = QLineEdit()
        self._consultant.setObjectName("settings.consultant_edit")
        self._consultant.setAccessibleName(_("Consultant on the cover of reports"))
        pattern = _("Pictures ({patterns})").format(patterns=" ".join(f"*{suffix}" for suffix in LOGO_SUFFIXES))
        self._logo = PathRow("settings.logo", _("Logo on the cover of reports"), PathKind.FILE, self, pattern=pattern)
        self._seed = QSpinBox()
        leave_wheel_to_page(self._seed)
        self._seed.setObjectName("settings.lab_seed_spin")
        self._seed.setAccessibleName(_("Seed of the lab's noise"))
        self._seed.setRange(0, MOST_SEED)
        self._seed.setFixedWidth(13 * GRID_PX)
        self._buttons = self._make_buttons()
        self._lay_out()
        self._fill()
        self._folder.path_entered.connect(self._check)
        self._logo.path_entered.connect(self._check)
        self.setMinimumWidth(70 * GRID_PX)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(2 * GRID_PX)
        form.setVerticalSpacing(GRID_PX)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(_("&Colours"), self._scheme)
        form.addRow(_("Lan&guage"), self._language)
        form.addRow("", _hint(_("Another language takes effect at the next start of the program.")))
        form.addRow(self._folder.label(_("&Folder of new sessions")), self._folder)
        form.addRow(_("C&onsultant"), self._consultant)
        form.addRow(self._logo.label(_("&Logo")), self._logo)
        form.addRow(_("Lab &seed"), self._seed)
        form.addRow("", _hint(_("The same seed gives the same results on the lab.")))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        layout.addLayout(form)
        layout.addStretch()
        layout.addWidget(self._buttons)

    def _make_buttons(self) -> QDialogButtonBox:
        kinds = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(kinds.Save | kinds.Cancel, self)
        for kind, name in ((kinds.Save, "save"), (kinds.Cancel, "cancel")):
            button = buttons.button(kind)
            button.setObjectName(f"settings.{name}_button")
            button.setAccessibleName(button.text().replace("&", ""))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons

    def _fill(self) -> None:
        form = fill_form(self._desk.preferences)
        self._scheme.setCurrentIndex(self._scheme.findData(form.scheme))
        self._language.setCurrentIndex(self._language.findData(form.language))
        self._folder.show_path(form.sessions_folder)
        self._consultant.setText(form.consultant)
        self._logo.show_path(form.logo)
        self._seed.setValue(form.lab_seed)
        self._check()

    def _entered(self) -> SettingsForm:
        return SettingsForm(
            scheme=self._scheme.currentData(),
            language=self._language.currentData(),
            sessions_folder=self._folder.path,
            consultant=self._consultant.text(),
            logo=self._logo.path,
            lab_seed=self._seed.value(),
        )

    @Slot()
    @Slot(str)
    def _check(self, _path: str = "") -> None:
        problems = check_form(self._entered())
        self._folder.show_error(problems.sessions_folder)
        self._logo.show_error(problems.logo)
        self._buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(problems.is_complete)
        self._grow()

    def _grow(self) -> None:
        """Make room for errors that came up; nothing is cut off, and the dialog never shrinks under the pointer."""
        layout = self.layout()
        if layout is not None and self.isVisible():
            layout.activate()
            needed_px = layout.totalHeightForWidth(self.width())
            self.resize(self.width(), max(self.height(), needed_px))

    def accept(self) -> None:
        """Save the entries and close (Qt calls this on Return, too)."""
        form = self._entered()
        if check_form(form).is_complete:
            self._desk.prefer(apply_form(self._desk.preferences, form))
            super().accept()


def _hint(text: str) -> QLabel:
    hint = PlainLabel(text)
    hint.setWordWrap(True)
    hint.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    hint.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)  # else half the form stays empty
    return hint
