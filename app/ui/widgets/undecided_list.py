"""Notes, tags and titles that may name somebody, with a tick for each that is replaced."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.foundation.texts import _


class UndecidedList(QListWidget):
    """Lists texts, each to be replaced as a whole unless its tick is taken away; hidden as long as there are none."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(_("Notes, tags and titles that may name somebody; ticked ones are replaced"))
        self.setWordWrap(True)
        self.hide()

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text that was asked about."""
        return tuple(item.text() for item in self._items())

    @property
    def kept(self) -> frozenset[str]:
        """Those that stay as they are."""
        return frozenset(item.text() for item in self._items() if item.checkState() is not Qt.CheckState.Checked)

    def add_texts(self, texts: Sequence[str]) -> None:
        """List further texts below those decided before."""
        for text in texts:
            item = QListWidgetItem(text, self)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
        self.setVisible(self.count() > 0)

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]
