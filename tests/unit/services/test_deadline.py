"""The time of day by which everything is undone: which day it is on is said, and one that is past is refused."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.limits import Limits
from app.foundation.clock import SystemClock
from app.services.plan.completing import read_site
from app.services.plan.deadline import deadline_checks
from app.services.plan.plan_outlook import plan_outlook
from tests.labs import FAMILIES, open_lab
from tests.unit.runner.memory import MemoryClock


@pytest.mark.parametrize(
    ("ahead", "refusal", "told"),
    [
        (timedelta(minutes=-30), "was 30\N{NO-BREAK SPACE}min", "can be undone by"),
        (timedelta(hours=-5, minutes=-50), "ago: name a later time", "can be undone by"),
        (timedelta(minutes=2), "leaves no time to measure", "today, in"),
        (timedelta(hours=2), "", "today, in"),
        (timedelta(hours=-10), "", "tomorrow, in"),
    ],
)
def test_a_deadline_says_which_day_it_is_on(ahead: timedelta, refusal: str, told: str) -> None:
    """A time of day that has just passed is refused, not taken for tomorrow's; the time there is told with it."""
    clock = MemoryClock()
    clock.sleep(12.5 * 3600)
    wanted = (clock.now_utc() + ahead).astimezone()
    (check,) = deadline_checks(Limits.of(restored_by=wanted.hour * 60 + wanted.minute), clock)
    assert check.passed is not bool(refusal)
    assert told in check.title
    assert not refusal or refusal in check.remedy
    assert check.blocking
    assert deadline_checks(Limits(), clock) == ()


def test_a_lab_tells_its_own_time_as_such() -> None:
    """Nobody sees it anywhere else, and it is another than that of the computer."""
    clock = MemoryClock()
    clock.sleep(12.5 * 3600)
    now = clock.now_utc().astimezone()
    for ahead, tells in ((timedelta(hours=2), "title"), (timedelta(minutes=-30), "remedy")):
        wanted = now + ahead
        (check,) = deadline_checks(Limits.of(restored_by=wanted.hour * 60 + wanted.minute), clock, is_lab=True)
        assert f"{now:%H:%M} by the lab's own clock" in getattr(check, tells)


@pytest.mark.parametrize(("simulated", "is_bounded"), [(None, True), (frozenset({"SubscriptionStreams"}), False)])
def test_before_a_lab_is_asked_its_deadline_bounds_nothing(
    simulated: frozenset[str] | None, *, is_bounded: bool
) -> None:
    """A deadline in ten minutes by this computer's clock may be hours away by that of a lab."""
    family, soon = FAMILIES["distribution_agent"], SystemClock().now_utc().astimezone() + timedelta(minutes=10)
    plan = family.default_plan()
    limited = replace(plan, limits=plan.limits.but(restored_by=soon.hour * 60 + soon.minute))
    site = replace(read_site(open_lab(), family), simulated=simulated)
    unlimited_s, limited_s = (plan_outlook(each, family, site).longest_s for each in (plan, limited))
    assert (limited_s < unlimited_s) is is_bounded
    assert limited_s <= 600.0 or not is_bounded
