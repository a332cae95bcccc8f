"""Quick ways: a place by its name, and files dropped onto the window."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Step
from app.services.preferences import Preferences
from app.store import create_session_file
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.wizard_frame import WizardFrame
from tests.store.sample import make_record
from tests.ui.conftest import Shown
from tests.ui.person import find, press, type_text


@pytest.fixture
def session_file(tmp_path: Path) -> Path:
    """A session file with two runs and a note."""
    path = tmp_path / "contoso.replitune"
    with create_session_file(path) as store:
        store.add_session(make_record())
        store.add_remark("the client began a load", make_record().session_id, "E1")
    return path


@pytest.fixture
def window(desk: Desk, shown: Shown, session_file: Path, qtbot: QtBot) -> MainWindow:
    """The window of somebody who opened that file last."""
    desk.prefer(Preferences(recent_sessions=(str(session_file),)))
    made = MainWindow(desk)
    shown(made)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    return made


@pytest.fixture
def ask(window: MainWindow, desk: Desk, qtbot: QtBot) -> Callable[[str], list[str]]:
    """Press Ctrl+K and type; return what is listed."""

    def listed(text: str) -> list[str]:
        QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: bool(window.findChildren(QDialog, "palette")) and desk.tasks.count == 0)
        type_text(find(window, QLineEdit, "palette.edit"), text)
        items = find(window, QListWidget, "palette.list")
        return [items.item(row).text() for row in range(items.count())]

    return listed


def choose(window: MainWindow) -> None:
    """Press Return in the field."""
    press(find(window, QLineEdit, "palette.edit"), Qt.Key.Key_Return)
    QApplication.processEvents()


@pytest.mark.parametrize(
    ("typed", "listed", "lands"),
    [
        ("compar help", "help", "help"),
        ("began a load", "the client began a load  –  note", "page.engagement"),
        ("E1 run", "E1 · ", "page.runs"),
        ("doctor", "Doctor", "doctor"),
    ],
)
def test_a_place_is_reached_by_its_name(
    window: MainWindow, ask: Callable[[str], list[str]], qtbot: QtBot, typed: str, listed: str, lands: str
) -> None:
    """Pages, help, runs and notes: a few letters and Return."""
    found = ask(typed)
    assert any(listed in line for line in found), found
    choose(window)

    def is_there() -> bool:
        there = window.findChildren(QWidget, lands)
        return any(widget.isVisible() for widget in there)

    qtbot.waitUntil(is_there)


def test_an_agent_and_a_parameter_are_reached_at_the_site(
    window: MainWindow, desk: Desk, ask: Callable[[str], list[str]], qtbot: QtBot
) -> None:
    """Once a site is read its agents and their parameters are there, from wherever one is."""
    window.begin_lab()
    frame = find(window, WizardFrame, "wizard")
    qtbot.waitUntil(lambda: frame.wizard.choices.discovery is not None and desk.tasks.count == 0)
    window.show_start()
    found = ask("Log Reader Agent PUB1")
    assert any(line.endswith("site") for line in found), found
    find(window, QLineEdit, "palette.edit").clear()
    items = find(window, QListWidget, "palette.list")
    type_text(find(window, QLineEdit, "palette.edit"), "CommitBatchSize parameter")
    found = [items.item(row).text() for row in range(items.count())]
    assert found
    assert all("CommitBatchSize" in line for line in found)
    choose(window)
    assert frame.isVisible()
    assert frame.wizard.step is Step.TOPOLOGY
    tree = find(window, QWidget, "topology.tree")
    qtbot.waitUntil(tree.isVisible)


def drop(window: QWidget, path: Path) -> bool:
    """Drag a file onto the window or a part of it and let it fall; tell whether it was taken."""
    given = QMimeData()
    given.setUrls([QUrl.fromLocalFile(str(path))])
    action, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), action, given, button, keys)
    QApplication.sendEvent(window, enter)
    if not enter.isAccepted():
        return False
    QApplication.sendEvent(window, QDropEvent(QPoint(9, 9).toPointF(), action, given, button, keys))
    return True


def test_a_session_a_bundle_and_a_file_are_dropped_onto_the_window(
    window: MainWindow, desk: Desk, session_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    """A session opens its findings, a bundle the question where to, anything else the import."""
    (tmp_path / "bundle.zip").write_bytes(b"PK")
    (tmp_path / "measured.csv").write_text("CommitBatchSize,run_time\n100,5\n")
    assert drop(window, tmp_path / "bundle.zip")
    field = find(window, QLineEdit, "bundle_import.bundle_edit")
    assert field.text() == str(tmp_path / "bundle.zip")
    find(window, QDialog, "bundle_import").reject()
    assert drop(window, tmp_path / "measured.csv")
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    page = find(window, QWidget, "page.import")
    assert page.isVisible()
    assert drop(page, session_file)
    frame = find(window, WizardFrame, "wizard")
    qtbot.waitUntil(lambda: frame.page is not None)
    assert frame.wizard.step is Step.FINDINGS
