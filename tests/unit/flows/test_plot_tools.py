"""Values taken from a plot: read under the cursor, as a table, on another axis."""

import pytest

from app.domain.plot import Mark, PlotSpec, Series
from app.flows.explain.plot_tools import (
    PlotPart,
    can_be_logarithmic,
    proposed_name,
    reading,
    table_of,
    with_upright_axis,
)

TRIALS = Series("each trial", Mark.POINTS, (1.0, 2.0, 2.0), (1250.0, 80.5, 79.0))
MEANS = Series("mean, 95 % interval", Mark.INTERVALS, (1.0, 2.0), (1250.0, 79.75), (1200.0, 70.0), (1300.0, 90.0))
TICKS = ((1.0, "default"), (2.0, "8"))
BY_SETTING = PlotSpec(
    "p", "Run time by CommitBatchSize", "", "CommitBatchSize", "Run time (ms)", (TRIALS, MEANS), x_ticks=TICKS
)
BY_TIME = PlotSpec("t", "Latency", "", "Time (s)", "Latency", (Series("a", Mark.LINE, (0.5, 1.5), (0.0, 3.25)),))


@pytest.mark.parametrize(
    ("spec", "series", "place", "words"),
    [
        (BY_SETTING, 0, 1, "each trial · CommitBatchSize 8 · Run time 80.5 ms"),
        (
            BY_SETTING,
            1,
            0,
            "mean, 95 % interval · CommitBatchSize default · Run time 1,250 ms (1,200 to 1,300)",
        ),
        (BY_TIME, 0, 1, "Time 1.5 s · Latency 3.25"),
    ],
)
def test_a_value_is_read_with_what_it_belongs_to(spec: PlotSpec, series: int, place: int, words: str) -> None:
    """Series where there are several, setting or time, height with its unit, and the interval."""
    assert reading(spec, series, place) == words


def test_the_table_has_headings_and_the_words_of_the_axis() -> None:
    """Categories stand as they are written below the axis; numbers as programs read them."""
    assert table_of(BY_SETTING).splitlines() == [
        "Series,CommitBatchSize,Run time (ms),Low,High",
        "each trial,default,1250,,",
        "each trial,8,80.5,,",
        "each trial,8,79,,",
        '"mean, 95 % interval",default,1250,1200,1300',
        '"mean, 95 % interval",8,79.75,70,90',
    ]


def test_the_table_holds_what_is_in_sight() -> None:
    """After zooming only the values shown are copied; a spreadsheet takes tabulators."""
    part = PlotPart(1.0, 2.0, 0.0, 10.0)
    assert table_of(BY_TIME, part, separator="\t") == "Series\tTime (s)\tLatency\na\t1.5\t3.25\n"


def test_only_positive_heights_stand_on_a_logarithmic_axis() -> None:
    """A zero leaves the axis as it is; the reference line counts, too."""
    assert can_be_logarithmic(BY_SETTING)
    assert with_upright_axis(BY_SETTING, logarithmic=True).log_y
    assert not can_be_logarithmic(BY_TIME)
    assert with_upright_axis(BY_TIME, logarithmic=True) is BY_TIME
    assert not can_be_logarithmic(PlotSpec("e", "", "", "", "", ()))


def test_a_file_is_named_after_what_the_plot_shows() -> None:
    """Letters, digits and hyphens; never empty."""
    assert proposed_name(BY_SETTING, ".svg") == "run-time-by-commitbatchsize.svg"
    assert proposed_name(PlotSpec("e", "—", "", "", "", ()), ".png") == "plot.png"
