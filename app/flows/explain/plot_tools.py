"""Taking data from a plot: the value under the cursor, the values shown as a table, another upright axis."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.domain.plot import PlotSpec, Series
from app.foundation.file_names import file_name_of
from app.foundation.spreadsheet import csv_text
from app.foundation.texts import _, local_number, ungrouped

_MOST_NAME: Final = 60  # letters of a proposed file name


@dataclass(frozen=True)
class PlotPart:
    """The part of a plot that is in sight.

    Attributes:
        x_low, x_high, y_low, y_high: in the units of the data, logarithms not taken.
    """

    x_low: float
    x_high: float
    y_low: float
    y_high: float

    def holds(self, x: float, y: float) -> bool:
        """Tell whether a value is in sight."""
        return self.x_low <= x <= self.x_high and self.y_low <= y <= self.y_high


def can_be_logarithmic(spec: PlotSpec) -> bool:
    """Tell whether every height of a plot can stand on a logarithmic axis."""
    heights = [value for series in spec.series for value in (*series.y, *series.low, *series.high)]
    if spec.reference_y is not None:
        heights.append(spec.reference_y)
    return bool(heights) and min(heights) > 0


def with_upright_axis(spec: PlotSpec, *, logarithmic: bool) -> PlotSpec:
    """Return a plot with another upright axis; unchanged where its heights do not allow it."""
    return replace(spec, log_y=logarithmic) if not logarithmic or can_be_logarithmic(spec) else spec


def reading(spec: PlotSpec, series: int, place: int) -> str:
    """Return in words one value of a plot: series, place, height and interval.

    Args:
        series, place: which series, and which of its values.
    """
    shown = spec.series[series]
    name, unit = _split_unit(spec.y_label)
    words = _("{name} {value} {unit}").format(name=name, value=_number(shown.y[place]), unit=unit).strip()
    if shown.low and shown.high:
        ends = {"low": _number(shown.low[place]), "high": _number(shown.high[place])}
        words = _("{value} ({low} to {high})").format(value=words, **ends)
    at = _("{name} {value}").format(name=_split_unit(spec.x_label)[0], value=_x_text(spec, shown.x[place]))
    across_unit = "" if spec.x_ticks else _split_unit(spec.x_label)[1]
    parts = (shown.label if len(spec.series) > 1 else "", f"{at} {across_unit}".strip(), words)
    return " · ".join(part for part in parts if part)


def table_of(spec: PlotSpec, part: PlotPart | None = None, *, separator: str = ",") -> str:
    """Return the values in sight as a table with headings; all values where no part is given.

    Args:
        separator: "," for a CSV file, a tabulator for a spreadsheet's clipboard.
    """
    has_ends = any(series.low for series in spec.series)
    heads = [_("Series"), spec.x_label, spec.y_label, *([_("Low"), _("High")] if has_ends else [])]
    rows: list[Sequence[object]] = [heads]
    for series in spec.series:
        for place, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
            if part is None or part.holds(x, y):
                across = ungrouped(dict(spec.x_ticks).get(x, _plain(x)))
                rows.append([series.label, across, _plain(y), *(_ends(series, place) if has_ends else ())])
    return csv_text(rows, delimiter=separator)


def _ends(series: Series, place: int) -> tuple[str, str]:
    return (_plain(series.low[place]), _plain(series.high[place])) if series.low else ("", "")


def proposed_name(spec: PlotSpec, suffix: str) -> str:
    """Return a file name made of a plot's title."""
    return file_name_of(spec.title.lower(), most=_MOST_NAME, otherwise="plot") + suffix


def _x_text(spec: PlotSpec, x: float) -> str:
    return dict(spec.x_ticks).get(x) or _number(x)


def _split_unit(label: str) -> tuple[str, str]:
    """Return an axis's quantity and its unit: "Run time (s)" is ("Run time", "s")."""
    match = re.fullmatch(r"(?P<name>.*?)\s*\((?P<unit>[^()]*)\)", label)
    return (match["name"], match["unit"]) if match else (label, "")


def _number(value: float) -> str:
    """Return a value with four digits that count, as a person writes it."""
    return local_number(f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:,.4g}")


def _plain(value: float) -> str:
    """Return a value as programs read it."""
    return f"{value:.10g}"
