"""Plots for a window: themes, ranges, numbers."""

from dataclasses import replace

import numpy as np
import pyqtgraph as pg
import pytest

from app.charts.application import ensure_application
from app.charts.axis import format_number, log_ticks
from app.charts.fonts import register_fonts
from app.charts.plot_item import build_plot_item, draw_plot
from app.charts.theme import DARK, LIGHT, OKABE_ITO, Theme
from app.domain.plot import Mark, Series
from tests.unit.charts.sample import plot_of, series_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (5, "5"),
        (0.25, "0.25"),
        (1000, "1,000"),
        (1234567.0, "1,234,567"),
        (-1500, "−1,500"),
        (1e-4, "0.0001"),
    ],
)
def test_numbers_are_plain(value: float, text: str) -> None:
    """Axis numbers have thousands separators and no needless zeros."""
    assert format_number(value) == text


def test_short_logarithmic_axes_have_ticks_between_decades() -> None:
    """Over less than two decades 2 and 5 are marked, too; over more only the decades."""
    assert [text for _at, text in log_ticks(2.0, 3.0)] == ["100", "200", "500", "1,000"]
    assert [text for _at, text in log_ticks(0.0, 4.0)] == ["1", "10", "100", "1,000", "10,000"]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_plots_can_be_built_for_light_and_dark_windows(theme: Theme) -> None:
    """The same specification gives a plot in either theme."""
    ensure_application()
    register_fonts()
    plot = build_plot_item(plot_of(series_of(Mark.INTERVALS), series_of(Mark.BARS, "B")), theme)
    assert plot.getAxis("left").labelText == "Run time (s)"
    assert len(plot.items) >= 2


def test_values_that_differ_by_a_hair_are_one_value() -> None:
    """The axis of a single trial, whose mean differs from it in the last digit, shows ticks that differ."""
    ensure_application()
    y = (53.528, 53.528000000000006)
    spec = replace(plot_of(Series("Trials", Mark.POINTS, (0.0, 1.0), y)), y_label="Rate")
    low, high = build_plot_item(spec, LIGHT).vb.viewRange()[1]
    assert low < 52
    assert high > 55


def test_stamps_are_upright_lines_with_their_number() -> None:
    """They change no range: what is measured keeps its place."""
    ensure_application()
    bare = plot_of(series_of(Mark.LINE))
    plain, stamped = build_plot_item(bare, LIGHT), build_plot_item(replace(bare, stamps=((1.5, "1"),)), LIGHT)
    (line,) = [item for item in stamped.items if isinstance(item, pg.InfiniteLine)]
    (number,) = [item for item in stamped.items if isinstance(item, pg.TextItem)]
    assert (line.angle, line.value()) == (90, 1.5)
    assert number.toPlainText() == "1"
    assert stamped.vb.viewRange() == plain.vb.viewRange()


def test_the_label_of_the_reference_stands_where_nothing_crosses_it() -> None:
    """At the right end where that is free, else between two intervals; where all is taken at the right end again."""
    ensure_application()
    x, low = (0.0, 1.0, 2.0, 3.0), (0.9, 0.8, 0.9, 0.8)
    spec = replace(
        plot_of(), x_ticks=tuple((at, f"{at}") for at in x), reference_y=1.0, reference_label="no difference"
    )

    def end(high: tuple[float, ...], at: tuple[float, ...] = x) -> float:
        series = Series("Ratio", Mark.INTERVALS, at, low[: len(at)], tuple(y - 0.1 for y in low[: len(at)]), high)
        plot = build_plot_item(replace(spec, series=(series,)), LIGHT)
        (label,) = [item for item in plot.items if isinstance(item, pg.TextItem)]
        return float(label.pos().x())

    assert end((0.95, 0.95, 0.95, 0.95)) == 3.5
    assert 2.0 < end((1.1, 1.1, 1.1, 3.0)) < 3.0
    assert end((1.2, 1.2, 0.95), (0.0, 1.0, 2.0)) == 3.5


def test_what_lies_beyond_the_last_name_is_not_cut() -> None:
    """Where only some places have a name, a point at the last place has room, too."""
    ensure_application()
    x = tuple(map(float, range(30)))
    spec = replace(plot_of(Series("Trials", Mark.POINTS, x, x)), x_ticks=tuple((at, f"{at}") for at in x[::5]))
    left, right = build_plot_item(spec, LIGHT).vb.viewRange()[0]
    assert left <= -0.5
    assert right >= 29.5


def test_an_axis_of_zeros_begins_at_zero() -> None:
    """Where nothing was counted at any setting, no axis shows counts below zero."""
    ensure_application()
    spec = plot_of(Series("Spilled", Mark.POINTS, (0.0, 1.0), (0.0, 0.0)))
    low, high = build_plot_item(spec, LIGHT).vb.viewRange()[1]
    assert -0.01 < low <= 0 < high


def test_bars_start_at_zero() -> None:
    """Bars show their whole height: the axis begins at zero."""
    ensure_application()
    low, high = build_plot_item(plot_of(series_of(Mark.BARS)), LIGHT).vb.viewRange()[1]
    assert -0.2 < low <= 0
    assert high > 40


def test_series_colours_can_be_told_apart() -> None:
    """No two series of a plot share a colour, and the accent is not among them."""
    for theme in (LIGHT, DARK):
        assert len(set(theme.series)) == len(theme.series)
        assert theme.accent not in theme.series
        assert theme.accent in OKABE_ITO


def test_a_line_that_begins_anew_is_not_joined_and_one_like_another_has_its_colour() -> None:
    """Windows of one setting are apart, and its forecast is drawn in its colour; the next series has one of its own."""
    ensure_application()
    line = Series("8", Mark.LINE, (0.0, 1.0, 2.0, 3.0), (4.0, 3.0, 2.0, 1.0), begins=(2,))
    ahead = Series("forecast", Mark.LINE, (3.0, 4.0), (1.0, 0.0), is_dashed=True, like="8")
    plot, keys = draw_plot(plot_of(line, ahead, replace(line, label="4")), LIGHT)
    curve = plot.listDataItems()[0]
    x, y = curve.getOriginalDataset()
    assert np.isnan(y).tolist() == [False, False, True, False, False]
    assert x.tolist() == sorted(x.tolist())
    assert [key.style.color for key in keys] == [LIGHT.series[0], LIGHT.series[0], LIGHT.series[1]]
