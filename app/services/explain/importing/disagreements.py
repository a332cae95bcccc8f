"""Where a document gives two values for one point, and whether its labels were swapped."""

from collections.abc import Sequence
from typing import Final

from app.analysis.contradictions import rounding_share
from app.domain.measurement import Measurement
from app.domain.setting import Setting, value_text
from app.domain.units import Quantity
from app.foundation.texts import _
from app.services.explain.importing.cells import ReadRow
from app.services.explain.importing.columns import REPORTED_WHERE, SOURCE, Families, FamilyColumns
from app.services.explain.importing.table import Table

# More notes than this help nobody.
MOST_NOTES: Final = 20


def disagreement_notes(table: Table, read: Sequence[ReadRow], families: Families) -> list[str]:
    """Return one sentence for each second value that is off by more than rounding, a tenth at most.

    It names the point and both values, and the other point of the file whose value the second one is, if there is
    one: then the labels of the two were most likely swapped.
    """
    off = [entry for entry in read if _is_off(entry)]
    notes = [_note(table, entry, read, families) for entry in off[:MOST_NOTES]]
    if len(off) > MOST_NOTES:
        sentence = _("{count} more points have a second value that differs by more than rounding")
        notes.append(sentence.format(count=value_text(len(off) - MOST_NOTES)))
    return notes


def _is_off(entry: ReadRow) -> bool:
    m, second = entry.measured, entry.second_value
    if second is None:
        return False
    share = rounding_share(Quantity(m.value, m.unit), Quantity(second, m.unit))
    return abs(second - m.value) > share * m.value


def _twin_of(entry: ReadRow, read: Sequence[ReadRow]) -> Measurement | None:
    """Return the measurement of another point that has the second value, to six digits."""
    first, wanted = entry.measured, f"{entry.second_value:.6g}"
    others = (
        m
        for m in (other.measured for other in read)
        if (m.family, m.metric) == (first.family, first.metric)
        and f"{m.value:.6g}" == wanted
        and (m.setting, m.conditions) != (first.setting, first.conditions)
    )
    return next(others, None)


def _note(table: Table, entry: ReadRow, read: Sequence[ReadRow], families: Families) -> str:
    first, twin, family = entry.measured, _twin_of(entry, read), families[entry.measured.family]
    sentence = _("{at}: {source} gives {value:g} {unit} at {point}, but {where} gives {other:g} {unit}").format(
        at=table.place(entry.row.number),
        source=entry.row.line_of(SOURCE) or _("the file"),
        value=first.value,
        unit=first.unit,
        point=point_label(first.setting, first.conditions, family),
        where=entry.row.line_of(REPORTED_WHERE) or _("the same document elsewhere"),
        other=entry.second_value,
    )
    if twin is None:
        return _("{found}; {value:g} is used, check which of the two holds").format(found=sentence, value=first.value)
    point = point_label(_differing(twin.setting, first.setting), _differing(twin.conditions, first.conditions), family)
    return _(
        "{found}, which is the value at {point}: the labels were most likely swapped there; {value:g} is used"
    ).format(found=sentence, point=point, value=first.value)


def _differing(setting: Setting, other: Setting) -> Setting:
    """Return the entries of a setting that another one does not share."""
    return Setting.from_mapping({name: value for name, value in setting.items() if other.get(name) != value})


def point_label(setting: Setting, conditions: Setting, family: FamilyColumns) -> str:
    """Return a point as a person writes it: conditions as quantities where their names end in a unit."""
    words: list[str] = []
    for name, value in conditions.items():
        column = family.condition(name)
        unit = column.unit if column else ""
        quantity = name.removesuffix(f"_{unit}") if unit else name
        words.append(f"{name} {value}" if quantity == name else f"{quantity} {value} {unit}")
    return ", ".join([*words, setting.label()] if setting else words)
