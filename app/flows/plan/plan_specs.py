"""Fields of a form, made from those a plan declares."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Final

from app.domain.errors import BadInput
from app.domain.plan import Plan
from app.domain.plan_field import Asked, PlanField, ValueKind, read_time, time_text
from app.domain.units import convert, unit_word
from app.flows.plan.number_entry import Bounds, levels_text, number_text, read_levels
from app.flows.plan.plan_fields import Field, FieldKind, Option, Section, Spec, Texts, check_bounds
from app.foundation.texts import _

Read = Callable[[Plan], object]
"""The value of a field in a plan."""


def specs_of(field: PlanField, section: Section, read: Read, offered: tuple[str, ...] = ()) -> tuple[Spec, ...]:
    """Return the fields of a form for a declared one: its first question, and one or more for its value.

    Args:
        read: its value in a plan.
        offered: words known to fit, offered and not forced.
    """
    spec = replace(_spec(field, section, read, offered), is_shown=partial(is_shown, field, section))
    if field.asked is None:
        return (spec,)
    asked = field.asked
    options = tuple(Option(word, label) for word, label in asked.options)
    form = Field(asked_id(section, asked), section, asked.title, FieldKind.CHOICE, help=asked.help, options=options)
    choice = Spec(form, partial(_answer, field, read), spec.is_shown)
    first, second = (partial(_is_answered, form.field_id, word, spec.is_shown) for word, _label in asked.options)
    if field.kind is not ValueKind.RANGE:
        return choice, replace(spec, is_shown=second)
    ends = (
        Spec(
            replace(spec.form, field_id=end_id, label=title, help=text),
            partial(_end, read, place),
            second,
            spec.bounds,
        )
        for place, (end_id, (title, text)) in enumerate(zip(end_ids(section, field), asked.ends, strict=True))
    )
    return choice, replace(spec, is_shown=first), *ends


def asked_id(section: Section, asked: Asked) -> str:
    """Return the id of the first question."""
    return f"{section}.{asked.name}"


def end_ids(section: Section, field: PlanField) -> tuple[str, str]:
    """Return the ids of the lowest and the highest number of a range."""
    return f"{field_id(section, field)}_low", f"{field_id(section, field)}_high"


def is_second(field: PlanField, section: Section, texts: Texts) -> bool:
    """Tell whether the first question has its second answer: that there is a number, or that there are two."""
    return field.asked is not None and texts[asked_id(section, field.asked)] == field.asked.options[1][0]


def is_shown(field: PlanField, section: Section, texts: Texts) -> bool:
    """Tell whether the other answers make a field matter."""
    if field.hidden_when is not None and texts[f"{section}.{field.hidden_when[0]}"] in field.hidden_when[1]:
        return False
    return field.shown_when is None or texts[f"{section}.{field.shown_when[0]}"] == field.shown_when[1]


def _is_answered(name: str, word: str, shown: Callable[[Texts], bool], texts: Texts) -> bool:
    return texts[name] == word and shown(texts)


def _answer(field: PlanField, read: Read, plan: Plan) -> str:
    """Return a plan's answer to the first question."""
    value = read(plan)
    is_one = value is None or (isinstance(value, tuple) and value[0] == value[1])
    assert field.asked is not None
    return field.asked.options[0 if is_one else 1][0]


def _end(read: Read, place: int, plan: Plan) -> float | None:
    value = read(plan)
    return value[place] if isinstance(value, tuple) else None


_KINDS: Final = {
    ValueKind.WHOLE: FieldKind.WHOLE,
    ValueKind.NUMBER: FieldKind.DECIMAL,
    ValueKind.RANGE: FieldKind.DECIMAL,
    ValueKind.CHOICE: FieldKind.CHOICE,
    ValueKind.WHOLE_LIST: FieldKind.LEVELS,
    ValueKind.TEXT: FieldKind.TEXT,
    ValueKind.TIME: FieldKind.TEXT,
}


