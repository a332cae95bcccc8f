"""F1 leads from each step to its page of the help, and on from there."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTextBrowser, QTreeWidget
from pytestqt.qtbot import QtBot

from app.flows.shell.help_view import page_about, read_page
from app.flows.shell.wizard import STEPS, Choices, Step, Wizard
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.pages.help_dialog import HelpDialog
from app.ui.pages.runs_page import RunsPage
from app.ui.theme import paint_application
from app.ui.tokens import DARK, LIGHT
from app.ui.wizard_frame import WizardFrame
from tests.patience import PATIENCE_MS
from tests.ui.conftest import Shown
from tests.ui.person import find, type_text
from tests.ui.sessions import run_on_lab
from tests.ui.shell_parts import bare_pages


@pytest.fixture
def window(desk: Desk, shown: Shown, qtbot: QtBot) -> MainWindow:
    """The window with bare pages."""
    made = MainWindow(desk, bare_pages())
    shown(made)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    return made


def press_f1(window: MainWindow) -> HelpDialog:
    """Press F1 in the window; return the help."""
    for dialog in window.findChildren(HelpDialog):
        dialog.close()
    QApplication.processEvents()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, PATIENCE_MS)
    QTest.keyClick(window, Qt.Key.Key_F1)
    QApplication.processEvents()
    return find(window, HelpDialog, "help")


def heading(dialog: HelpDialog) -> str:
    """Return the first line of the page shown."""
    return find(dialog, QTextBrowser, "help.page").toPlainText().splitlines()[0]


def test_each_step_has_its_page(window: MainWindow) -> None:
    """From the start page the first one, from a step the page of that step; one dialog for all."""
    start = read_page("start")
    assert start is not None
    assert heading(press_f1(window)) == start.title
    window.begin_new()
    frame = find(window, WizardFrame, "wizard")
    for step in STEPS:
        frame.show_wizard(Wizard(step, Choices()))
        dialog = press_f1(window)
        page = read_page(str(step))
        assert page is not None
        assert heading(dialog) == page.title
        assert dialog.isVisible()
    dialog.close()


@pytest.mark.parametrize(("shown_page", "help_page"), [("page.runs", "compare"), ("page.engagement", "client_files")])
def test_pages_that_are_no_step_have_theirs(shown_page: str, help_page: str) -> None:
    """The list of runs and a client's file are explained where the help speaks of them, not at the start."""
    assert read_page(help_page) is not None
    assert page_about(shown_page) == help_page


def test_f1_over_the_list_of_runs_explains_it(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """And not the start, nor the step that was left for it."""
    choices = run_on_lab(tmp_path / "s")
    window.begin_new()
    find(window, WizardFrame, "wizard").show_wizard(Wizard(Step.RUN, choices))
    window.show_runs()
    qtbot.waitUntil(lambda: bool(window.findChildren(RunsPage)))
    qtbot.waitUntil(find(window, RunsPage, "page.runs").isVisible)
    dialog = press_f1(window)
    page = read_page("compare")
    assert page is not None
    assert heading(dialog) == page.title
    dialog.close()


def test_the_help_is_searched_and_links_lead_on(window: MainWindow) -> None:
    """Words narrow the contents to the pages that have them all; a link shows its page although the search hid it."""
    dialog = press_f1(window)
    contents = find(dialog, QTreeWidget, "help.contents")
    search = find(dialog, QLineEdit, "help.search_edit")

    def listed() -> list[str]:
        groups = [contents.topLevelItem(place) for place in range(contents.topLevelItemCount())]
        items = [group.child(place) for group in groups if group is not None for place in range(group.childCount())]
        return [item.data(0, Qt.ItemDataRole.UserRole) for item in items if not item.isHidden()]

    everything = listed()
    assert {str(step) for step in Step} <= set(everything)
    type_text(search, "spill threshold")
    assert listed()
    assert set(listed()) < set(everything)
    assert "streams_apply" in listed()
    find(dialog, QTextBrowser, "help.page").anchorClicked.emit(QUrl("plan.md"))
    page = read_page("plan")
    assert page is not None
    assert heading(dialog) == page.title
    assert listed() == everything
    dialog.close()


def test_links_follow_the_colours_of_the_window(window: MainWindow) -> None:
    """Colours that are changed while a page is read reach its links, too."""
    page = find(press_f1(window), QTextBrowser, "help.page")
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    for colors in (DARK, LIGHT):
        paint_application(application, colors)
        assert _links(page) == {colors.accent.lower()}


def _links(page: QTextBrowser) -> set[str]:
    """Return the colours links of a page are drawn in."""
    block, colors = page.document().begin(), set[str]()
    while block.isValid():
        place = block.begin()
        while not place.atEnd():
            form = place.fragment().charFormat()
            if form.isAnchor():
                colors.add(form.foreground().color().name())
            place += 1
        block = block.next()
    return colors
