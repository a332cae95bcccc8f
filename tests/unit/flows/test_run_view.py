"""What the page of a run says and offers at every stage."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.analysis.plan_settings import setting_places
from app.domain.events import (
    ChangeApplied,
    ChangeRestored,
    Note,
    RunEvent,
    RunPaused,
    RunResumed,
    RunStatus,
    StepStarted,
)
from app.domain.measurement import TrialStatus
from app.domain.plan import Factor, Phase
from app.domain.setting import Setting
from app.flows.run.mood import Mood
from app.flows.run.run_state import RunState, Stage
from app.flows.run.run_view import changes_table, clock_text, picture, restored_end, run_end
from app.flows.shell.wizard import Choices, RunEnd
from app.reporting.tables.changes import value_now
from app.services.plan.dry_run import DryRun
from app.services.plan.planned_trials import PlannedTrial
from app.services.run.guided_session import RunOutcome
from app.services.run.run_job import JobEnded
from tests.unit.flows.run_events import (
    AT,
    PLAN,
    change,
    finished,
    new_state,
    readings,
    started,
    told,
    trial_finished,
    trial_started,
)

READY = Choices(target="lab", family=PLAN.family, plan=PLAN, folder=Path("/tmp/acme"))


def _outcome(status: RunStatus = RunStatus.SUCCEEDED, left: tuple[str, ...] = ()) -> JobEnded:
    return JobEnded("S1", RunOutcome("E1", status, "complete", left), "")


def test_before_the_run_it_says_what_will_happen_and_can_be_started() -> None:
    """Before the start the page names the trials, the target, the time and the folder."""
    trials = (PlannedTrial(1, Phase.EXPLORE, "a"),) * 12
    dry_run = DryRun(PLAN, trials, (), (), 600.0, 1_800.0, (), ())
    shown = picture(new_state(), replace(READY, dry_run=dry_run))
    assert shown.headline == "Ready to start"
    assert shown.detail == f"12 trials on lab, about 10\u00a0min, at most 30\u00a0min. Files go to {Path('/tmp/acme')}."
    assert shown.can_start
    assert {shown.can_pause, shown.can_resume, shown.can_cancel, shown.can_restore} == {False}
    assert (shown.times, shown.trial, shown.progress) == ("", "", 0.0)


def test_without_a_plan_or_folder_it_cannot_be_started() -> None:
    """A run without a plan or a place for its files cannot be started, and the page says where to go."""
    for lacking in (Choices(target="lab"), replace(READY, folder=None)):
        shown = picture(new_state(), lacking)
        assert not shown.can_start
        assert "go back" in shown.detail


def test_without_a_dry_run_it_names_the_target() -> None:
    """A plan that was not dry-run is still named with its target."""
    assert picture(new_state(), READY).detail == "The plan runs on lab."


def test_while_it_runs_it_says_trial_setting_step_and_time_left() -> None:
    """Two of four trials in 10 s: half is done, and about 10 s are left."""
    state = told(
        started(), trial_finished(1, 1), trial_finished(2, 8), trial_started(3, 8), StepStarted("E1", "Stop the agents")
    )
    shown = picture(state, READY)
    assert (shown.stage, shown.headline) == (Stage.RUNNING, "Running")
    assert shown.trial == "Trial 3 of 4, exploring: SubscriptionStreams 8"
    assert shown.detail == "Stop the agents"
    assert shown.progress == 0.5
    assert shown.times == "0:10 elapsed, about 0:10 left"
    assert shown.can_pause
    assert shown.can_cancel
    assert not shown.can_start


def test_a_confirming_trial_is_called_so() -> None:
    """Trials of the confirmation are named as such."""
    assert ", confirming: " in picture(told(started(), trial_started(4, 8, Phase.CONFIRM)), READY).trial


def test_the_time_left_is_unknown_before_the_first_trial_ended() -> None:
    """Nobody knows how long a trial takes before one ended."""
    assert picture(told(started(), trial_started(1, 1)), READY).times.endswith("known after the first trial")


def test_a_pause_takes_effect_when_the_run_says_so_and_does_not_count() -> None:
    """Pause after the trial: asked for, then taken with everything put back, then over; its time is not work."""
    state = told(started(), trial_started(1, 1))
    state.ask_to_pause()
    assert picture(state, READY).headline == "Running; pauses after this trial"
    assert picture(state, READY).can_resume
    state.take([Note("E1", "limits were changed")], AT, 10.0)
    assert picture(state, READY).stage is Stage.PAUSING  # a note inside a trial is not the pause
    state.take([trial_finished(1, 1), RunPaused("E1")], AT, 10.0)
    assert picture(state, READY).headline == "Paused; every change is undone"
    state.tick(110.0)
    assert picture(state, READY).times == "1:50 elapsed, about 0:30 left"  # 3 trials of 10 s each
    state.ask_to_resume(110.0)
    assert picture(state, READY).stage is Stage.RUNNING
    state.take([trial_started(2, 8)], AT, 110.0)
    assert state.left_s == pytest.approx(30.0)


@pytest.mark.parametrize("target", ["lab", "sqlserver://DIST1"])
def test_the_time_left_of_a_run_that_goes_on_is_by_what_trials_take(target: str) -> None:
    """Those kept took no time since; on a server they tell the pace until one has ended, and the end agreed to."""
    plan = replace(PLAN, most_s=1_000.0)
    kept = [trial_finished(number, 1).trial for number in (1, 2)]
    taken_s = timedelta(seconds=300)
    kept = [replace(trial, finished_utc=trial.started_utc + taken_s) for trial in kept]
    state = new_state()
    state.start(0.0, kept)
    begun = replace(started(), plan=plan, target=target)
    state.take([begun, trial_started(3, 2)], AT, 0.0)
    state.tick(60.0)
    assert state.left_s == (None if target == "lab" else pytest.approx(min(2 * 300.0, 940.0)))
    state.take([trial_finished(3, 2), trial_started(4, 2)], AT, 400.0)
    assert state.left_s == pytest.approx(400.0)
    told = picture(state, READY).times
    assert told == "6:40 elapsed, about 6:40 left" + ("" if target == "lab" else ", 10:00 at most")


def test_a_run_that_goes_on_by_itself_is_not_paused_any_more() -> None:
    """The run says that it goes on, whoever let it."""
    state = told(started())
    state.ask_to_pause()
    state.take([RunPaused("E1"), RunResumed("E1"), trial_started(1, 1)], AT, 20.0)
    assert state.stage is Stage.RUNNING
    assert state.elapsed_s == pytest.approx(20.0)


def test_cancelling_offers_nothing_more() -> None:
    """While the run ends there is nothing to press."""
    state = told(started(), trial_started(1, 1), ChangeApplied("E1", change()))
    state.ask_to_cancel(11.0)
    shown = picture(state, READY)
    assert shown.headline.startswith("Ending")
    assert {shown.can_start, shown.can_pause, shown.can_cancel, shown.can_restore} == {False}


def test_requests_after_the_end_change_nothing() -> None:
    """Pause, resume and cancel mean nothing to a run that is over."""
    state = told(started(), finished())
    state.end(_outcome(), 12.0)
    state.ask_to_pause()
    state.ask_to_resume(13.0)
    state.ask_to_cancel(13.0)
    state.tick(99.0)
    assert (state.stage, state.elapsed_s) == (Stage.ENDED, 12.0)


@pytest.mark.parametrize(
    ("status", "headline", "mood"),
    [
        (RunStatus.SUCCEEDED, "Done", Mood.GOOD),
        (RunStatus.FAILED, "Stopped by an error", Mood.BAD),
        (RunStatus.CANCELLED, "Cancelled", Mood.WARNING),
        (RunStatus.ABORTED, "Stopped by a limit of the plan", Mood.WARNING),
        (RunStatus.INTERRUPTED, "Interrupted", Mood.WARNING),
        (RunStatus.RUNNING, "Ended", Mood.WARNING),
    ],
)
def test_each_end_has_its_words(status: RunStatus, headline: str, mood: Mood) -> None:
    """Every way a run can end is said in words, with its reason, and can be followed by another run."""
    state = told(started(), finished(status))
    state.end(_outcome(status), 12.0)
    shown = picture(state, READY)
    assert (shown.headline, shown.mood) == (headline, mood)
    assert shown.detail.startswith("Complete. Every change is undone.")
    assert ("Resume run" in shown.detail) is shown.can_go_on is status.may_go_on
    assert shown.start_text == "Run &again…"
    assert shown.can_start


def test_trials_that_could_not_be_used_are_counted_at_the_end() -> None:
    """The end tells how many trials could not be used."""
    unused = trial_finished(1, 1, status=TrialStatus.NOT_USED, checks=("fell back",))
    aborted = trial_finished(2, 8, status=TrialStatus.ABORTED, checks=("cancelled",))
    state = told(started(), unused, finished())
    state.end(_outcome(), 12.0)
    assert "1 trial could not be used; the log says why." in picture(state, READY).detail
    state = told(started(), unused, aborted, finished())
    assert state.finished_trials == 1
    state.end(_outcome(), 12.0)
    assert "2 trials could not be used" in picture(state, READY).detail


def test_a_run_that_never_began_says_why() -> None:
    """A job that could not begin is an error with its sentence, and keeps no end for the wizard."""
    state = new_state()
    state.start(0.0)
    end = JobEnded("", None, "the target cannot be reached")
    state.end(end, 1.0)
    assert picture(state, READY).detail == "The target cannot be reached. Nothing was changed."
    assert picture(state, READY).mood is Mood.BAD
    assert run_end(end) is None


def test_a_job_that_ended_without_outcome_or_problem_is_over_all_the_same() -> None:
    """Whatever the worker tells, its end is an end."""
    state = told(started())
    state.end(JobEnded("S1", None, ""), 11.0)
    assert picture(state, READY).headline == "Ended"


def test_what_was_not_put_back_is_said_with_its_remedy_and_can_be_tried_again() -> None:
    """An end that left something changed is an alarm with every sentence and what to do."""
    state = _changed_and_undone(ChangeApplied("E1", change()), finished(not_restored=("x: connection lost",)))
    assert not picture(state, READY).alarms  # not before the job is over
    state.end(_outcome(left=("x: connection lost",)), 12.0)
    shown = picture(state, READY)
    assert (shown.mood, shown.alarms) == (Mood.BAD, ("x: connection lost",))
    assert "Restore now" in shown.remedy
    assert shown.can_restore
    assert "Every change is undone" not in shown.detail
    restoring = picture(state, READY, restoring="Undoing 1 of 1: x: 8 → 1")
    assert {restoring.can_restore, restoring.can_start} == {False}
    assert restoring.detail == "Undoing 1 of 1: x: 8 → 1"
    state.restored((), AT, 2)
    assert [line.text for line in state.log.since(0)][-1] == "Restored 09:30, read back: 2 changes"
    assert picture(state, READY).alarms == ()
    assert not picture(state, READY).can_restore


_RESTORED = "Restored 09:30, read back: 2 changes"


def _changed_and_undone(*ended: RunEvent) -> RunState:
    made = [change(), change("running", "stopped", "Distribution Agent A")]
    undone = [ChangeRestored("E1", one) for one in reversed(made)]
    return told(started(), *(ChangeApplied("E1", one) for one in made), *undone, *ended)


@pytest.mark.parametrize("status", RunStatus)
def test_however_a_run_ends_once_everything_is_undone_it_says_so_and_when(status: RunStatus) -> None:
    """The log and the words below the headline say the same; not while something stands, nor where nothing did."""
    state = _changed_and_undone(finished(status))
    state.end(_outcome(status), 12.0)
    assert [line.text for line in state.log.since(0)][-1] == _RESTORED
    assert f"{_RESTORED}." in picture(state, READY).detail
    for nothing in (
        told(started(), finished(status)),
        _changed_and_undone(finished(status, not_restored=("x: connection lost",))),
    ):
        assert "Restored" not in " ".join(line.text for line in nothing.log.since(0))


def test_a_setting_that_was_kept_until_caught_up_is_told_undone_as_well_and_one_that_stands_is_not() -> None:
    """By its own changes, not by those of the run before it; later "put back" says it again."""
    state = _changed_and_undone(finished())
    state.end(_outcome(), 12.0)
    kept = change(new="4")
    state.begin_keep(Setting.of(SubscriptionStreams=4), 13.0)
    state.take([ChangeApplied("E1", kept)], AT, 14.0)
    state.end_keep("it stands", (), AT, 15.0)
    assert [line.text for line in state.log.since(0)].count(_RESTORED) == 1
    assert "Restored" not in picture(state, READY).detail
    state.begin_keep(Setting.of(SubscriptionStreams=4), 16.0)
    state.take([ChangeRestored("E1", kept)], AT, 17.0)
    state.end_keep("caught up", (), AT, 18.0)
    assert [line.text for line in state.log.since(0)][-1] == "Restored 09:30, read back: 1 change"
    state.restored((), AT, 3)
    assert "Restored 09:30, read back: 3 changes." in picture(state, READY).detail


def test_restore_now_says_what_it_does() -> None:
    """During the run restoring ends it; afterwards it works through the journal."""
    state = told(started(), ChangeApplied("E1", change()))
    assert picture(state, READY).can_restore
    assert picture(state, READY).restore_hint.startswith("Ends the run")
    state.end(_outcome(), 12.0)
    assert picture(state, READY).restore_hint.startswith("Undoes everything")


def test_changes_of_one_thing_are_one_line_and_the_newest_is_first() -> None:
    """A value changed three times shows its present value and the first original; putting back goes step by step."""
    stopped = change("running", "stopped", "Distribution Agent A")
    chain = [change("not set", "8"), change("8", "4"), change("4", "")]
    state = told(*(ChangeApplied("E1", c) for c in (chain[0], stopped, *chain[1:])))
    assert [(c.subject, value_now(c), c.original) for c in state.changes] == [
        ("-SubscriptionStreams", "(empty)", "not set"),
        ("Distribution Agent A", "stopped", "running"),
    ]
    state.take([ChangeRestored("E1", chain[2])], AT, 11.0)
    assert value_now(state.changes[0]) == "4"
    state.take([ChangeRestored("E1", c) for c in (chain[1], chain[0], stopped, stopped)], AT, 11.0)
    assert state.changes == ()
    assert not state.is_changed


def test_an_agent_that_was_stopped_runs_while_it_is_measured() -> None:
    """Its stop is the change that is open; that it was started for a trial is said with it."""
    stopped = replace(change("running", "stopped", "Distribution Agent A"), kind="agent_stopped")
    (line,) = told(ChangeApplied("E1", stopped)).changes
    assert (value_now(line), line.original) == ("stopped between measurements", "running")


def test_the_table_of_changes_has_no_columns_while_nothing_is_changed() -> None:
    """Nothing changed is an empty table; a change shows where its value goes back to."""
    assert changes_table(()).columns == ()
    table = changes_table(told(ChangeApplied("E1", change()), ChangeApplied("E1", change(subject="other"))).changes)
    assert [cell.text for cell in table.rows[0].cells] == ["8", "not set", "other"]
    assert len({row.key for row in table.rows}) == 2


def test_the_lab_says_that_its_time_is_its_own() -> None:
    """On the lab minutes pass in moments, and the page says how many; a server needs no such note."""
    assert "half an hour" in picture(new_state(), READY).note
    assert "3\u00a0min" in picture(told(started(), trial_finished(3, 1)), READY).note
    assert picture(told(started("lab@127.0.0.1:5000")), READY).note
    assert picture(told(started("sqlserver://db1")), READY).note == ""


def test_an_end_known_from_the_wizard_alone_can_be_shown() -> None:
    """A page entered again shows how the run ended, without times it never saw."""
    state = new_state()
    state.show_end(RunEnd("S1", "E1", "cancelled", "cancelled on request", ()))
    shown = picture(state, READY)
    assert (shown.headline, shown.times) == ("Cancelled", "")
    assert shown.detail.startswith("Cancelled on request. Every change is undone. “Resume run”")


def test_the_wizard_keeps_how_the_run_ended() -> None:
    """The end of the job becomes the wizard's; what was put back later is taken off it."""
    end = run_end(_outcome(RunStatus.ABORTED, ("x",)))
    assert end == RunEnd("S1", "E1", "aborted", "complete", ("x",))
    assert restored_end(end, ()).not_restored == ()


