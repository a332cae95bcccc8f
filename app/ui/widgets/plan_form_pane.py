"""The plan's form in two columns, below each other where the window is narrow; made anew for each family."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QVBoxLayout, QWidget

from app.domain.family import ExperimentFamily, Site
from app.flows.plan.plan_fields import Section, section_title
from app.flows.plan.plan_form import PlanForm
from app.ui.theme import GRID_PX
from app.ui.widgets.form_section import FormSection

_COLUMNS = ((Section.FACTORS, Section.WORKLOAD), (Section.DESIGN, Section.LIMITS))
_SHARES = (9, 4)  # of the width: what is varied carries the longest hints
_GAP_PX = 2 * GRID_PX


class PlanFormPane(QScrollArea):
    """Shows a PlanForm; decides nothing about what is typed.

    Signals:
        text_entered: field id and the new text.
        focus_entered: field id.
    """

    text_entered = Signal(str, str)
    focus_entered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan.form_area")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields take the keyboard
        self._family: ExperimentFamily | None = None
        self._site: Site | None = None
        self._sections: dict[Section, FormSection] = {}
        self._columns: QBoxLayout | None = None

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """What is typed into, in the order of the form."""
        return tuple(editor for section in self._sections.values() for editor in section.editors)

    def show_form(self, form: PlanForm | None) -> None:
        """Show what stands in a form, None for no form at all."""
        if form is None:
            self._family = self._columns = self._site = None
            self._sections.clear()
            self.setWidget(QWidget())
            return
        if form.family is not self._family or form.site != self._site:
            self._family, self._site = form.family, form.site
            self._build(form)
        for part, section in self._sections.items():
            section.show_fields(form.in_section(part))
        self._arrange()

    def _build(self, form: PlanForm) -> None:
        """Make the fields of a family."""
        self._sections.clear()
        content = QWidget()
        content.setObjectName("plan.form")
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, content)
        self._columns.setContentsMargins(0, 0, GRID_PX, 0)
        self._columns.setSpacing(_GAP_PX)
        for parts, share in zip(_COLUMNS, _SHARES, strict=True):
            self._columns.addLayout(self._make_column(form, parts), share)
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
        width_px = max(self._sections[part].label_width_px for part in parts)
        for part in parts:
            self._sections[part].align_labels(width_px)
        column.addStretch(1)
        return column

    def _arrange(self) -> None:
        """Put the columns beside each other where both fit."""
        if self._columns is None:
            return
        widths = [max(self._sections[part].minimumSizeHint().width() for part in parts) for parts in _COLUMNS]
        fits = sum(widths) + _GAP_PX + GRID_PX <= self.viewport().width()
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if self._columns.direction() != direction:
            self._columns.setDirection(direction)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the columns for the new width (Qt calls this)."""
        super().resizeEvent(event)
        self._arrange()
