"""The page of the findings, on a real session of the lab and on imported measurements."""

from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, QRect, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from app.domain.comparison import Verdict
from app.domain.plot import Mark
from app.domain.table import ResultTable, TableCell, TableColumn
from app.flows.explain.findings_view import MeasuredTable
from app.flows.shell.wizard import Choices, RunEnd
from app.foundation.paths import resource_path
from app.reporting.tables.measured import measured_table
from app.services.explain.imported_session import read_session
from app.services.program import Program
from app.store import create_session_file
from app.ui.desk import Desk
from app.ui.pages.findings_page import FindingsPage
from app.ui.theme import Tone, tone_color
from app.ui.widgets.finding_card import FindingCard
from app.ui.widgets.findings_panes import MeasuredPane
from app.ui.widgets.interval_bar import IntervalBar
from app.ui.widgets.plot import PlotView
from app.ui.widgets.table import DataTable
from app.ui.widgets.verdict_badge import VerdictBadge
from tests.ui.conftest import Shown
from tests.ui.person import click, find, press, type_text
from tests.ui.plots import nameless_curves
from tests.ui.sessions import run_on_lab


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Choices:
    """A session of one small run; the tests only read it."""
    return run_on_lab(tmp_path_factory.mktemp("measured"))


@pytest.fixture
def page(desk: Desk, shown: Shown) -> FindingsPage:
    """The page, shown."""
    made = FindingsPage(desk)
    shown(made, 1040, 600)
    return made


def _loaded(page: FindingsPage, desk: Desk, choices: Choices, qtbot: QtBot) -> None:
    page.show_choices(choices)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    for button in page.findChildren(QToolButton):  # what stands behind the decisions
        if button.objectName().endswith(".evidence_button"):
            button.setChecked(True)


def _status(page: FindingsPage) -> str:
    return find(page, QLabel, "findings.status.text").text()


def test_without_a_session_it_says_what_to_do(page: FindingsPage) -> None:
    """Nothing run, nothing opened: a sentence, no empty tables."""
    page.show_choices(Choices())
    assert _status(page) == "There is no session yet; run the experiment first."
    assert page.findChild(QTabWidget, "findings.tabs") is None


