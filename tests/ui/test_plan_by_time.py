"""Planning by time: the grid of trials moves with the form, and a design that fits fills it, by mouse or keyboard."""

from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QRadioButton, QSpinBox, QToolButton, QWidget

from app.domain.plan import Plan, Stop
from app.flows.plan.trial_grid import TrialGrid
from app.flows.shell.wizard import Choices, choose_family, choose_target, keep_reading
from app.ui.desk import Desk
from app.ui.pages.plan_page import PlanPage
from app.ui.theme import Tone, tone_color
from app.ui.widgets.plot import PlotView
from app.ui.widgets.trial_grid_view import TrialGridView
from tests.ui.clipping import painted_texts
from tests.ui.conftest import Shown
from tests.ui.person import click, find, press, type_text
from tests.unit.flows.sites import LAB, reading
from tests.unit.runner.memory import MemoryClock

NINE = datetime(2026, 3, 2, 9, 12).astimezone()


# Of a lab no time of day is told.
SERVER = "sqlserver://tuner@distributor:1433"


def at_nine() -> MemoryClock:
    """Return a clock that stands at twelve past nine."""
    clock = MemoryClock()
    clock.sleep((NINE - clock.now_utc()).total_seconds())
    return clock


class ByTime:
    """The page of the Log Reader."""

    def __init__(self, desk: Desk, shown: Shown, size_px: tuple[int, int] = (1190, 700), target: str = LAB) -> None:
        read = keep_reading(choose_target(Choices(), target), reading().discovery, reading().sites)
        self.page = PlanPage(desk)
        self.told: list[Choices] = []
        self.page.choices_changed.connect(self.told.append)
        shown(self.page, *size_px)
        self.page.show_choices(choose_family(read, "log_reader"))
        self.settle()

    def settle(self) -> None:
        """Let everything be laid out and drawn."""
        for _turn in range(6):
            self.page.grab()
            QApplication.processEvents()

    @property
    def plan(self) -> Plan:
        """The plan told last."""
        plan = self.told[-1].plan
        assert plan is not None
        return plan

    @property
    def view(self) -> TrialGridView:
        """What paints the trials."""
        return find(self.page, TrialGridView, "plan.trial_grid")

    @property
    def grid(self) -> TrialGrid:
        """What is painted."""
        assert self.view.grid is not None
        return self.view.grid

    @property
    def minutes(self) -> QSpinBox:
        """The field for the time there is."""
        return find(self.page, QSpinBox, "plan.minutes_edit")

    def design(self, place: int) -> QRadioButton:
        """Return the button of a design."""
        return find(self.page, QRadioButton, f"plan.design_{place}_radio")

    def designs(self) -> list[QRadioButton]:
        """Return those that are shown."""
        found = self.page.findChildren(QRadioButton)
        return [button for button in found if button.objectName().startswith("plan.design_") and button.isVisible()]

    def unfold(self) -> None:
        """Show the fields of trials and limits."""
        click(find(self.page, QToolButton, "plan.fold_button"))

    def label(self, name: str) -> str:
        """Return the text of a label."""
        return find(self.page, QLabel, name).text().replace("\u00a0", " ")


@pytest.fixture
def by_time(desk: Desk, shown: Shown) -> ByTime:
    """The page with the recommended plan."""
    return ByTime(desk, shown)


def test_the_grid_moves_with_the_form(by_time: ByTime) -> None:
    """A block more, a row less; nothing while the form lacks something."""
    assert (len(by_time.grid.rows), len(by_time.grid.boxes)) == (6, 21)
    by_time.unfold()
    edit = find(by_time.page, QWidget, "plan.design.blocks_edit")
    edit.setFocus()
    press(edit, Qt.Key.Key_End)
    press(edit, Qt.Key.Key_Backspace)
    assert not by_time.view.isVisible()
    assert by_time.label("plan.estimate") == "Not complete yet; check: Exploring blocks"
    type_text(edit, "4")
    assert len(by_time.grid.boxes) == 26
    assert by_time.view.isVisible()
    assert by_time.label("plan.estimate").startswith("26 trials in 7 blocks")


