"""A field and a list: type a few letters of a name, and go there."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.flows.palette_view import Place, matching
from app.foundation.texts import _
from app.ui.theme import GRID_PX

_MOVES = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})


class PaletteDialog(QDialog):
    """Lists the places that fit the letters typed.

    Signals:
        place_chosen: the Place to go to.
    """

    place_chosen = Signal(object)

    def __init__(self, places: Sequence[Place], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("palette")
        self.setWindowTitle(_("Go to"))
        self._places = list(places)
        self._shown: Sequence[Place] = ()
        self._edit = QLineEdit()
        self._edit.setObjectName("palette.edit")
        self._edit.setAccessibleName(_("Name of a place"))
        self._edit.setPlaceholderText(_("Page, part of the site, parameter, run, note or help …"))
        self._edit.installEventFilter(self)
        self._list = QListWidget()
        self._list.setObjectName("palette.list")
        self._list.setAccessibleName(_("Places with this name"))
        self._list.setUniformItemSizes(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(self._edit)
        layout.addWidget(self._list, 1)
        self.resize(76 * GRID_PX, 50 * GRID_PX)
        self._edit.textChanged.connect(self._show)
        self._edit.returnPressed.connect(self._choose)
        self._list.itemActivated.connect(self._choose)
        self._list.itemClicked.connect(self._choose)
        self._show()

    def add_places(self, places: Sequence[Place]) -> None:
        """Offer further places, as soon as they are read."""
        self._places += places
        self._show()

    @Slot()
    @Slot(str)
    def _show(self, _text: str = "") -> None:
        self._shown = matching(self._places, self._edit.text())
        self._list.clear()
        for place in self._shown:
            self._list.addItem(QListWidgetItem(f"{place.title}  –  {place.kind.word}"))
        self._list.setCurrentRow(0)

    @Slot()
    @Slot(QListWidgetItem)
    def _choose(self, _item: QListWidgetItem | None = None) -> None:
        row = self._list.currentRow()
        if 0 <= row < len(self._shown):
            place = self._shown[row]
            self.accept()
            self.place_chosen.emit(place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move in the list while the keyboard stays in the field (Qt calls this)."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _MOVES:
            QApplication.sendEvent(self._list, event)
            return True
        return super().eventFilter(watched, event)
