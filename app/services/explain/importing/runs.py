"""Names of runs: unique for each run, whatever a file calls them, and what two rows may not share."""

from collections.abc import Mapping
from typing import Final

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.services.explain.importing.cells import Place, Point
from app.services.explain.importing.columns import FamilyColumns
from app.services.explain.importing.disagreements import point_label
from app.services.explain.importing.table import Table, quotable

# Without names of runs a row may be a repeat that gave the same value, or the same row pasted twice. Among few repeats
# the second is likelier; among many, equal values must come up.
MOST_TOLD_APART: Final = 20

_LINE: Final = _("line")
_ENTRY: Final = _("entry")


class RunNames:
    """Names the runs of one file and finds rows that stand in it twice.

    Rows of one family, run, setting and conditions are one run and may differ in the metric only. A name that stands
    for several settings, as where repeats are numbered 1, 2, 3 within each setting, is made unique by the setting.

    Args:
        table: for places in sentences.
        families: what each family accepts.
    """

    def __init__(self, table: Table, families: Mapping[str, FamilyColumns]) -> None:
        self._table = table
        self._word = _LINE if table.delimiter else _ENTRY
        self._families = families
        self._place_of_run: dict[str, dict[str, Place]] = {family: {} for family in families}
        self._shared: dict[str, None] = {}
        self._repeated: dict[int, tuple[int, int, Point]] = {}

    def name(self, row: int, run: str, block: int, value: float, point: Point) -> str:
        """Return an identifier unique to the run within its family.

        Args:
            row: line or entry of the measurement.
            run: what the file calls it; empty names it by its row.
            block: 0 where the file names none.
            value: only to tell a repeat from a row given twice.
            point: where it was measured.

        Raises:
            BadInput: the row stands in the file twice, or the run has two values.
        """
        if not run and not block:
            if point.repeats <= MOST_TOLD_APART:
                first = point.row_by_run.setdefault(repr(value), row)
                if first != row:
                    self._repeated.setdefault(id(point), (row, first, point))
            return f"{self._word} {row}"
        first = point.row_by_run.setdefault(run or f"{block}: {value!r}", row)
        if first != row:
            raise self._twice(row, first, run, point)
        if not run:
            return f"{self._word} {row}"
        place = self._place_of_run[point.family].setdefault(run, point.place)
        if place is point.place or self._is_same_run(place, point.place):
            return run
        self._shared.setdefault(run)
        return f"{run} ({point_label(point.place.setting, point.place.conditions, self._families[point.family])})"

    def _is_same_run(self, place: Place, other: Place) -> bool:
        """Tell whether two places differ in nothing but what varies within one run."""
        swept = self._families[place.family].swept
        return bool(swept) and place.within_run(swept) == other.within_run(swept)

    def refuse_repeated_rows(self) -> None:
        """Raise BadInput where rows without a run's name say the same, among few repeats; called after the last row."""
        for row, first, point in self._repeated.values():
            if point.repeats <= MOST_TOLD_APART:
                raise self._twice(row, first, "", point)

    def notes(self) -> tuple[str, ...]:
        """Return a sentence where names of runs were made unique."""
        if not self._shared:
            return ()
        text = (
            _('{file}: the run "{run}" stands for several settings; each setting was taken as a run of its own')
            if len(self._shared) == 1
            else _(
                '{file}: {count} names of runs, such as "{run}", stand for several settings; '
                "each setting was taken as a run of its own"
            )
        )
        return (text.format(file=self._table.name, count=len(self._shared), run=quotable(next(iter(self._shared)))),)

    def _twice(self, row: int, first: int, run: str, point: Point) -> BadInput:
        at, what, metric = self._table.at_row(row), point.place.setting.label(), point.metric.name
        if run:
            return BadInput(
                _(
                    '{at}: run "{run}" already has a {metric} for {what} in {word} {first}; '
                    "remove one, or give each run its own name"
                ).format(at=at, run=quotable(run), metric=metric, what=what, word=self._word, first=first)
            )
        return BadInput(
            _(
                "{at}: this repeats {word} {first} (same {metric}, {what}); "
                'remove one, or tell them apart in a column "run"'
            ).format(at=at, word=self._word, first=first, metric=metric, what=what)
        )
