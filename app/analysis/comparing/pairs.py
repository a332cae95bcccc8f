"""Pairs of settings that are named before anything is measured, and the setting the others are compared with."""

from collections.abc import Iterable, Sequence

from app.domain.setting import Knob, Setting, Value


def named_pairs(
    settings: Iterable[Setting], baseline: Setting, knobs: Sequence[Knob]
) -> tuple[tuple[Setting, Setting], ...]:
    """Return the comparisons (reference, candidate) an experiment makes that picks no winner.

    The baseline against every other setting, and every two that differ in one parameter, among those that make a
    difference in both. Of the latter the reference is the one whose value comes first among the parameter's choices.
    """
    ordered = sorted(set(settings), key=lambda setting: (setting != baseline, _order_key(setting, knobs)))
    return tuple(
        (first, second)
        for position, first in enumerate(ordered)
        for second in ordered[position + 1 :]
        if first == baseline or len(_differing(first, second, knobs)) == 1
    )


def baseline_among(settings: Iterable[Setting], knobs: Sequence[Knob]) -> Setting:
    """Return the setting others are compared with where no plan names one: nearest to the defaults, first in order."""
    defaults = {knob.name: knob.default for knob in knobs}

    def strangeness(setting: Setting) -> tuple[int, tuple[float, ...]]:
        return sum(value != defaults.get(name) for name, value in setting.items()), _order_key(setting, knobs)

    return min(set(settings), key=strangeness)


def _differing(first: Setting, second: Setting, knobs: Sequence[Knob]) -> list[str]:
    return [
        knob.name
        for knob in knobs
        if first.get(knob.name) != second.get(knob.name) and knob.applies_in(first) and knob.applies_in(second)
    ]


def _order_key(setting: Setting, knobs: Sequence[Knob]) -> tuple[float, ...]:
    return tuple(_rank(knob, setting[knob.name]) for knob in knobs if knob.name in setting)


def _rank(knob: Knob, value: Value) -> float:
    return float(knob.choices.index(str(value))) if knob.choices else float(value)
