"""One field that takes an address as it was copied somewhere: host, URL, JDBC, SSMS or TNS string."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine


class PasteField(QWidget):
    """Takes the text; the page decides whether it can be connected to.

    Signals:
        entered: the text, once it is to be connected to; it may hold a password.
    """

    entered = Signal(str)

    def __init__(self, place: str, *, tells: bool = True, parent: QWidget | None = None) -> None:
        """Make an empty field.

        Args:
            place: first word of its names, such as "target".
            tells: it has a line for what is wrong with the text, and keys for itself and its button.
        """
        super().__init__(parent)
        label = PlainLabel(_("Server or &address") if tells else _("Server or address"))
        font = label.font()
        font.setBold(True)
        label.setFont(font)
        self.edit = QLineEdit()
        self.edit.setObjectName(f"{place}.paste_edit")
        self.edit.setAccessibleName(_("Server or address"))
        self.edit.setPlaceholderText(_("host, host:port, host\\instance, connection string, JDBC, TNS …"))
        self.edit.setClearButtonEnabled(True)
        label.setBuddy(self.edit)
        self.button = push_button(
            f"{place}.paste_button", _("&Connect") if tells else _("Connect"), _("Connect to this address")
        )
        self._note = StatusLine(f"{place}.paste_note")
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addWidget(self.edit, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX // 2)
        column.addWidget(label)
        column.addLayout(row)
        column.addWidget(self._note)
        self._note.setVisible(tells)
        self.edit.returnPressed.connect(self._on_entered)
        self.button.clicked.connect(self._on_entered)
        self.edit.textChanged.connect(self._on_text_changed)
        self._on_text_changed("")

    def show_not_understood(self) -> None:
        """Say that no address was found in the text, which stays."""
        self.show_refused(
            _("No address found in this; write a host, host:port or host\\instance, or paste a connection string.")
        )

    def show_refused(self, why: str) -> None:
        """Say in a sentence why the text, which stays, cannot be connected to."""
        self._note.show_status(why, Tone.BAD)

    def take_pasted(self, event: QKeyEvent) -> bool:
        """Take a copied address where Paste is pressed and nothing else takes it; tell whether it was."""
        if not event.matches(QKeySequence.StandardKey.Paste) or not self.isVisible():
            return False
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.edit.selectAll()
        self.edit.paste()
        return True

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        self.button.setEnabled(bool(text.strip()))
        self._note.show_status("", Tone.MUTED)

    @Slot()
    def _on_entered(self) -> None:
        if text := self.edit.text().strip():
            self.entered.emit(text)
