"""Numbers of one run that cannot all hold, such as a rate and a time that do not make the amount that was moved.

Each system knows which of its numbers hang together; here is what they share.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.contradiction import Contradiction
from app.domain.measurement import Measurement
from app.domain.setting import Setting
from app.domain.units import Quantity, convert, is_counted, unit_word, units_like
from app.foundation.texts import _, local_number

ROUNDING_SHARE: Final = 0.10
"""Two numbers within this share of each other may be roundings or readings off a chart; of two given with more digits
less is told."""

_LEAST_SHARE: Final = 0.02
"""What runs that are told together differ by in earnest: the time of a rate begins and ends at other commands."""

_TOLD_DIGITS: Final = 3
"""Cells of one row are numbers that were measured: 100 s are 99.5 to 100.5 s, 2,000 commands/s are 1,995 to 2,005."""


@dataclass(frozen=True)
class RunNumbers:
    """The stated numbers of one run under one set of conditions.

    Attributes:
        family, trial_id, block, setting, conditions: of its measurements.
        values: by the metric's name, in the metric's unit.
    """

    family: str
    trial_id: str
    block: int
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

    @property
    def key(self) -> tuple[str, str, Setting]:
        """Return what identifies it: family, trial, and the values of all it varies."""
        return self.family, self.trial_id, Setting.from_mapping({**self.conditions, **self.setting})

    def contradicts(self, text: str) -> Contradiction:
        """Return that this run's own numbers do not hold together."""
        return Contradiction(text, frozenset({self.key}))


def runs_of(measurements: Iterable[Measurement]) -> Iterator[RunNumbers]:
    """Yield the runs behind measurements of one family, in their order."""
    values_by_run: dict[tuple[str, str, int, Setting, Setting], dict[str, float]] = {}
    for m in measurements:
        values_by_run.setdefault((m.family, m.trial_id, m.block, m.setting, m.conditions), {})[m.metric] = m.value
    for key, values in values_by_run.items():
        yield RunNumbers(*key, values)


def is_beyond(value: float, limit: float, share: float = ROUNDING_SHARE) -> bool:
    """Tell whether a value exceeds a limit by more than rounding."""
    return value > limit * (1 + share)


def rounding_share(*numbers: Quantity, told_digits: int = 1) -> float:
    """Return the share by which a result of rounded numbers may be off, 0.02 to 0.1.

    Half a unit of the last digit of each counts; a time counts with the unit in which it has fewest digits, since 540 s
    were 9 min.

    Args:
        told_digits: the first digits of a whole number that hold even where they are zeros; zeros at its end beyond
            these tell its size only. With one 1,000 are 500 to 1,500, with three 995 to 1,005.
    """
    return min(ROUNDING_SHARE, max(_LEAST_SHARE, sum(_half_of_last_digit(n, told_digits) for n in numbers)))


def _half_of_last_digit(number: Quantity, told_digits: int) -> float:
    """Return half a unit of a number's last digit, as a share of it."""
    if not number.value:
        return 0.0
    ways = [number.value]
    if number.unit in units_like("s"):
        told_in = (convert(number.value, number.unit, unit) for unit in ("ms", "s", "min", "h"))
        ways += [way for way in told_in if way >= 1]  # nobody tells 48 s as 0.8 min
    return max(0.5 * 10.0 ** _last_place(way, told_digits) / abs(way) for way in ways)


def _last_place(value: float, told_digits: int) -> int:
    """Return the power of ten of a number's last digit that tells more than its size, of nine digits at most."""
    digits, exponent = f"{value:.8e}".split("e")
    no_zero = int(exponent) - len(digits.rstrip("0").rstrip(".").partition(".")[2])
    return min(no_zero, max(0, int(exponent) - told_digits + 1))


def volume_contradictions(
    run: RunNumbers, rate: Quantity, time: Quantity, moved: float, stated: Quantity, most: float | None = None
) -> Iterator[Contradiction]:
    """Yield the contradiction of a rate and a time that do not make the amount stated.

    Args:
        moved: rate × time, in the unit of `stated`.
        most: the largest amount that would agree as well, in that unit; None for the one stated.
    """
    # what was counted out, such as the commands of a backlog, is exact; a size in MB is often told roundly
    numbers = (rate, time) if is_counted(stated.unit) else (rate, time, stated)
    share = rounding_share(*numbers, told_digits=_TOLD_DIGITS)
    if is_beyond(moved, most or stated.value, share) or is_beyond(stated.value, moved, share):
        text = _(
            "{run}: {rate} for {time} make {moved}, but {stated} are stated; check which of these numbers is "
            "right, all are used as they stand."
        )
        yield run.contradicts(
            text.format(
                run=run.label,
                rate=shown(rate),
                time=shown(time),
                moved=shown(Quantity(moved, stated.unit)),
                stated=shown(stated),
            )
        )


@dataclass(frozen=True)
class ImpliedVolume:
    """What a run moved by its own numbers: `rate` for `time`, `moved`, where nothing states it."""

    run: RunNumbers
    rate: Quantity
    time: Quantity
    moved: Quantity

    @property
    def _share(self) -> float:
        return rounding_share(self.rate, self.time, told_digits=_TOLD_DIGITS) + _LEAST_SHARE

    def exceeds(self, other: "ImpliedVolume") -> bool:
        """Tell whether this run moved more than another by more than rounding and the start of a run explain."""
        return is_beyond(self.moved.value, other.moved.value, self._share + other._share + ROUNDING_SHARE)

    def text(self) -> str:
        """Return the run with its numbers, as a sentence names it."""
        return _("{run}: {rate} for {time} make {moved}").format(
            run=self.run.label, rate=shown(self.rate), time=shown(self.time), moved=shown(self.moved)
        )


def unequal_volumes(volumes: Iterable[ImpliedVolume]) -> Iterator[Contradiction]:
    """Yield a contradiction for each set of conditions whose runs of one block moved unequal amounts.

    The first such two are told; it concerns each run that moved another amount than the median one of its block.
    """
    by_block: dict[tuple[Setting, int], list[ImpliedVolume]] = {}
    for volume in volumes:
        by_block.setdefault((volume.run.conditions, volume.run.block), []).append(volume)
    told: dict[Setting, str] = {}
    concerned: dict[Setting, list[RunNumbers]] = {}
    for (conditions, _block), own in by_block.items():
        ordered = sorted(own, key=lambda v: v.moved.value)
        least, median, most = ordered[0], ordered[(len(ordered) - 1) // 2], ordered[-1]
        if not most.exceeds(least):
            continue
        text = _(
            "{run}, but {other}: these runs did not do the same work, so their times do not compare; check which "
            "of these numbers is right, all are used as they stand."
        )
        told.setdefault(conditions, text.format(run=most.text(), other=least.text()))
        apart = [v.run for v in own if v.exceeds(median) or median.exceeds(v)]
        concerned.setdefault(conditions, []).extend(apart or [most.run, least.run])
    for conditions, text in told.items():
        yield Contradiction(text, frozenset(run.key for run in concerned[conditions]))


def shown(quantity: Quantity) -> str:
    """Return a quantity as a sentence shows it, to four digits."""
    value = quantity.value
    number = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{local_number(number)}\u00a0{unit_word(quantity.unit)}"
