"""Who is silent and since when, with the way to wait no longer; above every page, and in dialogs that ask servers."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.flows.silence_text import silence_sentence
from app.foundation.texts import _
from app.services.target.answers import Silence
from app.ui.desk import Desk
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.push_button import push_button
from app.ui.widgets.status_line import StatusLine


class SilenceBar(QFrame):
    """Names the server that the window waits for in vain; hidden while everybody answers."""

    def __init__(self, desk: Desk, prefix: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{prefix}.silence")
        self._line = StatusLine(f"{prefix}.silence_line")
        give_up = push_button(f"{prefix}.silence_button", _("Stop waiting"), _("Wait for no server any longer"))
        give_up.clicked.connect(desk.servers.give_up)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID_PX, GRID_PX // 2, 2 * GRID_PX, GRID_PX // 2)
        row.setSpacing(GRID_PX)
        row.addWidget(self._line, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(give_up)
        desk.servers.silence_told.connect(self._on_silence_told)
        self.hide()

    @Slot(object)
    def _on_silence_told(self, silence: Silence | None) -> None:
        self._line.show_status("" if silence is None else silence_sentence(silence), Tone.BAD)
        self.setVisible(silence is not None)
