"""A folder to be typed or chosen, with its state below it."""

from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QGridLayout, QLineEdit, QWidget

from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import plain_tip
from app.ui.widgets.status_line import StatusLine


class FolderField(QWidget):
    """A path with a button for the system's own dialog.

    Attributes:
        edit, button: for the keyboard order of the page.

    Signals:
        folder_entered: text of the path, whenever it is typed or chosen.
    """

    folder_entered = Signal(str)

    def __init__(self, name: str, accessible_name: str, parent: QWidget | None = None) -> None:
        """Make an empty field.

        Args:
            name: first part of the object names, such as "preflight.folder".
        """
        super().__init__(parent)
        self.setObjectName(name)
        self._title = accessible_name
        self.edit = QLineEdit()
        self.edit.setObjectName(f"{name}_edit")
        self.edit.setAccessibleName(accessible_name)
        self.button = push_button(f"{name}_button", _("&Choose…"), _("Choose: {what}").format(what=accessible_name))
        self._status = StatusLine(f"{name}_status")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GRID_PX)
        grid.setVerticalSpacing(GRID_PX // 2)
        grid.addWidget(self.edit, 0, 0)
        grid.addWidget(self.button, 0, 1)
        grid.addWidget(self._status, 1, 0, 1, 2)
        self.edit.textEdited.connect(self.folder_entered)
        self.button.clicked.connect(self._on_button_clicked)

    @property
    def text(self) -> str:
        """The path that stands there."""
        return self.edit.text()

    def show_folder(self, folder: str) -> None:
        """Show another path; the same one leaves cursor and selection as they are."""
        if folder != self.edit.text():
            self.edit.setText(folder)
            self.edit.setCursorPosition(len(folder))
        self.edit.setToolTip(plain_tip(folder))

    def show_status(self, problem: str, note: str) -> None:
        """Show why the folder cannot be used, or how it will be."""
        self._status.show_status(problem or note, Tone.BAD if problem else Tone.MUTED)
        self.edit.setAccessibleDescription(problem or note)

    @Slot()
    def _on_button_clicked(self) -> None:
        existing = next((str(place) for place in (Path(self.text), *Path(self.text).parents) if place.is_dir()), "")
        chosen = QFileDialog.getExistingDirectory(self, self._title, existing)
        if chosen:
            self.show_folder(chosen)
            self.folder_entered.emit(chosen)
