"""When a backlog is caught up, in words: the same on the page of a run and in the report."""

from collections.abc import Callable
from datetime import datetime

from app.analysis.own_backlog import CatchingUp, InWindows, Promise
from app.foundation.texts import _
from app.reporting.numbers import duration, number
from app.reporting.wording import setting_text

Clock = Callable[[datetime], datetime]
"""Returns a moment as the reader's clock shows it."""


def forecast_sentence(ahead: CatchingUp, clock: Clock) -> str:
    """Return when the backlog is caught up, and when it would have been, as the forecast it is."""
    chosen, left = ahead.chosen, ahead.left
    setting = setting_text(chosen.forecast.setting)
    if chosen.ends.at is None:
        return _("Forecast: with {setting} the backlog grows; it is never caught up.").format(setting=setting)
    at = ends_text(chosen, clock)
    if left is None or ahead.is_as_it_was:
        return _("Forecast: caught up at {at} with {setting}, as it was.").format(at=at, setting=setting)
    if left.ends.at is None:
        words = _("Forecast: caught up at {at} with {setting}; left as it was, it would grow.")
        return words.format(at=at, setting=setting)
    words = _("Forecast: caught up at {at} with {setting}, instead of {left}, left as it was.")
    return words.format(at=at, setting=setting, left=_time(left.ends.at, left.since, clock))


def basis_sentence(ahead: CatchingUp) -> str:
    """Return what a forecast rests on."""
    inflow = number(round(ahead.chosen.forecast.inflow_per_s))
    return _("By the rates measured, if {rate} commands/s go on arriving.").format(rate=inflow)


def ends_text(promise: Promise, clock: Clock) -> str:
    """Return the expected time of day with the band around it; "–" for a backlog that grows.

    A band that is open at both sides, as one rate alone leaves it, begins right away and says nothing: it is left out.
    """
    ends, since = promise.ends, promise.since
    if ends.at is None:
        return "–"
    at = _time(ends.at, since, clock)
    if ends.earliest is None:
        return at
    low = _time(ends.earliest, since, clock)
    if ends.latest is None and low == _time(since, since, clock):
        return at
    if ends.latest is None:
        return _("{at} ({low} at the earliest)").format(at=at, low=low)
    return f"{at} ({low}–{_time(ends.latest, since, clock)})"


def came_sentence(promise: Promise, came: datetime) -> str:
    """Return how long a backlog took, held against how long it was forecast to take."""
    told, took = promise.forecast, duration((came - promise.since).total_seconds())
    low, high = (duration(hours * 3600) for hours in (told.low_hours, told.high_hours))
    if promise.ends.came_true(came):
        words = _("forecast {low} to {high}, came {took}: within the range")
    elif promise.ends.earliest is not None and came < promise.ends.earliest:
        words = _("forecast {low} to {high}, came {took}: sooner than forecast")
    else:
        words = _("forecast {low} to {high}, came {took}: later than forecast")
    return words.format(low=low, high=high, took=took)


def came_in_windows_sentence(ended: InWindows) -> str:
    """Return the same of a backlog that windows delivered to its end; with other settings it takes another time."""
    told = came_sentence(ended.promise, ended.came)
    if not ended.others:
        return told
    words = _("{told}; it was for {setting} alone, and {others} of {count} windows since had another setting")
    setting = setting_text(ended.promise.forecast.setting)
    return words.format(told=told, setting=setting, others=number(ended.others), count=number(ended.windows))


def _time(moment: datetime, since: datetime, clock: Clock) -> str:
    """Return a time of day, with its date on another day than that of the forecast."""
    shown = clock(moment)
    return f"{shown:%H:%M}" if shown.date() == clock(since).date() else f"{shown:%Y-%m-%d %H:%M}"
