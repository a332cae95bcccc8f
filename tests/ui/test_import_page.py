"""Import of measurements made elsewhere, from the file to the findings."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLabel, QLineEdit, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Step
from app.foundation.paths import resource_path
from app.services.hand_over.past_sessions import summarise_session
from app.ui.desk import Desk
from app.ui.main_window import MainWindow
from app.ui.pages.import_page import ImportPage
from app.ui.widgets.one_line import OneLine
from app.ui.widgets.table import DataTable
from app.ui.wizard_frame import WizardFrame
from tests.ui.conftest import Shown
from tests.ui.person import click, find, press, type_text
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


def test_it_shows_the_file_and_what_its_columns_hold(page: ImportPage, qtbot: QtBot) -> None:
    """The rows as they are written, a meaning for every column, every experiment found, and a folder proposed."""
    choose_file(page, PUBLISHED, qtbot)
    assert len(find(page, DataTable, "import.raw_table").shown_keys) == 15
    assert find(page, QComboBox, "import.column_6_combo").currentText() == "Parameter ReadBatchSize"
    assert "15 measurements (CSV" in said(page, "understood")
    assert "Log Reader Agent: how much to read at once · run time by" in said(page, "understood")
    assert said(page, "problems") == ""
    assert find(page, QLineEdit, "import.folder_edit").text()
    assert find(page, QPushButton, "import.make_button").isEnabled()


def test_a_file_that_cannot_be_looked_at_is_told_beside_its_field(
    page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    """One that is no text, and one that is not there."""
    wrong = tmp_path / "wrong.csv"
    wrong.write_bytes(b"PK\x03\x04")
    choose_file(page, str(wrong), qtbot)
    assert str(wrong) in said(page, "file_error")
    choose_file(page, str(tmp_path / "missing.csv"), qtbot)
    assert "missing.csv" in said(page, "file_error")
    assert not find(page, QPushButton, "import.make_button").isEnabled()


def test_a_persons_own_file_is_mapped_by_keyboard(page: ImportPage, qtbot: QtBot, tmp_path: Path) -> None:
    """From the field of the file Tab leads to every list, letters choose in them, and the button makes a session."""
    own = tmp_path / "own.csv"
    own.write_text("Read batch size,Figure,Server\n500,3.5,PUB1\n5000,2.75,PUB1\n500,3.4,PUB1\n5000,2.8,PUB1\n")
    page.resize(1366, 700)
    choose_file(page, str(own), qtbot)
    assert len(said(page, "problems").splitlines()) == 1
    qtbot.waitUntil(find(page, QComboBox, "import.column_3_combo").isVisible)
    folder = find(page, QLineEdit, "import.folder_edit")
    folder.clear()
    type_text(folder, str(tmp_path / "study"))
    find(page, QLineEdit, "import.file_edit").setFocus()
    for name, keys in (
        ("import.column_3_combo", "Leave"),
        ("import.family_combo", ""),
        ("import.metric_combo", "Run"),
        ("import.unit_combo", "min"),
    ):
        tab_to(page, name)
        combo = find(page, QComboBox, name)
        type_text(combo, keys)
        qtbot.waitUntil(lambda: page._desk.tasks.count == 0)
        assert combo.hasFocus()  # what is tried does not take the keyboard away
    assert said(page, "problems") == ""
    assert "4 measurements" in said(page, "understood")
    made: list[str] = []
    page.session_made.connect(made.append)
    tab_to(page, "import.make_button")
    press(find(page, QPushButton, "import.make_button"), Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: bool(made))
    assert summarise_session(Path(made[0])).imported_from == "own.csv"


def tab_to(page: ImportPage, name: str) -> None:
    """Press Tab until a widget has the keyboard."""
    for _step in range(60):
        focused = QApplication.focusWidget() or page
        if focused.objectName() == name:
            return
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    pytest.fail(f"Tab does not lead to {name}")


def test_the_published_studies_are_offered(page: ImportPage, qtbot: QtBot) -> None:
    """Choosing one reads it."""
    menu = find(page, QPushButton, "import.published_button").menu()
    menu.aboutToShow.emit()
    assert len(menu.actions()) == len(list(resource_path("published").glob("*.csv")))
    menu.actions()[2].trigger()
    qtbot.waitUntil(lambda: page._desk.tasks.count == 0)
    assert find(page, QLineEdit, "import.file_edit").text().endswith("availability-groups-2016.csv")
    assert "Availability group: what a synchronous commit costs" in said(page, "understood")


def test_a_template_of_a_family_can_be_saved(page: ImportPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each experiment; it is said where it went, and why it could not be written."""
    menu = find(page, QPushButton, "import.template_button").menu()
    menu.aboutToShow.emit()
    assert len(menu.actions()) == len(page._desk.program.families)
    out = tmp_path / "template.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: (str(out), ""))
    menu.actions()[0].trigger()
    assert out.read_text().startswith("run")
    assert str(out) in said(page, "missing")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: (str(out / "below"), ""))
    menu.actions()[0].trigger()
    assert "choose another folder" in said(page, "missing")


