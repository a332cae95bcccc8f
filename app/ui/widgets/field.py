"""One field of a form: label, editor, unit, permitted values, and its error beside it."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from app.flows.plan.plan_fields import OFF, ON, Field, FieldKind
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.rich_text import PlainLabel, plain_tip
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.still_wheel import leave_wheel_to_page
from app.ui.widgets.tick_boxes import TickBoxes

_LABEL, _EDITOR, _UNIT, _HINT = range(4)
ROWS_PER_FIELD = 2
_WIDEST_PX = 40 * GRID_PX
_SHORT_HINT = 18  # letters, as "1 bis 100.000.000" has; so few are never broken

_SUFFIX = {
    FieldKind.WHOLE: "edit",
    FieldKind.DECIMAL: "edit",
    FieldKind.LEVELS: "edit",
    FieldKind.CHOICE: "combo",
    FieldKind.SWITCH: "check",
    FieldKind.TICKS: "ticks",
    FieldKind.TEXT: "edit",
}
_NUMBERS = (FieldKind.WHOLE, FieldKind.DECIMAL)


class FieldRow(QObject):
    """The widgets of one field, in two rows of a form's grid; decides nothing about its content.

    Attributes:
        editor: what is typed into, chosen from, or holds the boxes to tick.

    Signals:
        text_entered: field id and the new text.
        focus_entered: field id.
    """

    text_entered = Signal(str, str)
    focus_entered = Signal(str)

    def __init__(self, prefix: str, field: Field, grid: QGridLayout, row: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._field = field
        self.editor = _make_editor(prefix, field)
        self.editor.setParent(parent)
        self.editor.setObjectName(f"{prefix}.{field.field_id}_{_SUFFIX[field.kind]}")
        self.editor.setAccessibleName(" ".join(f"{field.spoken} {field.unit}".split()))
        self.editor.setToolTip(plain_tip(field.help))
        for editor in self.editors:
            editor.installEventFilter(self)
        self._label = PlainLabel(field.label, parent)
        self._label.setBuddy(self.editors[0])
        self._label.setToolTip(plain_tip(field.help))
        self._unit = _quiet_label(field.unit, parent)
        self._hint = _quiet_label(field.hint, parent)
        self._error = StatusLine(f"{prefix}.{field.field_id}_error", parent)
        self._place(grid, row)
        self._connect()
        self.show_field(field)

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """Return the widgets that take the keyboard, in order: the editor, or its boxes."""
        return self.editor.boxes if isinstance(self.editor, TickBoxes) else (self.editor,)

    @property
    def label_width_px(self) -> int:
        """How wide its label must be; 0 where the label is part of the editor."""
        return 0 if self._field.kind is FieldKind.SWITCH else self._label.minimumSizeHint().width()

    def make_narrow(self, *, narrow: bool) -> None:
        """Let the label wrap, or give it one line."""
        self._label.setWordWrap(narrow)

    def _place(self, grid: QGridLayout, row: int) -> None:
        kind = self._field.kind
        if kind is FieldKind.SWITCH:
            self._label.hide()
            grid.addWidget(self.editor, row, _LABEL, 1, 4)
            grid.addWidget(self._error, row + 1, _LABEL, 1, 4)
            return
        grid.addWidget(self._label, row, _LABEL)
        if kind in _NUMBERS:
            grid.addWidget(self.editor, row, _EDITOR)
            grid.addWidget(self._unit, row, _UNIT)
        else:
            grid.addWidget(self.editor, row, _EDITOR, 1, 2)
        grid.addWidget(self._hint, row, _HINT)
        grid.addWidget(self._error, row + 1, _EDITOR, 1, 3)

    def _connect(self) -> None:
        editor = self.editor
        if isinstance(editor, QLineEdit):
            editor.textEdited.connect(self._on_text_edited)
        elif isinstance(editor, QComboBox) and editor.isEditable():
            editor.editTextChanged.connect(self._on_combo_edited)
        elif isinstance(editor, QComboBox):
            editor.activated.connect(self._on_option_activated)
        elif isinstance(editor, TickBoxes):
            editor.words_ticked.connect(self._on_text_edited)
        elif isinstance(editor, QCheckBox):
            editor.clicked.connect(self._on_switch_clicked)

    def show_field(self, field: Field) -> None:
        """Show another value of the same field."""
        self._field = field
        self._show_text(field.text)
        is_switch = field.kind is FieldKind.SWITCH
        hint = field.hint
        if field.kind is FieldKind.LEVELS:
            hint = ", ".join(text for text in (field.unit, field.hint) if text)
        self._hint.setWordWrap(len(hint) > _SHORT_HINT)
        self._hint.setText(hint)
        for widget in (self.editor, self._unit, self._hint):
            widget.setVisible(field.is_shown)
        self._label.setVisible(field.is_shown and not is_switch)
        self._unit.setVisible(field.is_shown and field.kind in _NUMBERS)
        self._hint.setVisible(field.is_shown and bool(hint) and not is_switch)
        self._error.show_status(field.error, Tone.BAD)
        self._error.setVisible(bool(field.error))
        edit = self.editor.lineEdit() if isinstance(self.editor, QComboBox) else self.editor
        if isinstance(edit, QLineEdit):
            edit.setPlaceholderText(field.when_empty)
        self.editor.setAccessibleDescription(field.error or field.help)

    def _show_text(self, text: str) -> None:
        editor = self.editor
        if isinstance(editor, QLineEdit):
            if editor.text() != text:
                editor.setText(text)
            if self._field.kind is FieldKind.LEVELS:
                needed_px = editor.fontMetrics().horizontalAdvance(text) + 3 * GRID_PX
                editor.setMinimumWidth(max(editor.minimumWidth(), min(needed_px, _WIDEST_PX)))
        elif isinstance(editor, QComboBox) and editor.isEditable():
            if editor.currentText() != text:
                editor.setEditText(text)
        elif isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(text))
        elif isinstance(editor, TickBoxes):
            editor.show_ticked(text)
        elif isinstance(editor, QCheckBox):
            editor.setChecked(text == ON)

    @Slot(str)
    def _on_text_edited(self, text: str) -> None:
        self.text_entered.emit(self._field.field_id, text)

    @Slot(str)
    def _on_combo_edited(self, text: str) -> None:
        if text != self._field.text:  # else it was shown, not typed
            self.text_entered.emit(self._field.field_id, text)

    @Slot(int)
    def _on_option_activated(self, _index: int) -> None:
        if isinstance(self.editor, QComboBox):
            self.text_entered.emit(self._field.field_id, self.editor.currentData())

    @Slot(bool)
    def _on_switch_clicked(self, checked: bool) -> None:
        self.text_entered.emit(self._field.field_id, ON if checked else OFF)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell when the keyboard enters the field (Qt calls this)."""
        if event.type() == QEvent.Type.FocusIn:
            self.focus_entered.emit(self._field.field_id)
        return super().eventFilter(watched, event)


