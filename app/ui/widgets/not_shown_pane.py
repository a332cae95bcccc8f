"""Effects that were looked for and not found: as prominent as a gain."""

from collections.abc import MutableMapping

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.flows.explain.findings_view import Findings
from app.flows.table_view import TableLayout
from app.foundation.texts import _
from app.reporting.wording import verdict_word
from app.ui.theme import GRID_PX
from app.ui.widgets.fitted_table import FittedTable
from app.ui.widgets.rich_text import plain_label
from app.ui.widgets.verdict_badge import VerdictBadge


class NotShownPane(QWidget):
    """Shows each group of open or equal comparisons with its verdict, its sentence and its table."""

    def __init__(
        self, shown: Findings, layouts: MutableMapping[str, TableLayout], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("findings.not_shown")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID_PX, 0, 0)
        layout.setSpacing(GRID_PX)
        layout.addWidget(section_heading(_("Not proven")))
        for group in shown.not_shown:
            layout.addWidget(VerdictBadge(group.verdict, verdict_word(group.verdict)))
            layout.addWidget(plain_label(group.sentence))
            table = FittedTable(f"findings.{group.verdict}_table", group.sentence, layouts)
            table.show_content(group.table)
            layout.addWidget(table)
        if shown.all_settled:
            layout.addWidget(plain_label(shown.all_settled))


def section_heading(text: str) -> QWidget:
    """Return the heading of a section of a page."""
    label = plain_label(text)
    font = label.font()
    font.setBold(True)
    font.setPointSizeF(font.pointSizeF() * 1.2)
    label.setFont(font)
    return label
