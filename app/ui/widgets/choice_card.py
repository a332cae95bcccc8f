"""The names of several things at a server, one of which is meant: a click on one is the answer."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.flows.target.attempt_view import ChoiceView
from app.ui.widgets.card import Card
from app.ui.widgets.push_button import push_button
from app.ui.widgets.start_cards import card_title


class ChoiceCard(Card):
    """Shows the names of one choice; hidden where there is none to make.

    Signals:
        option_said: name and value of the option of the address that says it.
    """

    option_said = Signal(str, str)

    def __init__(self, prefix: str, parent: QWidget | None = None) -> None:
        super().__init__(f"{prefix}.choice_card", parent)
        self._prefix = prefix
        self._title = card_title("")
        self._buttons: list[QPushButton] = []
        self._view: ChoiceView | None = None
        self.column.addWidget(self._title)
        self.hide()

    def show_choice(self, view: ChoiceView | None) -> None:
        """Show a choice, None for none; the same one again leaves its buttons, and the keyboard, where they are."""
        if view == self._view:
            return
        self._view = view
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = []
        if view is not None:
            self._title.setText(view.title)
            for number, name in enumerate(view.names, start=1):
                self._add(f"{self._prefix}.choice_{number}_button", view.option, name)
        self.setVisible(view is not None)

    def _add(self, object_name: str, option: str, name: str) -> None:
        button = push_button(object_name, name.replace("&", "&&"), name)
        button.clicked.connect(partial(self._on_clicked, option, name))
        self.column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._buttons.append(button)

    def _on_clicked(self, option: str, name: str) -> None:
        self.option_said.emit(option, name)
