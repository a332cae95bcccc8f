"""The pages of the wizard, of which one is shown: it alone decides how much room is needed."""

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget


class PageStack(QStackedWidget):
    """A stack as small as its present page can be.

    Qt's own stack asks for the room all pages would like to have, the hidden ones too: a scroll area around it would
    scroll where everything fits.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(self._on_current_changed)

    @Slot()
    def _on_current_changed(self) -> None:
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return the least the present page needs (Qt calls this)."""
        return self.currentWidget().minimumSizeHint() if self.count() else super().minimumSizeHint()

    def heightForWidth(self, width: int) -> int:
        """Return the least height the present page needs at a width (Qt calls this)."""
        layout = self.currentWidget().layout() if self.count() else None
        return super().heightForWidth(width) if layout is None else layout.totalMinimumHeightForWidth(width)
