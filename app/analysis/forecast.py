"""How long a backlog takes to be delivered at a measured rate, with a band; when that is, and whether it came so."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.analysis.estimate import check_comparable
from app.analysis.noise import Noise, judging_noise, noise_from_squares
from app.analysis.published_means import runs_behind
from app.analysis.student import CONFIDENCE, exp_or_inf, simultaneous_quantile
from app.domain.comparison import Forecast
from app.domain.measurement import Measurement
from app.domain.setting import Setting
from app.domain.units import convert

_SECONDS_PER_HOUR = 3600.0


def forecast(
    measurements: Sequence[Measurement],
    setting: Setting,
    backlog_commands: int,
    inflow_per_s: float = 0.0,
    noise_cv: float | None = None,
    confidence: float = CONFIDENCE,
) -> Forecast:
    """Forecast the catch-up of a backlog under one of the settings measured.

    The rate of one more run lies, with `confidence`, within mean · exp(± t · s · √(1 + 1/n)): a prediction band, since
    the catch-up is one run that has not happened yet. The scatter s of single runs (log scale) is pooled over all
    settings measured and not freed of differences between blocks, because the catch-up will have a day of its own.

    Args:
        measurements: delivery rates, in units of commands per time, of one metric and set of conditions; both phases
            may be mixed.
        setting: the one to forecast for; the others help to know the noise.
        backlog_commands: commands waiting, ≥ 0.
        inflow_per_s: commands that still arrive each second; what is left of the rate works off the backlog.
        noise_cv: run-to-run noise stated from outside, as a share; it replaces the scatter of the measurements and
            counts as known with 7 degrees of freedom. None to use theirs.
        confidence: of the band, 0–1, exclusive.

    Returns:
        Hours; inf where the inflow is at least the rate; the band is (0, inf) where no noise level is known.

    Source: prediction interval of a further observation, e.g. Hahn & Meeker, Statistical Intervals, section 4.7.

    Raises:
        ValueError: measurements that may not be compared, or none of the setting.
        BadInput: the unit is no rate of commands.
    """
    check_comparable(measurements, mixed_phases=True)
    own = [m for m in measurements if m.setting == setting]
    if not own:
        raise ValueError(f"there is no measurement of {setting.label()}")
    runs = runs_behind(own)
    middle = runs.mean + math.log(convert(1.0, own[0].unit, "commands/s"))
    noise = judging_noise(_scatter(measurements), noise_cv).noise
    half_width = math.inf
    if noise is not None:
        quantile = simultaneous_quantile(confidence, 1, noise.degrees_of_freedom)
        half_width = quantile * noise.log_sd * math.sqrt(1 + 1 / runs.counts.sum())
    slow, usual, fast = (exp_or_inf(middle + shift) for shift in (-half_width, 0.0, half_width))
    return Forecast(
        family=own[0].family,
        setting=setting,
        conditions=own[0].conditions,
        backlog_commands=backlog_commands,
        inflow_per_s=inflow_per_s,
        hours=_hours(backlog_commands, usual, inflow_per_s),
        low_hours=_hours(backlog_commands, fast, inflow_per_s),
        high_hours=_hours(backlog_commands, slow, inflow_per_s),
        trials=tuple(m.trial_id for m in own),
    )


def _scatter(measurements: Sequence[Measurement]) -> Noise | None:
    """Return the scatter of log rates around the mean of their own setting."""
    by_setting: dict[Setting, list[Measurement]] = {}
    for m in measurements:
        by_setting.setdefault(m.setting, []).append(m)
    squares = sum(runs_behind(of_setting).all_squares for of_setting in by_setting.values())
    return noise_from_squares(squares, sum(m.runs for m in measurements) - len(by_setting))


def _hours(backlog_commands: int, rate_per_s: float, inflow_per_s: float) -> float:
    if backlog_commands == 0:
        return 0.0
    if rate_per_s <= inflow_per_s:
        return math.inf
    return backlog_commands / (rate_per_s - inflow_per_s) / _SECONDS_PER_HOUR


@dataclass(frozen=True)
class CaughtUp:
    """When a backlog is caught up, by the clock: expected, and the ends of the 95 % band.

    Attributes:
        at, earliest, latest: None where it grows, so that it never is.
    """

    at: datetime | None
    earliest: datetime | None
    latest: datetime | None

    def came_true(self, caught_up_at: datetime) -> bool:
        """Tell whether the time it came to lies within the band."""
        is_early = self.earliest is None or caught_up_at < self.earliest
        return not is_early and (self.latest is None or caught_up_at <= self.latest)


def caught_up(told: Forecast, since: datetime) -> CaughtUp:
    """Return when the backlog of a forecast is caught up that waits at a moment."""
    return CaughtUp(*(_after(since, hours) for hours in (told.hours, told.low_hours, told.high_hours)))


def _after(since: datetime, hours: float) -> datetime | None:
    try:
        return since + timedelta(hours=hours)
    except OverflowError:  # longer than a calendar lasts, or never
        return None
