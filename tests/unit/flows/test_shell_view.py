"""The frame around the pages: states of the steps, the footer, and what is changed right now."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.change import EntryState, JournalEntry
from app.domain.events import (
    ChangeApplied,
    ChangeRestored,
    Note,
    RunFinished,
    RunStarted,
    RunStatus,
)
from app.flows.shell.shell_view import (
    ServerState,
    StepState,
    can_show_runs,
    closing_sentence,
    ended_in_words,
    footer,
    step_lines,
    window_title,
)
from app.flows.shell.wizard import Choices, RunEnd, Step, Wizard
from app.services.run.guided_session import RunOutcome
from app.services.run.run_job import JobEnded
from tests.store.sample import make_change
from tests.unit.flows.test_wizard import END, PLAN, complete

NOW = datetime(2026, 3, 4, tzinfo=UTC)
STARTED = RunStarted("E1", PLAN, "lab", NOW)


def states(wizard: Wizard, *, running: bool = False) -> list[StepState]:
    """Return the state of each step."""
    return [line.state for line in step_lines(wizard, running=running)]


def test_steps_before_are_done_and_steps_out_of_reach_say_why() -> None:
    """What lies behind is done; what lies ahead names the first thing that is missing."""
    lines = step_lines(Wizard(Step.TOPOLOGY, Choices(target="lab")), running=False)
    assert [line.state for line in lines[:3]] == [StepState.DONE, StepState.CURRENT, StepState.CLOSED]
    assert lines[6].reason == "Site: The target has not been read yet; this page says what it waits for."
    assert lines[1].reason == ""
    assert lines[0].spoken == "Step 1, Connect, done"


def test_steps_ahead_that_lack_nothing_can_be_opened() -> None:
    """Back in the wizard, the steps already completed stay reachable."""
    assert states(Wizard(Step.TARGET, complete()))[1:] == [StepState.OPEN] * 6


def test_while_a_run_goes_on_the_site_alone_can_be_reached() -> None:
    """The steps before are shown as done, yet closed, with the run as the reason."""
    lines = step_lines(Wizard(Step.RUN, complete()), running=True)
    assert [line.state for line in lines[3:6]] == [StepState.DONE, StepState.CURRENT, StepState.CLOSED]
    assert lines[0].reason == "A run is in progress; stop it first."
    assert lines[1].reason == ""


def test_an_opened_session_says_why_nothing_else_can_be_reached() -> None:
    """The steps before the findings of an opened file are closed."""
    opened = Wizard(Step.FINDINGS, Choices(run_end=END, folder=Path("/s"), opened=True))
    lines = step_lines(opened, running=False)
    assert "opened from its file" in lines[0].reason
    assert lines[6].state is StepState.OPEN
    assert not footer(opened, running=False).can_go_back


@pytest.mark.parametrize(
    ("status", "open_changes", "leads"),
    [("succeeded", (), True), ("succeeded", ("x",), False), ("cancelled", (), False), ("failed", (), False)],
)
def test_next_does_not_lead_beside_a_run_that_is_to_be_resumed_or_restored(
    status: str, open_changes: tuple[str, ...], leads: bool
) -> None:
    """One button is the primary one: that of the run, while it has one."""
    ended = replace(complete(), run_end=RunEnd("S1", "E1", status, "", open_changes))
    assert footer(Wizard(Step.RUN, ended), running=False).leads is leads
    assert footer(Wizard(Step.PLAN, ended), running=False).leads


def test_the_footer_says_what_is_missing_or_what_comes_next() -> None:
    """One sentence, and the buttons agree with it."""
    lacking = footer(Wizard(), running=False)
    assert (lacking.is_missing, lacking.can_go_on, lacking.can_go_back) == (True, False, False)
    ready = footer(Wizard(Step.TOPOLOGY, complete()), running=False)
    assert (ready.is_missing, ready.can_go_on, ready.can_go_back) == (False, True, True)
    assert ready.sentence.startswith("Next:")
    last = footer(Wizard(Step.HAND_OVER, complete()), running=False)
    assert (last.is_missing, last.can_go_on) == (False, False)


def test_changes_are_named_from_the_moment_they_are_made_until_they_are_undone() -> None:
    """The newest change is named; with several their number, too; undone ones are gone."""
    one, two = make_change(1), make_change(2)
    changed = ServerState().after([STARTED, ChangeApplied("E1", one)])
    assert changed.is_changed
    assert changed.sentence == (
        "Changed on lab right now: SubscriptionStreams of Distribution Agent PUB1-Sales-SUB1: 1 → 8"
    )
    both = changed.after([Note("E1", "a note"), ChangeApplied("E1", two)])
    assert both.changes == (one, two)
    assert both.sentence.startswith("2 changes on lab right now")
    assert "SUB2: 1 → 8" in both.details
    restored = both.after([ChangeRestored("E1", two), ChangeRestored("E1", one)])
    assert restored.sentence == "Nothing is changed on any server."
    assert not restored.is_changed


def test_what_could_not_be_put_back_is_said_until_the_next_run() -> None:
    """The end of a run tells what is still changed; a new run begins with what is known to be open."""
    finished = RunFinished("E1", RunStatus.FAILED, "lost", NOW, ("SUB1: connection lost",))
    state = ServerState().after([STARTED, ChangeApplied("E1", make_change()), finished])
    assert state.is_changed
    assert state.sentence == "1 change could not be undone: SUB1: connection lost"
    assert state.after([STARTED]).not_restored == ()
    assert state.after([STARTED]).changes == (make_change(),)


def test_the_journal_tells_the_state_at_the_start() -> None:
    """What an earlier run left open is changed right now, the newest last."""
    entries = [
        JournalEntry(number, "S1", target, make_change(number), EntryState.APPLIED, NOW)
        for number, target in ((2, "lab:a"), (1, "lab:b"))
    ]
    state = ServerState.of_journal(entries)
    assert state.target == "lab:a, lab:b"
    assert state.changes == (make_change(1), make_change(2))
    assert ServerState.of_journal([]) == ServerState()


def test_closing_says_what_was_not_restored() -> None:
    """Before closing after a failed restore everything still changed is listed; else nothing is said."""
    outcome = RunOutcome("E1", RunStatus.CANCELLED, "cancelled", ())
    assert closing_sentence(JobEnded("S1", outcome, ""), ServerState()) == ""
    failed = replace(outcome, not_restored=("SUB1: connection lost",))
    assert "• SUB1: connection lost" in closing_sentence(JobEnded("S1", failed, ""), ServerState())
    broken = ServerState().after([STARTED, ChangeApplied("E1", make_change())])
    assert "• SubscriptionStreams of" in closing_sentence(JobEnded("", None, "a mistake"), broken)


def test_title_and_runs_belong_to_a_session() -> None:
    """Without a session the title is the program's name, and there are no runs to look at."""
    assert window_title("") == "Replitune"
    assert window_title("Target") == "Target – Replitune"
    assert not can_show_runs(Wizard(choices=replace(complete(), folder=None)), running=False)
    assert can_show_runs(Wizard(choices=complete()), running=False)
    assert can_show_runs(Wizard(choices=Choices(folder=Path("/s"))), running=True)


