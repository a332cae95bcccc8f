"""The troubles of a site in words, the worst first."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.site_picture import Standing, Trouble
from app.flows.words import counted
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.status_line import StatusLine

_MOST: Final = 5
_TONES: Final = {Standing.STOPPED: Tone.BAD, Standing.FAILING: Tone.BAD, Standing.SILENT: Tone.BAD}


class TroubleList(QWidget):
    """Shows a line for each of the worst; nothing where all is well."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("site.troubles")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX // 2)
        self._lines = [StatusLine(f"site.trouble_{number}") for number in range(1, _MOST + 1)]
        self._more = StatusLine("site.troubles_more")
        for line in (*self._lines, self._more):
            column.addWidget(line)
        font = self._lines[0].label.font()
        font.setBold(True)
        self._lines[0].label.setFont(font)
        self.show_troubles(())

    def show_troubles(self, found: Sequence[Trouble]) -> None:
        """Show others."""
        self.setVisible(bool(found))
        for place, line in enumerate(self._lines):
            line.setVisible(place < len(found))
            if place < len(found):
                line.show_status(found[place].text, _TONES.get(found[place].standing, Tone.WARNING))
        rest = len(found) - _MOST
        self._more.setVisible(rest > 0)
        if rest > 0:
            self._more.show_status(counted(rest, _("and 1 more"), _("and {count} more")), Tone.MUTED)
