"""Pairs of settings that are named before anything is measured, and the setting the others are compared with."""

from collections.abc import Iterable, Sequence

from app.analysis.settings_order import as_given
from app.domain.setting import EMPTY_SETTING, Parameter, Setting, Value, effective_setting


def named_pairs(
    settings: Iterable[Setting], baseline: Setting, parameters: Sequence[Parameter]
) -> tuple[tuple[Setting, Setting], ...]:
    """Return the comparisons (reference, candidate) an experiment makes that picks no winner.

    The baseline against every other setting, and every two that differ in one parameter, among those that make a
    difference in both. Of the latter the reference is the one whose value comes first among the parameter's choices.
    """
    ordered = sorted(
        set(settings),
        key=lambda setting: (setting != baseline, _order_key(effective_setting(setting, parameters), parameters)),
    )
    return tuple(
        (first, second)
        for position, first in enumerate(ordered)
        for second in ordered[position + 1 :]
        if first == baseline or len(_differing(first, second, parameters)) == 1
    )


def baseline_among(
    settings: Iterable[Setting], parameters: Sequence[Parameter], given: Setting = EMPTY_SETTING
) -> Setting:
    """Return the setting others are compared with where no plan names one: with the values given, nearest to the
    defaults, first in order."""
    defaults = {parameter.name: parameter.default for parameter in parameters}

    def strangeness(setting: Setting) -> tuple[int, tuple[float, ...]]:
        effective = effective_setting(setting, parameters)
        return sum(value != defaults.get(name) for name, value in effective.items()), _order_key(effective, parameters)

    return min(as_given(settings, given), key=strangeness)


def _differing(first: Setting, second: Setting, parameters: Sequence[Parameter]) -> list[str]:
    return [
        parameter.name
        for parameter in parameters
        if first.get(parameter.name) != second.get(parameter.name)
        and parameter.applies_in(first)
        and parameter.applies_in(second)
    ]


def _order_key(setting: Setting, parameters: Sequence[Parameter]) -> tuple[float, ...]:
    return tuple(_rank(parameter, setting[parameter.name]) for parameter in parameters if parameter.name in setting)


def _rank(parameter: Parameter, value: Value) -> float:
    return float(parameter.choices.index(str(value))) if parameter.choices else float(value)
