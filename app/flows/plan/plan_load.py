"""Fields of the load of a family: their specs, consent to hidden parameters, and problems told by their keys."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from app.domain.plan import Plan
from app.domain.plan_field import PlanField
from app.flows.plan.plan_fields import ON, Section, Spec, Texts
from app.flows.plan.plan_specs import specs_of
from app.flows.words import sentence
from app.foundation.texts import _

Suggestions = Mapping[str, tuple[str, ...]]
"""Names found at the target that fit a field, by the field's name."""

# How a sentence names a key of a plan file. Key and heading are the same words in every language, "in" alone is not.
_KEY = re.compile(r"\b(\w+) \w+ \[workload\]")


def load_id(name: str) -> str:
    """Return the id of a field of the load."""
    return f"{Section.WORKLOAD}.{name}"


def load_specs(
    fields: tuple[PlanField, ...], suggestions: Suggestions, most: Mapping[str, tuple[int, str]]
) -> tuple[Spec, ...]:
    """Return the fields of the load, in the family's order.

    Args:
        most: by name, the most the target has of it, and the words for that.
    """
    made: list[Spec] = []
    for field in fields:
        specs = specs_of(field, Section.WORKLOAD, partial(_of_load, field), suggestions.get(field.name, ()))
        if field.consent:  # stands below the parameters it is about
            asks = partial(_asks_consent, field.consent[0])
            specs = tuple(replace(s, form=replace(s.form, section=Section.FACTORS), is_shown=asks) for s in specs)
        if field.name in most:
            high, because = most[field.name]
            specs = tuple(replace(s, bounds=replace(s.bounds, high=high, because=because)) for s in specs)
        made += specs
    return tuple(made)


def _of_load(field: PlanField, plan: Plan) -> object:
    return plan.load.get(field.name, field.default)


def _asks_consent(prefix: str, texts: Texts) -> bool:
    return bool(_varied(prefix, texts))


def _varied(prefix: str, texts: Texts) -> list[str]:
    """Return the parameters that are ticked whose names begin so."""
    keys = (key.removeprefix("vary.") for key, text in texts.items() if key.startswith("vary.") and text == ON)
    return [name for name in keys if name.startswith(prefix)]


def consent_problem(fields: tuple[PlanField, ...], texts: Texts) -> Mapping[str, str]:
    """Return that parameters are varied without consent, by field id; nothing where all is well."""
    problems: dict[str, str] = {}
    for field in fields:
        if field.consent and texts[load_id(field.name)] != "yes" and (names := _varied(field.consent[0], texts)):
            problems[load_id(field.name)] = field.consent[1].format(names=", ".join(names))
    return problems


def named_field(fields: tuple[PlanField, ...], problem: str) -> Mapping[str, str]:
    """Return a problem by the id of the field its sentence names by its key, as in "backup_folder in [workload]"."""
    names = {field.name for field in fields}
    name = next((key for key in _KEY.findall(problem) if key in names), "")
    return {load_id(name): sentence(in_form_words(fields, problem))} if name else {}


def in_form_words(fields: tuple[PlanField, ...], text: str) -> str:
    """Return a sentence about a plan file as one about the form: a field by its label instead of its key."""
    titles = {field.name: field.title for field in fields}
    return _KEY.sub(lambda key: _label(titles[key[1]]) if key[1] in titles else key[0], text)


def _label(title: str) -> str:
    return _("“{label}”").format(label=title)
