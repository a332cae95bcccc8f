"""Settings and About."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QLabel, QLineEdit, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from app.services.preferences import PreferenceFile, Preferences
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.pages.settings_dialog import SettingsDialog
from app.ui.widgets.table import DataTable
from tests.ui.conftest import Shown
from tests.ui.person import click, find, press, type_text
from tests.ui.shell_parts import bare_pages


@pytest.fixture
def dialog(desk: Desk, shown: Shown) -> SettingsDialog:
    """The settings, alone."""
    made = SettingsDialog(desk)
    shown(made, 600, 300)
    return made


def test_settings_are_saved_together(
    dialog: SettingsDialog, desk: Desk, preference_file: PreferenceFile, tmp_path: Path
) -> None:
    """Save keeps everything entered, on disk, too."""
    combo = find(dialog, QComboBox, "settings.scheme_combo")
    combo.setCurrentIndex(combo.findData("dark"))
    type_text(find(dialog, QLineEdit, "settings.folder_edit"), str(tmp_path))
    type_text(find(dialog, QLineEdit, "settings.consultant_edit"), "R. Meyer ")
    find(dialog, QSpinBox, "settings.lab_seed_spin").setValue(7)
    click(find(dialog, QPushButton, "settings.save_button"))
    expected = Preferences(scheme="dark", sessions_folder=str(tmp_path), consultant="R. Meyer", lab_seed=7)
    assert desk.preferences == expected
    assert preference_file.load() == expected
    assert not dialog.isVisible()


def test_a_wrong_path_is_told_beside_its_field_as_one_types(dialog: SettingsDialog) -> None:
    """A relative folder and a logo that is no picture cannot be saved; the reason stands beside them."""
    type_text(find(dialog, QLineEdit, "settings.folder_edit"), "sessions")
    assert find(dialog, QLabel, "settings.folder_error.text").text() == (
        "Give the whole path, starting at the drive or root."
    )
    save = find(dialog, QPushButton, "settings.save_button")
    assert not save.isEnabled()
    find(dialog, QLineEdit, "settings.folder_edit").clear()
    type_text(find(dialog, QLineEdit, "settings.logo_edit"), "/x/logo.doc")
    assert find(dialog, QLabel, "settings.logo_error.text").text() == "A logo is a PNG, JPEG or SVG file."


def test_the_dialog_makes_room_for_its_errors(dialog: SettingsDialog) -> None:
    """With an error under each path every word of the dialog is still seen whole."""
    type_text(find(dialog, QLineEdit, "settings.folder_edit"), "sessions")
    type_text(find(dialog, QLineEdit, "settings.logo_edit"), "/x/logo.doc")
    layout = dialog.layout()
    assert layout is not None
    assert dialog.height() >= layout.totalHeightForWidth(dialog.width())
    words = [label for label in dialog.findChildren(QLabel) if label.isVisible() and label.wordWrap()]
    assert words
    for label in words:
        assert label.height() >= label.heightForWidth(label.width()), label.text()


def test_escape_leaves_everything_as_it_was(dialog: SettingsDialog, desk: Desk) -> None:
    """Escape closes without saving."""
    type_text(find(dialog, QLineEdit, "settings.consultant_edit"), "nobody")
    press(dialog, Qt.Key.Key_Escape)
    assert desk.preferences == Preferences()
    assert not dialog.isVisible()


def test_a_folder_can_be_chosen(dialog: SettingsDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's dialog fills the field; leaving it without a choice changes nothing."""
    answers = [str(tmp_path), ""]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_arguments: answers.pop(0))
    for _time in range(2):
        click(find(dialog, QPushButton, "settings.folder_browse_button"))
        assert find(dialog, QLineEdit, "settings.folder_edit").text() == str(tmp_path)


def test_settings_and_about_open_over_the_window(desk: Desk, shown: Shown, qtbot: QtBot) -> None:
    """Both are reached from the menu and leave with Escape; About names Qt and its licence."""
    window = MainWindow(desk, bare_pages())
    shown(window)
    find(window, QAction, "action.settings").trigger()
    press(find(window, QDialog, "settings"), Qt.Key.Key_Escape)
    find(window, QAction, "action.about").trigger()
    about = find(window, QDialog, "about")
    assert "Qt and PySide6" in find(about, DataTable, "about.parts_table").shown_keys
    click(find(about, QPushButton, "about.close_button"))
    qtbot.waitUntil(lambda: not window.findChildren(QDialog))