def test_the_time_there_is_shows_a_limit_and_the_designs_that_fit(by_time: ByTime) -> None:
    """Nothing of both before anybody said; taken back, both go again."""
    assert by_time.designs() == []
    assert by_time.grid.limit is None
    assert by_time.minutes.text() == "no limit"
    assert "Say how long you have" in by_time.label("plan.designs_ask.text")
    card, plot = (find(by_time.page, QWidget, f"plan.{name}") for name in ("designs", "power_plot"))
    assert card.height() < 3 * by_time.minutes.height(), "a question of one line has no card of many"
    assert plot.width() == card.width()
    before = by_time.minutes.mapTo(by_time.page, QPoint())
    by_time.minutes.setValue(300)
    by_time.settle()
    assert by_time.grid.limit is not None
    assert by_time.minutes.mapTo(by_time.page, QPoint()) == before, "the field that is typed into stays"
    assert [button.accessibleName()[:26] for button in by_time.designs()] == [
        "2 exploring + 8 confirming",
        "2 exploring + 7 confirming",
        "3 exploring + 1 confirming",
    ]
    assert "38 min to spare" in by_time.label("plan.in_hand.text")
    assert by_time.label("plan.designs_note.text").startswith("5 % shown 8 times in 10 takes about 8 h 45 min ")
    by_time.minutes.setValue(30)
    by_time.settle()
    assert by_time.designs()
    assert all("smaller workload" in button.accessibleName() for button in by_time.designs())
    assert by_time.label("plan.designs_note.text").startswith("As it is, the plan takes 3 h 20 min at least")
    by_time.minutes.setValue(0)
    assert by_time.grid.limit is None


def test_typing_moves_nothing(by_time: ByTime) -> None:
    """While a number is half typed there is no plan, and what stood there keeps its room."""
    by_time.minutes.setValue(300)
    by_time.settle()
    places = {name: find(by_time.page, QWidget, name).geometry() for name in ("plan.grid_card", "plan.power_plot")}
    by_time.unfold()
    edit = find(by_time.page, QWidget, "plan.design.blocks_edit")
    edit.setFocus()
    press(edit, Qt.Key.Key_End)
    press(edit, Qt.Key.Key_Backspace)
    by_time.settle()
    assert by_time.label("plan.designs_note.text") == ""
    type_text(edit, "3")
    by_time.settle()
    assert places == {name: find(by_time.page, QWidget, name).geometry() for name in places}


@pytest.mark.parametrize(("minutes", "seen"), [(0, {Tone.GOOD}), (300, {Tone.GOOD, Tone.BAD}), (200, {Tone.BAD})])
def test_the_end_is_green_in_time_and_red_where_it_is_late(by_time: ByTime, minutes: int, seen: set[Tone]) -> None:
    """Beside the red line of the time there is."""
    by_time.minutes.setValue(minutes)
    by_time.settle()
    image = by_time.view.grab().toImage()
    colors = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(0, image.height(), 3)}
    assert {tone for tone in (Tone.GOOD, Tone.BAD) if tone_color(tone).name() in colors} == seen


def test_a_click_on_a_design_fills_the_form(by_time: ByTime) -> None:
    """On its button or anywhere on its row; the others stay to be chosen, and none is marked once one types."""
    before = by_time.plan
    by_time.minutes.setValue(300)
    by_time.settle()
    click(by_time.design(1))
    assert (by_time.plan.design.blocks, by_time.plan.design.confirm_blocks) == (2, 7)
    assert by_time.design(1).isChecked()
    assert len(by_time.grid.boxes) == 24
    assert len(by_time.designs()) == 3
    row = find(by_time.page, QWidget, "plan.design_0")
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(row.width() - 4, row.height() - 4))
    assert [len(factor.levels) for factor in by_time.plan.factors] == [4]
    assert [button.isChecked() for button in by_time.designs()] == [True, False, False]
    assert len(by_time.grid.rows) == 5
    by_time.unfold()
    edit = find(by_time.page, QWidget, "plan.design.confirm_blocks_edit")
    edit.setFocus()
    press(edit, Qt.Key.Key_End)
    press(edit, Qt.Key.Key_Backspace)
    type_text(edit, "1")
    assert not any(button.isChecked() for button in by_time.designs())
    click(find(by_time.page, QWidget, "plan.recommended_button"))
    recommended = replace(before.design, stop=Stop.RACE)  # as the line below the form says
    assert by_time.plan == replace(before, design=recommended, limits=before.limits.but(run_duration_s=300 * 60.0))


