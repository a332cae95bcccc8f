"""The power of a plan and its cautions, always in sight below its form, with the dry run."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from app.flows.plan.plan_summary import PlanSummary
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.picture_copy import make_card
from app.ui.widgets.push_button import push_button
from app.ui.widgets.status_line import StatusLine


class PlanSummaryBar(QFrame):
    """Shows a PlanSummary and the help of the field in use.

    Attributes:
        dry_run_button: for the keyboard order of the page.

    Signals:
        dry_run_requested: the button.
    """

    dry_run_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan.summary")
        make_card(self)
        self._is_complete = self._is_reading = False
        self._power = StatusLine("plan.power")
        self._cautions = StatusLine("plan.cautions")
        self._help = StatusLine("plan.help")
        self.dry_run_button = push_button(
            "plan.dry_run_button", _("&Dry run…"), _("Dry run: show what the plan would do; changes nothing")
        )
        self.dry_run_button.setToolTip(_("Shows every step, change and statement; changes nothing."))
        self.dry_run_button.clicked.connect(self._on_dry_run_clicked)
        grid = QGridLayout(self)
        grid.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
        grid.setVerticalSpacing(GRID_PX // 2)
        for row, line in enumerate((self._power, self._cautions, self._help)):
            grid.addWidget(line, row, 0)
        grid.addWidget(self.dry_run_button, 0, 1, 3, 1, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(0, 1)
        self.show_help("")

    def show_summary(self, summary: PlanSummary) -> None:
        """Show the power of the plan, and its cautions."""
        told = "\n".join(text for text in (summary.power, summary.ways, summary.saved, summary.untold) if text)
        self._power.show_status(told, Tone.NEUTRAL)
        self._power.setVisible(bool(told))
        self._cautions.show_status("\n".join(summary.cautions), Tone.WARNING)
        self._cautions.setVisible(bool(summary.cautions))
        self._is_complete = summary.is_complete
        self._enable()

    def show_help(self, text: str) -> None:
        """Show the help of the field in use."""
        self._help.show_status(text, Tone.MUTED)

    def show_reading(self, *, is_reading: bool) -> None:
        """Show whether a dry run is being read."""
        self._is_reading = is_reading
        self._enable()

    def _enable(self) -> None:
        self.dry_run_button.setEnabled(self._is_complete and not self._is_reading)

    @Slot()
    def _on_dry_run_clicked(self) -> None:
        self.dry_run_requested.emit()
