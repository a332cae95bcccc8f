"""Conditions that values measured elsewhere may be stated to hold for."""

import math
from dataclasses import dataclass

from app.domain.setting import Setting, Value

# What is read of a link or a database differs a little from run to run, and is no other condition.
_AS_READ = 0.05


@dataclass(frozen=True)
class Condition:
    """One condition, as a column of a measurement file states it.

    Attributes:
        name: as the column is headed and as it stands in `Measurement.conditions`.
        unit: of its numbers; empty where it is a text.
        choices: the texts it may be, empty for any.
        may_be_zero: zero makes sense; its numbers are otherwise greater than zero.
        may_be_range: it may be written "5-10", which stands for the mean of both ends.
        called: other names that tools and people use for it, in any case and spelling.
    """

    name: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    may_be_zero: bool = False
    may_be_range: bool = False
    called: tuple[str, ...] = ()


def is_same(value: Value, other: Value) -> bool:
    """Tell whether a condition is the same in two experiments; numbers may differ by 5 %, as readings do."""
    if isinstance(value, str) or isinstance(other, str):
        return value == other
    return math.isclose(value, other, rel_tol=_AS_READ)


def are_same(conditions: Setting, others: Setting) -> bool:
    """Tell whether two sets of stated conditions agree."""
    return all(is_same(value, others[name]) for name, value in conditions.items() if name in others)
