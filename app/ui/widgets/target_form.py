"""The form for a target that is not listed: made of the fields its way to connect asks for."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.domain.connection import ConnectionWay
from app.flows.target.target_form import (
    TargetForm,
    asks_password,
    can_save,
    field_note,
    form_name,
    form_problem,
    form_target,
    keep_password_text,
    name_note,
)
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.keyboard_order import order_keyboard
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.still_wheel import leave_wheel_to_page
from app.ui.widgets.target_field import ROWS_PER_FIELD, TargetField


class TargetFormPane(QWidget):
    """Asks for a target; errors stand below their fields as one types.

    Signals:
        connect_requested: the TargetForm; its fields hold no error, and nothing is saved.
        test_requested: the TargetForm; its fields hold no error.
        save_requested: name, and the TargetForm.
        form_closed: the person does not want another target.
        form_changed: what was said about the target before does not hold any more.
    """

    connect_requested = Signal(object)
    test_requested = Signal(object)
    save_requested = Signal(str, object)
    form_closed = Signal()
    form_changed = Signal()

    def __init__(self, ways: Sequence[ConnectionWay], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ways = tuple(ways)
        self._saved: tuple[tuple[str, str], ...] = ()
        self._can_keep = False
        self._form = TargetForm(self._ways[0])
        self._rows: list[TargetField] = []
        self._way = QComboBox()
        self._way.setObjectName("target.way_combo")
        self._way.setAccessibleName(_("What to connect to"))
        self._way.addItems([way.title for way in self._ways])
        leave_wheel_to_page(self._way)
        self._way_note = StatusLine("target.way_note")
        self._fields = QWidget()
        self._layout = QVBoxLayout(self)
        self._keep = QCheckBox()
        self._keep.setObjectName("target.keep_check")
        self._keep.setText(keep_password_text(can_keep=True))
        self._keep.setAccessibleName(self._keep.text().replace("&", ""))
        self._no_keyring = StatusLine("target.no_keyring")
        self._more = QToolButton()
        self._problem = StatusLine("target.form_problem")
        self._name = QLineEdit()
        self._name.setObjectName("target.name_edit")
        self._name.setAccessibleName(_("Name"))
        self._name_note = StatusLine("target.name_note")
        self._now = push_button("target.connect_button", _("Connect"), _("Connect without saving"))
        self._test = push_button("target.form_test_button", _("&Test"), _("Test the connection"))
        self._save = push_button("target.save_button", _("Sa&ve and use"), _("Save the target and use it"))
        self._close = push_button("target.form_close_button", _("&Discard"), _("Discard the new target"))
        self._no_keyring.show_status(keep_password_text(can_keep=False), Tone.MUTED)
        self._make_more()
        self._lay_out()
        self._connect()
        self._make_fields()

    def begin(self, saved: tuple[tuple[str, str], ...]) -> None:
        """Begin with an empty form."""
        self._saved = saved
        self._form = TargetForm(self._ways[self._way.currentIndex()])
        self._keep.setChecked(False)
        self._make_fields()
        self._way.setFocus()

    def edit(self, form: TargetForm, saved: tuple[tuple[str, str], ...]) -> None:
        """Begin with the values of a saved target.

        Args:
            saved: the other targets.
        """
        self._saved = saved
        with QSignalBlocker(self._way):
            self._way.setCurrentIndex([way.way_id for way in self._ways].index(form.way.way_id))
        self._form = form
        self._more.setChecked(form.shows_seldom)
        self._keep.setChecked(False)
        self._name.setText(form.name or "")
        self._make_fields()
        self._way.setFocus()

    def go_to_missing(self) -> None:
        """Put the keyboard into the first field in sight that is needed and empty."""
        for row in self._rows:
            if row.field in self._form.shown and row.field.is_needed and not self._form.value(row.field.name):
                row.editor.setFocus()
                return

    def allow_keeping(self, *, can_keep: bool) -> None:
        """Offer to keep passwords, or say that this computer has no keyring."""
        self._can_keep = can_keep
        self._show_state()

    def forget_password(self) -> None:
        """Empty the form: the entries are not needed any more."""
        self._form = TargetForm(self._form.way)
        self._make_fields()

    @property
    def target(self) -> str:
        """The target described, "" as long as a field is empty or wrong."""
        return form_target(self._form)

    @property
    def keeps_password(self) -> bool:
        """Whether the person wants the password kept in the keyring."""
        return self._keep.isChecked() and self._keep.isEnabled() and asks_password(self._form)

    # Making it

    def _make_more(self) -> None:
        self._more.setObjectName("target.more_button")
        self._more.setText(_("M&ore settings"))
        self._more.setAccessibleName(_("More settings, which few need"))
        self._more.setCheckable(True)
        self._more.setAutoRaise(True)
        self._more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._more.setArrowType(Qt.ArrowType.RightArrow)
        self._more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _lay_out(self) -> None:
        way_label, name_label = PlainLabel(_("&Connect to")), PlainLabel(_("Save &as"))
        way_label.setBuddy(self._way)
        name_label.setBuddy(self._name)
        buttons = QHBoxLayout()
        for button in (self._now, self._save, self._test, self._close):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = self._layout
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        for widget in (way_label, self._way, self._way_note, self._problem, self._fields, self._keep, self._no_keyring):
            layout.addWidget(widget)
        layout.addWidget(self._more)
        layout.addSpacing(GRID_PX // 2)
        for widget in (name_label, self._name, self._name_note):
            layout.addWidget(widget)
        layout.addSpacing(GRID_PX // 2)
        layout.addLayout(buttons)

    def _connect(self) -> None:
        self._way.currentIndexChanged.connect(self._on_way_changed)
        self._more.toggled.connect(self._on_more_toggled)
        self._name.textEdited.connect(self._on_name_edited)
        self._name.returnPressed.connect(self._on_save_clicked)
        self._now.clicked.connect(self._on_connect_clicked)
        self._test.clicked.connect(self._on_test_clicked)
        self._save.clicked.connect(self._on_save_clicked)
        self._close.clicked.connect(self.form_closed)

    def _make_fields(self) -> None:
        """Make the fields of the way chosen anew."""
        old, self._fields = self._fields, QWidget(self)
        self._layout.replaceWidget(old, self._fields)
        old.hide()
        old.setParent(None)
        old.deleteLater()
        grid = QGridLayout(self._fields)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GRID_PX // 2)
        grid.setHorizontalSpacing(GRID_PX + GRID_PX // 2)
        self._rows = []
        for number, field in enumerate(self._form.way.fields):
            row = TargetField(field, self._form.value(field.name), grid, ROWS_PER_FIELD * number, self._fields)
            row.value_entered.connect(self._on_value_entered)
            row.return_pressed.connect(self._on_connect_clicked)
            self._rows.append(row)
        entered = [each for row in self._rows for each in (row.editor, row.button) if each is not None]
        buttons = (self._now, self._save, self._test, self._close)
        order_keyboard([self._way, *entered, self._keep, self._more, self._name, *buttons])
        self._show_state()

    # What the person does

    @Slot(int)
    def _on_way_changed(self, index: int) -> None:
        self._form = self._form.with_way(self._ways[index])
        self._make_fields()
        self.form_changed.emit()

    @Slot(bool)
    def _on_more_toggled(self, is_open: bool) -> None:
        self._form = replace(self._form, shows_seldom=is_open)
        self._more.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self._show_state()

    @Slot(str, str)
    def _on_value_entered(self, name: str, text: str) -> None:
        self._form = self._form.with_value(name, text)
        self._show_state()
        self.form_changed.emit()

    @Slot(str)
    def _on_name_edited(self, text: str) -> None:
        self._form = replace(self._form, name=text)
        self._show_state()

    @Slot()
    def _on_connect_clicked(self) -> None:
        if self.target:
            self.connect_requested.emit(self._form)

    @Slot()
    def _on_test_clicked(self) -> None:
        if self.target:
            self.test_requested.emit(self._form)

    @Slot()
    def _on_save_clicked(self) -> None:
        if can_save(self._form, self._saved):
            self.save_requested.emit(form_name(self._form, self._saved), self._form)

    def _show_state(self) -> None:
        form = self._form
        for row in self._rows:
            row.set_shown(is_shown=row.field in form.shown)
            row.show_note(field_note(row.field, form.value(row.field.name)))
        self._way_note.show_status(form.way.note, Tone.MUTED)
        self._way_note.setVisible(bool(form.way.note))
        self._more.setVisible(form.has_seldom)
        self._keep.setEnabled(self._can_keep)
        self._keep.setVisible(asks_password(form) and self._can_keep)
        self._no_keyring.setVisible(asks_password(form) and not self._can_keep)
        self._problem.show_status(form_problem(form), Tone.BAD)
        self._problem.setVisible(bool(form_problem(form)))
        if form.name is None:
            self._name.setText(form_name(form, self._saved))
        note = name_note(form, self._saved)
        self._name_note.show_status(note.text, Tone.BAD if note.is_error else Tone.MUTED)
        self._now.setEnabled(bool(self.target))
        self._test.setEnabled(bool(self.target))
        self._save.setEnabled(can_save(form, self._saved))
