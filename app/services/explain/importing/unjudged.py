"""A table whose varied parameter no family knows: its numbers side by side, without advice."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Final

from app.analysis.compare import Against, compare
from app.domain.comparison import Comparison, Verdict
from app.domain.effect import has_interval, signed_interval, signed_percent
from app.domain.measurement import Better, Measurement
from app.domain.setting import Setting
from app.foundation.texts import _, local_number
from app.services.explain.importing.columns import VALUE
from app.services.explain.importing.headings import STATISTIC, Headings
from app.services.explain.importing.number_text import NumberStyle
from app.services.explain.importing.quantity_text import quantity_in
from app.services.explain.importing.questions import METRIC
from app.services.explain.importing.samples import MOST_TOLD_APART
from app.services.explain.importing.source_text import quotable
from app.services.explain.importing.table import Grid, is_number_like

_ARM: Final = re.compile(r"(\S.*?)\s*=\s*(\S.*)")
_POINT: Final = re.compile(r"\d\.\d+(?![\d,])")
_COMMA: Final = re.compile(r"\d,\d{1,2}(?!\d)")
_CONTROL: Final = re.compile(r"control|baseline|default|before|kontrolle|vorher|ausgangs", re.IGNORECASE)
_LEVEL: Final = "level"
_MOST_LEVELS: Final = 12
_MOST_MEASURES: Final = 6
_MINIMUM_EFFECT: Final = 0.05


@dataclass(frozen=True)
class _Measured:
    """One measure: its cells as they are written, by the level of the parameter."""

    name: str
    cells: Mapping[str, Sequence[str]]


def unjudged(grid: Grid, headings: Headings) -> str:
    """Return the comparison that the numbers of a table allow where no family knows the parameter; "" for none.

    Arms stand side by side as "name = level", or the levels are a column's, with measures in columns beside it.
    """
    parameter, measured = _side_by_side(grid)
    if not measured:
        parameter, measured = _below_each_other(grid, headings)
    told = [sentence for each in measured for sentence in _told(each, _style_of(grid))]
    if not told:
        return ""
    more = "; …" if len(told) > _MOST_MEASURES else ""
    numbers = "; ".join(told[:_MOST_MEASURES]) + more
    sentence = _('there is no rule for "{parameter}"; the numbers say: {numbers}')
    return sentence.format(parameter=quotable(parameter), numbers=numbers)


def _side_by_side(grid: Grid) -> tuple[str, list[_Measured]]:
    """Return the parameter that headings give levels of, and each row with cells of all of them."""
    arms = {place: found for place, text in enumerate(grid.headings) if (found := _ARM.fullmatch(text))}
    names = {found[1] for found in arms.values()}
    if len(arms) < 2 or len(names) != 1:
        return "", []
    return names.pop(), [
        _Measured(cells[0], {found[2]: [cells[place]] for place, found in arms.items() if cells[place]})
        for _line, cells in grid.rows
    ]


def _below_each_other(grid: Grid, headings: Headings) -> tuple[str, list[_Measured]]:
    """Return the first column that may hold levels and is no measure, and the columns of measures beside it."""
    places = range(len(grid.headings))
    names = [headings.column_of(heading) for heading in grid.headings]
    values = [place for place in places if _holds_values(grid, headings, place)]
    chosen = next((place for place in places if place not in values and _may_hold_levels(grid, headings, place)), None)
    is_mixed = METRIC in names and len(set(grid.texts_of(names.index(METRIC)))) > 1
    if chosen is None or is_mixed:
        return "", []
    measured = [_Measured(grid.headings[place], _by_level(grid, chosen, place)) for place in values]
    return grid.headings[chosen], measured


def _holds_values(grid: Grid, headings: Headings, place: int) -> bool:
    heading = grid.headings[place]
    said = headings.says(heading)
    is_measure = bool(said) and STATISTIC not in said
    return (is_measure or headings.column_of(heading) == VALUE) and all(map(is_number_like, grid.texts_of(place)))


def _may_hold_levels(grid: Grid, headings: Headings, place: int) -> bool:
    heading = grid.headings[place]
    is_known = bool(headings.column_of(heading)) or STATISTIC in headings.says(heading)
    return not is_known and 1 < len(set(grid.texts_of(place))) <= _MOST_LEVELS


def _by_level(grid: Grid, levels: int, place: int) -> dict[str, list[str]]:
    """Return the cells of a column by those of another one."""
    cells: dict[str, list[str]] = {}
    for _line, row in grid.rows:
        if row[levels] and row[place]:
            cells.setdefault(row[levels], []).append(row[place])
    return cells


def _style_of(grid: Grid) -> NumberStyle:
    """Return how numbers are written, by those that can be read one way only; ratios hold in either."""
    text = " ".join(cell for _line, cells in grid.rows for cell in cells)
    return NumberStyle("," if _COMMA.search(text) and not _POINT.search(text) else ".", is_given=True)


def _told(measured: _Measured, style: NumberStyle) -> Iterator[str]:
    """Yield a measure with each level against the first, or the one called control; nothing where a cell is no positive
    quantity."""
    read = {level: [_value(cell, style) for cell in cells] for level, cells in measured.cells.items()}
    if len(read) < 2 or min(value for values in read.values() for value in values) <= 0:
        return
    first = next(filter(_CONTROL.search, read), next(iter(read)))
    for c in compare(_runs(measured.name, read), Against(_level(first)), Better.LOWER, _MINIMUM_EFFECT, None):
        level = str(c.candidate[_LEVEL])
        yield _("{measure} {value} with {level} against {other} with {first} ({change}, {verdict})").format(
            measure=measured.name,
            value=_shown(measured.cells[level], read[level]),
            level=level,
            other=_shown(measured.cells[first], read[first]),
            first=first,
            change=signed_percent(c.ratio),
            verdict=_verdict(c),
        )


def _level(text: str) -> Setting:
    return Setting.from_mapping({_LEVEL: text})


def _runs(name: str, read: Mapping[str, Sequence[float]]) -> list[Measurement]:
    return [
        Measurement("", f"{level} {n}", 1, name, value, "", _level(level))
        for level, values in read.items()
        for n, value in enumerate(values)
    ]


def _value(cell: str, style: NumberStyle) -> float:
    """Return the number of a cell, 0 where it is none."""
    number = style.parse(cell)
    written = None if number is not None else quantity_in(cell, style)
    return (number or 0.0) if written is None else written.value


def _shown(cells: Sequence[str], values: Sequence[float]) -> str:
    """Return a single cell as it is written, else the geometric mean of several, which makes the ratio beside it."""
    return cells[0] if len(cells) == 1 else local_number(f"{geometric_mean(values):,.4g}")


def _verdict(c: Comparison) -> str:
    most = max(len(c.reference_trials), len(c.candidate_trials))
    if most == 1:
        return _("one run each: cannot tell")
    if most > MOST_TOLD_APART:
        return _("samples, of which it is not said how many runs they are: cannot tell")
    words = {
        Verdict.IMPROVEMENT: _("they differ: {interval}"),
        Verdict.WORSE: _("they differ: {interval}"),
        Verdict.NO_DIFFERENCE: _("no difference worth acting on: {interval}"),
        Verdict.CANNOT_TELL: _("cannot tell: {interval}"),
    }
    interval = signed_interval(c.low, c.high) if has_interval(c.low, c.high) else _("no interval can be given")
    return words[c.verdict].format(interval=interval)
