"""What a session promised and what came, from the client's file in the window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.desk import Desk
from app.ui.pages.verify_dialog import VerifyDialog
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable
from tests.e2e.program import call
from tests.prove.killing import lab_server
from tests.ui.conftest import Shown
from tests.ui.person import click, find
from tests.ui.test_accessible_names import nameless

PLAN = """
family = "distribution_agent"
[factors]
SubscriptionStreams = [1, 8]
[workload]
commands = 20000
[design]
blocks = 2
confirm_blocks = 3
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A session measured on a served lab, which goes on, and the lab's key."""
    folder = tmp_path_factory.mktemp("verified")
    plan = folder / "plan.toml"
    plan.write_text(PLAN, encoding="utf-8")
    with lab_server() as target:
        assert call("run", plan, "--target", target, "--out", folder / "out").code == 0
        yield folder / "out" / "session.replitune", target


def settle(desk: Desk, qtbot: QtBot) -> None:
    """Wait until nothing is read any more."""
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def test_the_window_says_what_came_and_copies_half_a_page(
    measured: tuple[Path, str], desk: Desk, shown: Shown, qtbot: QtBot
) -> None:
    """Put back, nothing is in effect; a wrong moment is refused in a sentence."""
    path, target = measured
    holder = QWidget()
    shown(holder)
    dialog = VerifyDialog(desk, path, "", target, holder)
    dialog.open()
    assert nameless(dialog) == []
    status = find(dialog, StatusLine, "verify.status")
    assert "read" in status.text
    find(dialog, QLineEdit, "verify.since_edit").setText("yesterday")
    click(find(dialog, QPushButton, "verify.verify_button"))
    settle(desk, qtbot)
    assert "no date and time" in status.text
    find(dialog, QLineEdit, "verify.since_edit").clear()
    click(find(dialog, QPushButton, "verify.verify_button"))
    settle(desk, qtbot)
    assert "Held against the servers" in status.text
    table = find(dialog, DataTable, "verify.promises_table")
    table.copy_all()
    assert "not in effect: SubscriptionStreams is 1, not 8" in QGuiApplication.clipboard().text()
    assert "Not in effect" in find(dialog, StatusLine, "verify.notes").text
    click(find(dialog, QPushButton, "verify.copy_button"))
    assert "Promised: SubscriptionStreams 8 instead of 1" in QGuiApplication.clipboard().text()
