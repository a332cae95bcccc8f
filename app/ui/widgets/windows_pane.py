"""Beside a run on the client's own work: its forecast, and that nothing is written."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.flows.run.windows_view import WindowsPicture
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.start_cards import card_title
from app.ui.widgets.status_line import StatusLine


class WindowsPane(QWidget):
    """Shows a `WindowsPicture`; hidden where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("run.windows")
        self.setAccessibleName(_("Forecast of the backlog"))
        self._forecast = StatusLine("run.forecast")
        font = self._forecast.label.font()
        font.setBold(True)
        self._forecast.label.setFont(font)
        self._basis = StatusLine("run.forecast_basis")
        self._title = card_title(_("Windows on the client's own work"))
        self._moves = StatusLine("run.moves")
        self._written = StatusLine("run.written")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX // 2)
        for part in (
            *(self._forecast, self._basis, self._title),
            *(self._moves, self._written),
        ):
            layout.addWidget(part)
        self.hide()

    def show_picture(self, shown: WindowsPicture | None) -> None:
        """Show how it stands."""
        self.setVisible(shown is not None)
        if shown is None:
            return
        for line, text, tone in (
            (self._forecast, shown.forecast, Tone.NEUTRAL),
            (self._basis, shown.basis, Tone.MUTED),
            (self._moves, shown.moves, Tone.MUTED),
            (self._written, shown.written, Tone.GOOD),
        ):
            line.show_status(text, tone)
            line.setVisible(bool(text))
