"""The resolution of recorded values: nobody measured anything between two steps."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

_TOLD_DIGITS: Final = 3
"""One number that all runs share says nothing of a clock's step, so its zeros tell no more than digits do: 100 s are
99.5 to 100.5 s."""


def step_of(values: Iterable[float]) -> float:
    """Return the largest power of ten that divides all values as they are written, 0 for no value.

    Where all values are one number its first three digits count as measured.

    A clock of whole seconds gives 7 and 8, and no number of repeats tells 7.4 from 6.6; the same holds for published
    figures that were rounded.
    """
    told = list(values)
    step = min((_exponent(value) for value in told if value), default=None)
    if step is None:
        return 0.0
    if len(told) > 1 == len(set(told)):
        step = min(step, max(0, Decimal(repr(told[0])).adjusted() - _TOLD_DIGITS + 1))
    return float(Decimal(10) ** step)


def _exponent(value: float) -> int:
    """Return the power of ten of the last digit that is not zero."""
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
