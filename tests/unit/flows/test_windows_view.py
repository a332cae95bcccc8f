"""The words and the plot of a run on the client's own backlog."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.bootstrap import load_families
from app.domain.events import RunEvent, RunStarted, SamplesTaken
from app.domain.limits import Limits
from app.domain.load import Load
from app.domain.measurement import BACKLOG, Measurement, Sample, TrialStatus
from app.domain.plan import Plan
from app.domain.setting import Setting
from app.domain.work_source import SOURCE, WorkSource
from app.flows.run.run_backlog import local_time
from app.flows.run.run_health import run_health
from app.flows.run.run_state import RunState
from app.flows.run.run_view import picture
from app.flows.run.windows_view import WindowsPicture, windows_picture
from app.flows.shell.wizard import Choices
from tests.unit.flows.run_events import AT, BEGAN, PLAN, told, trial_finished, trial_started

OWN = replace(
    PLAN,
    load=Load.from_mapping({SOURCE: str(WorkSource.OWN_BACKLOG)}),
    design=PLAN.design.on(in_windows=True),
)


def begun(plan: Plan = OWN, target: str = "lab:incident") -> RunStarted:
    """Return the start of a run on the client's own backlog."""
    return RunStarted("E1", plan, target, BEGAN)


def window(order: int, streams: int, rate_per_s: float, left: float, checks: tuple[str, ...] = ()) -> list[RunEvent]:
    """Return the events of one window."""
    status = TrialStatus.NOT_USED if checks else TrialStatus.USED
    end = trial_finished(order, streams, status=status, checks=checks)
    at = [Sample(BACKLOG, offset_s, left + 50 - offset_s, "commands") for offset_s in (1.0, 50.0)]
    metric = end.trial.measurements[0]
    measured: list[Measurement] = [
        replace(metric, metric="throughput", value=rate_per_s, unit="commands/s"),
        replace(metric, metric="arrivals", value=350.0, unit="commands/s"),
    ]
    trial = replace(end.trial, measurements=tuple(measured), samples=tuple(at))
    ticks = SamplesTaken("E1", trial.trial_id, tuple(at), 0.5)
    return [trial_started(order, streams), ticks, replace(end, trial=trial)]


WINDOWS = (*window(1, 1, 600.0, 4e6), *window(2, 1, 640.0, 3.98e6), *window(3, 8, 1_300.0, 3.93e6))


def shown(state: RunState) -> WindowsPicture:
    """Return the words of a state."""
    picture = windows_picture(state, AT)
    assert picture is not None
    return picture


def test_forecast_and_health_stand_beside_the_run() -> None:
    """Windows used and lost with why, what the applications write, and that nothing is written."""
    lost = window(4, 8, 1.0, 3.92e6, ("the agent fell back to one stream",))
    state = told(begun(), *WINDOWS, *lost)
    words, health = shown(state), run_health(state)
    assert words.forecast.startswith("Forecast: caught up at ")
    assert "SubscriptionStreams 8" in words.forecast
    assert words.basis == "By the rates measured, if 350 commands/s go on arriving."
    assert "3 windows used, 1 lost" in health.line
    assert health.lost == ("E1-T004: the agent fell back to one stream",)
    assert words.moves == "The applications write 350 commands/s meanwhile."
    assert words.written == "Nothing is written to the client's servers."


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_forecast_names_no_time_that_is_now(count: int) -> None:
    """One rate has no scatter, so that the backlog might end at once or never: the expected time stands alone."""
    state = told(begun(), *(event for order in range(1, count + 1) for event in window(order, 1, 620 + order, 4e6)))
    ahead = state.ahead()
    assert ahead is not None
    since, ends = local_time(ahead.chosen.since), ahead.chosen.ends
    assert ends.at is not None
    words = shown(state).forecast
    assert f"caught up at {local_time(ends.at):%H:%M}" in words
    assert f"{since:%H:%M}" not in words
    assert ("(" in words) == (count > 1)


