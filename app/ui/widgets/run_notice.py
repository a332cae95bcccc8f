"""The bar above every page but the run's own: how the run stands, and the way to it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.flows.run.mood import Mood
from app.foundation.texts import _
from app.ui.stylesheet import ROLE
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.push_button import push_button
from app.ui.widgets.status_line import StatusLine

if TYPE_CHECKING:  # loads the numeric libraries, which the first page does without
    from app.flows.run.run_told import RunTold

_TONES = {Mood.NEUTRAL: Tone.NEUTRAL, Mood.GOOD: Tone.GOOD, Mood.WARNING: Tone.WARNING, Mood.BAD: Tone.BAD}


class RunNotice(QFrame):
    """Shows one sentence.

    Signals:
        run_requested: the person wants to see the run.
    """

    run_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("run_notice")
        self.setProperty(ROLE, "bar")
        self._line = StatusLine("run_notice.line")
        button = push_button("run_notice.show_button", _("Show the run"))
        button.clicked.connect(self.run_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID_PX, GRID_PX // 2, 2 * GRID_PX, GRID_PX // 2)
        row.setSpacing(GRID_PX)
        row.addWidget(self._line, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(button)
        self.hide()

    def show_told(self, told: "RunTold") -> None:
        """Show how a run stands."""
        self._line.show_status(told.sentence, _TONES[told.mood])
