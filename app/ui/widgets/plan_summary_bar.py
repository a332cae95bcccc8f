"""What a plan costs and can show, always in sight below its form, with the dry run."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QSpinBox, QWidget

from app.flows.plan.plan_summary import PlanSummary
from app.foundation.texts import _
from app.ui.stylesheet import ROLE
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.still_wheel import leave_wheel_to_page

_ESTIMATE_SCALE = 1.2
_MINUTES = (10, 24 * 60)
_AN_AFTERNOON = 90


class PlanSummaryBar(QFrame):
    """Shows a PlanSummary and the help of the field in use.

    Attributes:
        time_edit, time_button, dry_run_button: for the keyboard order of the page.

    Signals:
        time_entered: minutes there are; the plan is to fit into them.
        dry_run_requested: the button.
    """

    time_entered = Signal(int)
    dry_run_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan.summary")
        self.setProperty(ROLE, "card")
        self._is_complete = self._is_reading = False
        self._estimate = QLabel()
        self._estimate.setObjectName("plan.estimate")
        self._estimate.setWordWrap(True)
        font = self._estimate.font()
        font.setPointSizeF(font.pointSizeF() * _ESTIMATE_SCALE)
        font.setBold(True)
        self._estimate.setFont(font)
        self._power = StatusLine("plan.power")
        self._cautions = StatusLine("plan.cautions")
        self._help = StatusLine("plan.help")
        self.time_edit = QSpinBox()
        self.time_edit.setObjectName("plan.minutes_edit")
        self.time_edit.setAccessibleName(_("Minutes available for the run"))
        self.time_edit.lineEdit().setObjectName("plan.minutes_line")
        self.time_edit.lineEdit().setAccessibleName(self.time_edit.accessibleName())
        self.time_edit.setRange(*_MINUTES)
        self.time_edit.setSingleStep(15)
        self.time_edit.setValue(_AN_AFTERNOON)
        self.time_edit.setSuffix(_(" min"))
        leave_wheel_to_page(self.time_edit)
        self.time_button = QPushButton(_("&Fit the plan into"))
        self.time_button.setObjectName("plan.time_button")
        self.time_button.setAccessibleName(_("Choose the numbers of blocks that show most in this time"))
        self.time_button.setToolTip(self.time_button.accessibleName())
        self.time_button.clicked.connect(self._on_time_clicked)
        self.dry_run_button = QPushButton(_("&Dry run…"))
        self.dry_run_button.setObjectName("plan.dry_run_button")
        self.dry_run_button.setAccessibleName(_("Dry run: show what the plan would do; changes nothing"))
        self.dry_run_button.setToolTip(_("Shows every trial, change and statement; changes nothing."))
        self.dry_run_button.clicked.connect(self._on_dry_run_clicked)
        grid = QGridLayout(self)
        grid.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
        grid.setVerticalSpacing(GRID_PX // 2)
        grid.addWidget(self._estimate, 0, 0)
        grid.addWidget(self.time_button, 0, 1)
        grid.addWidget(self.time_edit, 0, 2)
        grid.addWidget(self.dry_run_button, 0, 3)
        grid.addWidget(self._power, 1, 0, 1, 4)
        grid.addWidget(self._cautions, 2, 0, 1, 4)
        grid.addWidget(self._help, 3, 0, 1, 4)
        grid.setColumnStretch(0, 1)
        self.show_help("")

    def show_summary(self, summary: PlanSummary) -> None:
        """Show cost and power, or what the form lacks."""
        self._estimate.setText(summary.estimate)
        told = "\n".join(text for text in (summary.power, summary.ways) if text)
        self._power.show_status(told, Tone.NEUTRAL)
        self._power.setVisible(bool(told))
        self._cautions.show_status("\n".join(summary.cautions), Tone.WARNING)
        self._cautions.setVisible(bool(summary.cautions))
        self._is_complete = summary.is_complete
        self._enable()

    def show_help(self, text: str) -> None:
        """Show the help of the field in use, or what was chosen for the time there is."""
        self._help.show_status(text, Tone.MUTED)

    def show_reading(self, *, is_reading: bool) -> None:
        """Show whether a dry run is being read."""
        self._is_reading = is_reading
        self._enable()

    def _enable(self) -> None:
        self.dry_run_button.setEnabled(self._is_complete and not self._is_reading)
        self.time_button.setEnabled(self._is_complete)

    @Slot()
    def _on_dry_run_clicked(self) -> None:
        self.dry_run_requested.emit()

    @Slot()
    def _on_time_clicked(self) -> None:
        self.time_entered.emit(self.time_edit.value())
