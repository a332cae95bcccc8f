"""The form for a target that is not listed: made of the fields its way to connect asks for."""

import itertools
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.domain.connection import ConnectionField, ConnectionWay, FieldKind
from app.flows.target_view import FieldNote, TargetForm, can_save, field_note, form_name, form_target, name_note
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.status_line import StatusLine


class TargetFormPane(QWidget):
    """Asks for a target; errors stand below their fields as one types.

    Signals:
        test_requested: the target described; its fields hold no error.
        save_requested: name and target.
        form_closed: the person does not want another target.
        form_changed: what was said about the target before does not hold any more.
    """

    test_requested = Signal(str)
    save_requested = Signal(str, str)
    form_closed = Signal()
    form_changed = Signal()

    def __init__(self, ways: Sequence[ConnectionWay], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ways = tuple(ways)
        self._saved: tuple[tuple[str, str], ...] = ()
        self._form = TargetForm(self._ways[0])
        self._notes: dict[str, StatusLine] = {}
        self._way = QComboBox()
        self._way.setObjectName("target.way_combo")
        self._way.setAccessibleName(_("What to connect to"))
        self._way.addItems([way.title for way in self._ways])
        self._fields = QWidget()
        self._layout = QVBoxLayout(self)
        self._name = self._make_edit("target.name_edit", _("Name"))
        self._name_note = StatusLine("target.name_note")
        self._make_buttons()
        self._lay_out()
        self._way.currentIndexChanged.connect(self._on_way_changed)
        self._name.textEdited.connect(self._on_name_edited)
        self._show_fields()

    def begin(self, saved: tuple[tuple[str, str], ...]) -> None:
        """Begin with an empty form."""
        self._saved = saved
        self._form = TargetForm(self._ways[self._way.currentIndex()])
        self._show_fields()
        self._way.setFocus()

    @property
    def target(self) -> str:
        """The target described, "" as long as a field is empty or wrong."""
        return form_target(self._form)

    # Making it

    def _make_edit(self, name: str, label: str) -> QLineEdit:
        edit = QLineEdit()
        edit.setObjectName(name)
        edit.setAccessibleName(label)
        edit.returnPressed.connect(self._on_save_clicked)
        return edit

    def _make_button(self, name: str, text: str, spoken: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAccessibleName(spoken)
        return button

    def _make_buttons(self) -> None:
        self._test = self._make_button("target.form_test_button", _("&Test"), _("Test the connection"))
        self._save = self._make_button("target.save_button", _("Sa&ve and use"), _("Save the target and use it"))
        self._close = self._make_button("target.form_close_button", _("&Discard"), _("Discard the new target"))
        self._test.clicked.connect(self._on_test_clicked)
        self._save.clicked.connect(self._on_save_clicked)
        self._close.clicked.connect(self.form_closed)

    def _lay_out(self) -> None:
        way_label, name_label = QLabel(_("&Connect to")), QLabel(_("Save &as"))
        way_label.setBuddy(self._way)
        name_label.setBuddy(self._name)
        buttons = QHBoxLayout()
        for button in (self._save, self._test, self._close):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = self._layout
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        for block in ((way_label, self._way), (self._fields,), (name_label, self._name, self._name_note)):
            for widget in block:
                layout.addWidget(widget)
            layout.addSpacing(GRID_PX)
        layout.addLayout(buttons)

    def _show_fields(self) -> None:
        """Make the fields of the way chosen anew."""
        old, self._fields = self._fields, QWidget()
        self._notes = {}
        grid = QGridLayout(self._fields)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GRID_PX // 2)
        for row, field in enumerate(self._form.way.fields):
            self._add_field(grid, 3 * row, field)
        self._layout.replaceWidget(old, self._fields)
        old.setParent(None)
        old.deleteLater()
        self._set_tab_order()
        self._show_state()

    def _add_field(self, grid: QGridLayout, row: int, field: ConnectionField) -> None:
        edit = self._make_edit(f"target.{field.name}_edit", field.label)
        edit.setPlaceholderText(field.example)
        edit.setText(self._form.value(field.name))
        edit.setAccessibleDescription(field.help)
        edit.textChanged.connect(partial(self._on_field_changed, field))
        label = QLabel(field.label)
        label.setBuddy(edit)
        note = self._notes[field.name] = StatusLine(f"target.{field.name}_note")
        grid.addWidget(label, row, 0)
        is_file = field.kind is FieldKind.FILE
        grid.addWidget(edit, row + 1, 0, 1, 1 if is_file else 2)
        grid.addWidget(note, row + 2, 0, 1, 2)
        if is_file:
            browse = self._make_button(f"target.{field.name}_button", _("B&rowse…"), _("Choose a file"))
            browse.clicked.connect(partial(self._on_browse_clicked, field, edit))
            grid.addWidget(browse, row + 1, 1)

    def _set_tab_order(self) -> None:
        entered = [*self._fields.findChildren(QLineEdit), *self._fields.findChildren(QPushButton)]
        order = [self._way, *entered, self._name, self._save, self._test, self._close]
        for first, second in itertools.pairwise(order):
            QWidget.setTabOrder(first, second)

    # What the person does

    @Slot(int)
    def _on_way_changed(self, index: int) -> None:
        self._form = self._form.with_way(self._ways[index])
        self._show_fields()
        self.form_changed.emit()

    def _on_field_changed(self, field: ConnectionField, text: str) -> None:
        self._form = self._form.with_value(field.name, text)
        self._show_state()
        self.form_changed.emit()

    @Slot(str)
    def _on_name_edited(self, text: str) -> None:
        self._form = TargetForm(self._form.way, self._form.values, text)
        self._show_state()

    def _on_browse_clicked(self, field: ConnectionField, edit: QLineEdit, _checked: bool = False) -> None:
        pattern = _("{label} (*{suffix})").format(label=field.label, suffix=field.suffix)
        path, _pattern = QFileDialog.getOpenFileName(self, field.label, self._form.value(field.name), pattern)
        if path:
            edit.setText(path)

    @Slot()
    def _on_test_clicked(self) -> None:
        if self.target:
            self.test_requested.emit(self.target)

    @Slot()
    def _on_save_clicked(self) -> None:
        if can_save(self._form, self._saved):
            self.save_requested.emit(form_name(self._form, self._saved), self.target)

    def _show_state(self) -> None:
        for field in self._form.way.fields:
            _show_note(self._notes[field.name], field_note(field, self._form.value(field.name)))
        if self._form.name is None:
            self._name.setText(form_name(self._form, self._saved))
        _show_note(self._name_note, name_note(self._form, self._saved))
        self._test.setEnabled(bool(self.target))
        self._save.setEnabled(can_save(self._form, self._saved))


def _show_note(line: StatusLine, note: FieldNote) -> None:
    line.show_status(note.text, Tone.BAD if note.is_error else Tone.MUTED)
