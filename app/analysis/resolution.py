"""The resolution of recorded values: nobody measured anything between two steps."""

from collections.abc import Iterable
from decimal import Decimal


def step_of(values: Iterable[float]) -> float:
    """Return the largest power of ten that divides all values as they are written, 0 for no value.

    A clock of whole seconds gives 7 and 8, and no number of repeats tells 7.4 from 6.6; the same holds for published
    figures that were rounded.
    """
    exponents = [_exponent(value) for value in values if value]
    return float(Decimal(10) ** min(exponents)) if exponents else 0.0


def _exponent(value: float) -> int:
    """Return the power of ten of the last digit that is not zero."""
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
