"""The page of the hand-over, on a real session of the lab."""

import re
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QAction, QDesktopServices, QImage
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.flows.shell.wizard import Choices, RunEnd
from app.services.hand_over.engagement import write_own_words
from app.services.hand_over.report_and_scripts import ReportFormat
from app.store import open_for_reading, open_for_writing
from app.ui.desk import Desk
from app.ui.pages.hand_over_page import HandOverPage
from app.ui.pages.names_dialog import NamesDialog
from app.ui.pages.own_words_dialog import OwnWordsDialog
from app.ui.theme import Tone
from app.ui.widgets.page_stack import PageStack
from app.ui.widgets.report_form import ReportFormPane
from app.ui.widgets.report_preview import ReportPreview
from app.ui.widgets.status_line import StatusLine
from app.ui.widgets.table import DataTable
from tests.files import files_below
from tests.patience import PATIENCE_MS
from tests.ui.conftest import Shown
from tests.ui.journey import clashing_mnemonics
from tests.ui.person import click, find, press, type_text, walk_by_tab
from tests.ui.sessions import run_on_lab
from tests.ui.test_accessible_names import nameless


@pytest.fixture(scope="module")
def session_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a session of one small run; the tests copy it."""
    folder = tmp_path_factory.mktemp("measured")
    run_on_lab(folder)
    return folder


@pytest.fixture
def measured(session_folder: Path, tmp_path: Path) -> Choices:
    """The session in a folder of the test's own, nothing handed over yet."""
    folder = tmp_path / "session"
    folder.mkdir()
    shutil.copy(session_folder / "session.replitune", folder)
    return Choices(folder=folder, opened=True)


@pytest.fixture
def page(desk: Desk, shown: Shown) -> HandOverPage:
    """The page, shown."""
    made = HandOverPage(desk)
    shown(made, 1040, 600)
    return made


def _entered(page: HandOverPage, desk: Desk, choices: Choices, qtbot: QtBot) -> None:
    page.show_choices(choices)
    _settled(desk, qtbot)


