"""Parts of a plan made of the numbers and texts of its form."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from app.domain.limits import Limits, number_of
from app.domain.load import Load
from app.domain.plan import Design
from app.domain.plan_field import PlanField, PlanValue, ValueKind, read_time
from app.flows.plan.number_entry import number_text, read_levels
from app.flows.plan.plan_fields import Section
from app.flows.plan.plan_specs import end_ids, field_id, is_second, is_shown
from app.foundation.texts import _

Numbers = Mapping[str, Decimal | None]
"""The number read from each field, by field id."""


def range_errors(
    fields: Iterable[PlanField], texts: Mapping[str, str], numbers: Numbers, errors: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the errors of ranges whose numbers are each in their bounds, but do not go together."""
    field_by_name = {field.name: field for field in fields}
    error_by_field: dict[str, str] = {}
    for field in field_by_name.values():
        if field.kind is ValueKind.RANGE:
            within = field_by_name[field.fits_in[0]] if field.fits_in else None
            error_by_field |= _range_error(field, within, texts, numbers, errors)
    return error_by_field


def _range_error(
    field: PlanField, within: PlanField | None, texts: Mapping[str, str], numbers: Numbers, errors: Mapping[str, str]
) -> Mapping[str, str]:
    part = Section.WORKLOAD
    low_id, high_id = _range_ids(field, part, texts)
    if low_id in errors or high_id in errors:
        return {}
    low, high = needed(numbers[low_id]), needed(numbers[high_id])
    if low > high:
        return {high_id: _("Must be at least the smallest size, {low}.").format(low=number_text(low))}
    if within is None or field.fits_in is None or not is_shown(within, part, texts):
        return {}
    name = field_id(part, within)
    return {high_id: field.fits_in[1]} if name not in errors and high > needed(numbers[name]) else {}


def _range_ids(field: PlanField, section: Section, texts: Mapping[str, str]) -> tuple[str, str]:
    """Return the fields that hold the lowest and the highest number of a range."""
    single = field_id(section, field)
    return end_ids(section, field) if is_second(field, section, texts) else (single, single)


def values_of(
    fields: Iterable[PlanField], section: Section, texts: Mapping[str, str], numbers: Numbers
) -> dict[str, PlanValue | None]:
    """Return the values of a table's fields in a form without errors; None where one is left open."""
    return {field.name: _value(field, section, texts, numbers) for field in fields}


def _value(field: PlanField, section: Section, texts: Mapping[str, str], numbers: Numbers) -> PlanValue | None:
    name = field_id(section, field)
    match field.kind:
        case ValueKind.RANGE:
            low, high = (float(needed(numbers[end])) for end in _range_ids(field, section, texts))
            return low, high
        case ValueKind.WHOLE | ValueKind.NUMBER:
            is_asked = field.asked is not None
            number = numbers[name] if field.when_empty or is_asked else needed(numbers[name])
            if number is None or (is_asked and not is_second(field, section, texts)):
                return None
            return int(number) if field.kind is ValueKind.WHOLE else float(number)
        case ValueKind.TIME:
            return read_time(texts[name])
        case ValueKind.WHOLE_LIST:
            return tuple(int(number) for number in read_levels(texts[name]))
    text = texts[name].strip()
    return None if not text and field.default is None else text


def load_of(fields: Iterable[PlanField], texts: Mapping[str, str], numbers: Numbers) -> Load:
    """Return the load."""
    read = values_of(fields, Section.WORKLOAD, texts, numbers)
    return Load.from_mapping(read)


def limits_of(base: Limits, fields: Iterable[PlanField], texts: Mapping[str, str], numbers: Numbers) -> Limits:
    """Return the limits; those its family has no field for stay as they were."""
    read = values_of(fields, Section.LIMITS, texts, numbers)
    return base.but(**{name: number_of(value) for name, value in read.items()})


def design_of(base: Design, fields: Iterable[PlanField], texts: Mapping[str, str], numbers: Numbers) -> Design:
    """Return the design; parts that its family has no field for stay as they were."""
    return Design.from_mapping({**vars(base), **values_of(fields, Section.DESIGN, texts, numbers)})


def needed(number: Decimal | None) -> Decimal:
    """Return a number that must be there; raises ValueError where it is not."""
    if number is None:
        raise ValueError("a field that needs a number was read as empty")
    return number


def _optional(number: Decimal | None) -> float | None:
    return None if number is None else float(number)
