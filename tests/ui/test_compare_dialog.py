"""Two sessions of a client's file beside each other, and beside published numbers."""

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QLabel, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from app.services.hand_over.engagement import gather, read_engagement
from app.ui.desk import Desk
from app.ui.pages.compare_dialog import CompareDialog
from app.ui.widgets.plot import PlotView
from app.ui.widgets.table import DataTable
from tests.ui.conftest import Shown
from tests.ui.person import click, find
from tests.ui.sessions import run_on_lab
from tests.ui.test_accessible_names import nameless
from tests.ui.test_engagement_page import button_of


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a client's file with two sessions measured on the lab."""
    folder = tmp_path_factory.mktemp("client")
    for name in ("one", "two"):
        run_on_lab(folder / name)
    path = folder / "client.replitune"
    gather(path, [folder / name / "session.replitune" for name in ("one", "two")])
    return path


@pytest.fixture
def holder(shown: Shown) -> QWidget:
    """Return the window the dialog is over."""
    made = QWidget()
    shown(made)
    return made


def opened(desk: Desk, path: Path, holder: QWidget, qtbot: QtBot, *wanted: str) -> CompareDialog:
    """Return the dialog once it shows something."""
    dialog = CompareDialog(desk, path, wanted, holder)
    dialog.open()
    settle(desk, qtbot)
    return dialog


def settle(desk: Desk, qtbot: QtBot) -> None:
    """Wait until nothing is computed any more."""
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def said(dialog: CompareDialog) -> str:
    """Return the sentences above everything."""
    return find(dialog, QLabel, "compare.status.text").text()


def copied(dialog: CompareDialog, name: str) -> str:
    """Return what a table shows, as text."""
    find(dialog, DataTable, f"compare.{name}_table").copy_all()
    return QGuiApplication.clipboard().text()


def test_the_two_newest_sessions_stand_beside_each_other(
    client: Path, desk: Desk, holder: QWidget, qtbot: QtBot
) -> None:
    """Older one first: what was measured with ratio and interval, what each found, what differs, and a plot."""
    dialog = opened(desk, client, holder, qtbot)
    newest, old = (session.session_id for session in read_engagement(client).sessions)
    assert find(dialog, QComboBox, "compare.first_combo").currentData() == old
    assert find(dialog, QComboBox, "compare.second_combo").currentData() == newest
    assert said(dialog).startswith("This is no randomised comparison")
    measured = copied(dialog, "measured").splitlines()
    assert measured[0].split("\t")[:6] == ["Runs", "Measure", "Setting", "Conditions", "First", "Second"]
    assert any("SubscriptionStreams 8" in line and "\u2013" in line for line in measured[1:])
    assert "SubscriptionStreams 1\tSubscriptionStreams 8" in copied(dialog, "effects")
    find(dialog, QTabWidget, "compare.tabs").setCurrentIndex(1)
    plot = find(dialog, PlotView, "compare.plot")
    qtbot.waitUntil(lambda: plot.plot_item is not None)
    assert plot.spec is not None
    assert len(plot.spec.series) == 2
    assert nameless(dialog) == []
    dialog.close()


def test_published_numbers_stand_beside_a_session(client: Path, desk: Desk, holder: QWidget, qtbot: QtBot) -> None:
    """The author, the change here and the published one, and a caution that these are other servers."""
    dialog = opened(desk, client, holder, qtbot)
    second = find(dialog, QComboBox, "compare.second_combo")
    second.setCurrentIndex(second.findText("The published numbers"))
    settle(desk, qtbot)
    assert "Published numbers claim nothing about these servers" in said(dialog)
    assert "Sourabh Agarwal" in copied(dialog, "measured")
    assert "CommitBatchSize\t\u2013\t100" in copied(dialog, "differing")
    dialog.close()


def test_sides_that_cannot_be_compared_say_why(client: Path, desk: Desk, holder: QWidget, qtbot: QtBot) -> None:
    """A session with itself is no comparison; a file that is gone is told."""
    newest = read_engagement(client).sessions[0].session_id
    dialog = opened(desk, client, holder, qtbot, f"{newest}/E1")
    first = find(dialog, QComboBox, "compare.first_combo")
    first.setCurrentIndex(first.findData(newest))
    assert said(dialog) == "Choose two different sessions or runs."
    assert not find(dialog, QTabWidget, "compare.tabs").isEnabled()
    dialog.close()
    gone = opened(desk, client.with_name("gone.replitune"), holder, qtbot)
    assert "gone.replitune" in said(gone)
    gone.close()


def test_a_table_is_copied_whole(client: Path, desk: Desk, holder: QWidget, qtbot: QtBot) -> None:
    """The button puts the table in sight on the clipboard; over a plot it is off."""
    dialog = opened(desk, client, holder, qtbot)
    QGuiApplication.clipboard().clear()
    click(button_of(dialog, "compare.copy_button"))
    assert QGuiApplication.clipboard().text().startswith("Runs\tMeasure\tSetting")
    find(dialog, QTabWidget, "compare.tabs").setCurrentIndex(1)
    assert not button_of(dialog, "compare.copy_button").isEnabled()
    dialog.close()
