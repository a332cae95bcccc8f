"""Where a document gives two values for one point, and whether its labels were swapped."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.analysis.contradictions import ROUNDING_SHARE
from app.domain.measurement import Measurement
from app.domain.setting import Setting
from app.foundation.texts import _
from app.services.explain.importing.columns import FamilyColumns
from app.services.explain.importing.experiments import Families

# More notes than this help nobody.
MOST_NOTES: Final = 20


@dataclass(frozen=True)
class ReportedElsewhere:
    """A second value the same document gives for one measurement.

    Attributes:
        at: where both stand in the file.
        first: the measurement.
        value: in the unit of the measurement.
        source, where: what the file says about the origin of the first and of the second value; may be empty.
    """

    at: str
    first: Measurement
    value: float
    source: str
    where: str


def disagreement_notes(
    measurements: Sequence[Measurement], second_values: Sequence[ReportedElsewhere], families: Families
) -> tuple[str, ...]:
    """Return one sentence for each second value that is off by more than a tenth.

    It names the point and both values, and the other point of the file whose value the second one is, if there is
    one: then the labels of the two were most likely swapped.
    """
    off = [
        second
        for second in second_values
        if abs(second.value - second.first.value) > ROUNDING_SHARE * second.first.value
    ]
    notes = [_note(second, _twin_of(second, measurements), families) for second in off[:MOST_NOTES]]
    if len(off) > MOST_NOTES:
        notes.append(
            _("{count} more points have a second value that differs by more than {share:.0%}").format(
                count=len(off) - MOST_NOTES, share=ROUNDING_SHARE
            )
        )
    return tuple(notes)


def _twin_of(second: ReportedElsewhere, measurements: Sequence[Measurement]) -> Measurement | None:
    """Return the measurement of another point that has the second value, to six digits."""
    first, wanted = second.first, f"{second.value:.6g}"
    others = (
        m
        for m in measurements
        if (m.family, m.metric) == (first.family, first.metric)
        and f"{m.value:.6g}" == wanted
        and (m.setting, m.conditions) != (first.setting, first.conditions)
    )
    return next(others, None)


def _note(second: ReportedElsewhere, twin: Measurement | None, families: Families) -> str:
    first, family = second.first, families[second.first.family]
    sentence = _("{at}: {source} gives {value:g} {unit} at {point}, but {where} gives {other:g} {unit}").format(
        at=second.at,
        source=second.source or _("the file"),
        value=first.value,
        unit=first.unit,
        point=point_label(first.setting, first.conditions, family),
        where=second.where or _("the same document elsewhere"),
        other=second.value,
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
