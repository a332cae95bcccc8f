"""The time of day by which everything is undone, as a check before a run: which day it is on, and by whose clock."""

from typing import Final

from app.domain.family import PreflightCheck
from app.domain.limits import RESTORED_BY, Limits
from app.domain.plan_field import time_text
from app.foundation.clock import Clock
from app.foundation.durations import duration
from app.foundation.texts import _
from app.runner.time_agreed import RESTORE_S, seconds_until

_DAY_S: Final = 24 * 3600.0

_JUST_PAST_S: Final = 6 * 3600.0
"""A time of day that passed so little ago is one that somebody forgot, or mistyped: a night's run that ends tomorrow
names an early hour, which is farther back."""


def deadline_checks(limits: Limits, clock: Clock, *, is_lab: bool = False) -> tuple[PreflightCheck, ...]:
    """Return the check of a plan's time of day, () where its limits name none.

    Args:
        clock: of the target. is_lab: it is a lab's own, which is told with the time.
    """
    minutes = limits.get(RESTORED_BY.name)
    if minutes is None:
        return ()
    now = clock.now_utc()
    left_s = seconds_until(now, int(minutes))
    shown = f"{now.astimezone():%H:%M}"
    told = {
        "time": time_text(int(minutes)),
        "now": _("{time} by the lab's own clock").format(time=shown) if is_lab else shown,
    }
    if (ago_s := _DAY_S - left_s) < _JUST_PAST_S:
        return (
            PreflightCheck(
                _("Everything can be undone by {time}").format(**told),
                passed=False,
                remedy=_(
                    "It is {now}, so {time} was {ago} ago: name a later time as restored_by in [limits], or none."
                ).format(**told, ago=duration(ago_s)),
                blocking=True,
            ),
        )
    is_tomorrow = now.astimezone().hour * 60 + now.astimezone().minute >= int(minutes)
    words = (
        _("Everything is undone by {time} tomorrow, in {left}; now it is {now}")
        if is_tomorrow
        else _("Everything is undone by {time} today, in {left}; now it is {now}")
    )
    return (
        PreflightCheck(
            words.format(**told, left=duration(left_s)),
            passed=left_s > RESTORE_S,
            remedy=_("That leaves no time to measure: name a later time as restored_by in [limits]."),
            blocking=True,
        ),
    )
