"""The page that asks which servers to measure."""

from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.domain.errors import BadInput
from app.flows.shell.wizard import Choices, Step, choose_target
from app.flows.target.attempt_view import (
    NO_ATTEMPT,
    Attempt,
    attempt_begun,
    attempt_cancelled,
    attempt_failed,
    attempt_reached,
    is_mistake,
)
from app.flows.target.target_form import TargetForm, form_of, form_pasted, form_target, target_understood, ways_of
from app.flows.target.target_view import (
    ListedTarget,
    TargetGroup,
    choose_listed,
    find_listed,
    keep_test,
    listed_targets,
)
from app.flows.words import sentence
from app.foundation.texts import _
from app.services.look.reading import TargetReading
from app.services.target.targets_catalogue import list_connection_ways, list_lab_scenarios
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.target_keeper import TargetKeeper
from app.ui.target_reader import TargetReader
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.attempt_pane import AttemptPane
from app.ui.widgets.columns import Columns
from app.ui.widgets.page_heading import PageHeading
from app.ui.widgets.paste_field import PasteField
from app.ui.widgets.push_button import push_button
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.target_detail import TargetDetail
from app.ui.widgets.target_form import TargetFormPane
from app.ui.widgets.target_list import TargetList


class TargetPage(WizardPage):
    """Lists the saved targets and the lab, and asks for another one."""

    step = Step.TARGET

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._scenarios = list_lab_scenarios(desk.program.systems.values())
        self._entered = self._choices = Choices()
        self._chosen: ListedTarget | None = None
        self._removed: ListedTarget | None = None
        self._edited = self._tested = ""
        self._ways = ways_of(desk.program.systems.values(), list_connection_ways(desk.program.parts.connection_ways()))
        self._reader = TargetReader(desk, self)
        self._keeper = TargetKeeper(desk, self)
        self._list = TargetList()
        self._paste = PasteField("target")
        self._new = push_button("target.new_button", _("Ne&w target…"), _("Enter another target"))
        self._undo_line = StatusLine("target.removed")
        self._undo = push_button("target.undo_button", _("&Undo"), _("Undo the removal"))
        self._detail = TargetDetail()
        self._form = TargetFormPane(self._ways)
        self._attempt = AttemptPane("target")
        self._columns = Columns()
        self._above_list = QWidget()
        self._lay_out()
        self._connect()
        self._show_form(is_open=False)
        self._show_removed(None)
        self._show_list()

    def show_choices(self, choices: Choices) -> None:
        """Show which target is chosen."""
        if choices != self._choices:
            self._entered = self._choices = choices
            self._give_up_reading()
            self._attempt.show_attempt(NO_ATTEMPT)
            self._show_removed(None)
            self._on_form_closed()
        self._show_list()

    # Making it

    def _lay_out(self) -> None:
        below = QHBoxLayout()
        below.setSpacing(GRID_PX)
        below.addWidget(self._new)
        below.addWidget(self._undo_line, 1)
        below.addWidget(self._undo)
        left = QVBoxLayout()
        left.setSpacing(GRID_PX)
        left.addWidget(self._above_list)
        left.addWidget(self._list, 1)
        left.addLayout(below)
        right = QVBoxLayout()
        right.setSpacing(2 * GRID_PX)
        right.addWidget(self._detail)
        right.addWidget(self._form)
        right.addWidget(self._attempt)
        right.addStretch(1)
        columns = self._columns
        columns.setSpacing(3 * GRID_PX)
        columns.addLayout(left, 1)
        columns.addLayout(right, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        layout.addWidget(PageHeading(self.step))
        layout.addWidget(self._paste)
        layout.addLayout(columns, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the selected target below the list where the window is narrow (Qt calls this)."""
        super().resizeEvent(event)
        self._columns.fold(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste an address into its field, wherever the keyboard is (Qt calls this)."""
        if not self._paste.take_pasted(event):
            super().keyPressEvent(event)

    def _connect(self) -> None:
        self._list.target_chosen.connect(self._on_target_chosen)
        self._list.target_activated.connect(self.advance_requested)
        self._paste.entered.connect(self._on_pasted)
        self._new.clicked.connect(self._on_new_clicked)
        self._undo.clicked.connect(self._on_undo_clicked)
        self._detail.test_requested.connect(self._on_test_requested)
        self._detail.edit_requested.connect(self._on_edit_requested)
        self._detail.removal_requested.connect(self._on_removal_requested)
        self._form.test_requested.connect(self._on_form_test_requested)
        self._form.connect_requested.connect(self._on_connect_requested)
        self._form.save_requested.connect(self._on_save_requested)
        self._form.form_closed.connect(self._on_form_closed)
        self._form.form_changed.connect(self._on_form_changed)
        self._attempt.cancel_requested.connect(self._on_cancel_requested)
        self._attempt.option_said.connect(self._on_option_said)
        self._keeper.keyring_known.connect(self._on_keyring_known)
        self._keeper.failed.connect(self._on_keeping_failed)
        self._reader.reading_arrived.connect(self._on_reading_arrived)
        self._reader.reading_failed.connect(self._on_reading_failed)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self._form)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self._on_form_closed)

    # Showing

    def _show_list(self) -> None:
        saved, systems = self._keeper.list(), self.desk.program.systems
        listed = listed_targets(saved, self._scenarios, systems, self._choices.target, self._keeper.recent)
        key = self._chosen.key if self._chosen is not None else ""
        self._chosen = find_listed(listed, self._choices.target, key)
        self._list.show_listed(listed, self._chosen)
        self._detail.show_target(self._chosen, can_edit=self._form_of_chosen() is not None)

    def _form_of_chosen(self) -> TargetForm | None:
        """The form that makes the target chosen, None for a lab that ships, or where no form makes it."""
        chosen = self._chosen
        if chosen is None or chosen.group not in (TargetGroup.SAVED, TargetGroup.RECENT, TargetGroup.OTHER):
            return None
        return form_of(chosen.target, self._ways, chosen.title if chosen.can_be_removed else "")

    def _show_form(self, *, is_open: bool) -> None:
        self._form.setVisible(is_open)
        self._columns.setStretch(0, 1 if is_open else 3)  # titles have room first
        self._columns.setStretch(1, 1 if is_open else 2)
        # the form begins where the field stood, and rows of the list stay under the mouse
        self._above_list.setFixedHeight(self._paste.sizeHint().height() + GRID_PX if is_open else 0)
        self._above_list.setVisible(is_open)
        self._paste.setVisible(not is_open)
        self._detail.setVisible(not is_open)

    def _show_removed(self, removed: ListedTarget | None) -> None:
        self._removed = removed
        text = _("Removed “{name}”.").format(name=removed.title) if removed else ""
        self._undo_line.show_status(text, Tone.MUTED)
        self._undo.setVisible(removed is not None)

    def _show_attempt(self, attempt: Attempt) -> None:
        self._attempt.show_attempt(attempt)
        self._detail.show_reading(is_reading=self._reader.is_reading)

    def _choose(self, choices: Choices) -> None:
        if choices != self._choices:
            self._choices = choices
            self.choices_changed.emit(choices)

    # Choosing

    @Slot(object)
    def _on_target_chosen(self, listed: ListedTarget) -> None:
        self._chosen = listed
        self._on_form_closed()
        self._choose(choose_listed(self._entered, self._choices, listed.target))
        self._show_list()

    def take_address(self, text: str) -> None:
        """Take an address that was given elsewhere, as if it had been typed here."""
        self._paste.edit.setText(text)
        self._on_pasted(text.strip())

    @Slot(str)
    def _on_pasted(self, text: str) -> None:
        """Connect to a pasted address, or ask for the rest of it."""
        target = target_understood(text)
        try:
            form = None if target else form_pasted(text, self._ways)
        except BadInput as error:
            self._paste.show_refused(sentence(str(error)))
            return
        if target:
            self._connect_to(target)
        elif form is None:
            self._paste.show_not_understood()
        elif form_target(form):
            self._on_connect_requested(form)
        else:
            self._open_form()
            self._form.edit(form, self._keeper.list())
            self._form.go_to_missing()

    @Slot(object)
    def _on_connect_requested(self, form: TargetForm) -> None:
        """Connect first; whoever wants to keep the target saves it later."""
        self._keeper.use_password(form, is_kept=False)
        self._connect_to(form_target(form))

    def _connect_to(self, target: str) -> None:
        self._paste.edit.clear()
        self._chosen = None
        self._on_form_closed()
        self._choose(choose_listed(self._entered, self._choices, target))
        self._show_list()
        self.advance_requested.emit()

    @Slot()
    def _on_new_clicked(self) -> None:
        self._open_form()
        self._form.begin(self._keeper.list())

    @Slot()
    def _on_edit_requested(self) -> None:
        form = self._form_of_chosen()
        if form is not None:
            self._open_form(form.name or "")
            self._form.edit(form, tuple(kept for kept in self._keeper.list() if kept[0] != form.name))

    def _open_form(self, edited: str = "") -> None:
        """Open the form; the selection does not count until it is closed.

        Args:
            edited: name of the saved target that is changed, "" for a new one.
        """
        self._edited = edited
        self._give_up_reading()
        self._show_attempt(NO_ATTEMPT)
        self._show_form(is_open=True)
        self._keeper.ask_keyring()
        self._choose(replace(self._choices, is_entering=True))

    @Slot()
    def _on_form_closed(self) -> None:
        self._give_up_reading()
        self._show_attempt(NO_ATTEMPT)
        if self._form.isVisibleTo(self):
            self._show_form(is_open=False)
            self._form.forget_password()
            self._list.setFocus()
        self._choose(replace(self._choices, is_entering=False))

    @Slot()
    def _on_form_changed(self) -> None:
        self._give_up_reading()
        self._show_attempt(NO_ATTEMPT)

    @Slot(bool)
    def _on_keyring_known(self, can_keep: bool) -> None:
        self._form.allow_keeping(can_keep=can_keep)

    @Slot(str)
    def _on_keeping_failed(self, text: str) -> None:
        self._undo_line.show_status(text, Tone.BAD)

    @Slot(str, object)
    def _on_save_requested(self, name: str, form: TargetForm) -> None:
        keeps, edited = self._form.keeps_password, self._edited
        if self._keeper.add_form(name, form, keeps_password=keeps, instead_of=edited):
            self._chosen = None
            self._on_form_closed()
            self._choose(choose_listed(self._entered, self._choices, form_target(form)))
            self._show_list()

    @Slot()
    def _on_removal_requested(self) -> None:
        removed = self._chosen
        if removed is None:
            return
        if removed.can_be_forgotten:
            self._keeper.forget(removed.target)
            self._drop(removed)
        elif self._keeper.remove(removed.title, removed.target):
            self._drop(removed)
            self._show_removed(removed)

    def _drop(self, removed: ListedTarget) -> None:
        """Show the list without a target; a server that was forgotten is not chosen any more either."""
        self._chosen = None
        if removed.can_be_forgotten and self._choices.target == removed.target:
            self._choose(choose_target(self._choices, ""))
        self._show_list()

    @Slot()
    def _on_undo_clicked(self) -> None:
        if self._removed is not None and self._keeper.add(self._removed.title, self._removed.target):
            self._show_removed(None)
            self._show_list()
            self._list.setFocus()

    # Testing

    @Slot()
    def _on_test_requested(self) -> None:
        if self._chosen is not None:
            self._read(self._chosen.target)

    @Slot(object)
    def _on_form_test_requested(self, form: TargetForm) -> None:
        self._keeper.use_password(form, is_kept=False)
        self._read(form_target(form))

    def _read(self, target: str) -> None:
        self._tested = target
        self._reader.read(target)
        title = self._chosen.title if self._chosen is not None and self._chosen.target == target else target
        self._show_attempt(attempt_begun(title))

    def _give_up_reading(self) -> None:
        self._reader.cancel()

    @Slot()
    def _on_cancel_requested(self) -> None:
        self._give_up_reading()
        self._show_attempt(attempt_cancelled())

    @Slot(str, str)
    def _on_option_said(self, option: str, value: str) -> None:
        """Connect to the target of the test, of which the person has decided something."""
        self._connect_to(self._keeper.say(self._tested, option, value))

    @Slot(str, object)
    def _on_reading_arrived(self, target: str, reading: TargetReading) -> None:
        self._show_attempt(attempt_reached(reading, self.desk.program.systems))
        self._choose(keep_test(self._choices, target, reading))

    @Slot(str, object)
    def _on_reading_failed(self, _target: str, error: BaseException) -> None:
        self._show_attempt(attempt_failed(error))
        if is_mistake(error):
            self.desk.trouble.emit(error)
