"""Import of measurements made elsewhere, from the file to the findings."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Step
from app.foundation.paths import resource_path
from app.services.hand_over.past_sessions import summarise_session
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.pages.import_page import ImportPage
from app.ui.widgets.table import DataTable
from app.ui.wizard_frame import WizardFrame
from tests.ui.conftest import Shown
from tests.ui.person import click, find, type_text
from tests.ui.shell_parts import bare_pages

PUBLISHED = str(resource_path("published", "replication-agents-2018.csv"))


@pytest.fixture
def page(desk: Desk, shown: Shown) -> ImportPage:
    """The page, alone."""
    made = ImportPage(desk)
    shown(made)
    return made


def choose_file(page: ImportPage, path: str, qtbot: QtBot) -> None:
    """Type the path of a file and wait until it was looked at."""
    find(page, QLineEdit, "import.file_edit").setText(path)
    find(page, QLineEdit, "import.file_edit").textEdited.emit(path)
    qtbot.waitUntil(lambda: page._desk.tasks.count == 0)


def said(page: ImportPage, name: str) -> str:
    """Return what a status line of the page says."""
    return find(page, QLabel, f"import.{name}.text").text()


def test_at_first_it_asks_for_a_file(page: ImportPage) -> None:
    """Nothing can be made before a file is chosen, and the page says so."""
    assert said(page, "missing") == "Choose a file of measurements."
    assert not find(page, QPushButton, "import.make_button").isEnabled()


def test_it_shows_how_the_file_was_understood(page: ImportPage, qtbot: QtBot) -> None:
    """Every column with its meaning, every experiment found, and a folder proposed."""
    choose_file(page, PUBLISHED, qtbot)
    table = find(page, DataTable, "import.columns_table")
    assert len(table.shown_keys) == 10
    assert "15 measurements (CSV" in said(page, "understood")
    assert "log_reader" in said(page, "understood")
    assert find(page, QLineEdit, "import.folder_edit").text()
    assert find(page, QPushButton, "import.make_button").isEnabled()


def test_a_file_that_cannot_be_used_is_told_beside_its_field(page: ImportPage, qtbot: QtBot, tmp_path: Path) -> None:
    """A wrong heading is named with its place; a missing file, too."""
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("family,colour\nlog_reader,blue\n")
    choose_file(page, str(wrong), qtbot)
    assert str(wrong) in said(page, "file_error")
    choose_file(page, str(tmp_path / "missing.csv"), qtbot)
    assert "missing.csv" in said(page, "file_error")
    assert not find(page, QPushButton, "import.make_button").isEnabled()


@pytest.mark.parametrize(("typed", "error"), [("3", ""), ("2,5 %", ""), ("", ""), ("0", "above 0"), ("x", "x")])
def test_the_noise_is_checked_as_one_types(page: ImportPage, qtbot: QtBot, typed: str, error: str) -> None:
    """A percentage is accepted with point or comma; anything else is told beside the field."""
    choose_file(page, PUBLISHED, qtbot)
    type_text(find(page, QLineEdit, "import.noise_edit"), typed)
    shown_error = said(page, "noise_error")
    assert bool(shown_error) == bool(error)
    assert error in shown_error
    assert find(page, QPushButton, "import.make_button").isEnabled() == (not error)


def test_a_session_made_of_measurements_opens_at_its_findings(
    desk: Desk, shown: Shown, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the start page to the findings of a published study, with a noise level."""
    window = MainWindow(desk, bare_pages())
    shown(window)
    click(find(window, QPushButton, "start.import_button"))
    page = find(window, ImportPage, "page.import")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_arguments: (PUBLISHED, ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_arguments: str(tmp_path / "study"))
    click(find(page, QPushButton, "import.file_browse_button"))
    click(find(page, QPushButton, "import.folder_browse_button"))
    type_text(find(page, QLineEdit, "import.noise_edit"), "3")
    make = find(page, QPushButton, "import.make_button")
    qtbot.waitUntil(make.isEnabled)
    click(make)
    frame = find(window, WizardFrame, "wizard")
    qtbot.waitUntil(lambda: frame.page is not None)
    assert frame.wizard.step is Step.FINDINGS
    file = tmp_path / "study" / "session.replitune"
    assert summarise_session(file).imported_from == "replication-agents-2018.csv"
    assert desk.preferences.recent_sessions == (str(file),)


def test_a_folder_that_cannot_be_written_is_told(page: ImportPage, qtbot: QtBot, tmp_path: Path) -> None:
    """Where the folder cannot be made the page says why, and the person can choose another one."""
    (tmp_path / "file").write_text("")
    choose_file(page, PUBLISHED, qtbot)
    folder = find(page, QLineEdit, "import.folder_edit")
    folder.clear()
    type_text(folder, str(tmp_path / "file" / "below"))
    click(find(page, QPushButton, "import.make_button"))
    qtbot.waitUntil(lambda: "give another folder" in said(page, "missing"))
    assert find(page, QPushButton, "import.make_button").isEnabled()
