"""One client's file in the window: its sessions, notes, tags, search, and who else has it open."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from app.services.hand_over.engagement import read_engagement
from app.store import OpenElsewhere, create_session_file, open_for_writing
from app.ui.desk import Desk
from app.ui.pages.engagement_page import EngagementPage
from app.ui.widgets.table import DataTable
from tests.store.sample import FILES, make_record
from tests.ui.conftest import Shown
from tests.ui.person import click, find, type_text
from tests.ui.test_accessible_names import nameless

ACROSS = Qt.Orientation.Horizontal
OLD = "S20260101-080000-000001"
SESSION = make_record().session_id


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a client's file with two sessions, the sample being the newer one."""
    path = tmp_path / "Fabrikam.replitune"
    with create_session_file(path) as store:
        store.add_session(replace(make_record(), session_id=OLD, title="Before the upgrade"))
        store.add_session(make_record())
    return path


@pytest.fixture
def page(desk: Desk, shown: Shown) -> Iterator[EngagementPage]:
    """The page, shown; it is left at the end, as it is when the window closes."""
    made = EngagementPage(desk)
    shown(made)
    yield made
    made.hide()


@pytest.fixture
def filled(page: EngagementPage, path: Path, desk: Desk, qtbot: QtBot) -> EngagementPage:
    """The page with that file, its newest session chosen."""
    page.show_file(path)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    return page


def sessions_of(page: EngagementPage) -> DataTable:
    """Return the table of sessions."""
    return find(page, DataTable, "engagement.sessions_table")


def said(page: EngagementPage, name: str) -> str:
    """Return a sentence of the page."""
    return find(page, QLabel, f"engagement.{name}.text").text()


def button_of(page: QWidget, name: str) -> QPushButton:
    """Return a button by its whole name."""
    return find(page, QPushButton, name)


def button(page: QWidget, name: str) -> QPushButton:
    """Return a button of the page."""
    return button_of(page, f"engagement.{name}_button")


def select(table: DataTable, *places: int) -> None:
    """Select the rows at some places."""
    flags = QItemSelectionModel.SelectionFlag
    table.selectionModel().clearSelection()
    for place in places:
        table.selectionModel().select(table.model().index(place, 0), flags.Select | flags.Rows)


def test_the_sessions_of_the_file_are_listed(filled: EngagementPage) -> None:
    """Newest first, the newest chosen; everything that can be used has a name."""
    assert sessions_of(filled).shown_keys == (SESSION, OLD)
    assert sessions_of(filled).selected_keys == (SESSION,)
    assert said(filled, "access").startswith("Measurements, notes and tags are saved at once")
    sessions_of(filled).copy_all()
    copied = QGuiApplication.clipboard().text()
    assert "Before the upgrade" in copied
    assert "Showed" in copied
    assert "…" not in copied  # what each session showed has come in
    table = sessions_of(filled)
    place = next(n for n in range(table.model().columnCount()) if table.model().headerData(n, ACROSS) == "Showed")
    assert table.columnWidth(place) >= table.sizeHintForColumn(place)
    assert nameless(filled) == []


def test_notes_and_tags_are_on_disk_at_once(filled: EngagementPage, path: Path, desk: Desk, qtbot: QtBot) -> None:
    """A note and tags are read back from the file as soon as they are written, on the session and on a run."""
    type_text(find(filled, QPlainTextEdit, "engagement.note_text"), "Call the DBA")
    click(button(filled, "add_note"))
    assert [r.text for r in read_engagement(path).sessions[0].remarks] == ["Call the DBA"]
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    combo = find(filled, QComboBox, "engagement.place_combo")
    combo.setCurrentIndex(combo.findData("E1"))
    tags = find(filled, QLineEdit, "engagement.tags_edit")
    type_text(tags, "before, Urgent, before")
    tags.editingFinished.emit()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert read_engagement(path).sessions[0].tags_of("E1") == ("before", "Urgent")
    assert tags.text() == "before, Urgent"
    tags.clear()
    type_text(tags, "urgent")
    tags.editingFinished.emit()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert read_engagement(path).sessions[0].tags_of("E1") == ("Urgent",)
    find(filled, DataTable, "engagement.notes_table").choose_row("1")
    click(button(filled, "remove_note"))
    assert read_engagement(path).sessions[0].remarks == ()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def test_a_note_begun_is_kept_when_one_goes_elsewhere(
    filled: EngagementPage, path: Path, desk: Desk, qtbot: QtBot
) -> None:
    """Choosing another session, or leaving the filled, loses nothing that was typed."""
    text = find(filled, QPlainTextEdit, "engagement.note_text")
    type_text(text, "first thought")
    sessions_of(filled).choose_row(OLD)
    assert text.toPlainText() == ""
    type_text(text, "second thought")
    filled.hide()
    newest, old = read_engagement(path).sessions
    assert [r.text for r in newest.remarks] == ["first thought"]
    assert [r.text for r in old.remarks] == ["second thought"]
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def test_wrong_tags_are_told_and_change_nothing(filled: EngagementPage, path: Path) -> None:
    """A tag that is too long is refused in one sentence."""
    tags = find(filled, QLineEdit, "engagement.tags_edit")
    tags.setText("good, " + "x" * 61)
    tags.editingFinished.emit()
    assert "must have 1 to 60 characters" in said(filled, "status")
    assert read_engagement(path).sessions[0].tags_of() == ()


