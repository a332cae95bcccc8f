"""The outlook of the form's plan: its trials in time, the designs that fit into a time, and the effects it can show."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.plot import PlotSpec
from app.flows.plan.designs_view import DesignsView
from app.flows.plan.plan_summary import PlanSummary
from app.flows.plan.trial_grid import TrialGrid
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.card import Card
from app.ui.widgets.columns import Columns
from app.ui.widgets.design_choice import DesignChoice
from app.ui.widgets.modest_plot import ModestPlot
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.trial_grid_view import TrialGridView

_TITLE_SCALE = 1.2
_DESIGN_CHARACTERS = 34
_DESIGNS_SHARE, _POWER_SHARE = 6, 5  # of the width, beside each other
_PLOT_PX = 25 * GRID_PX  # the least height at which both axes of the plot can be read


class PlanOutlookPane(QWidget):
    """Shows the grid of trials, the designs, and the plot of the effects they can show.

    Attributes:
        designs: asks for the time there is.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan.outlook")
        self.designs = DesignChoice()
        self._has_time = False
        self._estimate = PlainLabel()
        self._estimate.setObjectName("plan.estimate")
        self._estimate.setWordWrap(True)
        font = self._estimate.font()
        font.setPointSizeF(font.pointSizeF() * _TITLE_SCALE)
        font.setBold(True)
        self._estimate.setFont(font)
        self._grid = TrialGridView("plan.trial_grid")
        self._split = StatusLine("plan.split")
        self._in_hand = StatusLine("plan.in_hand")
        for part in (self._grid, self._split):
            _keep_room(part, kept=True)
        self._power = ModestPlot("plan.power_plot", interactive=False, is_card=True)
        self._power.setMinimumHeight(_PLOT_PX)
        self._lay_out()
        self.show_grid(None)
        self.show_power(None)

    def _lay_out(self) -> None:
        card = self._card = Card("plan.grid_card")
        card.column.addWidget(self._estimate)
        card.column.addWidget(self._grid, 1)
        card.column.addWidget(self._split)
        card.column.addWidget(self._in_hand)
        self._columns = Columns()
        self._columns.setSpacing(GRID_PX)
        self._columns.addWidget(self.designs)
        self._columns.addWidget(self._power, _POWER_SHARE)
        self._columns.addStretch()  # where no plot is shown
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID_PX)
        layout.addWidget(card, 1)
        layout.addLayout(self._columns, 1)

    @property
    def least_width_px(self) -> int:
        """How wide it is at least, designs and plot below each other."""
        parts = (self._card, self._power, self.designs)
        return max(self._designs_px, *(part.minimumSizeHint().width() for part in parts))

    @property
    def wanted_width_px(self) -> int:
        """How wide it is with both beside each other."""
        designs_px = max(self._designs_px, self.designs.minimumSizeHint().width())
        return max(self.least_width_px, self._power.minimumSizeHint().width() + self._columns.spacing() + designs_px)

    @property
    def _designs_px(self) -> int:
        """The width of usual designs, so that nothing moves when they are first shown."""
        return self.fontMetrics().horizontalAdvance("0" * _DESIGN_CHARACTERS)

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """Return the widgets that take the keyboard, in order."""
        return (*self.designs.editors, self._power.canvas)

    def show_summary(self, summary: PlanSummary) -> None:
        """Show trials and their end, or the form's missing entries."""
        self._estimate.setText(summary.estimate)

    def show_grid(self, grid: TrialGrid | None) -> None:
        """Show the trials of the plan; where there is no plan their room stays, so that typing moves nothing."""
        for part in (self._grid, self._split):
            part.setVisible(grid is not None)
        self._in_hand.setVisible(grid is not None and bool(grid.in_hand))
        if grid is None:
            return
        self._grid.show_grid(grid)
        self._split.show_status(grid.sentence, Tone.MUTED)
        self._in_hand.show_status(grid.in_hand, Tone.BAD if grid.end.is_late else Tone.NEUTRAL)
        self._limit_height()

    def _limit_height(self) -> None:
        """Let the card grow with its rows as long as that helps; spare room of a high window is the plot's."""
        column = self._card.column
        needed_px = column.totalMinimumHeightForWidth(self._card.width()) - self._grid.minimumSizeHint().height()
        self._card.setMaximumHeight(needed_px + self._grid.most_height_px)

    def show_designs(self, view: DesignsView | None) -> None:
        """Show the designs that fit, beside the plot; None where nobody said how much time there is: its question alone
        stands above the plot then."""
        self.designs.show_designs(view)
        if self._has_time != (view is not None):
            self._has_time = view is not None
            self._columns.setStretchFactor(self.designs, _DESIGNS_SHARE if self._has_time else 0)
            self._fold()

    def _fold(self) -> None:
        self._columns.fold(self, is_below=not self._has_time)
        self._limit_height()

    def show_power(self, spec: PlotSpec | None, *, is_complete: bool = True) -> None:
        """Show the effects the plan can show; None where it shows nothing.

        Args:
            is_complete: there is a plan; else the card of the plot stays, with a word.
        """
        self._power.show_plot(spec, "" if is_complete else _("What the plan can show appears once it is complete."))
        self._power.setVisible(spec is not None or not is_complete)

    def heightForWidth(self, width: int) -> int:
        """Return the least height it needs at a width: a scroll area gives it that or more (Qt calls this)."""
        layout = self.layout()
        return super().heightForWidth(width) if layout is None else layout.totalMinimumHeightForWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put designs and plot below each other where they have no room beside each other (Qt calls this)."""
        super().resizeEvent(event)
        self._fold()

    def changeEvent(self, event: QEvent) -> None:
        """Fold for the new size of text (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fold()


def _keep_room(widget: QWidget, *, kept: bool) -> None:
    """Let a widget keep its room while it is hidden, or not."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(kept)
    widget.setSizePolicy(policy)
