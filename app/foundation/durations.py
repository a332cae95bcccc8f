"""A rough duration, as a person plans with it."""

from typing import Final

from app.foundation.texts import _

_MINUTE: Final = 60

_HOUR: Final = 60 * _MINUTE

_DAY: Final = 24 * _HOUR


def duration_text(duration_s: float) -> str:
    """Return a rough duration, rounded to what a person plans with."""
    if duration_s < 2 * _MINUTE:
        return _("{s} s").format(s=max(1, round(duration_s)))
    if duration_s < 2 * _HOUR:
        return _("{min} min").format(min=round(duration_s / _MINUTE))
    rounded = round(duration_s / (5 * _MINUTE)) * 5 * _MINUTE
    if rounded < 2 * _DAY:
        hours, minutes = divmod(rounded // _MINUTE, 60)
        return _("{h} h {min} min").format(h=hours, min=minutes) if minutes else _("{h} h").format(h=hours)
    days, hours = divmod(round(duration_s / _HOUR), 24)
    return _("{d} days {h} h").format(d=days, h=hours) if hours else _("{d} days").format(d=days)
