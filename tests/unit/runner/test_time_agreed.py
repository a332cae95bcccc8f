"""How the time of a run is counted: no trial begins that would not end, pauses and waits for a DBA do not count."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.limits import Limits
from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Phase
from app.domain.rig import LimitExceeded
from app.domain.setting import Setting
from app.runner.control import RunControl
from app.runner.time_agreed import RESTORE_S, Deadline, TimeAgreed, Waits, no_waits_s, seconds_until
from tests.unit.runner.memory import MemoryClock

QUICK, SLOW = Setting.of(SubscriptionStreams=16), Setting.of(SubscriptionStreams=1)


def agreed(clock: MemoryClock, most_s: float | None = 100.0, kept: tuple[TrialResult, ...] = ()) -> TimeAgreed:
    """Return the time of a run that begins now."""
    return TimeAgreed(clock, most_s, RunControl(), no_waits_s, kept)


def run_trial(time: TimeAgreed, clock: MemoryClock, setting: Setting, time_s: float) -> None:
    """Let a trial begin and end."""
    time.begin_trial(setting, left=9)
    clock.sleep(time_s)
    time.end_trial(setting)


def kept_trial(clock: MemoryClock, setting: Setting, time_s: float) -> TrialResult:
    """Return a trial of an earlier part of the run."""
    at = clock.now_utc()
    clock.sleep(time_s)
    return TrialResult("T", 1, Phase.EXPLORE, setting, TrialStatus.USED, (), (), (), at, clock.now_utc())


def test_a_trial_that_goes_on_is_ended_at_the_time_agreed_to() -> None:
    """Not before it, and never where none was agreed to, as in plans of before."""
    clock = MemoryClock()
    time, endless = agreed(clock), agreed(clock, most_s=None)
    time.begin_trial(SLOW, left=9)
    clock.sleep(99.0)
    time.check()
    clock.sleep(1.0)
    with pytest.raises(LimitExceeded, match="the time agreed to for the run, 100 s, is over"):
        time.check()
    clock.sleep(1e9)
    endless.check()


def test_none_begins_that_would_not_end_by_what_its_setting_took() -> None:
    """A quick setting may still run where a slow one has no time left; one that never ran is taken for the mean."""
    clock = MemoryClock()
    time = agreed(clock)
    run_trial(time, clock, SLOW, 50.0)
    run_trial(time, clock, QUICK, 10.0)
    with pytest.raises(LimitExceeded, match=r"too short for a further trial \(50 s\); up to 7 are left"):
        time.begin_trial(SLOW, left=7)
    run_trial(time, clock, Setting.of(SubscriptionStreams=8), 20.0)
    run_trial(time, clock, QUICK, 10.0)


def test_trials_of_an_earlier_part_tell_how_long_one_takes() -> None:
    """One that broke off tells nothing."""
    clock = MemoryClock()
    slow, quick = kept_trial(clock, SLOW, 500.0), kept_trial(clock, QUICK, 10.0)
    time = agreed(clock, kept=(slow, quick))
    with pytest.raises(LimitExceeded, match=r"too short for a further trial \(8 min\)"):
        time.begin_trial(SLOW, left=2)
    time.begin_trial(QUICK, left=2)
    agreed(clock, kept=(replace(slow, status=TrialStatus.ABORTED),)).begin_trial(SLOW, left=2)


def test_pauses_and_waits_for_a_dba_do_not_count() -> None:
    """Neither over, nor while somebody is still waited for."""
    clock = MemoryClock()
    waits = Waits(clock)
    time = TimeAgreed(clock, 100.0, RunControl(), waits.total_s)
    time.pause(lambda: clock.sleep(1_000.0))
    waits.begin()
    clock.sleep(1_000.0)
    time.check()
    waits.end()
    clock.sleep(99.0)
    time.check()
    clock.sleep(1.0)
    with pytest.raises(LimitExceeded):
        time.check()


def _in(clock: MemoryClock, minutes: float) -> int:
    """Return the time of day in so many minutes, by this computer's clock, in minutes since midnight."""
    local = (clock.now_utc() + timedelta(minutes=minutes)).astimezone()
    return local.hour * 60 + local.minute


def test_a_deadline_is_the_next_time_of_that_name() -> None:
    """Today, or tomorrow where it has passed."""
    clock = MemoryClock()
    assert 0 < seconds_until(clock.now_utc(), _in(clock, 90)) <= 90 * 60
    assert 86_400 - 91 * 60 < seconds_until(clock.now_utc(), _in(clock, -90)) <= 86_400 - 90 * 60


def test_none_begins_that_could_not_be_undone_by_the_deadline() -> None:
    """Neither the first, by its estimate, nor one behind others, by what they took; pauses count."""
    clock = MemoryClock()
    limits = Limits.of(restored_by=_in(clock, 30))
    left_s = seconds_until(clock.now_utc(), _in(clock, 30)) - RESTORE_S
    late = TimeAgreed(clock, None, RunControl(), no_waits_s, (), Deadline.of(limits, clock, left_s + 1))
    with pytest.raises(LimitExceeded, match="too soon for a further trial"):
        late.begin_trial(SLOW, left=9)
    time = TimeAgreed(clock, None, RunControl(), no_waits_s, (), Deadline.of(limits, clock, left_s))
    run_trial(time, clock, SLOW, left_s / 4)
    time.pause(lambda: clock.sleep(left_s / 2 + 1))
    with pytest.raises(LimitExceeded, match="too soon for a further trial"):
        time.begin_trial(SLOW, left=8)


def test_a_trial_that_goes_on_ends_while_there_is_time_to_undo() -> None:
    """Two minutes before the deadline."""
    clock = MemoryClock()
    deadline = Deadline.of(Limits.of(restored_by=_in(clock, 30)), clock, 10.0)
    assert deadline is not None
    time = TimeAgreed(clock, None, RunControl(), no_waits_s, (), deadline)
    time.begin_trial(SLOW, left=9)
    clock.sleep(deadline.ends_s - clock.monotonic_s() - 1)
    time.check()
    clock.sleep(1.0)
    with pytest.raises(LimitExceeded, match=r"undone by \d\d:\d\d, so the run ends now"):
        time.check()
