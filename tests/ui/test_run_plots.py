"""Plots on screen: built when seen, zoomed and reset, and never in the way of scrolling."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.domain.events import TrialFinished
from app.domain.plan import Phase
from app.domain.plot import Mark, PlotSpec, Series
from app.ui.widgets.legend_line import LegendLine
from app.ui.widgets.plot import PlotView
from app.ui.widgets.run_plots import RunPlots
from tests.ui.conftest import Shown
from tests.ui.person import double_click, find
from tests.ui.plots import nameless_curves, titles_over_ticks
from tests.unit.flows.run_events import told
from tests.unit.flows.test_windows_view import WINDOWS, begun, window

LINE = Series("a", Mark.LINE, (1.0, 2.0, 3.0), (5.0, 4.0, 6.0))
SPEC = PlotSpec("p", "Run time", "Run time of three trials.", "Trial", "Run time (s)", (LINE,))


@pytest.fixture(params=[True, False], ids=["interactive", "still"])
def view(request: pytest.FixtureRequest, shown: Shown, qtbot: QtBot) -> PlotView:
    """A plot on screen, with and without the mouse."""
    made = PlotView("plot", interactive=request.param)
    made.show_plot(SPEC)
    shown(made, 400, 300)
    qtbot.waitUntil(lambda: made.plot_item is not None)
    return made


def _canvas(view: PlotView) -> QWidget:
    found = view.childAt(view.rect().center())
    assert found is not None
    return found


def _wheel(view: PlotView) -> None:
    canvas = _canvas(view)
    middle = QPointF(canvas.rect().center())
    turned = QWheelEvent(
        middle,
        QPointF(canvas.mapToGlobal(canvas.rect().center())),
        QPoint(0, 0),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas, turned)


def _range(view: PlotView) -> list[float]:
    item = view.plot_item
    assert item is not None
    return [end for ends in item.vb.viewRange() for end in ends]


def test_the_wheel_zooms_and_a_double_click_resets(view: PlotView, request: pytest.FixtureRequest) -> None:
    """Where the mouse may zoom, the wheel does and a double click takes it back; else the wheel changes nothing."""
    before = _range(view)
    _wheel(view)
    assert (_range(view) != before) == (request.node.callspec.id == "interactive")
    double_click(_canvas(view))
    assert _range(view) == pytest.approx(before)


def test_what_a_plot_shows_is_said(view: PlotView) -> None:
    """A screen reader is told title and meaning; without a plot it is told why."""
    assert (view.accessibleName(), view.accessibleDescription()) == (SPEC.title, SPEC.alt)
    view.show_plot(None, "Nothing measured yet.")
    assert view.accessibleName() == "Nothing measured yet."
    assert view.plot_item is None
    assert any(label.isVisible() and label.text() == "Nothing measured yet." for label in view.findChildren(QLabel))


def test_a_plot_that_grows_keeps_the_old_one_in_sight(view: PlotView, qtbot: QtBot) -> None:
    """Another plot is built after the old one, never leaving the place empty."""
    view.show_plot(replace(SPEC, title="More"))
    assert view.plot_item is None
    qtbot.waitUntil(lambda: view.plot_item is not None)
    same = view.plot_item
    view.show_plot(replace(SPEC, title="More"))
    assert view.plot_item is same


def test_a_plot_is_built_only_when_it_is_seen(qtbot: QtBot) -> None:
    """Twenty cards do not cost twenty plots before anyone scrolls to them."""
    hidden = PlotView("plot")
    qtbot.addWidget(hidden)
    hidden.show_plot(SPEC)
    QApplication.processEvents()
    assert hidden.plot_item is None


@pytest.mark.parametrize("height_px", [400, 200, 160])
@pytest.mark.parametrize("width_px", [700, 400, 240])
def test_every_curve_has_a_name_and_the_data_have_their_room(
    shown: Shown, qtbot: QtBot, width_px: int, height_px: int
) -> None:
    """Two plots beside each other were half legend; without any nobody knew which curve is which."""
    labels = ("this plan", "11 confirmation blocks", "too small to act on")
    view = PlotView("plot")
    view.show_plot(replace(SPEC, series=tuple(replace(LINE, label=label) for label in labels)))
    holder = QWidget()
    QVBoxLayout(holder).addWidget(view)
    shown(holder, width_px, height_px)
    qtbot.waitUntil(lambda: view.plot_item is not None)
    assert view.names == labels
    assert nameless_curves(holder) == {}
    assert find(view, LegendLine, "plot.legend").isVisible() is (height_px < 400 or width_px < 400)
    view.show_plot(SPEC)
    qtbot.waitUntil(lambda: view.plot_item is not None)
    assert not view.names


def test_a_plot_that_gets_lower_keeps_its_names(shown: Shown, qtbot: QtBot) -> None:
    """They move from below the plot to above it, and back."""
    view = PlotView("plot")
    view.show_plot(replace(SPEC, series=(LINE, replace(LINE, label="b"))))
    shown(view, 500, 500)
    qtbot.waitUntil(lambda: view.plot_item is not None)
    legend = find(view, LegendLine, "plot.legend")
    for height_px, is_above in ((200, True), (500, False)):
        view.resize(500, height_px)
        qtbot.waitUntil(lambda: view.plot_item is not None)
        assert (view.names, legend.isVisible()) == (("a", "b"), is_above)


def _confirming(order: int, streams: int, rate_per_s: float) -> TrialFinished:
    """Return the end of a window of a confirming pair."""
    ended = window(order, streams, rate_per_s, 3.9e6 - 1e4 * order)[-1]
    assert isinstance(ended, TrialFinished)
    block = order // 2
    measured = tuple(replace(m, phase=Phase.CONFIRM, block=block) for m in ended.trial.measurements)
    return replace(ended, trial=replace(ended.trial, phase=Phase.CONFIRM, block=block, measurements=measured))


PAIRS = tuple(_confirming(order, (1, 8)[order % 2], (620.0, 1_290.0)[order % 2] + order) for order in range(4, 12))


def test_a_backlog_has_most_of_the_height_until_there_is_an_effect(shown: Shown) -> None:
    """Until the third pair of windows a quarter of the page was empty, and the backlog small."""
    plots = RunPlots()
    shown(plots, 800, 550)
    plots.show_state(told(begun(), *WINDOWS))
    QApplication.processEvents()
    backlog, effect = (find(plots, PlotView, f"run.{name}_plot") for name in ("backlog", "effect"))
    below = find(plots, PlotView, "run.setting_plot")
    assert not effect.isVisible()
    assert plots.sizes()[0] > 1.4 * plots.sizes()[1]
    assert below.width() > 0.9 * plots.width()
    plots.show_state(told(begun(), *WINDOWS, *PAIRS))
    QApplication.processEvents()
    assert effect.spec is not None
    assert effect.isVisible()
    assert backlog.isVisible()
    assert plots.sizes()[0] < plots.sizes()[1]


@pytest.mark.parametrize("y_label", ["Commands waiting", "Commands waiting in the distribution database"])
def test_the_title_of_an_axis_never_stands_over_wide_ticks(shown: Shown, qtbot: QtBot, y_label: str) -> None:
    """Not even in its first picture: during a run a plot is drawn anew every second."""
    backlog = replace(SPEC, y_label=y_label, series=(replace(LINE, y=(4_700_000.0, 4_400_000.0, 4_200_000.0)),))
    view = PlotView("plot")
    holder = QWidget()
    QVBoxLayout(holder).addWidget(view)
    seen: list[dict[str, str]] = []
    painted = view.canvas.painted  # type: ignore[attr-defined]  # a signal that only the test's canvas has
    painted.connect(lambda: seen.append(titles_over_ticks(holder)))
    view.show_plot(backlog)
    shown(holder, 700, 220)
    qtbot.waitUntil(lambda: view.plot_item is not None and bool(seen))
    holder.grab()
    assert not any(seen)
    item = view.plot_item
    assert item is not None
    item.getAxis("left").setWidth(40)
    item.layout.activate()
    assert titles_over_ticks(holder) == {y_label: "plot.canvas"}