def test_a_setting_has_the_colour_of_its_row_in_the_plan_whatever_comes_first() -> None:
    """The baseline is the first, the others follow as the plan has them; one that a model chose has none of them."""
    state = told(started(), *(event for n, streams in ((1, 8), (2, 1), (3, 5)) for event in _measured(n, streams)))
    assert [(band.label, band.place) for band in state.series.bands] == [("8", 1), ("1", 0), ("5", None)]
    widened = replace(PLAN, factors=(Factor("SubscriptionStreams", (2, 1, 8)),))
    assert list(setting_places(widened)) == [Setting.of(SubscriptionStreams=n) for n in (1, 2, 8)]


def _measured(order: int, streams: int) -> tuple[RunEvent, ...]:
    return trial_started(order, streams), readings(order, 1.0, 50.0), trial_finished(order, streams)


def test_progress_counts_the_present_trial_and_never_exceeds_the_whole() -> None:
    """Half of the first of four trials is an eighth; a success is the whole, however many trials a race saved."""
    assert told(started(), trial_started(1, 1), readings(1, 1.0, 50.0)).progress == pytest.approx(0.125)
    assert told(started(), trial_finished(1, 1)).progress == 0.0
    assert told(started(), trial_started(1, 1), trial_finished(1, 1), finished()).progress == 1.0


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (7.4, "0:07"), (59.6, "1:00"), (750, "12:30"), (3_723, "1:02:03")]
)
def test_times_are_shown_as_a_clock_does(seconds: float, text: str) -> None:
    """Seconds are shown as minutes and seconds, hours where there are some."""
    assert clock_text(seconds) == text