def test_a_second_opener_reads_only_and_is_told_who_has_it(
    page: EngagementPage, desk: Desk, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While somebody else has the file it is listed, but neither notes nor sessions can be added."""
    monkeypatch.setenv("LOGNAME", "ann")
    with open_for_writing(path):
        page.show_file(path)
        qtbot.waitUntil(lambda: desk.tasks.count == 0)
        assert "can only be read here" in said(page, "access")
        assert "ann on " in said(page, "access")
        assert sessions_of(page).shown_keys == (SESSION, OLD)
        assert find(page, QPlainTextEdit, "engagement.note_text").isReadOnly()
        assert not button(page, "new").isEnabled()
        assert button(page, "open").isEnabled()
        assert button(page, "compare").isEnabled()
    page.show_file(path)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert not find(page, QPlainTextEdit, "engagement.note_text").isReadOnly()


def test_the_file_is_held_while_it_is_on_screen(filled: EngagementPage, path: Path, desk: Desk, qtbot: QtBot) -> None:
    """Nobody else writes it meanwhile; once the page is left anybody may, and it is taken again when one returns."""
    with pytest.raises(OpenElsewhere):
        open_for_writing(path)
    filled.hide()
    open_for_writing(path).close()
    filled.show()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    with pytest.raises(OpenElsewhere):
        open_for_writing(path)


def test_a_search_finds_sessions_by_what_is_said_of_them(filled: EngagementPage, desk: Desk, qtbot: QtBot) -> None:
    """Every word must occur in the session; a double click on a place goes there."""
    type_text(find(filled, QLineEdit, "engagement.search_edit"), "UPGRADE")
    click(button(filled, "search"))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    hits = find(filled, DataTable, "engagement.hits_table")
    assert [key.partition(" ")[2] for key in hits.shown_keys] == [OLD]
    assert said(filled, "status").startswith("1 place in 1 session")
    hits.row_activated.emit(hits.shown_keys[0])
    assert sessions_of(filled).current_key == OLD
    assert find(filled, QTabWidget, "engagement.tabs").currentIndex() == 0
    find(filled, QLineEdit, "engagement.search_edit").clear()
    type_text(find(filled, QLineEdit, "engagement.search_edit"), "zebra")
    click(button(filled, "search"))
    qtbot.waitUntil(lambda: said(filled, "status").startswith("Nothing found"))


def test_what_can_be_done_is_asked_for(filled: EngagementPage, path: Path, qtbot: QtBot) -> None:
    """New session, findings, comparison (older one first), bundle, back."""
    for name, signal, expected in (
        ("new", filled.begin_requested, [str(path)]),
        ("open", filled.session_chosen, [str(path), SESSION]),
        ("export", filled.export_requested, [str(path)]),
        ("leave", filled.left, []),
    ):
        with qtbot.waitSignal(signal) as caught:
            click(button(filled, name))
        assert caught.args == expected
    select(sessions_of(filled), 0, 1)
    with qtbot.waitSignal(filled.compare_requested) as caught:
        click(button(filled, "compare"))
    assert caught.args == [str(path), (OLD, SESSION)]


def test_a_file_of_the_first_version_opens_with_a_copy_beside(
    page: EngagementPage, desk: Desk, tmp_path: Path, qtbot: QtBot
) -> None:
    """An older file is brought to the present format; what it was lies beside it."""
    path = tmp_path / "old.replitune"
    path.write_bytes((FILES / "v1-measured.replitune").read_bytes())
    page.show_file(path)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert len(sessions_of(page).shown_keys) == 1
    assert (tmp_path / "old.replitune.v1.bak").is_file()
    assert not find(page, QPlainTextEdit, "engagement.note_text").isReadOnly()


def test_nothing_of_one_client_is_seen_with_another(
    filled: EngagementPage, desk: Desk, tmp_path: Path, qtbot: QtBot
) -> None:
    """Another file shows its own sessions, notes, tags and hits, and nothing of the one before."""
    type_text(find(filled, QPlainTextEdit, "engagement.note_text"), "Secret of Fabrikam")
    click(button(filled, "add_note"))
    type_text(find(filled, QLineEdit, "engagement.search_edit"), "secret")
    click(button(filled, "search"))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    tables = [find(filled, DataTable, f"engagement.{name}_table") for name in ("sessions", "notes", "hits")]
    assert all(table.shown_keys for table in tables)
    other = tmp_path / "Other.replitune"
    create_session_file(other).close()
    filled.show_file(other)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert [table.shown_keys for table in tables] == [(), (), ()]
    assert find(filled, QLineEdit, "engagement.search_edit").text() == ""
    assert find(filled, QLineEdit, "engagement.tags_edit").text() == ""
    assert said(filled, "status") == ""


def test_a_file_that_cannot_be_read_is_told(page: EngagementPage, desk: Desk, tmp_path: Path, qtbot: QtBot) -> None:
    """One sentence, and nothing can be done with it."""
    page.show_file(tmp_path / "gone.replitune")
    qtbot.waitUntil(lambda: "gone.replitune" in said(page, "status"))
    for name in ("new", "open", "compare", "export"):
        assert not button(page, name).isEnabled()


def test_the_session_chosen_is_held_against_the_target_it_ran_on(
    filled: EngagementPage, path: Path, qtbot: QtBot
) -> None:
    """The dialog is asked for with the newest run's target."""
    with qtbot.waitSignal(filled.verify_requested) as asked:
        click(button(filled, "verify"))
    assert asked.args == [str(path), SESSION, make_record().runs[-1].target]
