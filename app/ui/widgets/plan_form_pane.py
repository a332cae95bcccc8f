"""The plan's form, made anew for each family."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from app.domain.family import ExperimentFamily, Site
from app.flows.plan.plan_fields import Section, section_title
from app.flows.plan.plan_form import PlanForm
from app.foundation.texts import _
from app.ui.theme import GRID_PX
from app.ui.widgets.form_section import FormSection
from app.ui.widgets.tall_area import TallArea

_GROUPS = ((Section.FACTORS, Section.WORKLOAD), (Section.DESIGN, Section.LIMITS))  # whose fields stand in one line
_FOLDED = (Section.DESIGN, Section.LIMITS)
_SCROLL_BAR_PX = 12


class PlanFormPane(TallArea):
    """Shows a PlanForm; decides nothing about its contents.

    Parameters and work come first; trials and limits, which few change, stand behind a button until one has an error.

    Signals:
        text_entered: field id and the new text.
        focus_entered: field id.
    """

    text_entered = Signal(str, str)
    focus_entered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("plan.form_area", parent)
        self._family: ExperimentFamily | None = None
        self._site: Site | None = None
        self._sections: dict[Section, FormSection] = {}
        self._fold: QToolButton | None = None
        self._is_open = False

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """Return the widgets that take the keyboard, in the order of the form."""
        editors: list[QWidget] = []
        for part, section in self._sections.items():
            if part is _FOLDED[0] and self._fold is not None:
                editors.append(self._fold)
            editors += section.editors
        return tuple(editors)

    def show_form(self, form: PlanForm | None) -> None:
        """Show the contents of a form, None for no form at all."""
        if form is None:
            self._family = self._site = None
            self._sections.clear()
            self._fold = None
            self.setWidget(QWidget())
            return
        if form.family is not self._family or form.site != self._site:
            self._family, self._site = form.family, form.site
            self._build(form)
        for part, section in self._sections.items():
            section.show_fields(form.in_section(part))
        if any(field.error for part in _FOLDED for field in form.in_section(part)):
            self._open(is_open=True)

    def _build(self, form: PlanForm) -> None:
        """Make the fields of a family."""
        self._sections.clear()
        content = QWidget()
        content.setObjectName("plan.form")
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, GRID_PX, 0)
        column.setSpacing(GRID_PX)
        for part in (part for group in _GROUPS for part in group):
            section = FormSection(
                f"plan.{part}_section", section_title(part, form.family.load_title), form.in_section(part)
            )
            section.text_entered.connect(self.text_entered)
            section.focus_entered.connect(self.focus_entered)
            self._sections[part] = section
            if part is _FOLDED[0]:
                self._fold = self._make_fold()
                column.addWidget(self._fold)
            column.addWidget(section)
        column.addStretch(1)
        self._open(is_open=self._is_open)
        self.setWidget(content)  # deletes the fields of the family before

    def _make_fold(self) -> QToolButton:
        fold = QToolButton()
        fold.setObjectName("plan.fold_button")
        fold.setText(_("Design and limits"))
        fold.setAccessibleName(_("Show the fields of design and limits"))
        fold.setCheckable(True)
        fold.setAutoRaise(True)
        fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        fold.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        fold.clicked.connect(self._on_fold_clicked)
        return fold

    @Slot(bool)
    def _on_fold_clicked(self, is_open: bool) -> None:
        self._open(is_open=is_open)

    def _open(self, *, is_open: bool) -> None:
        """Show the fields few change, or put them away; for every family from now on."""
        self._is_open = is_open
        if self._fold is not None:
            self._fold.setChecked(is_open)
            self._fold.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        for part in _FOLDED:
            self._sections[part].setVisible(is_open)

    def width_px(self, *, narrow: bool) -> int:
        """Return the width the form needs, its labels in one line each or wrapped, with its scroll bar."""
        self.make_narrow(narrow=narrow)
        widest = max((section.minimumSizeHint().width() for section in self._sections.values()), default=0)
        return widest + GRID_PX + _SCROLL_BAR_PX

    def make_narrow(self, *, narrow: bool) -> None:
        """Give the labels of a group one width, or as much as their longest word where there is little room."""
        for parts in _GROUPS if self._sections else ():
            for part in parts:
                self._sections[part].make_narrow(narrow=narrow)
            width_px = max(self._sections[part].label_width_px for part in parts)
            for part in parts:
                self._sections[part].align_labels(width_px)
