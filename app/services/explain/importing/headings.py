"""Which heading is which column."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from app.domain.errors import BadInput
from app.foundation.texts import _
from app.services.explain.importing.columns import (
    BLOCK,
    NEEDED,
    OPTIONAL,
    REPORTED_ELSEWHERE,
    VALUE,
    ColumnRole,
    FamilyColumns,
    plain,
    quoted,
)
from app.services.explain.importing.table import Table, quotable


@dataclass(frozen=True)
class Column:
    """One column of a file: where it stands and what it was taken for."""

    position: int
    heading: str
    role: ColumnRole
    name: str


class KnownColumns:
    """Every column some family understands.

    Args:
        families: what each family accepts, by its id.
    """

    def __init__(self, families: Mapping[str, FamilyColumns]) -> None:
        self.factors = tuple(dict.fromkeys(knob.name for family in families.values() for knob in family.knobs))
        self.conditions = tuple(
            dict.fromkeys(column.name for family in families.values() for column in family.conditions)
        )
        self._by_plain_name = {
            plain(name): (role, name)
            for role, names in (
                (ColumnRole.FACTOR, self.factors),
                (ColumnRole.CONDITION, self.conditions),
                (ColumnRole.REMARK, OPTIONAL),
                (ColumnRole.MEASUREMENT, (*NEEDED, "run", "block")),
            )
            for name in names
        }

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, as a sentence lists them."""
        return (*NEEDED, *OPTIONAL, *self.factors, *self.conditions)

    def knows(self, heading: str) -> bool:
        """Return whether a heading names one of them."""
        return plain(heading) in self._by_plain_name

    def match(self, table: Table) -> tuple[Column, ...]:
        """Return the columns of a file.

        Raises:
            BadInput: a needed column is missing, or a heading is empty, unknown, or there twice.
        """
        known = [self._by_plain_name.get(plain(heading)) for heading in table.headings]
        names = {entry[1] for entry in known if entry}
        self._check_needed(table, names)
        columns: list[Column] = []
        seen: dict[str, str] = {}
        for position, (heading, entry) in enumerate(zip(table.headings, known, strict=True)):
            if entry is None:
                raise self._unknown(table, position, heading)
            role, name = entry
            if name in seen:
                raise BadInput(
                    _('{at}: the columns "{first}" and "{second}" are the same; remove one').format(
                        at=table.at_headings(), first=seen[name], second=heading
                    )
                )
            seen[name] = heading
            columns.append(Column(position, heading, role, name))
        self._check_factors(table, names)
        return tuple(columns)

    def _check_needed(self, table: Table, names: Collection[str]) -> None:
        missing = [name for name in NEEDED if name not in names]
        if missing:
            raise BadInput(
                _("{at}: needed and missing: {missing}; present: {present}{hint}").format(
                    at=table.at_headings(),
                    missing=quoted(missing),
                    present=_shortened(table.headings) or _("nothing"),
                    hint=_hint(missing[0], [h for h in table.headings if not self.knows(h)]),
                )
            )

    def _check_factors(self, table: Table, names: Collection[str]) -> None:
        if not any(factor in names for factor in self.factors):
            raise BadInput(
                _("{at}: there is no column for a parameter; name at least one of {known}; present: {present}").format(
                    at=table.at_headings(), known=quoted(self.factors), present=_shortened(table.headings)
                )
            )

    def _unknown(self, table: Table, position: int, heading: str) -> BadInput:
        if not heading.strip():
            return BadInput(
                _("{at}: column {number} has no heading; name or remove it").format(
                    at=table.at_headings(), number=position + 1
                )
            )
        return BadInput(
            _('{at}: the column "{heading}" is not known{hint}; known columns are {known}').format(
                at=table.at_headings(),
                heading=quotable(heading),
                hint=did_you_mean(heading, self.names),
                known=", ".join(self.names),
            )
        )


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """Return " (did you mean …?)" with the known name most like `name`, or an empty text where none is near."""
    by_plain_name = {plain(entry): entry for entry in known}
    near = difflib.get_close_matches(plain(name)[:100], by_plain_name, n=1, cutoff=0.6)
    return _(' (did you mean "{name}"?)').format(name=by_plain_name[near[0]]) if near else ""


def number_columns(columns: Sequence[Column], families: Mapping[str, FamilyColumns]) -> tuple[int, ...]:
    """Return the positions of the columns that hold numbers, the value first."""
    texts = {condition.name for family in families.values() for condition in family.conditions if not condition.unit}
    texts |= {knob.name for family in families.values() for knob in family.knobs if knob.choices}
    by_name = {column.name: column for column in columns}
    first = [by_name[name].position for name in (VALUE, REPORTED_ELSEWHERE, BLOCK) if name in by_name]
    others = [
        column.position
        for column in columns
        if column.role in (ColumnRole.FACTOR, ColumnRole.CONDITION) and column.name not in texts
    ]
    return (*first, *others)


def _hint(missing: str, unknown: Sequence[str]) -> str:
    near = difflib.get_close_matches(plain(missing), [plain(heading)[:100] for heading in unknown], n=1, cutoff=0.6)
    found = next((heading for heading in unknown if near and plain(heading)[:100] == near[0]), None)
    return _(' (is "{heading}" meant to be "{name}"?)').format(heading=quotable(found), name=missing) if found else ""


def _shortened(headings: Sequence[str]) -> str:
    """Return headings as a sentence lists them, the first dozen of many."""
    shown = quoted(quotable(heading) for heading in headings[:12])
    return shown + ", …" if len(headings) > 12 else shown
