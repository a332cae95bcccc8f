"""Which value of a plot is meant: the one nearest to a point, or the next one across."""

from dataclasses import dataclass

import numpy as np

from app.charts.marks import Points
from app.charts.plot_item import drawn_points
from app.domain.plot import PlotSpec


@dataclass(frozen=True)
class Pointed:
    """One value of a plot.

    Attributes:
        series, place: which series, and which of its values.
        x, y: where it is drawn, logarithms taken.
    """

    series: int
    place: int
    x: float
    y: float


def nearest(spec: PlotSpec, x: float, y: float, x_span: float, y_span: float) -> Pointed | None:
    """Return the value drawn nearest to a point, None for a plot without values.

    Args:
        x, y: the point, in drawn units.
        x_span, y_span: how much is in sight: distances count as shares of it.
    """
    best: tuple[float, Pointed] | None = None
    for number, points in enumerate(drawn_points(spec)):
        if not points.x.size:
            continue
        far = ((points.x - x) / (x_span or 1.0)) ** 2 + ((points.y - y) / (y_span or 1.0)) ** 2
        place = int(np.argmin(far))
        if best is None or far[place] < best[0]:
            best = float(far[place]), _pointed(number, place, points)
    return None if best is None else best[1]


def neighbour(spec: PlotSpec, pointed: Pointed | None, step: int) -> Pointed | None:
    """Return the value a step further across, in the order of x and then of the series; the ends stay.

    Args:
        pointed: where to start; None for the first value.
        step: 1 for the next value, -1 for the one before.
    """
    drawn = drawn_points(spec)
    numbers = np.concatenate([np.full(points.x.size, number) for number, points in enumerate(drawn)] or [np.zeros(0)])
    if not numbers.size:
        return None
    places = np.concatenate([np.arange(points.x.size) for points in drawn])
    order = np.lexsort((numbers, np.concatenate([points.x for points in drawn])))
    at = 0
    if pointed is not None:
        (positions,) = np.nonzero((numbers[order] == pointed.series) & (places[order] == pointed.place))
        at = min(max(int(positions[0]) + step, 0), order.size - 1) if positions.size else 0
    number, place = int(numbers[order[at]]), int(places[order[at]])
    return _pointed(number, place, drawn[number])


def _pointed(series: int, place: int, points: Points) -> Pointed:
    return Pointed(series, place, float(points.x[place]), float(points.y[place]))
