"""The plan's form in two columns, below each other where the window is narrow; made anew for each family."""

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QVBoxLayout, QWidget

from app.domain.family import ExperimentFamily, Site
from app.domain.plot import PlotSpec
from app.flows.plan.plan_fields import Section, section_title
from app.flows.plan.plan_form import PlanForm
from app.ui.theme import GRID_PX
from app.ui.widgets.form_section import FormSection
from app.ui.widgets.plot import PlotView

_COLUMNS = ((Section.FACTORS, Section.WORKLOAD), (Section.DESIGN, Section.LIMITS))
_SHARES = (9, 4)  # of the width: what is varied carries the longest hints
_GAP_PX = 2 * GRID_PX
_PLOT_PX = 22 * GRID_PX  # the least height at which both axes of the plot can be read
_LEAST_PX = 30 * GRID_PX  # on a lower screen the whole page scrolls
_PLOT_STRETCH = 100  # against the empty space below a column: the plot takes what is left


class PlanFormPane(QScrollArea):
    """Shows a PlanForm; decides nothing about what is typed.

    Signals:
        text_entered: field id and the new text.
        focus_entered: field id.
        font_changed: text has another size; the fields are told of it next.
    """

    text_entered = Signal(str, str)
    focus_entered = Signal(str)
    font_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan.form_area")
        self.setWidgetResizable(True)
        self.setMinimumHeight(_LEAST_PX)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields take the keyboard
        self._family: ExperimentFamily | None = None
        self._site: Site | None = None
        self._sections: dict[Section, FormSection] = {}
        self._columns: QBoxLayout | None = None
        self._power: PlotView | None = None
        self.font_changed.connect(self._arrange, Qt.ConnectionType.QueuedConnection)

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """What takes the keyboard, in the order of the form; the plot comes last."""
        typed = (editor for section in self._sections.values() for editor in section.editors)
        return (*typed, *(() if self._power is None else (self._power.canvas,)))

    def show_form(self, form: PlanForm | None) -> None:
        """Show what stands in a form, None for no form at all."""
        if form is None:
            self._family = self._columns = self._site = self._power = None
            self._sections.clear()
            self.setWidget(QWidget())
            return
        if form.family is not self._family or form.site != self._site:
            self._family, self._site = form.family, form.site
            self._build(form)
        for part, section in self._sections.items():
            section.show_fields(form.in_section(part))
        self._arrange()

    def show_power(self, spec: PlotSpec | None) -> None:
        """Show what the plan of the form can show; None where it shows nothing or is not complete."""
        if self._power is not None:
            self._power.show_plot(spec)
            self._power.setVisible(spec is not None)

    def _build(self, form: PlanForm) -> None:
        """Make the fields of a family."""
        self._sections.clear()
        content = QWidget()
        content.setObjectName("plan.form")
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, content)
        self._columns.setContentsMargins(0, 0, GRID_PX, 0)
        self._columns.setSpacing(_GAP_PX)
        self._power = PlotView("plan.power_plot", interactive=False, is_card=True)
        self._power.setMinimumHeight(_PLOT_PX)
        self._power.hide()
        for parts, share, plot in zip(_COLUMNS, _SHARES, (self._power, None), strict=True):
            column = self._make_column(form, parts)
            if plot is not None:
                column.addWidget(plot, _PLOT_STRETCH)
            column.addStretch(1)
            self._columns.addLayout(column, share)
        self.setWidget(content)  # deletes the fields of the family before

    def _make_column(self, form: PlanForm, parts: tuple[Section, ...]) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(GRID_PX)
        for part in parts:
            section = FormSection(
                f"plan.{part}_section", section_title(part, form.family.load_title), form.in_section(part)
            )
            section.text_entered.connect(self.text_entered)
            section.focus_entered.connect(self.focus_entered)
            self._sections[part] = section
            column.addWidget(section)
        return column

    def _align(self, *, narrow: bool) -> None:
        """Give the labels of a column one width, or as much as their longest word where there is little room."""
        for parts in _COLUMNS:
            for part in parts:
                self._sections[part].make_narrow(narrow=narrow)
            width_px = max(self._sections[part].label_width_px for part in parts)
            for part in parts:
                self._sections[part].align_labels(width_px)

    @Slot()
    def _arrange(self) -> None:
        """Put the columns beside each other where both fit."""
        if self._columns is None:
            return
        self._align(narrow=False)
        widths = [max(self._sections[part].minimumSizeHint().width() for part in parts) for parts in _COLUMNS]
        room_px = self.viewport().width() - GRID_PX
        fits = sum(widths) + _GAP_PX <= room_px
        if max(widths) > room_px:
            self._align(narrow=True)
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if self._columns.direction() != direction:
            self._columns.setDirection(direction)

    def changeEvent(self, event: QEvent) -> None:
        """Arrange the columns for the new size of text (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.font_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the columns for the new width (Qt calls this)."""
        super().resizeEvent(event)
        self._arrange()