def test_before_a_window_has_ended_nothing_is_promised() -> None:
    """A forecast comes with the first rate; the backlog is drawn with the first reading."""
    state = told(begun(), trial_started(1, 1))
    assert shown(state).forecast == ""
    assert "0 windows used, 0 lost" in run_health(state).line
    assert state.backlog() is None
    state.take([WINDOWS[1]], AT, 11.0)
    drawn = state.backlog()
    assert drawn is not None
    assert drawn.series[0].label == "SubscriptionStreams 1 (baseline)"


def test_a_note_is_stamped_on_the_backlog_where_it_was_written() -> None:
    """Each has its number at the newest reading then, however far the run goes on; it is told to who cannot see it."""
    state = told(begun(), *WINDOWS[:2])
    state.write_note("index rebuild began", AT)
    state.take(WINDOWS[2:6], AT, 60.0)
    state.write_note("index rebuild ended", AT)
    drawn = state.backlog()
    assert drawn is not None
    (first, one), (second, two) = drawn.stamps
    newest = max(x for series in drawn.series[:2] for x in series.x)
    assert (one, two) == ("1", "2")
    assert first == pytest.approx(49.0 / 60)
    assert second == pytest.approx(newest)
    assert "Note 2 was written at " in drawn.alt


def test_the_latest_end_is_the_deadline_of_the_plan_else_the_time_agreed_to() -> None:
    """The countdown of a deadline stands beside what is changed; a lab has a clock of its own, and no such time."""
    by_five = replace(OWN, limits=Limits.of(restored_by=17 * 60))
    assert shown(told(begun(by_five, "dist1"))).latest == "Everything is undone by 17:00 at the latest."
    assert shown(told(begun(by_five))).latest.endswith(" by 17:00 at the latest, by the lab's own clock.")
    agreed = told(begun(replace(OWN, most_s=3_600.0), "dist1.example"), now_s=0.0)
    assert shown(agreed).latest == f"Everything is undone by {AT + timedelta(hours=1):%H:%M} at the latest."
    assert shown(told(begun())).latest == ""


def test_the_page_speaks_of_windows() -> None:
    """A trial of minutes is a window on the client's own work."""
    state = told(begun(), *WINDOWS, trial_started(4, 8))
    told_of = picture(state, Choices(target="lab:incident"))
    assert told_of.trial == "Window 4, exploring: SubscriptionStreams 8"
    assert (told_of.pause_text, told_of.cancel_text) == ("&Pause after this window", "Stop and &undo")


@pytest.mark.parametrize("family_id", ["streams_apply", "cdc_capture"])
def test_a_backlog_that_nothing_counts_is_told_as_such(family_id: str) -> None:
    """Neither a forecast nor an empty plot: one sentence says why."""
    families = load_families()
    state = RunState(families)
    state.start(0.0)
    plan = replace(OWN, family=family_id, factors=(), baseline=Setting())
    state.take([begun(plan), trial_started(1, 1)], AT, 10.0)
    assert not state.has_backlog
    assert shown(state).forecast == ""
    assert shown(state).basis == families[family_id].backlog_uncounted
    assert "no end of the backlog is forecast" in shown(state).basis


def test_pairs_alone_tell_an_effect() -> None:
    """Two exploring windows are minutes apart: their interval would say nothing."""
    assert told(begun(), *WINDOWS).effect() is None


@pytest.mark.parametrize("source", [WorkSource.TEST_TABLE, WorkSource.OWN_TRAFFIC])
def test_other_work_has_no_backlog_to_be_caught_up(source: WorkSource) -> None:
    """What is written for a trial is told in trials; traffic leaves nothing to catch up."""
    plan = replace(
        PLAN, load=Load.from_mapping({SOURCE: str(source)}), design=PLAN.design.on(in_windows=source.is_own_work)
    )
    state = told(begun(plan), *WINDOWS)
    assert not state.has_backlog
    assert state.backlog() is None
    assert (windows_picture(state, AT) is None) is (source is WorkSource.TEST_TABLE)
