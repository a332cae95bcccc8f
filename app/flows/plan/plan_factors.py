"""Fields of the parameters an experiment may vary, generated from the family's knobs and what the server reports."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Factor, Plan
from app.domain.setting import Knob, Setting, Value
from app.domain.system import system_of
from app.domain.units import unit_word
from app.flows.plan.number_entry import Bounds, levels_text, number_text, read_levels
from app.flows.plan.plan_fields import (
    OFF,
    ON,
    Field,
    FieldKind,
    Option,
    Section,
    Spec,
    Texts,
    check_bounds,
)
from app.flows.system_views import views_of
from app.flows.words import sentence
from app.foundation.texts import _
from app.services.plan.completing import complete_plan, why_not_simulated

MOST_FACTORS = 2

# Limits from here on are those of a number's storage, not of its meaning.
_FAR = 2**31 - 1


def vary_id(knob: Knob) -> str:
    """Return the id of the switch that makes a knob a factor."""
    return f"vary.{knob.name}"


def levels_id(knob: Knob) -> str:
    """Return the id of the field with a knob's levels."""
    return f"levels.{knob.name}"


def baseline_id(knob: Knob) -> str:
    """Return the id of the field with a knob's baseline."""
    return f"baseline.{knob.name}"


def factor_texts(knobs: tuple[Knob, ...], plan: Plan) -> dict[str, str]:
    """Return what the switches and lists show of a plan; a knob it does not vary offers its own levels."""
    varied = {factor.name: factor.levels for factor in plan.factors}
    texts: dict[str, str] = {}
    for knob in knobs:
        levels = varied.get(knob.name, knob.levels)
        texts[vary_id(knob)] = ON if knob.name in varied else OFF
        texts[levels_id(knob)] = (
            ticked_text(str(level) for level in levels)
            if knob.choices
            else levels_text(tuple(int(level) for level in levels))
        )
    return texts


def ticked_text(words: Iterable[str]) -> str:
    """Return ticked words as a field keeps them."""
    return ",".join(words)


def read_factor(knob: Knob, text: str, site: Site | None) -> tuple[Value, ...]:
    """Return the levels typed or ticked for a knob.

    Raises:
        BadInput: they cannot be tried.
    """
    if knob.choices:
        words = tuple(word for word in text.split(",") if word)
        if len(words) < 2:
            raise BadInput(_("Tick at least two to compare."))
        return words
    levels = read_levels(text)
    bounds = knob_bounds(knob, site)
    for level in levels:
        check_bounds(level, bounds, _unit(knob))
    repeated = [level for position, level in enumerate(levels) if level in levels[:position]]
    if repeated:
        raise BadInput(_("{level} stands there twice.").format(level=number_text(repeated[0])))
    if len(levels) < 2:
        raise BadInput(_("Give at least two values to compare."))
    return tuple(int(level) for level in levels)


def factor_errors(knobs: tuple[Knob, ...], texts: Texts, site: Site | None) -> Mapping[str, str]:
    """Return why switches and lists cannot be used, by field id."""
    errors: dict[str, str] = {}
    for knob in knobs:
        try:
            read_factor(knob, texts[levels_id(knob)], site)
        except BadInput as error:
            errors[levels_id(knob)] = str(error)
    varied = [knob for knob in knobs if texts[vary_id(knob)] == ON]
    if not varied:
        errors[vary_id(knobs[0])] = _("Tick one or two parameters to vary.")
    for knob in varied:
        if reason := why_not_simulated(site, (knob.name,)):
            errors[vary_id(knob)] = sentence(reason)
    for knob in varied[MOST_FACTORS:]:
        errors[vary_id(knob)] = _("A plan varies one or two parameters; untick one.")
    return errors


def knob_bounds(knob: Knob, site: Site | None) -> Bounds:
    """Return what a knob may be: the documented limits, and the server's own where they are narrower."""
    parameter = None if site is None else site.parameters.get(knob.name)
    lows, highs = [knob.low], [knob.high]
    if parameter is not None:
        lows.append(parameter.low)
        highs.append(parameter.high)
    low = max((low for low in lows if low is not None), default=None)
    high = min((high for high in highs if high is not None), default=None)
    is_own = (low, high) != (knob.low, knob.high)
    return Bounds(low, high, because=_("this server's own limits") if is_own else _("documented limits"))