def _spec(field: PlanField, section: Section, read: Read, offered: tuple[str, ...]) -> Spec:
    unit, bounds = unit_word(field.typed_in or field.unit), bounds_of(field)
    form = Field(field_id(section, field), section, field.title, _KINDS[field.kind], unit=unit, help=field.help)
    match field.kind:
        case ValueKind.RANGE:
            return Spec(form, partial(_end, read, 0), bounds=bounds)
        case ValueKind.CHOICE:
            titles = field.option_titles or tuple(map(_word, field.choices))
            options = tuple(Option(word, title) for word, title in zip(field.choices, titles, strict=True))
            left_open = (Option("", field.when_empty),) if field.when_empty else ()
            return Spec(replace(form, options=left_open + options), read)
        case ValueKind.WHOLE_LIST:
            check = partial(_list_problem, bounds, unit)
            return Spec(replace(form, hint=bounds.text()), partial(_list_text, read), check=check)
        case ValueKind.TIME:
            form = replace(form, when_empty=field.when_empty, hint=_("such as 17:00"))
            return Spec(form, partial(_time_text, read), check=_time_problem)
        case ValueKind.TEXT:
            options = tuple(Option(word, word) for word in offered)
            return Spec(replace(form, when_empty=_("may stay empty"), options=options), read)
    return Spec(replace(form, when_empty=field.when_empty), read, bounds=bounds, scale=scale_of(field))


def field_id(section: Section, field: PlanField) -> str:
    """Return the id of a field of a form: table and key of the plan file."""
    return f"{section}.{field.name}"


def scale_of(field: PlanField) -> Decimal:
    """Return how much one unit of the form is in the unit of the plan, such as 60 for minutes kept as seconds."""
    return Decimal(repr(convert(1.0, field.typed_in, field.unit))) if field.typed_in else Decimal(1)


def bounds_of(field: PlanField) -> Bounds:
    """Return the bounds of a field's number, in the unit of the form."""
    is_above, is_below = field.above is not None and field.low is None, field.below is not None
    low, high = field.above if is_above else field.low, field.below if is_below else field.high
    scale = scale_of(field)

    def typed(bound: float | None) -> float | None:
        return None if bound is None else float(Decimal(repr(bound)) / scale)

    return Bounds(typed(low), typed(high), open_low=is_above, open_high=is_below)


def table_specs(fields: Iterable[PlanField], section: Section) -> tuple[Spec, ...]:
    """Return the fields of the design or of the limits."""
    return tuple(spec for field in fields for spec in specs_of(field, section, partial(_value, section, field)))


def _value(section: Section, field: PlanField, plan: Plan) -> object:
    return getattr(plan.design, field.name) if section is Section.DESIGN else plan.limits.get(field.name)


def _word(word: str) -> str:
    return {"yes": _("yes"), "no": _("no")}.get(word, word)


def _time_text(read: Read, plan: Plan) -> str:
    value = read(plan)
    return time_text(int(value)) if isinstance(value, int | float) else ""


def _time_problem(text: str) -> str:
    """Return why a time of day cannot be used, "" where it can."""
    return "" if not text.strip() or read_time(text) is not None else _("Give a time of day such as 17:00.")


def _list_text(read: Read, plan: Plan) -> str:
    value = read(plan)
    return levels_text(value) if isinstance(value, tuple) else ""


def _list_problem(bounds: Bounds, unit: str, text: str) -> str:
    """Return why a list of whole numbers cannot be used, "" where it can."""
    try:
        numbers = read_levels(text)
        for number in numbers:
            check_bounds(number, bounds, unit)
    except BadInput as error:
        return str(error)
    if not numbers:
        return _("Give at least one whole number.")
    repeated = [number for place, number in enumerate(numbers) if number in numbers[:place]]
    return _("{level} is given twice.").format(level=number_text(repeated[0])) if repeated else ""
