"""The interface of a wizard page to the main window."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QRadioButton, QWidget

from app.flows.shell.wizard import Choices, Step
from app.ui.desk import Desk


class WizardPage(QWidget):
    """Base of the seven pages: shows choices, and tells when the person makes others.

    A page decides nothing about where to go next; `flows.wizard` does.

    Attributes:
        step: which step it shows.

    Signals:
        choices_changed: the new Choices, whenever the person chose or a reading arrived.
        busy_changed: what the page is doing in the background, "" when nothing.
        advance_requested: the person wants the next step (double click, Return).
        return_requested: the person wants the step before.
    """

    choices_changed = Signal(object)
    busy_changed = Signal(str)
    advance_requested = Signal()
    return_requested = Signal()

    step: Step

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = desk
        self.setObjectName(f"page.{self.step}")

    def show_choices(self, choices: Choices) -> None:
        """Show the choices; called each time the page is entered and when they change elsewhere."""
        raise NotImplementedError(f"{type(self).__name__} shows nothing")

    @property
    def has_keyboard(self) -> bool:
        """Whether something of the page has it."""
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    @contextmanager
    def keeping_keyboard(self) -> Iterator[None]:
        """Give the keyboard to the first widget again where the one that had it goes meanwhile: Qt leaves the page."""
        had_keyboard = self.has_keyboard
        yield
        if had_keyboard and not self.has_keyboard:
            self.take_keyboard()

    def take_keyboard(self) -> None:
        """Give the keyboard to the first widget of the page that takes it; called each time the page is entered.

        Not by walking `nextInFocusChain()`: PySide makes each widget returned a child of the one before, in its own
        books, and when one of them is deleted it declares all the rest deleted, too.
        """
        self.setFocus(Qt.FocusReason.TabFocusReason)
        self.focusNextChild()
        first = self.focusWidget()
        if isinstance(first, QRadioButton) and not first.isChecked():  # Tab leads to the one chosen, too
            beside = (radio for radio in self.findChildren(QRadioButton) if radio.parent() is first.parent())
            chosen = next((radio for radio in beside if radio.isChecked() and radio.isEnabled()), first)
            chosen.setFocus(Qt.FocusReason.TabFocusReason)