def baseline_spec(knob: Knob, family: ExperimentFamily, site: Site | None) -> Spec:
    """Return the field of a knob's baseline: the value in effect unless the plan names another."""
    in_effect = _in_effect(knob, family, site)

    def read(plan: Plan) -> Value:
        value = plan.baseline.get(knob.name, in_effect)
        return value if knob.choices else int(value)

    def is_varied(texts: Texts) -> bool:
        return texts[vary_id(knob)] == ON

    form = Field(
        baseline_id(knob),
        Section.FACTORS,
        _("Baseline"),
        FieldKind.CHOICE if knob.choices else FieldKind.WHOLE,
        spoken=_("{name}: baseline").format(name=knob.name),
        unit="" if knob.choices else _unit(knob),
        help=_("Every setting is judged against this one, and it runs in every block."),
        options=choice_options(knob),
    )
    return Spec(form, read, is_varied, knob_bounds(knob, site))


def choice_options(knob: Knob) -> tuple[Option, ...]:
    """Return the words a knob may be, each as a person calls it."""
    titles = knob.choice_titles or knob.choices
    return tuple(Option(word, title) for word, title in zip(knob.choices, titles, strict=True))


def factor_fields(
    knob: Knob, family: ExperimentFamily, texts: Texts, baseline: Field, site: Site | None
) -> tuple[Field, ...]:
    """Return the fields of one knob: vary it, values to try, baseline."""
    bounds = knob_bounds(knob, site)
    is_own = (bounds.low, bounds.high) != (knob.low, knob.high)
    limits = _("{bounds}, {because}").format(bounds=bounds.text(), because=bounds.because)
    switch = Field(
        vary_id(knob),
        Section.FACTORS,
        _("Vary {name}").format(name=knob.name),
        FieldKind.SWITCH,
        texts[vary_id(knob)],
        spoken=_("Vary {name}").format(name=knob.name),
        help=knob.help,
    )
    if knob.choices:
        return switch, _ticks(knob, texts), replace(baseline, hint=_origin(knob, family, site))
    levels = Field(
        levels_id(knob),
        Section.FACTORS,
        _("Values to try"),
        FieldKind.LEVELS,
        texts[levels_id(knob)],
        spoken=_("{name}: values to try").format(name=knob.name),
        unit=_unit(knob),
        hint=limits if is_own else _short_bounds(bounds),
        help=_("Two or more whole numbers, separated by commas. {limits}. Source: {source}.").format(
            limits=limits, source=knob.source
        ),
        is_shown=texts[vary_id(knob)] == ON,
    )
    return switch, levels, replace(baseline, hint=_origin(knob, family, site))


def _short_bounds(bounds: Bounds) -> str:
    """Return what a number may be, an end so far away that nobody gets there left out."""
    is_far = bounds.high is not None and bounds.high >= _FAR
    return replace(bounds, high=None).text() if is_far else bounds.text()


def _unit(knob: Knob) -> str:
    """Return the unit beside a field; a bare count needs none."""
    return "" if knob.unit == "count" else unit_word(knob.unit)


def _ticks(knob: Knob, texts: Texts) -> Field:
    """Return the boxes of the words to compare."""
    return Field(
        levels_id(knob),
        Section.FACTORS,
        _("Compare"),
        FieldKind.TICKS,
        texts[levels_id(knob)],
        spoken=_("{name}: compare").format(name=knob.name),
        help=_("Tick two or more. Source: {source}.").format(source=knob.source),
        options=choice_options(knob),
        is_shown=texts[vary_id(knob)] == ON,
    )


def _in_effect(knob: Knob, family: ExperimentFamily, site: Site | None) -> Value:
    """Return the value in effect, the vendor's default where the server names none."""
    if site is None:
        return knob.default
    bare = Plan(family.family_id, (Factor(knob.name, knob.levels),), Setting())
    return complete_plan(bare, family, site).baseline[knob.name]


def _origin(knob: Knob, family: ExperimentFamily, site: Site | None) -> str:
    """Return where the value in effect comes from."""
    parameter = None if site is None else site.parameters.get(knob.name)
    if parameter is None or not parameter.value:
        if not isinstance(knob.default, int):
            return ""
        return _("vendor's default: {value}").format(value=number_text(knob.default))
    value = number_text(int(parameter.value)) if parameter.value.isdigit() else parameter.value
    origin = views_of(system_of(family)).origin_text(parameter.origin)
    return _("in effect: {value} ({origin})").format(value=value, origin=origin)
