"""The tabs of the findings: cards with the results not shown, and the tables of comparisons, forecasts and trials."""

from collections.abc import MutableMapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLineEdit,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.domain.view import TableContent
from app.flows.explain.decision_view import DecisionView
from app.flows.explain.findings_view import Findings, MeasuredTable
from app.flows.table_view import TableLayout
from app.flows.words import counted
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.decision_card import DecisionFrame, bar_interval
from app.ui.widgets.finding_card import FindingCard
from app.ui.widgets.fitted_table import FittedTable
from app.ui.widgets.interval_bar import scale_of
from app.ui.widgets.not_shown_pane import NotShownPane
from app.ui.widgets.rich_text import plain_label
from app.ui.widgets.still_wheel import leave_wheel_to_page
from app.ui.widgets.table import DataTable

Layouts = MutableMapping[str, TableLayout]


class DecisionsPane(QScrollArea):
    """All decisions with their evidence folded, then the results not shown, then the rules that could not be evaluated.

    Signals:
        trial_chosen: key of a trial behind a finding.
        trials_requested: the person wants to see all trials.
    """

    trial_chosen = Signal(str)
    trials_requested = Signal()

    def __init__(self, shown: Findings, layouts: Layouts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findings.cards")
        self._shown, self._layouts = shown, layouts
        self._frames: list[DecisionFrame] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
        layout.setSpacing(2 * GRID_PX)
        intervals = [interval for one in shown.decisions if (interval := bar_interval(one)) is not None]
        scale = scale_of(intervals) if intervals else None
        for decision in shown.decisions:
            frame = DecisionFrame(decision, scale, self._evidence_of)
            self._frames.append(frame)
            layout.addWidget(frame)
        if shown.nothing:
            layout.addWidget(plain_label(shown.nothing))
        self._not_shown = NotShownPane(shown, layouts)
        layout.addWidget(self._not_shown)
        if shown.not_evaluated.rows:
            layout.addWidget(NotEvaluatedPane(shown.not_evaluated, layouts))
        layout.addStretch(1)
        self.setWidget(inside)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the figures the height there is now (Qt calls this)."""
        super().resizeEvent(event)
        for frame in self._frames:
            frame.give_height(self.viewport().height())

    def _evidence_of(self, decision: DecisionView) -> QWidget:
        """Return the findings a decision rests on."""
        evidence = QWidget()
        column = QVBoxLayout(evidence)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX)
        for place in decision.evidence:
            card = FindingCard(f"findings.card_{place + 1}", self._shown.cards[place], self._layouts)
            card.trial_chosen.connect(self.trial_chosen)
            card.trials_requested.connect(self.trials_requested)
            column.addWidget(card)
        return evidence

    @Slot()
    def show_not_shown(self) -> None:
        """Scroll to the results not shown."""
        self.verticalScrollBar().setValue(self._not_shown.y())


class NotEvaluatedPane(QWidget):
    """The rules that could not be evaluated, folded until somebody asks."""

    def __init__(self, content: TableContent, layouts: Layouts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._button = QToolButton()
        self._button.setObjectName("findings.not_evaluated_button")
        self._button.setText(
            counted(
                len(content.rows),
                _("1 rule could not be evaluated: data is missing"),
                _("{count} rules could not be evaluated: data is missing"),
            )
        )
        self._button.setAccessibleName(self._button.text())
        self._button.setCheckable(True)
        self._button.setAutoRaise(True)
        self._button.setArrowType(Qt.ArrowType.RightArrow)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._button.toggled.connect(self._on_toggled)
        self._table = FittedTable("findings.not_evaluated_table", _("Rules not evaluated"), layouts)
        self._table.show_content(content)
        self._table.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._button)
        layout.addWidget(self._table)

    @Slot(bool)
    def _on_toggled(self, is_open: bool) -> None:
        self._button.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self._table.setVisible(is_open)


class MeasuredPane(QWidget):
    """The tables of measures, one at a time, chosen by its title where there are several."""

    def __init__(self, tables: Sequence[MeasuredTable], layouts: Layouts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        shown = QStackedWidget()
        for place, table in enumerate(tables):
            name = f"findings.measured_{place}"
            shown.addWidget(TablePane(name, table.title, table.content, layouts, hint=table.note))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID_PX, 0, 0)
        layout.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(GRID_PX, 0, GRID_PX, 0)
        layout.addLayout(head)
        if len(tables) > 1:
            choice = QComboBox()
            leave_wheel_to_page(choice)
            choice.setObjectName("findings.measured_choice")
            choice.setAccessibleName(_("Which measures are shown"))
            choice.addItems([table.title for table in tables])
            choice.currentIndexChanged.connect(shown.setCurrentIndex)
            head.addWidget(choice)
        elif tables:
            head.addWidget(plain_label(tables[0].title))
        layout.addWidget(shown, 1)


class TablePane(QWidget):
    """One table with a sentence above it and, where it may be long, a filter.

    Signals:
        row_activated: key of a row double-clicked or entered with Return.
    """

    row_activated = Signal(str)

    def __init__(
        self,
        name: str,
        spoken: str,
        content: TableContent,
        layouts: Layouts,
        *,
        hint: str = "",
        has_filter: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Make the pane.

        Args:
            name: such as "findings.trials".
            spoken: accessible name of the table.
        """
        super().__init__(parent)
        self.table = DataTable(f"{name}_table", spoken, layouts)
        alike = self.table.alike_label()
        self.table.show_content(content)
        self.table.set_placeholder(_("Nothing here."))
        self.table.row_activated.connect(self.row_activated)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID_PX, GRID_PX, GRID_PX, GRID_PX)
        layout.setSpacing(GRID_PX)
        layout.addWidget(alike)
        if hint:
            layout.addWidget(plain_label(hint, quiet=True))
        if has_filter:
            search = QLineEdit()
            search.setObjectName(f"{name}_filter")
            search.setAccessibleName(_("Filter"))
            search.setPlaceholderText(_("Filter by words, such as a setting"))
            search.setClearButtonEnabled(True)
            self.table.filter_by(search)
            layout.addWidget(search)
        layout.addWidget(self.table, 1)