def test_while_it_reads_it_says_so(page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """Reading and explaining go on in the background, in sight."""
    busy: list[str] = []
    page.busy_changed.connect(busy.append)
    page.show_choices(measured)
    assert find(page, QProgressBar, "findings.loading").isVisible()
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert busy == []  # its own bar shows it: a second one below would show the same


def test_a_file_that_is_not_there_can_be_tried_again(
    page: FindingsPage, desk: Desk, tmp_path: Path, qtbot: QtBot
) -> None:
    """A missing file is one sentence with a way to try again."""
    _loaded(page, desk, Choices(folder=tmp_path / "nowhere"), qtbot)
    assert "nowhere" in _status(page)
    assert find(page, QPushButton, "findings.retry_button").isVisible()
    click(find(page, QPushButton, "findings.retry_button"))
    assert desk.tasks.count == 1
    qtbot.waitUntil(lambda: desk.tasks.count == 0)


def test_cards_carry_verdict_plot_and_reasons(page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """Each finding is a card with a badge in words; its plot is drawn when it is seen."""
    _loaded(page, desk, measured, qtbot)
    assert find(page, QLabel, "findings.headline").text() == "1 change recommended."
    badge = find(page, VerdictBadge, "findings.card_1.verdict")
    assert badge.text == badge.accessibleName() == "Improvement shown"
    plot = find(page, PlotView, "findings.card_1.plot")
    QApplication.processEvents()
    find(page, QScrollArea, "findings.cards").ensureWidgetVisible(plot)
    qtbot.waitUntil(lambda: plot.plot_item is not None)
    assert plot.accessibleDescription()
    texts = " ".join(label.text() for label in find(page, QFrame, "findings.decision_1").findChildren(QLabel))
    for word in ("Recommendation", "Because", "Trade-off", "Risk", "Undo", "Sources", "Trials behind it"):
        assert word in texts


def test_it_is_computed_once_for_each_session(page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """Entering again reads nothing; another page is given what was computed."""
    _loaded(page, desk, measured, qtbot)
    page.show_choices(measured)
    assert desk.tasks.count == 0
    assert measured.place is not None
    assert measured.run_end is not None
    again = [desk.explanations.explain(measured.place.session_file, measured.run_end.session_id) for _ in range(2)]
    assert again[0] is again[1]


def test_details_of_a_card_unfold(page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """What was compared and what the rule looked at are one click away."""
    _loaded(page, desk, measured, qtbot)
    button = find(page, QToolButton, "findings.card_1.details_button")
    QApplication.processEvents()
    find(page, QScrollArea, "findings.cards").ensureWidgetVisible(button)
    click(button)
    assert find(page, DataTable, "findings.card_1.comparisons_table").shown_keys
    assert find(page, DataTable, "findings.card_1.facts_table").shown_keys
    click(button)
    assert not find(page, DataTable, "findings.card_1.facts_table").isVisible()
    press(button, Qt.Key.Key_Space)
    assert find(page, DataTable, "findings.card_1.facts_table").isVisible()


def test_from_a_finding_to_its_trial_and_its_readings(
    page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """A link leads to the trial: its facts, measures and readings, any of which can be chosen; Escape closes it."""
    _loaded(page, desk, measured, qtbot)
    find(page, QLabel, "findings.card_1.evidence").linkActivated.emit("distribution_agent/E1-T001")
    dialog = find(page, QDialog, "trial_dialog")
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.windowTitle() == "Trial E1-T001"
    assert "run_time" in find(dialog, DataTable, "trial_dialog.measures_table").shown_keys
    plot = find(dialog, PlotView, "trial_dialog.plot")
    qtbot.waitUntil(lambda: plot.plot_item is not None)
    combo = find(dialog, QComboBox, "trial_dialog.stream_combo")
    before = plot.spec
    combo.setCurrentIndex((combo.currentIndex() + 1) % combo.count())
    assert plot.spec != before
    press(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: page.findChild(QDialog, "trial_dialog") is None)


def test_a_link_to_no_trial_does_nothing(page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """A trial the session does not hold opens nothing."""
    _loaded(page, desk, measured, qtbot)
    find(page, FindingCard, "findings.card_1").trial_chosen.emit("log_reader/E7-T001")
    assert page.findChild(QDialog, "trial_dialog") is None


def test_all_trials_can_be_filtered_and_opened(page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """Every trial is in a table; words narrow it down; Return opens one."""
    _loaded(page, desk, measured, qtbot)
    find(page, FindingCard, "findings.card_1").trials_requested.emit()
    tabs = find(page, QTabWidget, "findings.tabs")
    assert tabs.currentWidget().findChild(DataTable, "findings.trials_table") is not None
    table = find(page, DataTable, "findings.trials_table")
    assert len(table.shown_keys) == 12
    type_text(find(page, QLineEdit, "findings.trials_filter"), "confirming 8")
    assert 0 < len(table.shown_keys) < 12
    table.choose_row(table.shown_keys[0])
    press(table, Qt.Key.Key_Return)
    dialog = find(page, QDialog, "trial_dialog")
    qtbot.waitUntil(dialog.isVisible)
    click(find(dialog, QPushButton, "trial_dialog.close_button"))
    qtbot.waitUntil(lambda: page.findChild(QDialog, "trial_dialog") is None)


def test_every_measure_stands_by_setting(page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """One table needs no choice: its title and what must be known to read it stand above it."""
    _loaded(page, desk, measured, qtbot)
    tabs = find(page, QTabWidget, "findings.tabs")
    (place,) = [number for number in range(tabs.count()) if tabs.tabText(number) == "&Measures"]
    assert tabs.isTabVisible(place)
    tabs.setCurrentIndex(place)
    assert len(find(page, DataTable, "findings.measured_0_table").shown_keys) == 4  # both settings, in both phases
    shown = [label.text() for label in tabs.currentWidget().findChildren(QLabel)]
    assert any(text.startswith("What each setting measured") for text in shown)
    assert any("a claim rests on the comparisons" in text for text in shown)
    assert page.findChild(QComboBox, "findings.measured_choice") is None


def test_one_of_several_tables_of_measures_is_chosen(qtbot: QtBot) -> None:
    """A number is copied without its grouping, a missing one is a dash, and an interval reads as in the report."""
    columns = (TableColumn("setting", "Setting"), TableColumn("rate", "Rate", "MB/s"))
    rows = (("one", TableCell(1234.5)), ("two", TableCell(2.0, 1.5, 2.5)), ("three", "–"))
    made = measured_table(ResultTable("t", "Table", columns, rows))
    given = [MeasuredTable(f"Table {number}", made, "") for number in (1, 2)]
    assert [[cell.text for cell in row.cells] for row in given[0].content.rows] == [
        ["one", "1,234"],
        ["two", "2 (1.5\u00a0to\u00a02.5)"],
        ["three", "–"],
    ]
    assert given[0].content.rows[0].cells[1].copied == "1234.5"
    assert [column.is_number for column in given[0].content.columns] == [False, True]
    pane = MeasuredPane(given, {})
    qtbot.addWidget(pane)
    choice = find(pane, QComboBox, "findings.measured_choice")
    shown = [find(pane, DataTable, f"findings.measured_{number}_table") for number in range(2)]
    assert [table.isVisibleTo(pane) for table in shown] == [True, False]
    choice.setCurrentIndex(1)
    assert [table.isVisibleTo(pane) for table in shown] == [False, True]


class _Browser(QObject):
    """Stands in for the system's browser."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open_link(self, url: QUrl) -> None:
        """Note what was to be opened."""
        self.opened.append(url.toString())


def test_sources_open_in_the_browser(page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """A source is a link the system opens."""
    _loaded(page, desk, measured, qtbot)
    browser = _Browser()
    QDesktopServices.setUrlHandler("https", browser, "open_link")  # type: ignore[arg-type]  # takes no bytes
    try:
        find(page, QLabel, "findings.card_1.sources").linkActivated.emit("https://learn.microsoft.com/sql")
    finally:
        QDesktopServices.unsetUrlHandler("https")
    assert browser.opened == ["https://learn.microsoft.com/sql"]


def _import(program: Program, folder: Path) -> Choices:
    session = read_session(resource_path("published") / "replication-agents-2018.csv", program.families, 0.03)
    with create_session_file(folder / "study.replitune") as store:
        store.add_session(session)
    end = RunEnd(session.session_id, "", "succeeded", "", ())
    return Choices(folder=folder, file_name="study.replitune", run_end=end, opened=True)


def test_imported_measurements_are_shown_with_what_they_cannot_tell(
    page: FindingsPage, desk: Desk, tmp_path: Path, qtbot: QtBot
) -> None:
    """A published study: nine comparisons cannot be told, with the trials that would settle each, one click away."""
    _loaded(page, desk, _import(desk.program, tmp_path), qtbot)
    click(find(page, QPushButton, "findings.not_shown_button"))
    table = find(page, DataTable, f"findings.{Verdict.CANNOT_TELL}_table")
    assert len(table.shown_keys) == 9
    assert table.visibleRegion().boundingRect().height() > 0
    button = find(page, QToolButton, "findings.not_evaluated_button")
    assert not find(page, DataTable, "findings.not_evaluated_table").isVisible()
    click(button)
    assert find(page, DataTable, "findings.not_evaluated_table").isVisible()
    find(page, DataTable, "findings.trials_table").row_activated.emit("log_reader/R500")
    dialog = find(page, QDialog, "trial_dialog")
    assert not find(dialog, QComboBox, "trial_dialog.stream_combo").isEnabled()
    dialog.close()
    qtbot.waitUntil(lambda: page.findChild(QDialog, "trial_dialog") is None)


def test_another_session_replaces_what_is_shown(
    page: FindingsPage, desk: Desk, measured: Choices, tmp_path: Path, qtbot: QtBot
) -> None:
    """The page shows the session asked for last, whichever is read first."""
    page.show_choices(measured)
    _loaded(page, desk, _import(desk.program, tmp_path), qtbot)
    assert len(find(page, DataTable, "findings.trials_table").shown_keys) == 15


def test_where_the_page_is_narrow_a_figure_stands_below_the_words(
    page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """On a laptop at 200 % neither has half a line; beside each other where both have room."""
    page.show_choices(measured)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    card, plot = find(page, QFrame, "findings.decision_1"), find(page, PlotView, "findings.decision_1.plot")
    effect = find(page, QLabel, "findings.decision_1.effect")
    for width_px, is_below in ((600, True), (1040, False)):
        page.resize(width_px, 600)
        for _turn in range(3):
            QApplication.processEvents()
        above_px = plot.mapTo(card, QPoint()).y() - effect.mapTo(card, QPoint()).y()
        assert (above_px > effect.height()) is is_below


def test_the_answer_stands_first_with_its_scripts_and_folded_evidence(
    page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot
) -> None:
    """One large statement with its interval; what applies it and takes it back beside it; trials one click away."""
    page.show_choices(measured)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert find(page, QLabel, "findings.decision_1.kind").text() == "Change"
    effect = find(page, QLabel, "findings.decision_1.effect")
    assert effect.text().startswith("−")
    assert effect.font().pointSizeF() > 2 * page.font().pointSizeF()
    bar = find(page, IntervalBar, "findings.decision_1.bar")
    assert effect.text() in bar.accessibleName()
    assert page.findChild(FindingCard, "findings.card_1") is None
    fold = find(page, QToolButton, "findings.decision_1.evidence_button")
    find(page, QScrollArea, "findings.cards").ensureWidgetVisible(fold)
    click(fold)
    assert find(page, FindingCard, "findings.card_1").isVisible()
    click(find(page, QPushButton, "findings.decision_1.apply_button"))
    script = find(page, QPlainTextEdit, "findings.script_view.text")
    assert "SubscriptionStreams" in script.toPlainText()
    press(find(page, QDialog, "findings.script"), Qt.Key.Key_Escape)


@pytest.mark.parametrize(("width_px", "height_px"), [(1216, 678), (1770, 990)], ids=["1366x768", "1920x1080"])
def test_a_decision_stands_beside_the_figure_of_its_trials(
    desk: Desk, shown: Shown, measured: Choices, qtbot: QtBot, width_px: int, height_px: int
) -> None:
    """Every trial is in sight without scrolling, with today's setting and the proposed one, as large as there is
    room."""
    page = FindingsPage(desk)
    shown(page, width_px, height_px)
    page.show_choices(measured)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    plot = find(page, PlotView, "findings.decision_1.plot")
    qtbot.waitUntil(lambda: plot.plot_item is not None)
    assert plot.spec is not None
    assert sum(len(series.x) for series in plot.spec.series if series.mark is Mark.POINTS) == 12
    assert any(series.mark is Mark.INTERVALS for series in plot.spec.series)
    assert plot.width() > 0.4 * width_px
    assert plot.height() > 0.55 * height_px
    sight = find(page, QScrollArea, "findings.cards").viewport()
    assert sight.rect().contains(QRect(plot.mapTo(sight, QPoint()), plot.size()))
    assert not nameless_curves(page)


def test_a_gain_is_said_once(page: FindingsPage, desk: Desk, measured: Choices, qtbot: QtBot) -> None:
    """The large number is the only one; neither headline, lead nor the evidence below repeats it or what to do."""
    page.show_choices(measured)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    frame = find(page, QFrame, "findings.decision_1")
    gain = find(page, QLabel, "findings.decision_1.effect").text().lstrip("−")
    assert [label.text() for label in frame.findChildren(QLabel) if gain in label.text()] == [f"−{gain}"]
    said = [label.text() for label in frame.findChildren(QLabel)]
    click(find(page, QToolButton, "findings.decision_1.evidence_button"))
    below = [label.text() for label in find(page, FindingCard, "findings.card_1").findChildren(QLabel)]
    (recommended,) = [text for text in said if "Recommendation" in text]
    assert recommended not in below
    assert "SubscriptionStreams" not in find(page, QLabel, "findings.headline").text()


def test_comparisons_are_bars_in_rows(desk: Desk, shown: Shown, measured: Choices, qtbot: QtBot) -> None:
    """Each row draws its interval left of its words, all on one axis with the line of no change."""
    page = FindingsPage(desk)
    shown(page, 1216, 678)
    page.show_choices(measured)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    find(page, QTabWidget, "findings.tabs").setCurrentIndex(1)
    table = find(page, DataTable, "findings.comparisons_table")
    qtbot.waitUntil(table.isVisible)
    headings = [table.model().headerData(place, Qt.Orientation.Horizontal) for place in range(9)]
    (column,) = [place for place, heading in enumerate(headings) if "interval" in str(heading)]
    image = table.viewport().grab().toImage()
    lines = set()
    for row in range(len(table.shown_keys)):
        cell = table.visualRect(table.model().index(row, column))
        colors = [image.pixelColor(x, cell.center().y() + 1) for x in range(cell.left(), cell.right())]
        drawn = [place for place, color in enumerate(colors) if color == tone_color(Tone.GOOD)]
        assert len(drawn) > 10, "no bar of an improvement"
        edge = [image.pixelColor(x, cell.top() + 1) for x in range(cell.left(), cell.right())]
        lines.add(max(range(len(edge)), key=lambda x: -edge[x].lightness()))
    assert len(table.shown_keys) == 2
    assert len(lines) == 1, "the line of no change stands elsewhere in each row"


def test_noise_and_effect_can_be_played_with(page: FindingsPage, measured: Choices, desk: Desk, qtbot: QtBot) -> None:
    """By keyboard; it says that it is only a look, tells mistakes as they are typed, and keeps nothing."""
    page.show_choices(measured)
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert measured.place is not None
    before = measured.place.session_file.read_bytes()
    press(find(page, QPushButton, "findings.what_if_button"), Qt.Key.Key_Space)
    dialog = find(page, QDialog, "what_if")
    assert any("keep the plan's values" in label.text() for label in dialog.findChildren(QLabel))
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    table = find(dialog, DataTable, "what_if.table")
    assert table.shown_keys
    noise = find(dialog, QLineEdit, "what_if.noise_edit")
    type_text(noise, "900")
    assert "below 100" in find(dialog, QLabel, "what_if.status.text").text()
    noise.clear()
    type_text(noise, "90")
    qtbot.waitUntil(lambda: desk.tasks.count == 0)
    assert "verdict" in find(dialog, QLabel, "what_if.status.text").text()
    assert measured.place.session_file.read_bytes() == before
    press(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dialog.isVisible())
