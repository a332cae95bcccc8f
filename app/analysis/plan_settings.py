"""Which settings a plan is about."""

import itertools
from collections.abc import Sequence

from app.domain.plan import Plan
from app.domain.setting import Parameter, Setting, effective_setting


def plan_settings(plan: Plan, parameters: Sequence[Parameter] = ()) -> tuple[Setting, ...]:
    """Return every setting of the plan: all levels crossed, and the baseline where it is not among them.

    Args:
        parameters: of the family; settings that their `same_as_default` makes the same are one.
    """
    names = [factor.name for factor in plan.factors]
    crossed = [
        Setting.from_mapping(dict(zip(names, values, strict=True)))
        for values in itertools.product(*(factor.levels for factor in plan.factors))
    ]
    return tuple(dict.fromkeys(effective_setting(setting, parameters) for setting in (*crossed, plan.baseline)))


def setting_places(plan: Plan, parameters: Sequence[Parameter] = ()) -> dict[Setting, int]:
    """Return the place of every setting of a plan, the baseline at 0: by it each has one colour in all its plots.

    Args:
        parameters: as in `plan_settings`.
    """
    baseline = effective_setting(plan.baseline, parameters)
    others = (setting for setting in plan_settings(plan, parameters) if setting != baseline)
    return {setting: place for place, setting in enumerate((baseline, *others))}
