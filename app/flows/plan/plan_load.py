"""Fields of the load of families that declare it as data: whole numbers, numbers, words, choices, lists."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial

from app.domain.errors import BadInput
from app.domain.load import Load, LoadField, LoadKind, LoadValue
from app.domain.plan import Plan
from app.domain.units import unit_word
from app.flows.plan.number_entry import Bounds, levels_text, number_text, read_levels
from app.flows.plan.plan_fields import (
    ON,
    ChoiceSpec,
    FieldKind,
    NumberSpec,
    Option,
    Section,
    Spec,
    Texts,
    TextSpec,
    check_bounds,
)
from app.flows.words import sentence
from app.foundation.texts import _

Suggestions = Mapping[str, tuple[str, ...]]
"""Names found at the target that fit a field, by the field's name."""

# Fields with a meaning of their own to this form.
CONFIRM_HIDDEN = "confirm_hidden"

# How a sentence names a key of a plan file. Key and heading are the same words in every language, "in" alone is not.
_KEY = re.compile(r"\b(\w+) \w+ \[workload\]")


def load_id(name: str) -> str:
    """Return the id of a field of the load."""
    return f"load.{name}"


def load_specs(fields: tuple[LoadField, ...], suggestions: Suggestions) -> tuple[Spec, ...]:
    """Return the fields of the load, in the family's order."""
    return tuple(_spec(field, suggestions.get(field.name, ())) for field in fields)


def _spec(field: LoadField, known: tuple[str, ...]) -> Spec:
    part, name = Section.WORKLOAD, load_id(field.name)
    bounds, unit = Bounds(field.low, field.high), unit_word(field.unit)
    match field.kind:
        case LoadKind.WHOLE:
            read = partial(_number, field)
            return NumberSpec(name, part, FieldKind.WHOLE, field.title, unit, field.help, bounds, read)
        case LoadKind.NUMBER:
            read = partial(_number, field)
            return NumberSpec(name, part, FieldKind.DECIMAL, field.title, unit, field.help, bounds, read)
        case LoadKind.CHOICE:
            options = tuple(Option(word, _word(word)) for word in field.choices)
            read_word = partial(_text, field)
            if field.name == CONFIRM_HIDDEN:  # stands below the parameters it is about
                hidden = Section.FACTORS
                return ChoiceSpec(name, hidden, field.title, field.help, options, read_word, _varies_hidden)
            return ChoiceSpec(name, part, field.title, field.help, options, read_word)
        case LoadKind.WHOLE_LIST:
            check = partial(_list_problem, bounds, unit)
            read_list = partial(_list, field)
            return TextSpec(
                name,
                part,
                FieldKind.LEVELS,
                field.title,
                unit,
                field.help,
                read_list,
                check,
                bounds.text(),
            )
    options = tuple(Option(word, word) for word in known)
    return TextSpec(
        name,
        part,
        FieldKind.TEXT,
        field.title,
        unit,
        field.help,
        partial(_text, field),
        _no_problem,
        when_empty=_("may stay empty"),
        suggestions=options,
    )


def _varies_hidden(texts: Texts) -> bool:
    """Tell whether a hidden parameter is ticked: only then is there something to confirm."""
    return any(text == ON for name, text in texts.items() if name.startswith("vary._"))


def _word(word: str) -> str:
    return {"yes": _("yes"), "no": _("no"), "insert": _("inserted"), "update": _("updated")}.get(word, word)


def _value(field: LoadField, plan: Plan) -> LoadValue:
    return plan.load.get(field.name, field.default)


def _number(field: LoadField, plan: Plan) -> float:
    value = _value(field, plan)
    assert isinstance(value, int | float)
    return value


def _text(field: LoadField, plan: Plan) -> str:
    return str(_value(field, plan))


def _list(field: LoadField, plan: Plan) -> str:
    value = _value(field, plan)
    return levels_text(value) if isinstance(value, tuple) else ""


def _no_problem(_text: str) -> str:
    return ""


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
    return _("{level} stands there twice.").format(level=number_text(repeated[0])) if repeated else ""


def load_of(
    fields: tuple[LoadField, ...],
    base: Load,
    texts: Texts,
    number_of: Callable[[str], Decimal | None],
) -> Load:
    """Return the load of a form without errors.

    Args:
        number_of: the number read from a field, by its id.
    """
    values: dict[str, LoadValue] = dict(base)
    for field in fields:
        name = load_id(field.name)
        match field.kind:
            case LoadKind.WHOLE:
                values[field.name] = int(number_of(name) or 0)
            case LoadKind.NUMBER:
                values[field.name] = float(number_of(name) or 0)
            case LoadKind.WHOLE_LIST:
                values[field.name] = tuple(int(number) for number in read_levels(texts[name]))
            case _:
                values[field.name] = texts[name].strip()
    return Load.from_mapping(values)


def hidden_problem(fields: tuple[LoadField, ...], texts: Texts) -> Mapping[str, str]:
    """Return that hidden parameters are varied without consent, by field id; nothing where all is well."""
    name = load_id(CONFIRM_HIDDEN)
    asks = any(field.name == CONFIRM_HIDDEN for field in fields)
    if not asks or not _varies_hidden(texts) or texts[name] == "yes":
        return {}
    hidden = [key.removeprefix("vary.") for key, text in texts.items() if key.startswith("vary._") and text == ON]
    return {
        name: _("Say yes to vary {names}: the vendor supports a hidden parameter only on its own advice.").format(
            names=", ".join(hidden)
        )
    }


def named_field(fields: tuple[LoadField, ...], problem: str) -> Mapping[str, str]:
    """Return a problem by the id of the field its sentence names by its key, as in "backup_folder in [workload]"."""
    names = {field.name for field in fields}
    found = next((key for key in _KEY.findall(problem) if key in names), "")
    return {load_id(found): sentence(in_form_words(fields, problem))} if found else {}


def in_form_words(fields: tuple[LoadField, ...], text: str) -> str:
    """Return a sentence about a plan file as one about the form: a field by its label instead of its key."""
    titles = {field.name: field.title for field in fields}
    return _KEY.sub(lambda key: _label(titles[key[1]]) if key[1] in titles else key[0], text)


def _label(title: str) -> str:
    return _("“{label}”").format(label=title)
