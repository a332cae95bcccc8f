"""Abort limits, which end a trial and restore the server: those there are, and those of one plan."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.by_name import ByName
from app.domain.plan_field import PlanField, ValueKind
from app.foundation.texts import _

TABLE: Final = "limits"
"""Where limits stand in a plan file."""


@dataclass(frozen=True)
class LimitField(PlanField):
    """One limit; a family declares those its trials watch.

    Attributes:
        reading: what is held against it, as the sentence calls it that ends a trial.
        reading_unit: of the numbers in that sentence, "" for a share.
        is_least: a trial ends below it; else above.
    """

    table: str = TABLE
    reading: str = ""
    reading_unit: str = ""
    is_least: bool = False

    def exceeded(self, reading: float, limit: float) -> str:
        """Return the sentence that ends a trial, "" where the reading keeps the limit."""
        if self.is_least and reading < limit:
            words = _("{name} fell to {value:.2f} {unit}, the plan's limit is {limit:.2f} {unit}")
        elif not self.is_least and reading > limit:
            words = _("{name} reached {value:,.6g} {unit}, the plan's limit is {limit:,.6g} {unit}")
        else:
            return ""
        text = words.format(name=self.reading, value=reading, limit=limit, unit=self.reading_unit)
        return text.replace(" ,", ",").strip()


NO_LIMIT: Final = _("no limit")

LATENCY: Final = LimitField(
    "latency_s",
    ValueKind.NUMBER,
    _("Latency above"),
    "s",
    None,
    _("From a change at the source until it is applied."),
    above=0,
    when_empty=NO_LIMIT,
    reading=_("latency"),
    reading_unit="s",
    stated=_("latency over {value}"),
)
DATA_AGE: Final = LimitField(
    "data_age_s",
    ValueKind.NUMBER,
    _("Data older than"),
    "s",
    None,
    _(
        "How old the data at the destination may become while its process is held, so that work gathers; watched while "
        "it stands, too."
    ),
    above=0,
    typed_in="min",
    when_empty=NO_LIMIT,
    reading=_("age of the data"),
    reading_unit="s",
    stated=_("data older than {value}"),
)
HELD_SHARE: Final = 0.8
"""A process is held until the data is so old, of what `data_age_s` allows: its start and first work take some of it."""
LOG_USED: Final = LimitField(
    "log_used_share",
    ValueKind.NUMBER,
    _("Log of the database fuller than"),
    "share",
    0.9,
    _("Used share of its log."),
    above=0,
    high=1,
    typed_in="%",
    when_empty=NO_LIMIT,
    reading=_("used share of the database's log"),
    stated=_("log used over {value}"),
)
FREE_DISK: Final = LimitField(
    "free_disk_gb",
    ValueKind.NUMBER,
    _("Free disk below"),
    "GB",
    1.0,
    _("Free space on the volume of either server that fills first."),
    above=0,
    when_empty=NO_LIMIT,
    reading=_("free disk"),
    reading_unit="GB",
    stated=_("less than {value} free"),
    is_least=True,
)
TRIAL_DURATION: Final = LimitField(
    "trial_duration_s",
    ValueKind.NUMBER,
    _("One trial longer than"),
    "s",
    4 * 3600.0,
    _("A trial that takes longer is ended; its measurements are kept and not used."),
    above=0,
    typed_in="min",
    reading=_("duration of the trial"),
    reading_unit="s",
    stated=_("longer than {value}"),
)
TIMES_BASELINE: Final = LimitField(
    "trial_times_baseline",
    ValueKind.NUMBER,
    _("One trial slower than"),
    _("× the baseline"),
    None,
    _(
        "A trial that takes longer than this multiple of the baseline is ended; it counts once the "
        "baseline is measured."
    ),
    above=1,
    when_empty=NO_LIMIT,
    stated=_("slower than {value} × the baseline"),
)
RUN_DURATION: Final = LimitField(
    "run_duration_s",
    ValueKind.NUMBER,
    _("The whole run longer than"),
    "s",
    None,
    _(
        "No trial begins that would not end by then, one that still goes on is ended, and everything is undone; what "
        "was measured counts, and the run can be resumed. Pauses do not count."
    ),
    above=0,
    typed_in="min",
    when_empty=_("half as much again as estimated"),
    stated=_("a run longer than {value}"),
)
"""Held by the runner, of each start of a run anew; a plan that has none gets one from its estimate when it is
prepared (`Plan.most_s`)."""
RESTORED_BY: Final = LimitField(
    "restored_by",
    ValueKind.TIME,
    _("Everything undone by"),
    "",
    None,
    _(
        "A time of day, by the clock of the target, which is a lab's own: no trial begins that could not end before "
        "it, one that still goes on is ended, and everything is undone by then. Pauses count."
    ),
    when_empty=NO_LIMIT,
    stated=_("everything undone by {value}"),
)
"""Held by the runner; the next time of that name after a start of the run, by the clock of the target, which is a lab's
own. One that has just passed is refused before a run (`services.plan.deadline`)."""
COMMON_LIMITS: Final = (LATENCY, LOG_USED, FREE_DISK, TRIAL_DURATION, TIMES_BASELINE, RUN_DURATION, RESTORED_BY)
"""Those any system may watch, in words of its own."""


@dataclass(frozen=True)
class Limits(ByName[int | float]):
    """Limits of a plan by their key; one that is not there is no limit. Hashable, in name order."""

    values_by_name: tuple[tuple[str, int | float], ...] = ()

    @staticmethod
    def of(**values: float | None) -> "Limits":
        """Return these limits; None is no limit."""
        return Limits.from_mapping(values)

    @staticmethod
    def from_mapping(values: Mapping[str, float | None]) -> "Limits":
        """Return the limits of a mapping; None is no limit."""
        return Limits(tuple(sorted((name, value) for name, value in values.items() if value is not None)))

    def but(self, **values: float | None) -> "Limits":
        """Return these limits with others in place of some."""
        return Limits.from_mapping({**self, **values})


NO_LIMITS: Final = Limits()


def usual_limits(fields: Iterable[LimitField]) -> Limits:
    """Return the limits a family has by itself."""
    return Limits.from_mapping({field.name: number_of(field.default) for field in fields})


def number_of(value: object) -> float | None:
    """Return a limit's value as a number, whole or not; None where there is none."""
    return value if isinstance(value, int | float) else None
