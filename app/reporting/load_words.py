"""Load and limits of a plan in words: in full where a report tells the method, in short beside each claim."""

from collections.abc import Callable

from app.domain.limits import COMMON_LIMITS, LimitField, Limits
from app.domain.load import Load
from app.domain.plan_field import PlanField, PlanValue, ValueKind, time_text
from app.foundation.texts import _
from app.reporting.numbers import duration, number, quantity


def load_in_full(fields: tuple[PlanField, ...], load: Load) -> str:
    """Return the load as a report tells it, "" where no field says how."""
    return "; ".join(_words(fields, load, lambda field: field.stated))


def load_in_short(fields: tuple[PlanField, ...], load: Load) -> str:
    """Return the load as it stands beside a claim, without its conditions; "" where no field says how."""
    return ", ".join(_words(fields, load, lambda field: field.in_short))


def limits_in_full(fields: tuple[LimitField, ...], limits: Limits) -> str:
    """Return the limits of a plan, in the family's order; one it does not watch comes after its own."""
    field_by_name = {field.name: field for field in (*fields, *COMMON_LIMITS)}
    named = [(field.stated, amount(field, limits[name])) for name, field in field_by_name.items() if name in limits]
    others = [f"{name} {number(value)}" for name, value in limits.items() if name not in field_by_name]
    return "; ".join([*(stated.format(value=value) for stated, value in named), *others])


def _words(fields: tuple[PlanField, ...], load: Load, template: Callable[[PlanField], str]) -> list[str]:
    told_of = [field for field in fields if _matters(field, load)]
    told = {field.name: _told(field, load.get(field.name)) for field in told_of}
    named = [field for field in told_of if template(field) and (field.name in load or field.stated_open)]
    return [template(field).format(value=told[field.name], **told) for field in named]


def plainly(value: PlanValue) -> str:
    """Return a value without its unit."""
    return ", ".join(map(number, dict.fromkeys(value))) if isinstance(value, tuple) else number(value)


def amount(field: PlanField, value: float) -> str:
    """Return a number as a person reads it, a length of time as one."""
    if field.kind is ValueKind.WHOLE:
        return number(value)
    if field.kind is ValueKind.TIME:
        return time_text(int(value))
    return duration(value) if field.unit == "s" else quantity(value, field.unit)


def _matters(field: PlanField, load: Load) -> bool:
    """Tell whether a report says anything of a field."""
    if (field.is_quiet and load.get(field.name) == field.default) or load.get(field.name) in field.unstated:
        return False
    return field.shown_when is None or load.get(field.shown_when[0]) == field.shown_when[1]


def _told(field: PlanField, value: PlanValue | None) -> str:
    if value is None:
        return field.stated_open
    if field.kind is ValueKind.CHOICE and field.option_titles:
        return dict(zip(field.choices, field.option_titles, strict=True)).get(str(value), str(value))
    if isinstance(value, tuple) and field.kind is ValueKind.RANGE and value[0] != value[-1]:
        return _("{low} to {high}").format(low=number(value[0]), high=number(value[-1]))
    return plainly(value) if isinstance(value, str | tuple) else amount(field, value)