def test_every_end_of_a_run_has_its_word() -> None:
    """No status is without a word."""
    assert all(ended_in_words(status) for status in RunStatus)


def test_several_changes_of_one_value_are_one_from_first_to_last() -> None:
    """A value changed trial after trial is one change: what it is now instead of what it was at the beginning."""
    first = make_change(1)
    second = replace(first, original="8", new="16", details=())
    state = ServerState().after([STARTED, ChangeApplied("E1", first), ChangeApplied("E1", second)])
    assert state.sentence.startswith("Changed on lab right now")
    assert state.sentence.endswith("1 → 16")
    assert state.details.endswith("1 → 16")


def test_a_value_put_back_step_by_step_is_told_until_its_first_change_is_undone() -> None:
    """The same change made twice is undone twice; the strip says what a server still has, as the page of the run."""
    up = replace(make_change(1), original="1", new="8")
    down = replace(up, original="8", new="1")
    events = [ChangeApplied("E1", change) for change in (up, down, up)]
    state = ServerState().after([STARTED, *events, ChangeRestored("E1", up)])
    assert state.details.endswith("1 → 1")
    state = state.after([ChangeRestored("E1", down)])
    assert state.changes == (up,)
    assert state.sentence.endswith("1 → 8")
    assert not state.after([ChangeRestored("E1", up)]).is_changed