@pytest.mark.parametrize("width", [1366, 683])
def test_nothing_is_clipped_at_either_width(page: ImportPage, qtbot: QtBot, width: int) -> None:
    """Columns and file stand beside each other, or below where there is no room."""
    page.resize(width, 384)
    choose_file(page, PUBLISHED, qtbot)
    table = find(page, DataTable, "import.raw_table")
    combo = find(page, QComboBox, "import.column_1_combo")
    qtbot.waitUntil(combo.isVisible)
    is_beside = table.mapTo(page, QPoint()).x() > combo.mapTo(page, QPoint()).x()
    assert is_beside == (width == 1366)
    for label in page.findChildren(QLabel):
        if label.isVisible() and not isinstance(label, OneLine) and not label.wordWrap():
            assert label.sizeHint().width() <= label.width(), label.text()
    scroll = find(page, QScrollArea, "import.scroll_area")
    inside = scroll.widget()
    assert inside is not None
    assert inside.width() <= scroll.viewport().width()


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


OWN = "Read batch size\tFigure\n500\t12:31\n5000\t5:31\n"


def wait(page: ImportPage, qtbot: QtBot) -> None:
    """Wait until nothing is read any more."""
    qtbot.waitUntil(lambda: page._desk.tasks.count == 0)


def test_a_pasted_table_is_read_and_kept(page: ImportPage, qtbot: QtBot) -> None:
    """As text with tabs, as spreadsheets and web pages copy it; it stands in a file beside the sessions."""
    QApplication.clipboard().setText(OWN.replace("Figure", "Duration"))
    find(page, QPushButton, "import.paste_button").click()
    wait(page, qtbot)
    assert "2 measurements (CSV, utf-8, tabs" in said(page, "understood")
    assert "331 to 751 s" in said(page, "understood")
    assert Path(find(page, QLineEdit, "import.file_edit").text()).read_text().startswith("Read batch size")
    QApplication.clipboard().setText(" ")
    QTest.keyClick(page, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert said(page, "missing") == "There is no file and no table on the clipboard."


def test_a_dropped_file_is_read(page: ImportPage, qtbot: QtBot) -> None:
    """A workbook as well."""
    workbook = Path(__file__).parents[1] / "unit" / "importing" / "imports" / "two_heads.xlsx"
    dragged = QMimeData()
    dragged.setUrls([QUrl.fromLocalFile(str(workbook))])
    nothing = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    entering = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, dragged, *nothing)
    QApplication.sendEvent(page, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(page, QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, dragged, *nothing))
    wait(page, qtbot)
    assert 'sheet "Results"' in said(page, "understood")
    assert "190 to 751 s" in said(page, "understood")


def test_choices_are_offered_for_the_next_file_of_its_kind(page: ImportPage, qtbot: QtBot, tmp_path: Path) -> None:
    """What was chosen for the same headings is taken again, and said to be."""
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    plain = OWN.replace("12:31", "751").replace("5:31", "331")  # no clock says that these are times
    first.write_text(plain)
    second.write_text(plain.replace("751", "720"))
    choose_file(page, str(first), qtbot)
    assert "what they are is not said" in said(page, "problems")
    type_text(find(page, QComboBox, "import.metric_combo"), "Run")
    wait(page, qtbot)
    folder = find(page, QLineEdit, "import.folder_edit")
    folder.clear()
    type_text(folder, str(tmp_path / "study"))
    with qtbot.waitSignal(page.session_made):
        find(page, QPushButton, "import.make_button").click()
    wait(page, qtbot)
    choose_file(page, str(second), qtbot)
    assert said(page, "problems") == ""
    assert said(page, "understood").startswith("Taken over from the last file with these headings")
    assert "331 to 720 s" in said(page, "understood")


def test_every_table_is_shown_with_what_was_understood_or_is_open(page: ImportPage, qtbot: QtBot) -> None:
    """One file after the other: its rows, and either its experiments or what is missing."""
    for path in sorted((Path(__file__).parents[1] / "unit" / "importing" / "imports").iterdir()):
        choose_file(page, str(path), qtbot)
        assert find(page, DataTable, "import.raw_table").shown_keys, path.name
        assert bool(said(page, "problems")) != ("measurements (" in said(page, "understood")), path.name


def test_numbers_without_a_rule_are_compared_in_a_table(page: ImportPage, qtbot: QtBot) -> None:
    """GoldenGate's or MySQL's parameters: nothing is advised and no session made, but the table is there."""
    assert not find(page, DataTable, "import.compared_table").isVisible()
    choose_file(page, str(Path(__file__).parents[1] / "unit" / "importing" / "imports" / "measures_as_rows.tsv"), qtbot)
    assert find(page, DataTable, "import.compared_table").isVisible()
    assert len(find(page, DataTable, "import.compared_table").shown_keys) == 6
    assert 'There is no rule for "Seed"' in said(page, "understood")
    assert not find(page, QPushButton, "import.make_button").isEnabled()


def test_conditions_of_all_rows_are_typed(page: ImportPage, qtbot: QtBot, tmp_path: Path) -> None:
    """A field below the columns; what was typed stays in it while it is tried."""
    path = tmp_path / "site.csv"
    path.write_text("SubscriptionStreams,duration_s\n1,751\n4,331\n", encoding="utf-8")
    choose_file(page, str(path), qtbot)
    field = find(page, QLineEdit, "import.conditions_edit")
    type_text(field, "rtt_ms=20")
    field.editingFinished.emit()
    wait(page, qtbot)
    assert "at rtt_ms 20" in said(page, "understood")
    assert field.text() == "rtt_ms=20"
