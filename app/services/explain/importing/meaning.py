"""The meaning of the columns of somebody's table, and of the headings and labels in it.

A table need not have one value in each row. Runs, settings and measures may stand side by side, as may measures or
settings below each other: each value then is of what its column's heading and its row's label say together.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from app.services.explain.importing.columns import VALUE, Families, FamilyColumns
from app.services.explain.importing.headings import STATISTIC, TIME, Headings, Said, computed_among, metric_of
from app.services.explain.importing.quantity_text import unit_of_cells
from app.services.explain.importing.questions import FAMILY, METRIC, PARAMETER, UNIT
from app.services.explain.importing.source_text import read_source
from app.services.explain.importing.spans import with_durations
from app.services.explain.importing.splitting import read_grid
from app.services.explain.importing.table import Grid, is_number_like

LEFT_OUT: Final = ""
"""Stands in a mapping for a column that is not read."""

UNDECIDED: Final = "?"
"""Stands in a mapping for a column whose meaning nobody has said yet."""

LABEL: Final = "="
"""Stands in a mapping for a column whose texts say setting or measure, such as "4 threads" or "p50 latency"."""

CONDITION: Final = "*"
"""Stands in a mapping for a column that is a condition by its own name: only values alike in it are compared."""

COMMON_VALUES: Final = (FAMILY, METRIC, UNIT)
"""What need not be a column: it may be said once for all rows."""

MOST_NAMED: Final = 6
"""Columns or rows in one note."""

_MOST_LOOKED_AT: Final = 100  # cells of a column for the unit they are written with


@dataclass(frozen=True)
class ColumnMapping:
    """The meaning of each column of a file.

    Attributes:
        columns: in the file's order, the name of the column each stands for, LEFT_OUT, UNDECIDED, LABEL or CONDITION;
            several may hold values.
        same: what holds for all rows, by its name: one of COMMON_VALUES, SHEET, PARAMETER (whose levels the headings
            are), CONDITIONS, or an answer to a question; what a column says comes first.
    """

    columns: tuple[str, ...]
    same: tuple[tuple[str, str], ...] = ()

    def common_value(self, name: str) -> str:
        """Return the value that holds for all rows, "" where none is given or a column holds it."""
        return "" if name in self.columns else dict(self.same).get(name, "")

    def also(self, said: Mapping[str, str]) -> "ColumnMapping":
        """Return the mapping with more that holds for all rows."""
        return replace(self, same=tuple((dict(self.same) | dict(said)).items()))


def read_raw(path: Path, families: Families, sheet: str = "") -> Grid:
    """Return a file as it is written, whatever its headings are called.

    Args:
        families: whose columns tell headings from a title above them.
        sheet: of a workbook, "" for the first that holds a table.

    Raises:
        BadInput: it cannot be split into columns; the sentence says where and why.
    """
    headings = Headings(families)
    return with_durations(read_grid(read_source(path), headings.known_in, sheet), headings)


@dataclass(frozen=True)
class Meant:
    """A table and the meaning of its columns."""

    grid: Grid
    mapping: ColumnMapping
    headings: Headings

    def places_of(self, *names: str) -> list[int]:
        """Return the places of the columns that hold one of these."""
        return [place for place, name in enumerate(self.mapping.columns) if name in names]

    def headings_of(self, name: str) -> list[str]:
        """Return the headings of the columns that hold this."""
        return [self.grid.headings[place] for place in self.places_of(name)]

    @cached_property
    def places(self) -> dict[str, int]:
        """The columns with the same meaning for all values, by their names, conditions of its own by their headings."""
        return {
            heading if name == CONDITION else name: place
            for place, (name, heading) in enumerate(zip(self.mapping.columns, self.grid.headings, strict=True))
            if name not in (LEFT_OUT, UNDECIDED, LABEL, VALUE)
        }

    def tells(self, name: str) -> bool:
        """Tell whether a column or a common value says this of all rows."""
        return name in self.mapping.columns or bool(self.mapping.common_value(name))

    def also(self, said: Mapping[str, str]) -> "Meant":
        """Return the table with more that holds for all rows."""
        return replace(self, mapping=self.mapping.also(said))

    @cached_property
    def values(self) -> dict[int, Said]:
        """The meaning of the heading of each column of values, by its place."""
        parameter = self.mapping.common_value(PARAMETER)
        return {
            place: self._with_unit_of_cells(
                place,
                {parameter: heading} if parameter and is_number_like(heading) else dict(self.headings.says(heading)),
            )
            for place, heading in zip(self.places_of(VALUE), self.headings_of(VALUE), strict=True)
        }

    def _with_unit_of_cells(self, place: int, said: Said) -> Said:
        """Return the meaning of a heading, with the unit its cells are written with where nothing else tells any."""
        told = said.keys() | names_in(*self.labels.values())
        if told & {METRIC, UNIT, TIME} or self.tells(METRIC) or self.tells(UNIT):
            return said
        unit = unit_of_cells(self.grid.texts_of(place)[:_MOST_LOOKED_AT])
        return said | {TIME if unit == "s" else UNIT: unit} if unit else said

    @cached_property
    def labels(self) -> dict[str, Said]:
        """The meaning of each label."""
        texts = dict.fromkeys(text for place in self.places_of(LABEL) for text in self.grid.texts_of(place))
        return {text: self.headings.says(text) for text in texts}

    @cached_property
    def named(self) -> set[str]:
        """All that columns, headings and labels say something of."""
        said = names_in(*self.values.values(), *self.labels.values())
        return {*self.mapping.columns, self.mapping.common_value(PARAMETER), *said}

    @property
    def factors(self) -> set[str]:
        """The parameters among them."""
        return self.named & self.headings.known.parameters.keys()


def names_in(*said: Said) -> dict[str, str]:
    """Return a blank for each name that something is said of."""
    return {name: "" for one in said for name in one}


def resolved_said(said: Said, family: FamilyColumns | None) -> Said:
    """Return the meaning of a heading by the names of columns: a unit, or a word for time, tells the measure."""
    metric = metric_of(said, family) if family is not None else None
    kept = {name: text for name, text in said.items() if name not in (STATISTIC, TIME, METRIC)}
    return kept | ({METRIC: metric.name} if metric is not None else {})


def resolved_labels(meant: Meant, family: FamilyColumns | None) -> tuple[dict[str, Said], set[str]]:
    """Return the meaning of each label, and the labels without one that is known, or with a statistic of others."""
    listed = list(meant.labels)
    computed = {listed[at] for at in computed_among(list(meant.labels.values()))}
    resolved = {text: resolved_said(said, family) for text, said in meant.labels.items()}
    return resolved, {text for text, said in resolved.items() if not said or text in computed}
