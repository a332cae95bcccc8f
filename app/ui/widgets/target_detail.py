"""The selected target before it is read, with its actions."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.flows.target.target_view import ListedTarget
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel


class TargetDetail(QWidget):
    """Shows one listed target, or a hint where none is selected.

    Signals:
        test_requested: read the target once.
        edit_requested: change what is saved of it.
        removal_requested: take the target off the list.
    """

    test_requested = Signal()
    edit_requested = Signal()
    removal_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = PlainLabel()
        self._title.setObjectName("target.detail_title")
        font = QFont()
        font.setBold(True)
        self._title.setFont(font)
        self._shows = PlainLabel()
        self._shows.setObjectName("target.detail_shows")
        self._text = PlainLabel()
        self._text.setObjectName("target.detail_text")
        self._text.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        for label in (self._title, self._shows, self._text):
            label.setWordWrap(True)
        self._test = push_button("target.test_button", _("&Test"), _("Test the connection"))
        self._edit = push_button("target.edit_button", _("&Edit…"), _("Edit the saved target"))
        self._edit.clicked.connect(self.edit_requested)
        self._remove = push_button(
            "target.remove_button", _("&Remove from the list"), _("Remove the saved target from the list")
        )
        self._test.clicked.connect(self.test_requested)
        self._remove.clicked.connect(self.removal_requested)
        self._lay_out()
        self.show_target(None)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self._test)
        buttons.addWidget(self._edit)
        buttons.addWidget(self._remove)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX)
        layout.addWidget(self._title)
        layout.addWidget(self._shows)
        layout.addWidget(self._text)
        layout.addLayout(buttons)

    def show_target(self, listed: ListedTarget | None, *, can_edit: bool = False) -> None:
        """Show a target, None for none selected.

        Args:
            can_edit: there is a form that makes it.
        """
        self._title.setText(listed.title if listed else _("No target chosen yet"))
        nothing = _("Choose one on the left. The lab needs no server: it simulates one on this computer.")
        self._text.setText(listed.detail if listed else nothing)
        self._shows.setText(listed.shows if listed else "")
        self._shows.setVisible(bool(self._shows.text()))
        self._test.setVisible(listed is not None)
        self._edit.setVisible(can_edit)
        self._name_buttons(is_saved=listed is None or listed.can_be_removed)
        self._remove.setVisible(listed is not None and (listed.can_be_removed or listed.can_be_forgotten))

    def _name_buttons(self, *, is_saved: bool) -> None:
        self._edit.setText(_("&Edit…") if is_saved else _("&Save…"))
        self._edit.setAccessibleName(_("Edit the saved target") if is_saved else _("Save the target in use"))
        self._remove.setText(_("&Remove from the list") if is_saved else _("&Forget"))
        self._remove.setAccessibleName(
            _("Remove the saved target from the list") if is_saved else _("Forget this server and its password")
        )

    def show_reading(self, *, is_reading: bool) -> None:
        """Take no second test while one goes on."""
        self._test.setEnabled(not is_reading)
