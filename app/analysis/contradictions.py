"""Numbers of one run that cannot all hold, such as a rate and a time that do not make the amount that was moved.

Each system knows which of its numbers hang together; here is what they share.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.measurement import Measurement
from app.domain.setting import Setting
from app.domain.units import Quantity, unit_word
from app.foundation.texts import _, local_number

ROUNDING_SHARE: Final = 0.10
"""Two numbers within this share of each other are taken for rounding, or for reading off a chart."""


@dataclass(frozen=True)
class RunNumbers:
    """What is known of one run under one set of conditions.

    Attributes:
        trial_id, setting, conditions: of its measurements.
        values: by the metric's name, in the metric's unit.
    """

    trial_id: str
    setting: Setting
    conditions: Setting
    values: Mapping[str, float]

    @property
    def label(self) -> str:
        """The run and its setting, as a sentence names them."""
        return f"{self.trial_id} ({self.setting.text()})"

    def condition(self, name: str) -> float | None:
        """Return the number of a condition, None where it is not stated."""
        value = self.conditions.get(name)
        return float(value) if isinstance(value, int | float) else None


def runs_of(measurements: Iterable[Measurement]) -> Iterator[RunNumbers]:
    """Yield the runs behind measurements of one family, in their order."""
    values_by_run: dict[tuple[str, int, Setting, Setting], dict[str, float]] = {}
    for m in measurements:
        values_by_run.setdefault((m.trial_id, m.block, m.setting, m.conditions), {})[m.metric] = m.value
    for (trial_id, _block, setting, conditions), values in values_by_run.items():
        yield RunNumbers(trial_id, setting, conditions, values)


def is_beyond(value: float, limit: float) -> bool:
    """Tell whether a value exceeds a limit by more than rounding."""
    return value > limit * (1 + ROUNDING_SHARE)


def volume_contradictions(
    run: RunNumbers, rate: Quantity, time: Quantity, moved: float, stated: Quantity, most: float | None = None
) -> Iterator[str]:
    """Yield a sentence where a rate and a time do not make the amount stated.

    Args:
        moved: rate × time, in the unit of `stated`.
        most: the largest amount that would agree as well, in that unit; None for the one stated.
    """
    if is_beyond(moved, most or stated.value) or is_beyond(stated.value, moved):
        yield _(
            "{run}: {rate} for {time} make {moved}, but {stated} are stated; check which of these numbers is "
            "right, all are used as they stand."
        ).format(
            run=run.label,
            rate=shown(rate),
            time=shown(time),
            moved=shown(Quantity(moved, stated.unit)),
            stated=shown(stated),
        )


def shown(quantity: Quantity) -> str:
    """Return a quantity as a sentence shows it, to four digits."""
    value = quantity.value
    number = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{local_number(number)}\u00a0{unit_word(quantity.unit)}"
