"""The frame of the wizard: the list of steps, the page of the present one, and the footer with Back and Next."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QWidget

from app.flows.shell.shell_view import footer, step_lines
from app.flows.shell.wizard import Choices, Step, Wizard
from app.ui.desk import Desk
from app.ui.page import WizardPage
from app.ui.page_factories import PageFactory
from app.ui.theme import GRID_PX
from app.ui.widgets.page_stack import PageStack
from app.ui.widgets.step_list import StepList
from app.ui.widgets.wizard_footer import WizardFooter

_NARROW_PX: Final = 100 * GRID_PX
"""Narrower than this, at 300 % say, the list of steps shows numbers alone."""


class WizardFrame(QWidget):
    """Shows where the wizard stands and takes it further; `flows.wizard` decides.

    Attributes:
        footer: what comes next, Back and Next; the window places it.

    Signals:
        wizard_changed: the new Wizard, whenever step or choices change.
    """

    wizard_changed = Signal(object)

    def __init__(self, desk: Desk, factories: Mapping[Step, PageFactory], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wizard")
        self._desk = desk
        self._factories = factories
        self._wizard = Wizard()
        self._pages: dict[Step, WizardPage] = {}
        self._busy: dict[Step, str] = {}
        self._steps = StepList(self)
        self._stack = PageStack()
        self._stack.setObjectName("wizard.pages")
        self._scroll = QScrollArea()
        self.footer = WizardFooter(self)
        self._lay_out()
        self._steps.step_chosen.connect(self.go_to)
        self._steps.closed_step_chosen.connect(self.footer.explain)
        self.footer.back_requested.connect(self.go_back)
        self.footer.next_requested.connect(self.go_on)
        desk.job_started.connect(self._on_job_changed)
        desk.job_ended.connect(self._on_job_changed)

    def _lay_out(self) -> None:
        scroll = self._scroll
        scroll.setObjectName("wizard.scroll_area")
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._stack)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._steps)
        layout.addWidget(scroll, 1)

    @property
    def wizard(self) -> Wizard:
        """Where the wizard stands."""
        return self._wizard

    @property
    def page(self) -> WizardPage | None:
        """The page shown, None before the first."""
        return self._pages.get(self._wizard.step)

    def show_wizard(self, wizard: Wizard) -> None:
        """Show another state of the wizard, entering its page."""
        self._wizard = wizard
        page = self._page_of(wizard.step)
        self._stack.setCurrentWidget(page)
        self._scroll.verticalScrollBar().setValue(0)
        page.show_choices(wizard.shown_choices)
        self._refresh()
        if self.isVisible():
            page.take_keyboard()

    def begin(self, wizard: Wizard) -> None:
        """Show another session: the pages of the last one are taken down, so that nothing of it shows."""
        for page in self._pages.values():
            self._stack.removeWidget(page)
            page.deleteLater()
        self._pages.clear()
        self._busy.clear()
        self.show_wizard(wizard)

    def _page_of(self, step: Step) -> WizardPage:
        page = self._pages.get(step)
        if page is None:
            page = self._factories[step](self._desk, self._stack)
            page.choices_changed.connect(self._on_page_choices_changed)
            page.busy_changed.connect(self._on_page_busy_changed)
            page.advance_requested.connect(self._on_page_advance_requested)
            page.return_requested.connect(self._on_page_return_requested)
            self._pages[step] = page
            self._stack.addWidget(page)
        return page

    @Slot()
    def go_back(self) -> None:
        """Go to the step before, where that is possible."""
        self._move(self._wizard.back(running=self._desk.is_running))

    @Slot()
    def go_on(self) -> None:
        """Go to the next step, or show the missing condition."""
        shown = footer(self._wizard, running=self._desk.is_running)
        if shown.is_missing:
            self.footer.explain(shown.sentence)
        self._move(self._wizard.forward(running=self._desk.is_running))

    @Slot(object)
    def go_to(self, step: Step) -> None:
        """Go to a step that can be reached."""
        self._move(self._wizard.go_to(step, running=self._desk.is_running))

    def _move(self, wizard: Wizard) -> None:
        if wizard.step is not self._wizard.step:
            self.show_wizard(wizard)

    def _refresh(self) -> None:
        running = self._desk.is_running
        self._steps.show_lines(step_lines(self._wizard, running=running))
        self.footer.show_footer(footer(self._wizard, running=running))
        self.footer.show_busy(self._busy.get(self._wizard.step, ""))
        self.wizard_changed.emit(self._wizard)

    @Slot(object)
    def _on_page_choices_changed(self, choices: Choices) -> None:
        # a page that is not shown any more has nothing to choose: what it still reads belongs to older choices;
        # while a run goes on its own page alone has, whatever is looked at
        page, run = self.sender(), self._pages.get(Step.RUN)
        if page is not (run if self._desk.is_running or page is run else self.page):
            return
        self._wizard = self._wizard.with_choices(choices)
        if page is not self.page and self.page is not None:
            self.page.show_choices(self._wizard.shown_choices)
        self._refresh()

    @Slot(str)
    def _on_page_busy_changed(self, text: str) -> None:
        step = next((step for step, page in self._pages.items() if page is self.sender()), None)
        if step is not None:
            self._busy[step] = text
            self.footer.show_busy(self._busy.get(self._wizard.step, ""))

    @Slot()
    def _on_page_advance_requested(self) -> None:
        if self.sender() is self.page:
            self.go_on()

    @Slot()
    def _on_page_return_requested(self) -> None:
        if self.sender() is self.page:
            self.go_back()

    @Slot()
    @Slot(object)
    def _on_job_changed(self, _end: object = None) -> None:
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the page more room where the window is narrow (Qt calls this)."""
        super().resizeEvent(event)
        self._steps.make_compact(compact=event.size().width() < _NARROW_PX)

    def changeEvent(self, event: QEvent) -> None:
        """Draw the footer's icon in the new colours (Qt calls this)."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._pages:
            self._refresh()
