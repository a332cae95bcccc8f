"""A field for a file or a folder: typed, or chosen in the system's dialog, with its error beside it."""

from enum import Enum
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine

LABEL_SPARE_PX: Final = 4
"""Beside what Qt says a label takes: with its mnemonic underlined the last letter of some was cut."""


class PathKind(Enum):
    """Whether a file or a folder is chosen, and for what."""

    FILE = "file"
    FOLDER = "folder"


class PathRow(QWidget):
    """Shows a path and asks for another one; it decides nothing about it.

    Signals:
        path_entered: the path as typed or chosen.
    """

    path_entered = Signal(str)

    def __init__(self, name: str, title: str, kind: PathKind, parent: QWidget, *, pattern: str = "") -> None:
        """Make an empty field.

        Args:
            name: object name of the field; the button is `<name>_browse_button`, the error `<name>_error`.
            title: what a screen reader calls it, and the title of the dialog.
            pattern: files to choose from, as Qt's dialogs write it.
        """
        super().__init__(parent)
        self._title, self._kind, self._pattern = title, kind, pattern
        self.edit = QLineEdit(self)
        self.edit.setObjectName(f"{name}_edit")
        self.edit.setAccessibleName(title)
        self.edit.textEdited.connect(self.path_entered)
        self._browse = QPushButton(_("Browse…"), self)
        self._browse.setObjectName(f"{name}_browse_button")
        self._browse.setAccessibleName(_("Browse: {title}").format(title=title))
        self._browse.clicked.connect(self._on_browse_clicked)
        self._error = StatusLine(f"{name}_error", self)
        self._error.hide()
        top = QHBoxLayout()
        top.setSpacing(GRID_PX)
        top.addWidget(self.edit, 1)
        top.addWidget(self._browse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        layout.addLayout(top)
        layout.addWidget(self._error)

    def label(self, text: str) -> QLabel:
        """Return a label whose mnemonic leads to the field."""
        label = PlainLabel(text)
        label.setBuddy(self.edit)
        label.setMinimumWidth(label.sizeHint().width() + LABEL_SPARE_PX)
        return label

    @property
    def widgets(self) -> tuple[QWidget, QWidget]:
        """Return the widgets that take the keyboard, in order."""
        return self.edit, self._browse

    @property
    def path(self) -> str:
        """Return the path in the field."""
        return self.edit.text()

    def show_path(self, path: str) -> None:
        """Show another path."""
        if self.edit.text() != path:
            self.edit.setText(path)

    def show_error(self, error: str) -> None:
        """Show the error of the path, "" for none."""
        self._error.show_status(error, Tone.BAD)
        self._error.setVisible(bool(error))
        self.edit.setAccessibleDescription(error)

    @Slot()
    def _on_browse_clicked(self) -> None:
        if self._kind is PathKind.FOLDER:
            path = QFileDialog.getExistingDirectory(self, self._title, self.path)
        else:
            path, _kind = QFileDialog.getOpenFileName(self, self._title, self.path, self._pattern)
        if path:
            self.show_path(path)
            self.path_entered.emit(path)
