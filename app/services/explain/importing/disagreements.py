"""Where a document gives two values for one point, and whether its labels were swapped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.measurement import Measurement
from app.domain.setting import Setting
from app.foundation.texts import _
from app.services.explain.importing.columns import ConditionColumn, FamilyColumns

# Two values for one point within this share of each other are taken for rounding or reading off a chart.
TOLERATED_SHARE: Final = 0.10

# More notes than this help nobody.
MOST_NOTES: Final = 20


@dataclass(frozen=True)
class ReportedElsewhere:
    """A second value the same document gives for one measurement.

    Attributes:
        at: where it stands in the file.
        index: position of the measurement among those of the file.
        value: in the unit of the measurement.
        source, where: what the file says about the origin of the first and of the second value; may be empty.
    """

    at: str
    index: int
    value: float
    source: str
    where: str


def disagreement_notes(
    measurements: Sequence[Measurement],
    second_values: Sequence[ReportedElsewhere],
    families: Mapping[str, FamilyColumns],
) -> tuple[str, ...]:
    """Return one sentence for each second value that is off by more than a tenth.

    It names the point and both values, and the other point of the file whose value the second one is, if there is
    one: then the labels of the two were most likely swapped.
    """
    off = [
        second
        for second in second_values
        if abs(second.value - measurements[second.index].value) > TOLERATED_SHARE * measurements[second.index].value
    ]
    points = _points_by_value(measurements, [second.value for second in off])
    notes = [_note(measurements, second, points, families) for second in off[:MOST_NOTES]]
    if len(off) > MOST_NOTES:
        notes.append(
            _("{count} more points have a second value that differs by more than {share:.0%}").format(
                count=len(off) - MOST_NOTES, share=TOLERATED_SHARE
            )
        )
    return tuple(notes)


def _points_by_value(measurements: Sequence[Measurement], values: Sequence[float]) -> dict[str, list[int]]:
    """Return the measurements that have one of the values, by the value to six digits."""
    found: dict[str, list[int]] = {_six_digits(value): [] for value in values}
    if found:
        for index, m in enumerate(measurements):
            indices = found.get(_six_digits(m.value))
            if indices is not None:
                indices.append(index)
    return found


def _six_digits(value: float) -> str:
    return f"{value:.6g}"


def _note(
    measurements: Sequence[Measurement],
    second: ReportedElsewhere,
    points: Mapping[str, Sequence[int]],
    families: Mapping[str, FamilyColumns],
) -> str:
    m = measurements[second.index]
    family = families[m.family]
    found = _("{at}: {source} gives {value:g} {unit} at {point}, but {where} gives {other:g} {unit}").format(
        at=second.at,
        source=second.source or _("the file"),
        value=m.value,
        unit=m.unit,
        point=point_label(m.setting, m.conditions, family),
        where=second.where or _("the same document elsewhere"),
        other=second.value,
    )
    twin = next(
        (
            other
            for other in (measurements[index] for index in points[_six_digits(second.value)])
            if (other.family, other.metric) == (m.family, m.metric)
            and (other.setting, other.conditions) != (m.setting, m.conditions)
        ),
        None,
    )
    if twin is None:
        return _("{found}; {value:g} is used, check which of the two holds").format(found=found, value=m.value)
    return _(
        "{found}, which is the value at {point}: the labels were most likely swapped there; {value:g} is used"
    ).format(
        found=found,
        point=point_label(_differing(twin.setting, m.setting), _differing(twin.conditions, m.conditions), family),
        value=m.value,
    )


def _differing(setting: Setting, other: Setting) -> Setting:
    """Return the entries of a setting that another one does not share."""
    return Setting.from_mapping({name: value for name, value in setting.items() if other.get(name) != value})


def point_label(setting: Setting, conditions: Setting, family: FamilyColumns) -> str:
    """Return a point as a person writes it, such as "512 kbps, 300 ms, SubscriptionStreams 1"."""
    words = [_condition_label(name, value, family.condition(name)) for name, value in conditions.items()]
    if setting:
        words.append(setting.label())
    return ", ".join(words)


def _condition_label(name: str, value: object, column: ConditionColumn | None) -> str:
    """Return a condition whose name ends in its unit as a quantity, any other as name and value."""
    suffix = f"_{column.unit}" if column and column.unit else ""
    if suffix and name.endswith(suffix):
        return f"{name.removesuffix(suffix)} {value} {column.unit}" if column else ""
    return f"{name} {value}"
