"""A parameter that no family knows, such as GoldenGate's: a family for one table, to compare its numbers by."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from app.domain.measurement import Better, Metric
from app.domain.setting import Parameter
from app.domain.units import units_like
from app.services.explain.importing.columns import VALUE, Families, FamilyColumns
from app.services.explain.importing.headings import STATISTIC, TIME, Headings
from app.services.explain.importing.quantity_text import unit_called, written_quantity
from app.services.explain.importing.questions import FAMILY, METRIC, UNIT
from app.services.explain.importing.table import Grid, is_no_value

NO_RULE: Final = "no_rule"
"""Id of the family of a parameter that no other one knows."""

_ARM: Final = re.compile(r"(\S.*?)\s*=\s*(\S.*)")
_CONTROL: Final = re.compile(r"control|baseline|default|before|kontrolle|vorher|ausgangs", re.IGNORECASE)
_MEASURED: Final = re.compile(r"\d+[.,](?!\d{3}(?!\d))\d|\d+[/:-]\d")  # numbers with a fraction, dates, times
_MEASURE: Final = re.compile(r"/\s*(?:s|sec|min|h)\b|%|\bper\b", re.IGNORECASE)
_MOST_LEVELS: Final = 12


class _Measured(NamedTuple):
    """A measure by the name the table has for it, and its first cell with the unit that stands beside it."""

    name: str
    cell: str
    unit: str = ""


def with_unknown_parameter(grid: Grid, families: Families) -> Families:
    """Return families, with one more for the parameter that a table varies and none of them knows.

    Arms stand side by side as "name = level", or the levels are those of a column with measures beside it.
    """
    headings = Headings(families)
    if any(headings.column_of(heading) == FAMILY for heading in grid.headings):
        return families
    parameter, levels, measured = _side_by_side(grid)
    if not parameter:
        parameter, levels, measured = _below_each_other(grid, headings)
    if len(levels) < 2 or not measured:
        return families
    family = FamilyColumns(
        family=NO_RULE,
        metrics=tuple(_metric(one, headings) for one in measured),
        parameters=(_parameter(parameter, levels),),
        conditions=tuple(dict.fromkeys(c for known in families.values() for c in known.conditions)),
    )
    return {**families, NO_RULE: family}


def _side_by_side(grid: Grid) -> tuple[str, list[str], list[_Measured]]:
    """Return the parameter that headings give levels of, these, and the measures, each a row's."""
    arms = {place: found for place, text in enumerate(grid.headings) if (found := _ARM.fullmatch(text))}
    names = {found[1] for found in arms.values()}
    if len(arms) < 2 or len(names) != 1 or 0 in arms:
        return "", [], []
    first = next(iter(arms))
    measured = {
        cells[0]: _Measured(cells[0], cells[first])
        for _line, cells in grid.rows
        if cells[0] and all(_is_quantity(cells[place]) for place in arms)
    }
    return names.pop(), [found[2] for found in arms.values()], list(measured.values())


def _is_quantity(cell: str) -> bool:
    """Tell whether a cell is a number, perhaps with its unit, or empty."""
    return not cell or is_no_value(cell) or written_quantity(cell) is not None


def _below_each_other(grid: Grid, headings: Headings) -> tuple[str, list[str], list[_Measured]]:
    """Return the first column that may hold levels and is no measure, its levels, and the measures beside it."""
    names = [headings.column_of(heading) for heading in grid.headings]
    values = [place for place, heading in enumerate(grid.headings) if _holds_values(grid, headings, place)]
    unknown = [place for place in range(len(names)) if place not in values and _is_unknown(grid, headings, place)]
    chosen = next((place for place in unknown if _may_hold_levels(grid.texts_of(place))), None)
    if chosen is None:
        return "", [], []
    if not values and len(unknown) == 2:  # the other one is the measure, whatever its name
        values = [place for place in unknown if place != chosen and all(map(_is_quantity, grid.texts_of(place)))]
    measured = [_Measured(grid.headings[place], next(iter(grid.texts_of(place)), "")) for place in values]
    if METRIC in names and VALUE in names:
        measured = list(_named_in_rows(grid, names))
    return grid.headings[chosen], list(dict.fromkeys(grid.texts_of(chosen))), measured


def _named_in_rows(grid: Grid, names: Sequence[str]) -> Iterator[_Measured]:
    """Yield each measure that a column names, with the unit in the column of units."""
    metric, value = names.index(METRIC), names.index(VALUE)
    first_rows: dict[str, tuple[str, ...]] = {}
    for _line, cells in grid.rows:
        first_rows.setdefault(cells[metric], cells)
    for name, cells in first_rows.items():
        yield _Measured(name, cells[value], cells[names.index(UNIT)] if UNIT in names else "")


def _holds_values(grid: Grid, headings: Headings, place: int) -> bool:
    heading = grid.headings[place]
    said = headings.says(heading)
    is_measure = (bool(said) and STATISTIC not in said) or _MEASURE.search(heading) is not None
    return (is_measure or headings.column_of(heading) == VALUE) and all(map(_is_quantity, grid.texts_of(place)))


def _is_unknown(grid: Grid, headings: Headings, place: int) -> bool:
    heading = "" if grid.is_untold and place == len(grid.headings) - 1 else grid.headings[place]
    return bool(heading) and not headings.column_of(heading) and STATISTIC not in headings.says(heading)


def _may_hold_levels(texts: Sequence[str]) -> bool:
    """Tell whether a column holds few levels; a number with a fraction is rather measured, a time when it was."""
    return 1 < len(set(texts)) <= _MOST_LEVELS and not any(map(_MEASURED.match, texts))


def _parameter(name: str, levels: Sequence[str]) -> Parameter:
    """Return a parameter of these levels; the one called control is the baseline, else the first."""
    baseline = next(filter(_CONTROL.search, levels), levels[0])
    return Parameter(name, "", baseline, None, None, tuple(levels), "", "", choices=tuple(levels))


def _metric(measured: _Measured, headings: Headings) -> Metric:
    """Return a measure in the unit that its name, its cells or their column say; less of a time is better."""
    name, unit = headings.without_unit(measured.name)
    said = headings.says(measured.name)
    written = written_quantity(measured.cell)
    given = [unit_called(measured.unit), unit, said.get(UNIT, ""), written.unit if written else ""]
    unit = next(filter(None, given), "s" if TIME in said else "")
    better = Better.LOWER if unit in units_like("s") else Better.HIGHER
    return Metric(measured.name, unit, better, measured.name, called=(name,) if name else ())
