"""The About dialog: the program's name, version and components."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QTabWidget, QVBoxLayout, QWidget

from app.flows.shell.about_view import licence_texts, parts_table
from app.foundation.texts import _
from app.foundation.version import VERSION
from app.ui.theme import GRID_PX
from app.ui.widgets.heading import Heading
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.table import DataTable


class AboutDialog(QDialog):
    """Shows name, version and licences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle(_("About Replitune"))
        purpose = _("Finds the right replication settings by measuring them on the servers themselves.")
        text = PlainLabel(
            _(
                "Replitune is under the MIT licence. It uses Qt for Python under the LGPL version 3: the "
                "libraries lie beside the program as separate files and may be replaced."
            )
        )
        text.setWordWrap(True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        parts = DataTable("about.parts_table", _("Libraries, their versions and licences"), {}, self)
        parts.show_content(parts_table())
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        button = close.button(QDialogButtonBox.StandardButton.Close)
        button.setObjectName("about.close_button")
        button.setAccessibleName(_("Close"))
        close.rejected.connect(self.reject)
        button.setFocus()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        layout.addWidget(Heading(f"Replitune {VERSION}", purpose))
        layout.addWidget(text)
        layout.addWidget(self._with_licences(parts), 1)
        layout.addWidget(close)
        self.resize(80 * GRID_PX, 66 * GRID_PX)

    def _with_licences(self, parts: DataTable) -> QWidget:
        """Return the table, beside the licences' own words where a bundle brings them."""
        words = licence_texts()
        if not words:
            return parts
        page = QPlainTextEdit(words, self)
        page.setObjectName("about.licences")
        page.setAccessibleName(_("Licence texts"))
        page.setReadOnly(True)
        page.setTabChangesFocus(True)
        tabs = QTabWidget(self)
        tabs.setObjectName("about.tabs")
        tabs.setAccessibleName(_("Libraries, their versions and licences"))
        tabs.addTab(parts, _("&Libraries"))
        tabs.addTab(page, _("Licence &texts"))
        return tabs
