"""Views of which one is shown: the others ask for no room, however high they would like to be."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget


class ViewStack(QWidget):
    """A column of widgets of which one is visible.

    `QStackedWidget` asks for the room of its highest page at a width, so that what stands around it would scroll.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views: list[QWidget] = []
        self._place = 0
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def place(self) -> int:
        """Place of the view shown."""
        return self._place

    def add_view(self, view: QWidget) -> None:
        """Add a view; the first one is shown."""
        self._column.addWidget(view)  # first: a widget without a parent would show as a window of its own
        view.setVisible(not self._views)
        self._views.append(view)

    @Slot(int)
    def show_view(self, place: int) -> None:
        """Show the view of a place."""
        self._place = place
        for number, view in enumerate(self._views):
            view.setVisible(number == place)
