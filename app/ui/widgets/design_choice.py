"""The designs that fit into the time a person has: how long that is, and a row for each design."""

from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPalette
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QHBoxLayout, QLabel, QRadioButton, QSpinBox, QWidget

from app.domain.plan import Plan
from app.flows.plan.designs_view import NO_DESIGNS, DesignLine, DesignsView
from app.foundation.texts import _
from app.ui.theme import GRID_PX, Tone
from app.ui.widgets.card import Card
from app.ui.widgets.rich_text import PlainLabel
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.still_wheel import leave_wheel_to_page

_MOST_MINUTES = 24 * 60
_STEP_MINUTES = 15


class DesignChoice(Card):
    """Asks for the minutes there are and shows a DesignsView.

    Signals:
        time_entered: the minutes there are; 0 where nobody says any more.
        design_chosen: the Plan of a design.
    """

    time_entered = Signal(int)
    design_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("plan.designs", parent)
        title = PlainLabel(_("I h&ave"))
        font = title.font()
        font.setBold(True)
        title.setFont(font)
        self.time_edit = QSpinBox()
        title.setBuddy(self.time_edit)
        self.time_edit.setObjectName("plan.minutes_edit")
        self.time_edit.setAccessibleName(_("Minutes available for the run"))
        self.time_edit.lineEdit().setObjectName("plan.minutes_line")
        self.time_edit.lineEdit().setAccessibleName(self.time_edit.accessibleName())
        self.time_edit.setRange(0, _MOST_MINUTES)
        self.time_edit.setSpecialValueText(_("no limit"))
        self.time_edit.setSingleStep(_STEP_MINUTES)
        self.time_edit.setSuffix(_(" min"))
        leave_wheel_to_page(self.time_edit)
        self.time_edit.valueChanged.connect(self.time_entered)
        self._ask = StatusLine("plan.designs_ask")
        self._ask.show_status(_("Say how long you have to see what fits."), Tone.MUTED)
        self._titles = QWidget()
        self._lay_out_heads(title)
        self._group = QButtonGroup(self)
        self._rows: list[_DesignRow] = []
        self._view = NO_DESIGNS
        self._place = self.column.count()
        self._note = StatusLine("plan.designs_note")
        self.column.addWidget(self._note)
        self.column.addStretch(1)
        self.show_designs(None)

    def _lay_out_heads(self, title: QLabel) -> None:
        """Place the field for the time, and below it the headings of the designs' columns."""
        head = QHBoxLayout()
        head.setSpacing(GRID_PX)
        head.addWidget(title)
        head.addWidget(self.time_edit)
        head.addWidget(self._ask, 1)
        head.addStretch()  # where nothing is asked: the field stays
        self.column.addLayout(head)
        fitting, effect = PlainLabel(_("Designs that fit")), PlainLabel(_("smallest effect shown"))
        fitting.setFont(title.font())
        effect.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        titles = QHBoxLayout(self._titles)
        titles.setContentsMargins(0, 0, 0, 0)
        titles.setSpacing(GRID_PX)
        titles.addWidget(fitting)
        titles.addStretch(1)
        titles.addWidget(effect)
        self.column.addWidget(self._titles)

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """Return the widgets that take the keyboard, in order."""
        return (self.time_edit, *(row.button for row in self._rows))

    def show_time(self, time_s: float | None) -> None:
        """Show how long a plan says its run may take, None where it does not."""
        with QSignalBlocker(self.time_edit):
            self.time_edit.setValue(0 if time_s is None else max(1, round(time_s / 60)))

    def show_designs(self, view: DesignsView | None) -> None:
        """Show the designs of another plan or time; None where nobody said how much time there is."""
        self._titles.setVisible(view is not None and bool(view.lines))
        self._ask.setVisible(view is None)
        self._note.show_status("" if view is None else view.note, Tone.MUTED)
        self._note.setVisible(bool(self._note.text))
        lines = () if view is None else view.lines
        if lines == self._view.lines:
            return
        self._view = DesignsView(lines, "")
        for row in self._rows:
            self._group.removeButton(row.button)
            self.column.removeWidget(row)
            row.hide()
            row.setParent(None)
            row.deleteLater()
        self._rows = [self._make_row(place, line) for place, line in enumerate(lines)]

    def _make_row(self, place: int, line: DesignLine) -> "_DesignRow":
        row = _DesignRow(f"plan.design_{place}", line, self)
        self._group.addButton(row.button)
        row.button.clicked.connect(partial(self._on_clicked, line.plan))
        self.column.insertWidget(self._place + place, row)
        return row

    def show_plan(self, plan: Plan | None) -> None:
        """Mark the design that is the plan of the form, none where it is another."""
        chosen = self._view.place_of(plan)
        self._group.setExclusive(False)  # else one stays marked for ever
        for place, row in enumerate(self._rows):
            row.button.setChecked(place == chosen)
        self._group.setExclusive(True)

    def _on_clicked(self, plan: Plan, _checked: bool = False) -> None:
        self.design_chosen.emit(plan)


class _DesignRow(QFrame):
    """One design; a click anywhere on it chooses it.

    Attributes:
        button: its radio button.
    """

    def __init__(self, name: str, line: DesignLine, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.button = QRadioButton()
        self.button.setObjectName(f"{name}_radio")
        self.button.setAccessibleName(line.spoken)
        title = PlainLabel(line.title)
        effect = PlainLabel(line.effect)
        note = PlainLabel(line.note)
        note.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        bold = title.font()
        bold.setBold(True)
        for label in (title, effect):
            label.setFont(bold)
        for label in (title, note, effect):
            label.setWordWrap(label is not effect)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, GRID_PX // 4, 0, GRID_PX // 4)
        grid.setHorizontalSpacing(GRID_PX)
        grid.setVerticalSpacing(0)
        grid.addWidget(self.button, 0, 0, 2, 1)
        grid.addWidget(title, 0, 1)
        grid.addWidget(effect, 0, 2)
        grid.addWidget(note, 1, 1, 1, 2)
        grid.setColumnStretch(1, 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the design (Qt calls this)."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.button.setFocus(Qt.FocusReason.MouseFocusReason)
            self.button.click()
