"""Fields of the parameters an experiment may vary: the family's declarations, within the server's own limits."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily, Site
from app.domain.plan import Factor, Plan
from app.domain.setting import Parameter, Setting, Value
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


def vary_id(parameter: Parameter) -> str:
    """Return the id of the switch that makes a parameter a factor."""
    return f"vary.{parameter.name}"


def levels_id(parameter: Parameter) -> str:
    """Return the id of the field with a parameter's levels."""
    return f"levels.{parameter.name}"


def baseline_id(parameter: Parameter) -> str:
    """Return the id of the field with a parameter's baseline."""
    return f"baseline.{parameter.name}"


def factor_texts(parameters: tuple[Parameter, ...], plan: Plan) -> dict[str, str]:
    """Return the state of switches and lists for a plan; a parameter it does not vary offers its own levels."""
    varied = {factor.name: factor.levels for factor in plan.factors}
    texts: dict[str, str] = {}
    for parameter in parameters:
        levels = varied.get(parameter.name, parameter.levels)
        texts[vary_id(parameter)] = ON if parameter.name in varied else OFF
        texts[levels_id(parameter)] = (
            ticked_text(str(level) for level in levels)
            if parameter.choices
            else levels_text(tuple(int(level) for level in levels))
        )
    return texts


def ticked_text(words: Iterable[str]) -> str:
    """Return ticked words as a field keeps them."""
    return ",".join(words)


def read_factor(parameter: Parameter, text: str, site: Site | None) -> tuple[Value, ...]:
    """Return the levels typed or ticked for a parameter.

    Raises:
        BadInput: they cannot be tried.
    """
    if parameter.choices:
        words = tuple(word for word in text.split(",") if word)
        if len(words) < 2:
            raise BadInput(_("Tick at least two to compare."))
        return words
    levels = read_levels(text)
    bounds = parameter_bounds(parameter, site)
    for level in levels:
        check_bounds(level, bounds, _unit(parameter))
    repeated = [level for position, level in enumerate(levels) if level in levels[:position]]
    if repeated:
        raise BadInput(_("{level} is given twice.").format(level=number_text(repeated[0])))
    if len(levels) < 2:
        raise BadInput(_("Give at least two values to compare."))
    return tuple(int(level) for level in levels)


def factor_errors(parameters: tuple[Parameter, ...], texts: Texts, site: Site | None) -> Mapping[str, str]:
    """Return why switches and lists cannot be used, by field id."""
    errors: dict[str, str] = {}
    for parameter in parameters:
        try:
            read_factor(parameter, texts[levels_id(parameter)], site)
        except BadInput as error:
            errors[levels_id(parameter)] = str(error)
    varied = [parameter for parameter in parameters if texts[vary_id(parameter)] == ON]
    if not varied:
        errors[vary_id(parameters[0])] = _("Tick one or two parameters to vary.")
    for parameter in varied:
        if reason := why_not_simulated(site, (parameter.name,)):
            errors[vary_id(parameter)] = sentence(reason)
    for parameter in varied[MOST_FACTORS:]:
        errors[vary_id(parameter)] = _("A plan varies one or two parameters; untick one.")
    return errors


def parameter_bounds(parameter: Parameter, site: Site | None) -> Bounds:
    """Return a parameter's bounds: the documented limits, and the server's own where they are narrower."""
    effective = None if site is None else site.parameters.get(parameter.name)
    lows, highs = [parameter.low], [parameter.high]
    if effective is not None:
        lows.append(effective.low)
        highs.append(effective.high)
    low = max((low for low in lows if low is not None), default=None)
    high = min((high for high in highs if high is not None), default=None)
    is_own = (low, high) != (parameter.low, parameter.high)
    return Bounds(low, high, because=_("this server's own limits") if is_own else _("documented limits"))


