"""One field of the form for a target: editor, tick or list, and its note below it."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.domain.connection import CHECKED, ConnectionField, FieldKind
from app.flows.target.target_form import FieldNote
from app.foundation.texts import _
from app.ui.theme import Tone
from app.ui.widgets.eliding_combo import ElidingCombo
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine

ROWS_PER_FIELD = 2
_EDITOR, _NOTE = range(ROWS_PER_FIELD)


class TargetField(QObject):
    """The widgets of one field, in two rows of a grid; decides nothing about its content.

    Attributes:
        editor: what is typed into, ticked or chosen from.
        button: what stands beside it: to choose a file, or to show a password; None for most.

    Signals:
        value_entered: name of the field and its new value.
        return_pressed: Return in a field that is typed into.
    """

    value_entered = Signal(str, str)
    return_pressed = Signal()

    def __init__(self, field: ConnectionField, value: str, grid: QGridLayout, row: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = field
        self._label = PlainLabel(field.label, parent)
        self._note = StatusLine(f"target.{field.name}_note", parent)
        self.editor = self._make_editor(value)
        self.editor.setParent(parent)
        self.editor.setAccessibleName(field.label)
        self.editor.setAccessibleDescription(field.help)
        self._label.setBuddy(self.editor)
        self.button = self._make_button(parent)
        if field.kind is not FieldKind.CHECK:
            grid.addWidget(self._label, row + _EDITOR, 0)
        grid.addWidget(self.editor, row + _EDITOR, 1, 1, 1 if self.button is not None else 2)
        if self.button is not None:
            grid.addWidget(self.button, row + _EDITOR, 2)
        grid.addWidget(self._note, row + _NOTE, 1, 1, 2)

    def _make_editor(self, value: str) -> QLineEdit | QComboBox | QCheckBox:
        field = self.field
        if field.kind is FieldKind.CHECK:
            check = QCheckBox(field.label)
            check.setObjectName(f"target.{field.name}_check")
            check.setChecked(value == CHECKED)
            check.toggled.connect(self._on_toggled)
            return check
        if field.kind is FieldKind.CHOICE:
            combo = ElidingCombo(f"target.{field.name}_combo", field.label)
            for option in field.options:
                combo.addItem(option.label, option.value)
            combo.setCurrentIndex(max(0, combo.findData(value)))
            combo.activated.connect(self._on_activated)
            return combo
        edit = QLineEdit(value)
        edit.setObjectName(f"target.{field.name}_edit")
        edit.setPlaceholderText(field.example)
        if field.kind is FieldKind.PASSWORD:
            edit.setEchoMode(QLineEdit.EchoMode.Password)
        edit.textChanged.connect(self._on_text_changed)
        edit.returnPressed.connect(self.return_pressed)
        return edit

    def _make_button(self, parent: QWidget) -> QPushButton | None:
        kind = self.field.kind
        if kind not in (FieldKind.FILE, FieldKind.PASSWORD):
            return None
        is_file = kind is FieldKind.FILE
        button = QPushButton(_("B&rowse…") if is_file else _("&Show"), parent)
        button.setObjectName(f"target.{self.field.name}_button")
        button.setAccessibleName(_("Choose a file") if is_file else _("Show the password"))
        button.setAutoDefault(False)
        if is_file:
            button.clicked.connect(self._on_browse_clicked)
        else:
            button.setCheckable(True)
            button.toggled.connect(self._on_show_toggled)
        return button

    def set_shown(self, *, is_shown: bool) -> None:
        """Show or hide the field with everything about it."""
        for widget in (self._label, self.editor, self._note, self.button):
            if widget is not None:
                widget.setVisible(is_shown and not (widget is self._label and self.field.kind is FieldKind.CHECK))

    def show_note(self, note: FieldNote) -> None:
        """Show the help or the error of the field."""
        self._note.show_status(note.text, Tone.BAD if note.is_error else Tone.MUTED)
        self.editor.setAccessibleDescription(note.text)

    @Slot(bool)
    def _on_toggled(self, is_checked: bool) -> None:
        self.value_entered.emit(self.field.name, CHECKED if is_checked else "")

    @Slot(int)
    def _on_activated(self, _index: int) -> None:
        if isinstance(self.editor, QComboBox):
            self.value_entered.emit(self.field.name, str(self.editor.currentData()))

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        self.value_entered.emit(self.field.name, text)

    @Slot(bool)
    def _on_show_toggled(self, is_shown: bool) -> None:
        if isinstance(self.editor, QLineEdit):
            mode = QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password
            self.editor.setEchoMode(mode)

    @Slot()
    def _on_browse_clicked(self) -> None:
        if isinstance(self.editor, QLineEdit):
            pattern = _("{label} (*{suffix})").format(label=self.field.label, suffix=self.field.suffix)
            path, _pattern = QFileDialog.getOpenFileName(
                self.editor.window(), self.field.label, self.editor.text(), pattern
            )
            if path:
                self.editor.setText(path)
