"""Small plots: one for each mark, and one with everything a plot can have."""

from app.domain.plot import Mark, PlotSpec, Series

X = (0.0, 1.0, 2.0, 3.0)
Y = (40.0, 30.0, 22.0, 20.0)
LOW = (38.0, 28.0, 21.0, 19.0)
HIGH = (42.0, 32.0, 23.0, 21.0)


def plot_of(*series: Series, **options: object) -> PlotSpec:
    """Return a plot of the given series."""
    return PlotSpec("sample/plot", "Title", "Alt.", "Streams (connections)", "Run time (s)", series, **options)  # type: ignore[arg-type]  # each test names options of a plot


def series_of(mark: Mark, label: str = "Trials", *, emphasised: bool = False) -> Series:
    """Return a series of four points drawn with `mark`."""
    has_ends = mark in (Mark.INTERVALS, Mark.BAND)
    return Series(label, mark, X, Y, LOW if has_ends else (), HIGH if has_ends else (), emphasised)
