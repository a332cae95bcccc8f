"""Readings over time, the log, and the plot by setting while a run goes on."""

from dataclasses import replace

import numpy as np
import pytest

from app.domain.events import ChangeApplied, ChangeRestored, Note, RunStarted, RunStatus, SamplesTaken, StepStarted
from app.domain.measurement import Sample, TrialStatus
from app.domain.plan import Phase
from app.domain.plot import Mark
from app.flows.run.live_series import MOST_POINTS, RATE, LiveSeries
from app.flows.run.run_log import MOST_LINES, RunLog
from app.systems.transactional_replication.views import VIEWS
from tests.labs import FAMILIES
from tests.unit.flows.run_events import (
    AGENT,
    AT,
    BEGAN,
    PLAN,
    change,
    finished,
    readings,
    started,
    told,
    trial_finished,
    trial_started,
)
from tests.work import calls_made


def _series(*ticks: tuple[float, float], from_empty: bool = True) -> LiveSeries:
    series = LiveSeries(VIEWS)
    series.begin_trial("E1-T001", "1", from_empty=from_empty)
    for offset_s, delivered in ticks:
        series.add(readings(1, offset_s, delivered).samples)
    return series


def test_the_rate_is_what_was_delivered_since_the_reading_before() -> None:
    """100 commands after 1 s and 400 after 3 s are 100 and 150 commands/s."""
    curve = _series((1.0, 100.0), (3.0, 400.0)).curve(RATE)
    assert curve.x.tolist() == [1.0, 3.0]
    assert curve.y.tolist() == [100.0, 150.0]


