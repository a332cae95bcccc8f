"""Settings in the order a person expects: by parameter name, then numbers by size and texts by letter."""

from collections.abc import Iterable, Sequence

from app.domain.setting import EMPTY_SETTING, Parameter, Setting, Value

SettingKey = tuple[tuple[str, bool, float, str], ...]


def level_key(value: Value) -> tuple[bool, float, str]:
    """Return a key that sorts numbers by size and before texts."""
    return (True, 0.0, value) if isinstance(value, str) else (False, float(value), "")


def setting_key(setting: Setting) -> SettingKey:
    """Return a key that sorts settings by the levels of their parameters, in name order."""
    return tuple((name, *level_key(value)) for name, value in setting.values_by_name)


def varied_parameters(settings: Iterable[Setting]) -> tuple[str, ...]:
    """Return the names of the parameters that are not the same in all `settings`, in name order."""
    distinct = set(settings)
    names = sorted({name for setting in distinct for name in setting})
    return tuple(name for name in names if len({setting.get(name) for setting in distinct}) > 1)


def as_given(settings: Iterable[Setting], given: Setting) -> set[Setting]:
    """Return the settings that have the values given, as far as they have these parameters; all where none does."""
    every = set(settings)
    return {s for s in every if all(s.get(name, value) == value for name, value in given.items())} or every


def lowest_or_default(
    settings: Iterable[Setting], parameters: Sequence[Parameter], given: Setting = EMPTY_SETTING
) -> Setting:
    """Return the setting that claims are made against where no plan names one and a winner is picked.

    The values given, then the vendor's defaults, or else the lowest levels measured.
    """
    defaults = {parameter.name: parameter.default for parameter in parameters}
    measured = sorted(as_given(settings, given), key=setting_key)
    at_default = (s for s in measured if all(value == defaults.get(name) for name, value in s.items()))
    return next(at_default, measured[0])
