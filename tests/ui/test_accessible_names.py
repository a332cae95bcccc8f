"""Every page and dialog can be read aloud and used with keys alone."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import STEPS, Choices, Step
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.page_factories import page_factories
from app.ui.pages.about_dialog import AboutDialog
from app.ui.pages.import_page import ImportPage
from app.ui.pages.keys_dialog import KeysDialog
from app.ui.pages.runs_page import RunsPage
from app.ui.pages.settings_dialog import SettingsDialog
from app.ui.pages.start_page import StartPage
from app.ui.pages.statements_dialog import StatementsDialog
from app.ui.password_asker import PasswordDialog
from app.ui.widgets.plot_canvas import PlotCanvas
from tests.ui.conftest import Shown
from tests.ui.sessions import run_on_lab

_INTERACTIVE = (
    QAbstractButton,
    QLineEdit,
    QComboBox,
    QAbstractSpinBox,
    QAbstractItemView,
    QPlainTextEdit,
    QTabWidget,
    PlotCanvas,
)

# Qt makes these inside widgets that have a name themselves.
_INSIDE = (QScrollBar, QTabBar, QHeaderView, QMenu)


def nameless(root: QWidget) -> list[str]:
    """Return what a person can use below a widget but a screen reader cannot call by a name, or a test cannot find."""
    found = []
    for widget in root.findChildren(QWidget):
        if not isinstance(widget, _INTERACTIVE) or isinstance(widget, _INSIDE) or _is_part(widget):
            continue
        if not widget.accessibleName() or not widget.objectName():
            found.append(f"{type(widget).__name__} {widget.objectName()!r} {widget.accessibleName()!r}")
    return found


def _is_part(widget: QWidget) -> bool:
    """Tell whether Qt made a widget as a part of another: the field of a combo box, the corner of a table."""
    name = widget.objectName()
    if name.startswith("qt_"):
        return True
    parent = widget.parent()
    while isinstance(parent, QWidget):
        if isinstance(parent, QComboBox | QAbstractSpinBox | QLineEdit | QAbstractItemView | QTabBar):
            return True
        parent = parent.parent()
    return False


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Choices:
    """The choices of a session that has been run; the tests only read it."""
    return run_on_lab(tmp_path_factory.mktemp("measured") / "session")


@pytest.mark.parametrize("step", STEPS)
def test_every_page_of_the_wizard_names_what_can_be_used(
    step: Step, desk: Desk, shown: Shown, measured: Choices, qtbot: QtBot
) -> None:
    """Buttons, fields, tables, texts and plots have an object name and an accessible name."""
    holder = QWidget()
    page = page_factories()[step](desk, holder)
    QVBoxLayout(holder).addWidget(page)
    shown(holder, 1040, 600)
    page.show_choices(measured)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert nameless(page) == []


def pages(desk: Desk, measured: Choices) -> Iterator[QWidget]:
    """Return what stands outside the wizard, one after the other."""
    yield StartPage(desk)
    yield ImportPage(desk)
    yield RunsPage(desk)
    window = QWidget()
    assert measured.place is not None
    yield AboutDialog(window)
    yield KeysDialog(window)
    yield SettingsDialog(desk, window)
    yield StatementsDialog(desk, measured.place.session_file, None, window)
    yield PasswordDialog("sqlserver://anna@db1", window, can_keep=True)
    window.deleteLater()


def test_everything_beside_the_wizard_names_what_can_be_used(desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """The start page, the import, the runs and every dialog."""
    found = {}
    for page in pages(desk, measured):
        qtbot.waitUntil(lambda: desk.tasks.count == 0)
        found[type(page).__name__] = nameless(page)
        if not isinstance(page, QDialog):
            page.deleteLater()
    assert len(found) == 8
    assert not any(found.values()), found


def test_the_frame_names_what_can_be_used(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """Steps, footer and menus."""
    window = MainWindow(desk)
    shown(window)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    window.begin_new()
    assert nameless(window) == []
    for menu in window.menuBar().actions():
        assert "&" in menu.text()
    focusable = [w for w in window.findChildren(QAbstractScrollArea) if w.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert all(w.accessibleName() for w in focusable if w.isVisible())
