"""The present request to the client's DBA: script, where to run it, and how it went."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.flows.run.run_view import HandPicture
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.picture_copy import make_card
from app.ui.widgets.push_button import push_button
from app.ui.widgets.rich_text import plain_label, plain_tip
from app.ui.widgets.script_view import ScriptView
from app.ui.widgets.status_line import StatusLine


class HandPane(QFrame):
    """Shows one request; hidden while there is none.

    Signals:
        reported_done: somebody says the script was run.
        given_up: nobody is going to run it.
    """

    reported_done = Signal()
    given_up = Signal()

    def __init__(self, parent: QWidget | None = None, give_up_tip: str = "") -> None:
        """Make it, empty.

        Args:
            give_up_tip: what giving up means, "" for what it means to a run.
        """
        super().__init__(parent)
        self.setObjectName("run.hand")
        make_card(self)
        self._number = 0
        self._title = StatusLine("run.hand_title")
        font = self._title.label.font()
        font.setBold(True)
        self._title.label.setFont(font)
        self._where: QLabel = plain_label("", quiet=True)
        self._where.setObjectName("run.hand_where")
        self._script = ScriptView("run.hand_script", _("Script for the DBA"))
        self._script.setFixedHeight(18 * GRID_PX)
        self._status = StatusLine("run.hand_status")
        self._done = push_button("run.hand_done_button", _("I have r&un it"))
        self._give_up = push_button("run.hand_give_up_button", _("Decl&ine"))
        of_a_run = _("Ends the run; what is not undone stays in the undo journal and in rollback.sql.")
        self._give_up.setToolTip(plain_tip(give_up_tip or of_a_run))
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX)
        buttons.addWidget(self._done)
        buttons.addWidget(self._give_up)
        buttons.addWidget(self._status, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX // 2)
        layout.addWidget(self._title)
        layout.addWidget(self._where)
        layout.addWidget(self._script)
        layout.addLayout(buttons)
        self._done.clicked.connect(self._on_done_clicked)
        self._give_up.clicked.connect(self.given_up)
        self.show_request(None)

    def show_request(self, picture: HandPicture | None) -> None:
        """Show another request, None for none; the same one stays as it is."""
        self.setVisible(picture is not None)
        self.setEnabled(picture is not None)
        if picture is None:
            self._number = 0
            return
        if picture.number == self._number:
            return
        self._number = picture.number
        self._title.show_status(picture.title, Tone.ACCENT)
        self._where.setText(picture.server)
        self._script.show_text(picture.script)
        self._status.show_status("", Tone.MUTED)

    @Slot()
    def _on_done_clicked(self) -> None:
        self._status.show_status(_("Checking the server …"), Tone.MUTED)
        self.reported_done.emit()
