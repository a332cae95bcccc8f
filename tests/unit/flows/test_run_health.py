"""The health of a run in words: silence, standstill, what was lost, and time that is a person's."""

from dataclasses import replace

import pytest

from app.domain.events import HandConfirmed, HandRequested, RunEvent, RunPaused, StepMoved, StepStarted
from app.domain.happening import Happening, Work
from app.domain.measurement import TrialStatus
from app.flows.run.mood import Mood
from app.flows.run.run_health import RunHealth, run_health
from app.flows.run.run_state import RunState
from app.flows.run.run_told import run_told
from app.flows.run.run_view import beside_text
from app.services.target.answers import Silence
from tests.unit.flows.run_events import AT, finished, readings, started, told, trial_finished, trial_started

ASKED = HandRequested("E1", 1, "set it", "DIST1", "EXEC x;", is_undo=False)


def _health(*events: RunEvent, now_s: float = 10.0) -> RunHealth:
    return run_health(told(*events, now_s=now_s))


def _lost(order: int, *checks: str) -> RunEvent:
    return trial_finished(order, 8, status=TrialStatus.NOT_USED, checks=checks)


def test_a_silent_server_is_named_and_alarming() -> None:
    """Whoever hears the servers decides; the line says when one last answered, or who does not and since when."""
    state = told(started(), trial_started(1, 1))
    state.hear(4.0, None)
    assert run_health(state).line.startswith("Last answer 4\u00a0s ago · ")
    assert run_health(state).alarm == ""
    state.hear(31.0, Silence("DIST1", 31.0, AT))
    assert run_health(state).alarm == f"No answer from DIST1 for 31\u00a0s, since {AT.astimezone():%H:%M:%S}"
    told_as = run_told(state)
    assert told_as is not None
    assert (told_as.mood, told_as.call) == (Mood.BAD, "silent")
    state.hear(1.0, None)
    assert run_health(state).alarm == ""


@pytest.mark.parametrize("event", [StepStarted("E1", "Wait"), trial_started(2, 8), HandConfirmed("E1", 1)])
def test_what_the_program_tells_of_itself_is_no_answer(event: RunEvent) -> None:
    """A step that begins while a server is silent puts off no alarm: it counted ten seconds anew for each."""
    state = told(started(), trial_started(1, 1))
    state.hear(31.0, Silence("DIST1", 31.0, AT))
    state.take([event], AT, 41.0)
    assert run_health(state).alarm.startswith("No answer from DIST1 for 31")


def test_a_server_that_is_silent_from_the_start_is_told_before_the_run_has_begun() -> None:
    """Nothing else is known of it by then."""
    state = RunState({})
    state.start(10.0)
    state.hear(31.0, Silence("dist1.example", 31.0, AT))
    assert run_health(state).line.startswith("No answer from dist1.example for 31")
    assert run_health(state).alarm == run_health(state).line


def test_what_moves_is_counted_down_and_a_standstill_is_told() -> None:
    """Readings half a minute apart that say the same twice are a standstill, one alone is none; a new step is none."""
    state = told(started(), trial_started(1, 1), StepStarted("E1", "Wait"), StepMoved("E1", 312_000, "commands"))
    state.take([StepMoved("E1", 140_200, "commands")], AT, 20.0)
    assert "Left in this step: 140,200 of 312,000 commands" in run_health(state).line
    state.take([StepMoved("E1", 140_200, "commands")], AT, 51.0)
    assert run_health(state).alarm == ""
    state.take([StepMoved("E1", 140_200, "commands")], AT, 81.0)
    assert run_health(state).alarm == "Nothing has moved for 61\u00a0s"
    state.take([StepStarted("E1", "Measure")], AT, 82.0)
    assert run_health(state).alarm == ""


def test_a_measured_trial_that_stands_still_is_told() -> None:
    """The total delivered does not grow, although the server answers."""
    state = told(started(), trial_started(1, 1), readings(1, 1.0, 500.0))
    for offset_s in (20.0, 40.0):
        state.take([readings(1, offset_s, 500.0)], AT, 10.0 + offset_s)
    assert run_health(state).alarm == "Nothing has moved for 40\u00a0s"
    state.take([readings(1, 41.0, 900.0)], AT, 51.0)
    assert run_health(state).alarm == ""


def test_lost_trials_are_counted_and_one_disturbance_is_one_line() -> None:
    """Discarded ones are shown while the run goes on and while it is paused; a reason stands once."""
    events: list[RunEvent] = [
        started(),
        trial_finished(1, 1),
        _lost(2, "somebody stopped the agent"),
        _lost(3, "the disk was full"),
    ]
    events += [_lost(order, "somebody stopped the agent") for order in (4, 5, 6)]
    shown = _health(*events)
    assert "1 trial used, 5 lost" in shown.line
    assert shown.lost == (
        "E1-T002 to E1-T006 (4): somebody stopped the agent",
        "E1-T003: the disk was full",
    )
    assert _health(*events, RunPaused("E1")).lost == shown.lost
    state = told(*events)
    lines = [line.text for line in state.log.since(0)]
    assert sum("somebody stopped the agent" in line for line in lines) == 2
    assert lines[-1] == "E1-T006: not used, for the same reason"


def test_other_work_beside_several_trials_is_one_line() -> None:
    """One backup over three trials is one disturbance."""
    backup = Happening(Work.BACKUP, "SUB1", "Sales")
    ends = [trial_finished(order, 8) for order in (1, 2, 3)]
    state = told(started(), *(replace(end, trial=replace(end.trial, happenings=(backup,))) for end in ends))
    assert beside_text(state) == "During E1-T001, E1-T002, E1-T003: a backup of Sales ran on SUB1."


@pytest.mark.parametrize("waits", [(ASKED,), (RunPaused("E1"),)])
def test_time_left_does_not_grow_while_a_person_is_waited_for(waits: tuple[RunEvent, ...]) -> None:
    """What a trial takes is no wait for a DBA."""
    state = told(started("dist1.example"), trial_started(1, 1), trial_finished(1, 1), now_s=60.0)
    state.take([trial_started(2, 8), *waits], AT, 60.0)
    before = state.left_s
    assert before == pytest.approx(180.0)
    state.tick(660.0)
    assert state.left_s == before
    state.take([HandConfirmed("E1", 1)], AT, 660.0)
    assert state.left_s == before


def test_nothing_is_told_of_a_run_that_does_not_go_on() -> None:
    """Before it begins and after its end there is no health."""
    assert run_health(RunState({})) == RunHealth("", "", ())
    assert _health(started(), trial_finished(1, 1), finished()).line == ""
