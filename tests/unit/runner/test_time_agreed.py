"""How the time of a run is counted: no trial begins that would not end, pauses and waits for a DBA do not count."""

from dataclasses import replace

import pytest

from app.domain.measurement import TrialResult, TrialStatus
from app.domain.plan import Phase
from app.domain.rig import LimitExceeded
from app.domain.setting import Setting
from app.runner.control import RunControl
from app.runner.time_agreed import TimeAgreed, Waits, no_waits_s
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