def _settled(desk: Desk, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def _button(page: HandOverPage, name: str) -> QPushButton:
    return find(page, QPushButton, f"hand_over.{name}_button")


def _choose(page: HandOverPage, name: str) -> None:
    """Choose an entry of the menu of what else can be done."""
    find(page, QAction, f"hand_over.{name}_action").trigger()


def _status(page: HandOverPage) -> str:
    return find(page, QLabel, "hand_over.status.text").text()


def _folder(choices: Choices) -> Path:
    assert choices.folder is not None
    return choices.folder


def test_without_a_session_nothing_can_be_written(page: HandOverPage) -> None:
    """Nothing run, nothing opened: a sentence, and no button that would fail."""
    page.show_choices(Choices())
    assert _status(page) == "There is no session yet; run the experiment first."
    assert not any(_button(page, name).isEnabled() for name in ("everything", "open", "folder"))
    assert not any(
        find(page, QAction, f"hand_over.{name}_action").isEnabled() for name in ("report", "scripts", "data")
    )


def test_a_file_of_several_experiments_offers_one_report_of_all(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """Beside "Write everything"; not where the file holds one. It is written with its scripts, and listed."""
    _entered(page, desk, measured, qtbot)
    assert not _button(page, "all").isVisible()
    file = _folder(measured) / "session.replitune"
    with open_for_reading(file) as reader:
        first = reader.read_session(None)
    with open_for_writing(file) as store:
        store.add_session(replace(first, session_id="S2", created_utc=first.created_utc + timedelta(days=1)))
        store.add_session(replace(first, session_id="S3", runs=()))
    _entered(page, desk, replace(measured, run_end=RunEnd("S2", "E1", "succeeded", "", ())), qtbot)
    assert (_button(page, "all").isVisible(), _button(page, "all").text()) == (True, "Report of all 2 experiments")
    assert clashing_mnemonics(page) == {}
    combo = find(page, QComboBox, "hand_over.format_combo")
    combo.setCurrentIndex(combo.findData(ReportFormat.MARKDOWN))
    click(_button(page, "all"))
    qtbot.waitUntil(lambda: _status(page).startswith("Written"), timeout=PATIENCE_MS)
    report = _folder(measured) / "session-report-of-all.md"
    assert {run.split(" ")[0] for run in re.findall(r"E[12] [^|]*", report.read_text(encoding="utf-8"))} >= {"E1", "E2"}
    assert "session-report-of-all.md" in _status(page)
    assert ".sql" in _status(page)
    assert str(report) in find(page, DataTable, "hand_over.files_table").shown_keys


def test_a_session_that_cannot_be_read_says_why_and_is_read_again(
    page: HandOverPage, desk: Desk, tmp_path: Path, measured: Choices, qtbot: QtBot
) -> None:
    """A missing file is one sentence; once it is there, entering the page again reads it."""
    lost = replace(measured, folder=tmp_path / "nowhere")
    _entered(page, desk, lost, qtbot)
    assert "nowhere" in _status(page)
    assert not _button(page, "everything").isEnabled()
    shutil.copytree(_folder(measured), tmp_path / "nowhere")
    _entered(page, desk, lost, qtbot)
    assert _button(page, "everything").isEnabled()


def test_the_keyboard_begins_with_the_title(page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """Fields are entered in the order they stand in, labels are whole, and the main button looks like it."""
    _entered(page, desk, measured, qtbot)
    page.setFocus(Qt.FocusReason.TabFocusReason)
    page.focusNextChild()
    names = ("title_edit", "client_edit", "consultant_edit", "foreword_edit", "logo_edit")
    assert walk_by_tab(5) == [f"hand_over.{name}" for name in names]
    form = find(page, ReportFormPane, "hand_over.form")
    assert all(
        label.width() >= label.sizeHint().width() for label in form.findChildren(QLabel) if label.buddy() is not None
    )
    assert _button(page, "everything").isDefault()


def test_everything_is_written_at_once_and_the_report_opened(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """One button writes report, scripts and data; the report can be opened once it is there."""
    _entered(page, desk, measured, qtbot)
    assert not _button(page, "open").isEnabled()
    click(_button(page, "everything"))
    _settled(desk, qtbot)
    written = {path.name for path in _folder(measured).iterdir()}
    assert written >= {"report.pdf", "apply-1-DIST1.sql", "undo-1-DIST1.sql", "measurements.csv", "results.json"}
    assert _status(page).startswith("Written: report.pdf (")
    opener = _Opener()
    QDesktopServices.setUrlHandler("file", opener, "open_file")  # type: ignore[arg-type]  # takes no bytes
    try:
        click(_button(page, "open"))
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert opener.opened == [str(_folder(measured) / "report.pdf")]


def test_title_and_foreword_are_typed_on_the_page(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """Both are kept in the session's file, and a report written right after typing holds them; the client stays."""
    _entered(page, desk, measured, qtbot)
    title = find(page, QLineEdit, "hand_over.title_edit")
    assert title.placeholderText()
    type_text(find(page, QLineEdit, "hand_over.client_edit"), "ACME Ltd")
    type_text(title, "Streams for ACME")
    press(title, Qt.Key.Key_Return)
    _settled(desk, qtbot)
    foreword = find(page, QPlainTextEdit, "hand_over.foreword_edit")
    foreword.setFocus()
    type_text(foreword, "You asked why it waits.")
    click(_button(page, "everything"))
    _settled(desk, qtbot)
    assert find(page, QLineEdit, "hand_over.client_edit").text() == "ACME Ltd"
    text = "".join(page.extract_text() for page in PdfReader(_folder(measured) / "report.pdf").pages)
    assert "Streams for ACME" in text
    assert "You asked why it waits." in " ".join(text.split())
    with open_for_reading(_folder(measured) / "session.replitune") as reader:
        own = reader.read_own_words()
    assert own == {"title": "Streams for ACME", "foreword": "You asked why it waits."}


def test_words_entered_in_the_dialog_stand_in_the_form(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """Title and foreword are the same there and here, and what else was typed is kept."""
    _entered(page, desk, measured, qtbot)
    type_text(find(page, QLineEdit, "hand_over.client_edit"), "ACME Ltd")
    _choose(page, "words")
    dialog = page.findChildren(OwnWordsDialog)[-1]
    type_text(find(dialog, QLineEdit, "own_words.title_edit"), "Streams")
    click(find(dialog, QPushButton, "own_words.keep_button"))
    _settled(desk, qtbot)
    assert find(page, QLineEdit, "hand_over.title_edit").text() == "Streams"
    assert find(page, QLineEdit, "hand_over.client_edit").text() == "ACME Ltd"


def test_form_and_preview_stand_below_each_other_where_there_is_little_room(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """At 200 % on a laptop; beside each other else."""
    _entered(page, desk, measured, qtbot)
    preview = find(page, ReportPreview, "hand_over.preview")
    page.resize(1166, 900)
    qtbot.waitUntil(lambda: preview.x() > 100)
    page.resize(640, 900)
    qtbot.waitUntil(lambda: preview.x() < 100)
    assert page.minimumSizeHint().width() <= 640
    page.resize(640, 300)
    form = find(page, ReportFormPane, "hand_over.form")
    layout = form.layout()
    assert layout is not None
    qtbot.waitUntil(lambda: form.height() >= layout.heightForWidth(form.width()))  # no line over another


def test_own_words_are_kept_in_the_session_and_shown(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """A foreword and prose for a decision stand in the session's file, and in the dialog when it is opened again."""
    _entered(page, desk, measured, qtbot)
    for text in ("You asked why.", "You asked why it waits."):
        _choose(page, "words")
        dialog = page.findChildren(OwnWordsDialog)[-1]
        find(dialog, QPlainTextEdit, "own_words.foreword_edit").setPlainText(text)
        find(dialog, QPlainTextEdit, "own_words.1_edit").setPlainText("Do this first.")
        click(find(dialog, QPushButton, "own_words.keep_button"))
        _settled(desk, qtbot)
    with open_for_reading(_folder(measured) / "session.replitune") as reader:
        own = reader.read_own_words()
    assert own["foreword"] == "You asked why it waits."
    assert [text for place, text in own.items() if place != "foreword"] == ["Do this first."]
    _choose(page, "words")
    dialog = page.findChildren(OwnWordsDialog)[-1]
    assert find(dialog, QPlainTextEdit, "own_words.1_edit").toPlainText() == "Do this first."
    dialog.reject()


def test_the_report_is_shown_before_it_is_written(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """Every page of the report can be looked at, by buttons and by keys, and nothing is written."""
    _entered(page, desk, measured, qtbot)
    preview = find(page, ReportPreview, "hand_over.preview")
    assert preview.page_count > 3
    label = find(page, QLabel, "hand_over.page_label")
    assert label.text() == f"Page 1 of {preview.page_count}"
    assert not _button(page, "page_before").isEnabled()
    click(_button(page, "page_next"))
    assert label.text().startswith("Page 2 ")
    area = find(page, QScrollArea, "hand_over.preview_area")
    press(area, Qt.Key.Key_PageDown)
    assert label.text().startswith("Page 3 ")
    press(area, Qt.Key.Key_PageUp)
    click(_button(page, "page_before"))
    assert label.text().startswith("Page 1 ")
    assert not (_folder(measured) / "report.pdf").exists()


def test_the_report_is_written_with_the_names_typed(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """Client and consultant stand in the PDF; the file is listed with its size; the consultant is remembered."""
    _entered(page, desk, measured, qtbot)
    type_text(find(page, QLineEdit, "hand_over.client_edit"), "ACME Ltd")
    consultant = find(page, QLineEdit, "hand_over.consultant_edit")
    type_text(consultant, "Jo Doe")
    press(consultant, Qt.Key.Key_Return)
    _settled(desk, qtbot)
    _choose(page, "report")
    assert not _button(page, "everything").isEnabled()
    _settled(desk, qtbot)
    assert _status(page).startswith("Written: report.pdf (")
    cover = PdfReader(_folder(measured) / "report.pdf").pages[0].extract_text()
    assert "ACME Ltd" in cover
    assert "Jo Doe" in cover
    assert desk.preferences.consultant == "Jo Doe"


def test_names_can_be_replaced_without_losing_the_other_report(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """The redacted report is a file of its own and names no server; its preview says the same."""
    _entered(page, desk, measured, qtbot)
    press(find(page, QCheckBox, "hand_over.redact_check"), Qt.Key.Key_Space)
    _settled(desk, qtbot)
    _choose(page, "report")
    _settled(desk, qtbot)
    text = "".join(p.extract_text() for p in PdfReader(_folder(measured) / "report-redacted.pdf").pages)
    assert "PUB1" not in text
    assert not (_folder(measured) / "report.pdf").exists()


def test_the_second_session_of_a_folder_has_files_of_its_own(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """The first's report is neither listed nor opened as the second's, and nothing of it is replaced."""
    _entered(page, desk, measured, qtbot)
    click(_button(page, "everything"))
    _settled(desk, qtbot)
    before = files_below(_folder(measured))
    second = run_on_lab(_folder(measured))
    page.show_choices(second)
    assert not _button(page, "open").isEnabled()
    _settled(desk, qtbot)
    assert not _button(page, "open").isEnabled()
    click(_button(page, "everything"))
    _settled(desk, qtbot)
    assert second.run_end is not None
    own = _folder(measured) / second.run_end.session_id
    assert (own / "report.pdf").is_file()
    assert _button(page, "open").isEnabled()
    after = files_below(_folder(measured))
    goes_on = {"session.replitune", "rollback.sql", "undo.journal"}
    assert [name for name in before if Path(name).name not in goes_on and after[name] != before[name]] == []


def test_words_of_ones_own_are_decided_before_a_redacted_report_is_written(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """Nothing is written before the person has seen each text; a ticked one is replaced, another stays."""
    session = _folder(measured) / "session.replitune"
    words = {"foreword": "mr huber of acme gmbh waits", "title": "slow nights"}
    write_own_words(session, words, desk.program.advisor)
    _entered(page, desk, measured, qtbot)
    press(find(page, QCheckBox, "hand_over.redact_check"), Qt.Key.Key_Space)
    _settled(desk, qtbot)
    _choose(page, "report")
    _settled(desk, qtbot)
    out = _folder(measured) / "report-redacted.pdf"
    assert not out.exists()
    dialog = find(page, NamesDialog, "names")
    listed = find(dialog, QListWidget, "names.undecided_list")
    by_text = {listed.item(row).text(): listed.item(row) for row in range(listed.count())}
    assert by_text.keys() == set(words.values())
    assert nameless(dialog) == []
    by_text["slow nights"].setCheckState(Qt.CheckState.Unchecked)
    click(find(dialog, QPushButton, "names.write_button"))
    _settled(desk, qtbot)
    text = "".join(p.extract_text() for p in PdfReader(out).pages)
    assert "slow nights" in text
    assert "huber" not in text
    assert "acme" not in text


def test_scripts_and_data_are_saved_and_listed(page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """Each script, CSV and JSON are written beside the session."""
    _entered(page, desk, measured, qtbot)
    _choose(page, "scripts")
    _settled(desk, qtbot)
    assert _status(page).startswith("Written: before-1-DIST1.sql (")
    _choose(page, "data")
    _settled(desk, qtbot)
    for name in ("apply-1-DIST1.sql", "verify-1-DIST1.sql", "undo-1-DIST1.sql", "measurements.csv", "results.json"):
        assert (_folder(measured) / name).stat().st_size > 0
    table = find(page, DataTable, "hand_over.files_table")
    table.copy_all()
    assert len(table.shown_keys) == 9


def test_mistakes_stand_beside_the_field_and_hold_the_report_back(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """A logo that is none is told while it is typed; the report waits, scripts do not."""
    _entered(page, desk, measured, qtbot)
    logo = find(page, QLineEdit, "hand_over.logo_edit")
    type_text(logo, "logo.gif")
    assert find(page, QLabel, "hand_over.logo_error.text").text() == "A logo is a PNG, JPEG or SVG file."
    assert not _button(page, "everything").isEnabled()
    assert find(page, QAction, "hand_over.scripts_action").isEnabled()
    logo.selectAll()
    press(logo, Qt.Key.Key_Delete)
    assert _button(page, "everything").isEnabled()


def test_a_logo_goes_on_the_cover_and_a_broken_one_is_told(
    page: HandOverPage, desk: Desk, measured: Choices, tmp_path: Path, qtbot: QtBot
) -> None:
    """A picture is taken; a file that only looks like one is told in the preview and when writing."""
    _entered(page, desk, measured, qtbot)
    good, bad = tmp_path / "good.png", tmp_path / "bad.png"
    image = QImage(40, 20, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    assert image.save(str(good))
    bad.write_bytes(b"no picture")
    logo = find(page, QLineEdit, "hand_over.logo_edit")
    for path in (bad, good):
        logo.clear()
        type_text(logo, str(path))
        press(logo, Qt.Key.Key_Return)
        _settled(desk, qtbot)
        _choose(page, "report")
        _settled(desk, qtbot)
        problem = find(page, QLabel, "hand_over.preview_status.text").text()
        assert ("logo" in problem) == (path is bad)
        assert _status(page).startswith("Written") == (path is good)


@pytest.mark.parametrize(
    ("written_as", "names"),
    [
        (ReportFormat.HTML, {"report.html"}),
        (ReportFormat.MARKDOWN, {"report.md", "report.files"}),
        (ReportFormat.WORD, {"report.docx", "report.files"}),
        (ReportFormat.SLIDES, {"report.pptx"}),
        (ReportFormat.WORKBOOK, {"report.xlsx"}),
        (ReportFormat.CALENDAR, {"report.ics"}),
        (ReportFormat.CSV, {"findings.csv"}),
    ],
    ids=lambda given: given.value if isinstance(given, ReportFormat) else "",
)
def test_the_report_is_written_as_chosen(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot, written_as: ReportFormat, names: set[str]
) -> None:
    """Each format, with its files, is listed once it is written."""
    _entered(page, desk, measured, qtbot)
    find(page, QComboBox, "hand_over.format_combo").setCurrentIndex(list(ReportFormat).index(written_as))
    _choose(page, "report")
    _settled(desk, qtbot)
    assert {path.name for path in _folder(measured).iterdir()} == {"session.replitune", *names}
    assert _status(page).startswith("Written: ")
    assert str(_folder(measured) / min(names, key=len)) in find(page, DataTable, "hand_over.files_table").shown_keys


def test_a_folder_that_cannot_be_written_is_told(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """Where a file cannot be written the page says which and why."""
    _entered(page, desk, measured, qtbot)
    (_folder(measured) / "apply-1-DIST1.sql").mkdir()
    _choose(page, "scripts")
    _settled(desk, qtbot)
    assert "apply-1-DIST1.sql" in _status(page)
    assert find(page, QAction, "hand_over.scripts_action").isEnabled()


class _Opener(QObject):
    """Stands in for the system's file browser."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open_file(self, url: QUrl) -> None:
        """Note what was to be opened."""
        self.opened.append(url.toLocalFile())


def test_the_folder_and_each_file_can_be_opened(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """The folder opens in the system's browser; so does a file that is there, and only that."""
    _entered(page, desk, measured, qtbot)
    opener = _Opener()
    QDesktopServices.setUrlHandler("file", opener, "open_file")  # type: ignore[arg-type]  # takes no bytes
    try:
        click(_button(page, "folder"))
        table = find(page, DataTable, "hand_over.files_table")
        for name in ("session.replitune", "report.pdf"):
            table.choose_row(str(_folder(measured) / name))
            press(table, Qt.Key.Key_Return)
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert opener.opened == [str(_folder(measured)), str(_folder(measured) / "session.replitune")]


def test_closing_while_the_preview_is_made_waits_for_it(
    page: HandOverPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """A worker that waits for a figure to be drawn on this thread does not hold the end up for ever."""
    page.show_choices(measured)
    qtbot.waitUntil(lambda: _button(page, "everything").isEnabled())
    assert desk.tasks.count == 1
    desk.close()
    assert find(page, ReportPreview, "hand_over.preview").page_count == 0


def test_no_field_of_the_form_is_pushed_over_another(desk: Desk, measured: Choices, shown: Shown, qtbot: QtBot) -> None:
    """As low as the page may be, with many files written: the sentence below the fields takes no room of theirs."""
    page, stack, area = HandOverPage(desk), PageStack(), QScrollArea()
    stack.addWidget(page)
    area.setWidgetResizable(True)
    area.setWidget(stack)
    shown(area, 1104, 640)
    _entered(page, desk, measured, qtbot)
    area.resize(1104, 560)
    find(page, StatusLine, "hand_over.status").show_status("Written: " + "apply-1-DIST1.sql (17.4 KB), " * 9, Tone.GOOD)
    QApplication.processEvents()
    fields = [find(page, QWidget, f"hand_over.{name}") for name in ("foreword_edit", "logo_edit", "format_combo")]
    tops = [field.mapTo(page, field.rect().topLeft()).y() for field in fields]
    assert tops[0] + fields[0].height() <= tops[1]
    assert tops[1] + fields[1].height() <= tops[2]
