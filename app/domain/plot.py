"""Plots as data: drawn by `charts`, on screen and in the report, from the same description."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.site_picture import SitePicture


class Mark(StrEnum):
    """How a series is drawn."""

    LINE = "line"
    POINTS = "points"
    INTERVALS = "intervals"
    BARS = "bars"
    BAND = "band"


@dataclass(frozen=True)
class Series:
    """One series of a plot.

    Attributes:
        label: as in the legend.
        x, y: equally long, finite.
        low, high: ends of the interval or band of each y (INTERVALS and BAND), else empty.
        emphasised: drawn in the accent colour (the recommended setting, say).
        is_dashed: predicted, not measured (LINE and BAND).
        begins: places in x where the line begins anew, apart from the first (LINE).
        like: label of the series before it whose colour it has, "" for a colour of its own.
    """

    label: str
    mark: Mark
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    emphasised: bool = False
    is_dashed: bool = False
    begins: tuple[int, ...] = ()
    like: str = ""


@dataclass(frozen=True)
class PlotSpec:
    """A plot.

    Attributes:
        plot_id: unique within its session; findings refer to it.
        title: what the plot answers.
        alt: one or two sentences for a reader who cannot see it (required in PDF/UA).
        x_label, y_label: with the unit, such as "Run time (s)".
        x_ticks: (position, text) of a categorical or irregular axis, else empty.
        log_x, log_y: logarithmic axes (base 10).
        reference_y: height of a horizontal dashed line (the baseline, say), or None.
        stamps: (position, text) of upright dashed lines, such as notes that were written then.
    """

    plot_id: str
    title: str
    alt: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_ticks: tuple[tuple[float, str], ...] = ()
    log_x: bool = False
    log_y: bool = False
    reference_y: float | None = None
    reference_label: str = ""
    stamps: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class SiteFigure:
    """A site's picture as a figure of a report.

    Attributes:
        plot_id, title, alt: as those of a plot.
    """

    plot_id: str
    title: str
    alt: str
    picture: SitePicture


Figure = PlotSpec | SiteFigure
"""What a report has drawn."""