def baseline_spec(parameter: Parameter, family: ExperimentFamily, site: Site | None) -> Spec:
    """Return the field of a parameter's baseline: the value in effect unless the plan names another."""
    in_effect = _in_effect(parameter, family, site)

    def read(plan: Plan) -> Value:
        value = plan.baseline.get(parameter.name, in_effect)
        return value if parameter.choices else int(value)

    def is_varied(texts: Texts) -> bool:
        return texts[vary_id(parameter)] == ON

    form = Field(
        baseline_id(parameter),
        Section.FACTORS,
        _("Baseline"),
        FieldKind.CHOICE if parameter.choices else FieldKind.WHOLE,
        spoken=_("{name}: baseline").format(name=parameter.name),
        unit="" if parameter.choices else _unit(parameter),
        help=_("Every setting is compared with this one; it runs in every block."),
        options=choice_options(parameter),
    )
    return Spec(form, read, is_varied, parameter_bounds(parameter, site))


def choice_options(parameter: Parameter) -> tuple[Option, ...]:
    """Return the words a parameter may be, each as a person calls it."""
    titles = parameter.choice_titles or parameter.choices
    return tuple(Option(word, title) for word, title in zip(parameter.choices, titles, strict=True))


def factor_fields(
    parameter: Parameter, family: ExperimentFamily, texts: Texts, baseline: Field, site: Site | None
) -> tuple[Field, ...]:
    """Return the fields of one parameter: vary it, values to try, baseline."""
    bounds = parameter_bounds(parameter, site)
    is_own = (bounds.low, bounds.high) != (parameter.low, parameter.high)
    limits = _("{bounds}, {because}").format(bounds=bounds.text(), because=bounds.because)
    switch = Field(
        vary_id(parameter),
        Section.FACTORS,
        _("Vary {name}").format(name=parameter.name),
        FieldKind.SWITCH,
        texts[vary_id(parameter)],
        spoken=_("Vary {name}").format(name=parameter.name),
        help=parameter.help,
    )
    if parameter.choices:
        return switch, _ticks(parameter, texts), replace(baseline, hint=_origin(parameter, family, site))
    levels = Field(
        levels_id(parameter),
        Section.FACTORS,
        _("Values to try"),
        FieldKind.LEVELS,
        texts[levels_id(parameter)],
        spoken=_("{name}: values to try").format(name=parameter.name),
        unit=_unit(parameter),
        hint=limits if is_own else _short_bounds(bounds),
        help=_("Two or more whole numbers, separated by commas. {limits}. Source: {source}.").format(
            limits=limits, source=parameter.source
        ),
        is_shown=texts[vary_id(parameter)] == ON,
    )
    return switch, levels, replace(baseline, hint=_origin(parameter, family, site))


def _short_bounds(bounds: Bounds) -> str:
    """Return bounds in short, an end so far away that nobody gets there left out."""
    is_far = bounds.high is not None and bounds.high >= _FAR
    return replace(bounds, high=None).text() if is_far else bounds.text()


def _unit(parameter: Parameter) -> str:
    """Return the unit beside a field; a bare count needs none."""
    return "" if parameter.unit == "count" else unit_word(parameter.unit)


def _ticks(parameter: Parameter, texts: Texts) -> Field:
    """Return the boxes of the words to compare."""
    return Field(
        levels_id(parameter),
        Section.FACTORS,
        _("Compare"),
        FieldKind.TICKS,
        texts[levels_id(parameter)],
        spoken=_("{name}: compare").format(name=parameter.name),
        help=_("Tick two or more. Source: {source}.").format(source=parameter.source),
        options=choice_options(parameter),
        is_shown=texts[vary_id(parameter)] == ON,
    )


def _in_effect(parameter: Parameter, family: ExperimentFamily, site: Site | None) -> Value:
    """Return the value in effect, the vendor's default where the server names none."""
    if site is None:
        return parameter.default
    bare = Plan(family.family_id, (Factor(parameter.name, parameter.levels),), Setting())
    return complete_plan(bare, family, site).baseline[parameter.name]


def _origin(parameter: Parameter, family: ExperimentFamily, site: Site | None) -> str:
    """Return where the value in effect comes from."""
    effective = None if site is None else site.parameters.get(parameter.name)
    if effective is None or not effective.value:
        if not isinstance(parameter.default, int):
            return ""
        return _("vendor's default: {value}").format(value=number_text(parameter.default))
    value = number_text(int(effective.value)) if effective.value.isdigit() else effective.value
    origin = views_of(system_of(family)).origin_text(effective.origin)
    return _("in effect: {value} ({origin})").format(value=value, origin=origin)