def _make_editor(prefix: str, field: Field) -> QLineEdit | QComboBox | QCheckBox | TickBoxes:
    if field.kind is FieldKind.SWITCH:
        return QCheckBox(field.label)
    if field.kind is FieldKind.TICKS:
        return TickBoxes(f"{prefix}.{field.field_id}", field.spoken, field.options)
    if field.kind is FieldKind.TEXT and field.options:
        return _make_suggesting(field)
    if field.kind is FieldKind.CHOICE:
        combo = QComboBox()
        combo.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)  # the least Qt asks for cuts its text
        for option in field.options:
            combo.addItem(option.label, option.option_id)
        leave_wheel_to_page(combo)
        return combo
    edit = QLineEdit()
    if field.kind not in _NUMBERS:
        edit.setMinimumWidth(20 * GRID_PX)
    else:
        edit.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        edit.setFixedWidth(13 * GRID_PX)
    return edit


def _make_suggesting(field: Field) -> QComboBox:
    """Return a field of words that offers those known to fit."""
    combo = QComboBox()
    combo.setEditable(True)
    combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    combo.setMinimumWidth(20 * GRID_PX)
    for option in field.options:
        combo.addItem(option.label, option.option_id)
    combo.setCurrentIndex(-1)
    leave_wheel_to_page(combo)
    edit = combo.lineEdit()
    if edit is not None:
        edit.setAccessibleName(field.spoken)
    return combo


def _quiet_label(text: str, parent: QWidget) -> QLabel:
    label = PlainLabel(text, parent)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    return label
