"""A password nobody kept is asked for in the middle of connecting, and never stands anywhere in clear."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QDialog, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.domain.errors import BadInput
from app.services.target.credentials import Credentials
from app.services.target.target_spec import parse_server
from app.ui.password_asker import PasswordAsker, PasswordDialog
from tests.ui.conftest import Shown
from tests.ui.memory_keyring import MemoryKeyring
from tests.ui.person import click, find

LOGIN = "sqlserver://anna@db1"


class Asking:
    """A window whose worker asks for the password of a login."""

    def __init__(self, window: QWidget) -> None:
        self.window = window
        self.keyring = MemoryKeyring()
        self.credentials = Credentials(self.keyring, {})
        self.asker = PasswordAsker(self.credentials, window)
        self.found: list[str] = []
        self._worker = threading.Thread(target=self._connect)

    def _connect(self) -> None:
        try:
            self.found.append(self.credentials.password_for(parse_server(LOGIN)).reveal())
        except BadInput as error:
            self.found.append(str(error))

    def begin(self, qtbot: QtBot) -> PasswordDialog:
        """Begin to connect; return the dialog that asks."""
        self._worker.start()
        qtbot.waitUntil(lambda: bool(self.window.findChildren(PasswordDialog)))
        return find(self.window, PasswordDialog, "password")

    def end(self, qtbot: QtBot) -> str:
        """Wait for what the worker found."""
        qtbot.waitUntil(lambda: bool(self.found))
        self._worker.join()
        return self.found[0]


@pytest.fixture
def asking(shown: Shown) -> Iterator[Asking]:
    """A window on screen, and somebody who connects in the background."""
    window = QWidget()
    shown(window, 600, 400)
    made = Asking(window)
    yield made
    made.asker.close()


def test_the_password_is_typed_hidden_and_used(asking: Asking, qtbot: QtBot) -> None:
    """One types at once; Connect waits for a letter; they show only where asked for; nothing is kept unless ticked."""
    dialog = asking.begin(qtbot)
    qtbot.waitUntil(lambda: find(dialog, QLineEdit, "password.edit").hasFocus())
    edit, connect = find(dialog, QLineEdit, "password.edit"), find(dialog, QPushButton, "password.connect_button")
    assert not connect.isEnabled()
    QTest.keyClicks(edit, "pa55")
    assert edit.echoMode() is QLineEdit.EchoMode.Password
    find(dialog, QCheckBox, "password.show_check").setChecked(True)
    assert edit.echoMode() is QLineEdit.EchoMode.Normal
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert asking.end(qtbot) == "pa55"
    assert asking.keyring.kept == {}


class _LeavesFocus(QObject):
    """A desktop that leaves the focus where it was when a window opens, as window managers do."""

    def __init__(self, focused: QWidget) -> None:
        super().__init__()
        self._focused = focused

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give the focus back once a dialog shows."""
        if event.type() is QEvent.Type.ShowToParent and isinstance(watched, QDialog):
            self._focused.activateWindow()
        return False


def test_the_dialog_has_the_focus_where_the_desktop_gives_it_to_no_new_window(
    asking: Asking, shown: Shown, qtbot: QtBot, qapp: QApplication
) -> None:
    """Else the password would be typed into whatever lies below."""
    below = QWidget()
    shown(below, 300, 200)
    desktop = _LeavesFocus(below)
    qapp.installEventFilter(desktop)
    try:
        dialog = asking.begin(qtbot)
        qapp.processEvents()
        assert find(dialog, QLineEdit, "password.edit").hasFocus()
        dialog.reject()
        asking.end(qtbot)
    finally:
        qapp.removeEventFilter(desktop)


def test_a_ticked_password_goes_to_the_keyring(asking: Asking, qtbot: QtBot) -> None:
    """Only there, and only where it is asked for."""
    dialog = asking.begin(qtbot)
    QTest.keyClicks(find(dialog, QLineEdit, "password.edit"), "pa55")
    find(dialog, QCheckBox, "password.keep_check").setChecked(True)
    click(find(dialog, QPushButton, "password.connect_button"))
    assert asking.end(qtbot) == "pa55"
    assert list(asking.keyring.kept.values()) == ["pa55"]


def test_who_gives_up_does_not_connect(asking: Asking, qtbot: QtBot) -> None:
    """Escape ends the attempt with a sentence that names the login, not a password."""
    dialog = asking.begin(qtbot)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert asking.end(qtbot) == f"no password was given for {LOGIN}: nothing was connected"


def test_a_window_that_closes_keeps_nobody_waiting(asking: Asking, qtbot: QtBot) -> None:
    """Who still waits for a password is let go without one."""
    asking.begin(qtbot)
    asking.asker.close()
    assert "anna" in asking.end(qtbot)