def test_designs_are_chosen_by_keyboard_alone(by_time: ByTime) -> None:
    """From the minutes with Tab, then with Space and the arrow keys; the next Tab leads on."""
    by_time.page.activateWindow()
    by_time.minutes.setFocus()
    by_time.minutes.selectAll()
    type_text(by_time.minutes, "300")
    by_time.settle()
    press(by_time.minutes, Qt.Key.Key_Tab)
    assert by_time.design(0).hasFocus()
    press(by_time.design(0), Qt.Key.Key_Space)
    assert len(by_time.plan.factors[0].levels) == 4
    press(by_time.design(0), Qt.Key.Key_Down)
    assert by_time.design(1).hasFocus()
    assert by_time.design(1).isChecked()
    assert by_time.plan.design.confirm_blocks == 7
    press(by_time.design(1), Qt.Key.Key_Tab)
    canvas = find(by_time.page, PlotView, "plan.power_plot").canvas
    assert canvas.hasFocus()


def test_what_is_painted_is_told_in_words(by_time: ByTime) -> None:
    """As the accessible description, and of what is under the mouse; a name cut in its middle is told whole."""
    view = by_time.view
    assert view.accessibleName() == "Trials in time"
    assert view.accessibleDescription() == by_time.grid.spoken
    told = {view.words_at(QPointF(x, y)) for x in range(0, view.width(), 2) for y in range(0, view.height(), 4)}
    assert {box.words for box in by_time.grid.boxes} <= told
    assert {row.whole for row in by_time.grid.rows} <= told
    assert by_time.grid.head in told
    assert by_time.grid.further is not None
    assert by_time.grid.further.words in told


def test_at_a_server_the_end_is_told_by_the_clock(desk: Desk, shown: Shown) -> None:
    """The page takes the time of day from the desk."""
    desk.clock = at_nine()
    by_time = ByTime(desk, shown, target=SERVER)
    assert "09:12" in by_time.grid.spoken


@pytest.mark.parametrize("size_px", [(1190, 696), (1104, 648), (640, 1_700)])
@pytest.mark.parametrize("minutes", [0, 200, 300, 1_440])
def test_no_text_is_cut_and_the_form_stays_usable(
    desk: Desk, shown: Shown, size_px: tuple[int, int], minutes: int
) -> None:
    """At 1366 × 768 and 1280 × 720 beside each other; at 200 % all of both below each other, for the page to scroll."""
    desk.clock = at_nine()
    by_time = ByTime(desk, shown, size_px, SERVER)
    by_time.unfold()
    by_time.minutes.setValue(minutes)
    by_time.settle()
    with painted_texts() as cut:
        by_time.page.grab()
    assert cut == []
    form, outlook = (find(by_time.page, QWidget, f"plan.{name}_area") for name in ("form", "outlook"))
    if size_px[0] > 1_000:
        assert outlook.x() >= form.x() + form.width()
        limits = find(by_time.page, QWidget, "plan.limits_section")
        assert limits.mapTo(form, limits.rect().topRight()).x() <= form.width()
    else:
        assert outlook.y() >= form.y() + form.height()
        for area in (form, outlook):
            held = area.findChild(QWidget, "plan.form") or area.findChild(QWidget, "plan.outlook")
            assert held is not None
            assert held.height() <= area.height()


@pytest.mark.parametrize("height_px", [500, 560, 620, 700, 900])
def test_the_axis_of_the_power_plot_is_never_cut(desk: Desk, shown: Shown, height_px: int) -> None:
    """Its label is broken into as many lines as the height of its axis asks for, also after the window was lower."""
    by_time = ByTime(desk, shown, (1104, 900))
    by_time.page.resize(1104, height_px)
    by_time.settle()
    plot = find(by_time.page, PlotView, "plan.power_plot")
    assert plot.plot_item is not None
    axis = plot.plot_item.getAxis("left")
    margin_px = axis.label.document().documentMargin()
    label = axis.label.mapRectToScene(axis.label.boundingRect()).adjusted(margin_px, margin_px, -margin_px, -margin_px)
    assert label.left() >= 0
    assert label.top() >= 0
    assert label.bottom() <= plot.canvas.height()
