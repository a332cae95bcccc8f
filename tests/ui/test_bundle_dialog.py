"""A client's file packed in the window and unpacked again, with and without names."""

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLabel, QLineEdit, QListWidget, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.services.hand_over.engagement import add_note
from app.services.preferences import Preferences
from app.ui.desk import Desk
from app.ui.pages.bundle_dialog import ExportDialog, ImportDialog
from tests.ui.conftest import Shown
from tests.ui.person import click, find, type_text
from tests.ui.sessions import run_on_lab
from tests.ui.test_accessible_names import nameless
from tests.ui.test_engagement_page import button_of


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a client's file with a session measured on the lab and a person's name in a note."""
    folder = tmp_path_factory.mktemp("client")
    run_on_lab(folder)
    path = (folder / "session.replitune").rename(folder / "Fabrikam.replitune")
    add_note(path, "Ask Halvorsen about the night load")
    return path


@pytest.fixture
def holder(shown: Shown) -> QWidget:
    """Return the window the dialogs are over."""
    made = QWidget()
    shown(made)
    return made


def settle(desk: Desk, qtbot: QtBot) -> None:
    """Wait until nothing is written any more."""
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def test_a_bundle_goes_out_without_names_and_in_again(
    client: Path, desk: Desk, holder: QWidget, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name proposed does not tell the client; names listed are gone; unpacked it opens as a client's file."""
    desk.prefer(Preferences(sessions_folder=str(tmp_path / "sessions")))
    dialog = ExportDialog(desk, client, holder)
    dialog.open()
    out = find(dialog, QLineEdit, "bundle_export.out_edit")
    assert out.text() == str(client.with_suffix(".zip"))
    find(dialog, QCheckBox, "bundle_export.redact_check").setChecked(True)
    assert out.text() == str(client.with_name("bundle-redacted.zip"))
    type_text(find(dialog, QPlainTextEdit, "bundle_export.hide_text"), "Ask Halvorsen about the night load")
    target = tmp_path / "handed on.zip"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(target), ""))
    click(button_of(dialog, "bundle_export.browse_button"))
    assert nameless(dialog) == []
    click(button_of(dialog, "bundle_export.write_button"))
    settle(desk, qtbot)
    assert find(dialog, QLabel, "bundle_export.status.text").text().startswith(f"Written: {target} (1 session")
    dialog.close()
    with zipfile.ZipFile(target) as archive:
        assert not [name for name in archive.namelist() if b"Halvorsen" in archive.read(name)]
    into = ImportDialog(desk, holder)
    into.open()
    type_text(find(into, QLineEdit, "bundle_import.bundle_edit"), str(target))
    assert find(into, QLineEdit, "bundle_import.folder_edit").text() == str(tmp_path / "sessions" / "handed-on")
    assert nameless(into) == []
    with qtbot.waitSignal(into.unpacked) as caught:
        click(button_of(into, "bundle_import.unpack_button"))
    assert caught.args == [str(tmp_path / "sessions" / "handed-on" / "engagement.replitune")]


def test_notes_that_may_name_somebody_are_decided_first(
    client: Path, desk: Desk, holder: QWidget, qtbot: QtBot, tmp_path: Path
) -> None:
    """Nothing is written before the person has seen them; ticked ones are replaced, the others stay."""
    add_note(client, "Bluebird runs at Kellerman")
    dialog = ExportDialog(desk, client, holder)
    dialog.open()
    out = find(dialog, QLineEdit, "bundle_export.out_edit")
    out.selectAll()
    target = tmp_path / "decided.zip"
    type_text(out, str(target))
    find(dialog, QCheckBox, "bundle_export.redact_check").setChecked(True)
    click(button_of(dialog, "bundle_export.write_button"))
    settle(desk, qtbot)
    words = find(dialog, QListWidget, "bundle_export.undecided_list")
    assert "may name somebody" in find(dialog, QLabel, "bundle_export.status.text").text()
    by_text = {words.item(row).text(): words.item(row) for row in range(words.count())}
    assert by_text.keys() == {"Ask Halvorsen about the night load", "Bluebird runs at Kellerman"}
    assert not target.exists()
    assert nameless(dialog) == []
    by_text["Bluebird runs at Kellerman"].setCheckState(Qt.CheckState.Unchecked)
    click(button_of(dialog, "bundle_export.write_button"))
    settle(desk, qtbot)
    dialog.close()
    with zipfile.ZipFile(target) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist())
    assert b"Bluebird" in everything
    assert b"Halvorsen" not in everything
    assert b"Kellerman" in everything


NOWHERE = Path("/nowhere/at/all").absolute()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Give a file for the bundle."),
        (str(NOWHERE / "bundle.rar"), "The name of a bundle ends in .zip."),
        ("bundle.zip", "Give the whole path"),
        (str(NOWHERE / "b.zip"), f"The folder {NOWHERE} does not exist."),
    ],
)
def test_a_bundle_that_has_no_place_is_told_as_it_is_typed(
    client: Path, desk: Desk, holder: QWidget, typed: str, sentence: str
) -> None:
    """The sentence stands below the field, and nothing can be written."""
    dialog = ExportDialog(desk, client, holder)
    dialog.open()
    out = find(dialog, QLineEdit, "bundle_export.out_edit")
    out.clear()
    type_text(out, typed)
    out.textEdited.emit(typed)
    assert find(dialog, QLabel, "bundle_export.status.text").text().startswith(sentence)
    assert not button_of(dialog, "bundle_export.write_button").isEnabled()
    dialog.close()


def test_a_file_that_is_no_bundle_is_refused(desk: Desk, holder: QWidget, qtbot: QtBot, tmp_path: Path) -> None:
    """One sentence, the dialog stays, and nothing is unpacked."""
    wrong = tmp_path / "photos.zip"
    with zipfile.ZipFile(wrong, "w") as archive:
        archive.writestr("../escape.txt", "x")
    dialog = ImportDialog(desk, holder)
    dialog.open()
    type_text(find(dialog, QLineEdit, "bundle_import.bundle_edit"), str(wrong))
    folder = find(dialog, QLineEdit, "bundle_import.folder_edit")
    folder.clear()
    type_text(folder, str(tmp_path / "new"))
    click(button_of(dialog, "bundle_import.unpack_button"))
    settle(desk, qtbot)
    assert "leads elsewhere" in find(dialog, QLabel, "bundle_import.status.text").text()
    assert dialog.isVisible()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name not in ("home", "preferences.json")) == [
        "photos.zip"
    ]
    dialog.close()
