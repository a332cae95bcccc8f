"""A length of time in words: as it was measured, and roughly, as a person plans with it."""

import math
from typing import Final

from app.foundation.texts import _, local_number

_MINUTE: Final = 60

_HOUR: Final = 60 * _MINUTE

_DAY: Final = 24 * _HOUR


def duration_text(duration_s: float) -> str:
    """Return a rough duration, rounded as a person plans with it."""
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


def duration(seconds: float) -> str:
    """Return a measured length of time in the units a person would use: "640 ms", "52.3 s", "1 min 15 s", "9 h 48 min".

    Three to four digits tell what is known of it; from a day on whole hours do.
    """
    if not math.isfinite(seconds):
        return "∞"
    if seconds < 1:
        return f"{_shortened(seconds * 1000, 1)}\u00a0ms"
    if round(seconds, 1) < _MINUTE:
        return f"{_shortened(seconds, 2 if seconds < 10 else 1)}\u00a0s"
    if round(seconds) < _HOUR:
        minutes, rest = divmod(round(seconds), _MINUTE)
        text = _("{minutes}\u00a0min\u00a0{seconds}\u00a0s") if rest else "{minutes}\u00a0min"
        return text.format(minutes=minutes, seconds=rest)
    hours, minutes = divmod(round(seconds / _MINUTE), 60)
    if minutes == 0 or seconds >= _DAY:
        return local_number(f"{round(seconds / _HOUR):,}") + "\u00a0h"
    return _("{hours}\u00a0h\u00a0{minutes}\u00a0min").format(hours=hours, minutes=minutes)


def _shortened(amount: float, decimals: int) -> str:
    """Return a number with at most so many decimals."""
    return local_number(f"{amount:,.{decimals}f}".rstrip("0").rstrip("."))
