"""The servers' own history without an experiment, over the page that asked for it."""

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from app.foundation.texts import _
from app.ui.desk import Desk
from app.ui.theme import GRID_PX
from app.ui.widgets.observe_pane import ObservePane
from app.ui.widgets.push_button import push_button
from app.ui.widgets.silence_bar import SilenceBar


class ObserveDialog(QDialog):
    """Looks at once.

    Attributes:
        pane: what is seen.
    """

    def __init__(self, desk: Desk, target: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("observe")
        self.setWindowTitle(_("Observe: what the servers show"))
        self.pane = ObservePane(desk)
        close = push_button("observe.close_button", _("&Close"))
        close.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID_PX, 2 * GRID_PX, 2 * GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(SilenceBar(desk, "observe"))
        layout.addWidget(self.pane, 1)
        layout.addLayout(row)
        self.resize(120 * GRID_PX, 74 * GRID_PX)
        self.pane.show_target(target)
        self.pane.look()