def test_over_a_slow_line_the_rate_is_that_of_whole_batches() -> None:
    """An agent that tells of 750 commands after each 100 s delivers 7.5 commands/s, not 750 in one of them."""
    ticks = [(float(at), 750.0 * (at // 100)) for at in range(1, 401)]
    curve = _series(*ticks).curve(RATE)
    assert curve.x.tolist() == [100.0, 200.0, 300.0, 400.0]
    assert curve.y.tolist() == [7.5, 7.5, 7.5, 7.5]


def test_a_steady_workload_has_no_rate_before_its_second_reading() -> None:
    """Where the agents ran before the trial, the first reading says nothing about its rate."""
    assert _series((1.0, 100.0), from_empty=False).curve(RATE).x.size == 0


def test_an_agent_that_began_again_gives_no_negative_rate() -> None:
    """A counter that went back to nothing, or a reading at the same moment, is left out of the rate."""
    curve = _series((1.0, 100.0), (2.0, 10.0), (2.0, 30.0), (3.0, 60.0)).curve(RATE)
    assert curve.y.tolist() == [100.0, 30.0]


def test_agents_that_only_run_meanwhile_do_not_count() -> None:
    """Only agents under test, which have a latency, make up the rate; without one there is none."""
    series = LiveSeries(VIEWS)
    series.begin_trial("E1-T001", "1", from_empty=True)
    series.add((Sample("Log Reader: delivered", 1.0, 50.0, "commands"),))
    assert RATE not in [stream.key for stream in series.streams]
    series.add((*readings(1, 2.0, 100.0).samples, Sample("Log Reader: delivered", 2.0, 900.0, "commands")))
    assert series.curve(RATE).y.tolist() == [50.0]


def test_streams_are_offered_with_their_units_the_rate_first() -> None:
    """What can be shown begins with the rate; a stream nobody knows has no points."""
    streams = _series((1.0, 100.0)).streams
    assert [stream.axis_label for stream in streams[:2]] == [
        "Delivered (commands/s)",
        "Pending in the log (transactions)",
    ]
    curve = _series((1.0, 100.0)).curve("nothing")
    assert (curve.x.size, curve.joined.size) == (0, 0)


def test_trials_follow_one_another_and_are_not_joined() -> None:
    """The second trial begins where the first ended, and no line leads from one to the other."""
    series = _series((1.0, 10.0), (2.0, 20.0))
    series.begin_trial("E1-T002", "8", from_empty=True)
    series.add(readings(2, 1.0, 30.0).samples)
    assert [(band.label, band.start_s, band.end_s) for band in series.bands] == [("1", 0.0, 2.0), ("8", 2.0, 3.0)]
    curve = series.curve(f"{AGENT}: latency")
    assert curve.x.tolist() == [1.0, 2.0, 3.0]
    assert curve.joined.tolist() == [True, False, False]


def test_each_trial_comes_to_its_mean_over_time_and_the_middle_of_its_readings() -> None:
    """A reading counts by the time it stands for; the band holds the middle 80 %, so that a spike widens nothing."""
    series = LiveSeries(VIEWS)
    series.begin_trial("E1-T001", "1", from_empty=True, block=1, place=0)
    for place in range(1, 100):
        series.add((Sample("x", float(place), 10.0, "s"),))
    series.add((Sample("x", 100.0, 1_000.0, "s"),))
    series.begin_trial("E1-T002", "8", from_empty=True, block=2)
    for at, value in ((1.0, 10.0), (4.0, 20.0)):
        series.add((Sample("x", at, value, "s"),))
    first, second = series.means("x")
    assert (first.band.label, first.band.block, first.band.place) == ("1", 1, 0)
    assert [first.mean, first.low, first.high] == pytest.approx([19.9, 10.0, 19.9])
    assert (second.mean, second.low, second.high) == (17.5, 10.0, 20.0)
    assert (second.band.start_s, second.band.end_s) == (100.0, 104.0)
    assert series.means("nothing") == ()


def test_a_long_trial_keeps_its_mean_in_few_readings() -> None:
    """Fifty thousand readings of one trial: the mean is that of all of them within their spread."""
    series = LiveSeries(VIEWS)
    series.begin_trial("E1-T001", "1", from_empty=True)
    for place in range(1, 50_001):
        series.add((Sample("x", float(place), 100.0 + (place * place // 7) % 10, "s"),))
    (told,) = series.means("x")
    values = [100.0 + (place * place // 7) % 10 for place in range(1, 50_001)]
    assert told.mean == pytest.approx(np.mean(values))
    assert [told.low, told.high] == pytest.approx(np.percentile(values, [10, 90]).tolist(), abs=1.0)


def test_the_effect_grows_with_each_block_and_the_claim_with_fresh_ones() -> None:
    """No effect before both settings ran twice; then one interval for each block, confirming blocks apart."""
    state = told(started(), trial_finished(1, 1, 100.0), trial_finished(2, 8, 60.0))
    assert told().effect() is None
    assert state.effect() is None
    state.take([trial_finished(3, 8, 61.0), trial_finished(4, 1, 104.0)], AT, 11.0)
    spec = state.effect()
    assert spec is not None
    assert spec.title.startswith("SubscriptionStreams 8 leads so far: −41 % (")
    (exploring,) = (series for series in spec.series if series.mark is Mark.INTERVALS)
    assert (exploring.x, len(exploring.y), exploring.emphasised) == ((2.0,), 1, False)
    assert exploring.low[0] < exploring.y[0] < exploring.high[0]
    fresh = [
        trial_finished(number, 1 + 7 * (number % 2), 50.0 + number, phase=Phase.CONFIRM) for number in range(5, 11)
    ]
    state.take(fresh, AT, 12.0)
    confirmed = state.effect()
    assert confirmed is not None
    assert "so far" in confirmed.title
    assert "leads" not in confirmed.title
    assert [series.emphasised for series in confirmed.series if series.mark is Mark.INTERVALS] == [False, True]


def test_readings_outside_a_trial_are_left_out() -> None:
    """Readings before the first trial, and empty ticks, change nothing."""
    series = LiveSeries(VIEWS)
    series.add(readings(1, 1.0, 10.0).samples)
    series.begin_trial("E1-T001", "1", from_empty=True)
    series.add(())
    assert series.streams == ()


def test_long_series_are_thinned_and_keep_their_extremes() -> None:
    """Fifty thousand readings become at most 2,000 points, with the single spike and the single dip among them."""
    series = LiveSeries(VIEWS)
    series.begin_trial("E1-T001", "1", from_empty=True)
    values = np.sin(np.arange(50_000) / 500)
    values[12_345], values[40_001] = 9.0, -9.0
    for place, value in enumerate(values.tolist(), 1):
        series.add((Sample("x", float(place), value, "s"),))
    curve = series.curve("x")
    assert curve.x.size <= MOST_POINTS
    assert (curve.y.max(), curve.y.min()) == (9.0, -9.0)
    assert (curve.x[0], curve.x[-1]) == (1.0, 50_000.0)
    assert bool(np.all(np.diff(curve.x) > 0))


@pytest.mark.bench
def test_a_thousand_readings_a_second_cost_little() -> None:
    """Ten seconds of 1,000 readings each second cost a few calls of a function for each."""
    state = told(started(), trial_started(1, 1))
    events = [readings(1, place / 333, float(place)) for place in range(3_333)]
    assert calls_made(lambda: state.take(events, AT, 20.0)) < 20 * 10_000


def test_events_grow_the_version_and_trials_the_measured_one() -> None:
    """A page draws again only where a version has grown."""
    state = told(started())
    before = (state.version, state.measured_version)
    state.take([readings(1, 1.0, 1.0)], AT, 11.0)
    assert (state.version, state.measured_version) == (before[0] + 1, before[1])
    state.take([trial_finished(1, 1)], AT, 11.0)
    assert state.measured_version == before[1] + 1


def test_the_plot_by_setting_grows_with_each_used_trial() -> None:
    """No plot before the first used trial; then points, later intervals, and fresh confirming trials apart."""
    state = told(started(), trial_finished(1, 8, status=TrialStatus.NOT_USED, checks=("x",)))
    assert told().by_setting() is None
    assert state.by_setting() is None
    state.take([trial_finished(1, 1, 100.0)], AT, 11.0)
    alone = state.by_setting()
    assert alone is not None
    assert alone.x_ticks == ((0.0, "1"),)
    state.take([trial_finished(2, 8, 60.0), trial_finished(3, 1, 104.0), trial_finished(4, 8, 61.0)], AT, 12.0)
    spec = state.by_setting()
    assert spec is not None
    best = next(series for series in spec.series if series.emphasised)
    assert best.low[0] < best.y[0] < best.high[0]
    state.take([trial_finished(5, 8, 62.0, phase=Phase.CONFIRM)], AT, 13.0)
    confirmed = state.by_setting()
    assert confirmed is not None
    assert (confirmed.series[-1].mark, confirmed.series[-1].y) == (Mark.POINTS, (62.0,))
    assert confirmed.series[:-1] == spec.series


def test_long_trials_are_drawn_in_minutes() -> None:
    """A person plans in minutes: from two of them on seconds are left to the tables."""
    short = told(started(), trial_finished(1, 1, 100.0), trial_finished(2, 8, 60.0)).by_setting()
    long = told(started(), trial_finished(1, 1, 180.0), trial_finished(2, 8, 90.0)).by_setting()
    assert short is not None
    assert long is not None
    assert (short.y_label, long.y_label) == ("Run time (s)", "Run time (min)")
    assert sorted(value for series in long.series if series.mark is Mark.POINTS for value in series.y) == [1.5, 3.0]
    assert long.reference_y == pytest.approx(3.0)


def test_the_log_tells_what_happened_with_times() -> None:
    """Every event but readings has a line; what went wrong is marked."""
    log = RunLog()
    moved = change("not set", "8")
    events = (
        started(),
        RunStarted("E1", PLAN, "lab", BEGAN, resumed=True),
        trial_started(1, 8),
        StepStarted("E1", "Stop the agents"),
        ChangeApplied("E1", moved),
        SamplesTaken("E1", "E1-T001", (), 0.5),
        ChangeRestored("E1", moved),
        Note("E1", "paused"),
        trial_finished(1, 8, 61.25),
        trial_finished(2, 1, status=TrialStatus.NOT_USED, checks=("a", "b")),
        trial_finished(3, 1, status=TrialStatus.ABORTED, checks=("cancelled",)),
        trial_started(4, 8, Phase.CONFIRM),
        finished(not_restored=("x: lost",)),
    )
    for event in events:
        log.note(event, AT)
    assert [line.shown for line in log.since(0)] == [
        "09:30:05  E1 began on lab",
        "09:30:05  E1 resumes on lab",
        "09:30:05  E1-T001: trial 1 of 4, exploring, block 1: SubscriptionStreams 8",
        "09:30:05      Stop the agents",
        "09:30:05      Changed: -SubscriptionStreams: not set → 8",
        "09:30:05      Undone: -SubscriptionStreams: 8 → not set",
        "09:30:05  Paused",
        "09:30:05  E1-T001: done; run time 61.25 s",
        "09:30:05  ⚠ E1-T002: not used: a; b",
        "09:30:05  ⚠ E1-T003: ended early: cancelled",
        "09:30:05  E1-T004: trial 4 of 4, confirming, block 1: SubscriptionStreams 8",
        "09:30:05  ⚠ E1: succeeded – complete",
        "09:30:05  ⚠ NOT UNDONE: x: lost",
    ]


def test_the_log_names_measures_and_ends_once() -> None:
    """Measures have the titles they have elsewhere; an end whose reason says it all is not said twice."""
    log = RunLog()
    log.titles = {metric.name: metric.brief for metric in FAMILIES["commit_mode"].metrics}
    ended = trial_finished(1, 1)
    shape = replace(ended.trial.measurements[0], metric="shape_time", unit="ms", value=6.0)
    rate = replace(shape, metric="insert_rate", unit="inserts/s")
    log.note(replace(ended, trial=replace(ended.trial, measurements=(shape, rate))), AT)
    log.note(finished(RunStatus.CANCELLED, "cancelled on request"), AT)
    texts = [line.text for line in log.since(0)]
    assert texts[0].endswith("done; run time 6 ms, insert throughput 6 inserts/s")
    assert texts[1] == "E1: cancelled on request"


def test_the_log_gives_only_what_is_new_and_forgets_the_oldest() -> None:
    """A page asks for lines since the last time; only the newest are kept."""
    log = RunLog()
    for place in range(MOST_LINES + 5):
        log.note(Note("E1", f"note {place}"), AT)
    assert [line.text for line in log.since(log.count - 1)] == [f"Note {MOST_LINES + 4}"]
    assert log.since(log.count) == ()
    assert len(log.since(0)) == MOST_LINES
