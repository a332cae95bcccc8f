"""Keyboard shortcuts."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.flows.shell.keys_view import keys_table
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.table import DataTable


class KeysDialog(QDialog):
    """Lists the keys of the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("keys")
        self.setWindowTitle(_("Keys"))
        table = DataTable("keys.table", _("Keys and what they do"), {}, self)
        table.show_content(keys_table())
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        button = close.button(QDialogButtonBox.StandardButton.Close)
        button.setObjectName("keys.close_button")
        button.setAccessibleName(_("Close"))
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        layout.addWidget(table, 1)
        layout.addWidget(close)
        self.resize(80 * GRID_PX, 62 * GRID_PX)
