"""Conditions that values measured elsewhere may be stated to hold for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Condition:
    """One condition, as a column of a measurement file states it.

    Attributes:
        name: as the column is headed and as it stands in `Measurement.conditions`.
        unit: of its numbers; empty where it is a text.
        choices: the texts it may be, empty for any.
        may_be_zero: zero makes sense; its numbers are otherwise greater than zero.
        may_be_range: it may be written "5-10", which stands for the mean of both ends.
    """

    name: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    may_be_zero: bool = False
    may_be_range: bool = False
