"""Going on with a run that ended early: when it is offered, and at which steps the wizard then stands."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput
from app.domain.events import RunStatus
from app.domain.rights import Mode
from app.flows.run.resume_view import read_earlier_run, resumed_line, resumed_wizard, why_not_go_on
from app.flows.shell.shell_view import step_lines
from app.flows.shell.wizard import Choices, EarlierRun, RunEnd, Step, Wizard, why_not_leave
from app.services.program import Program
from app.services.workplace import Workplace
from app.store import UndoJournalFile, create_session_file
from tests.store.sample import SESSION_ID, make_change, make_record, make_trial
from tests.unit.flows.test_wizard import END, complete

TRIALS = (make_trial(1),)
PLACE = Workplace(Path("/sessions"), "a.replitune", Path("/clients/a.replitune"))


def test_only_a_run_that_did_not_complete_can_go_on() -> None:
    """Where it cannot, one sentence says why."""
    wizard = Wizard(Step.RUN, complete())
    assert why_not_go_on(wizard, running=False) == "The run of this session is complete."
    assert why_not_go_on(wizard, running=True) == "A run is in progress; stop it first."
    assert why_not_go_on(Wizard(), running=False) == "This session has no run yet."
    for status in (RunStatus.CANCELLED, RunStatus.ABORTED, RunStatus.FAILED, RunStatus.INTERRUPTED):
        ended = wizard.with_choices(replace(wizard.choices, run_end=replace(END, status=status)))
        assert why_not_go_on(ended, running=False) == ""


def test_the_wizard_begins_at_the_checks_and_goes_no_step_further_back() -> None:
    """Target and plan are those the run began with; consent is asked again."""
    session = make_record()
    wizard = resumed_wizard(session.runs[0], SESSION_ID, PLACE)
    choices = wizard.choices
    assert wizard.step is Step.PREFLIGHT
    assert (choices.target, choices.plan) == (session.runs[0].target, session.runs[0].plan)
    assert choices.place == PLACE
    assert wizard.back() is wizard
    assert not wizard.can_reach(Step.PLAN)
    assert step_lines(wizard, running=False)[0].reason == "This run resumes with the target and plan it began with."
    assert why_not_leave(Step.PREFLIGHT, choices) == "The checks have not run yet."
    ready = Wizard(Step.PREFLIGHT, replace(complete(), run_end=None, resumes=EarlierRun("S1", "E1", TRIALS * 4)))
    run = ready.forward()
    assert run.step is Step.RUN
    assert run.back().step is Step.PREFLIGHT
    assert not run.can_reach(Step.FINDINGS)
    assert run.with_choices(replace(run.choices, run_end=END)).can_reach(Step.FINDINGS)


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_guided_run_resumes_guided(by_hand: bool) -> None:
    """Until another way to work is chosen in so many words."""
    run = replace(make_record().runs[0], by_hand=by_hand)
    choices = resumed_wizard(run, SESSION_ID, PLACE).choices
    assert choices.mode is (Mode.GUIDED if by_hand else Mode.HANDS_ON)


def test_what_is_kept_is_said() -> None:
    """Trials that ended are counted; a new run says nothing."""
    assert resumed_line(Choices()) == ""
    one, four = EarlierRun("S1", "E1", TRIALS), EarlierRun("S1", "E1", TRIALS * 4)
    assert resumed_line(Choices(resumes=one)) == "The run resumes: 1 trial is kept and not repeated."
    assert resumed_line(Choices(resumes=four)) == "The run resumes: 4 trials are kept and not repeated."


def ended_session(folder: Path, status: RunStatus) -> Choices:
    """Return the choices of a session in a file whose only run ended so."""
    session = make_record()
    record = replace(session, runs=(replace(session.runs[0], status=status),))
    with create_session_file(folder / "session.replitune") as store:
        store.add_session(record)
    return Choices(folder=folder, run_end=RunEnd(record.session_id, record.runs[0].run_id, str(status), "", ()))


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program, with a journal of its own."""
    built = build_program()
    return Program(replace(built.parts, journal_path=tmp_path / "undo.journal"))


def test_the_run_is_read_from_its_file(program: Program, tmp_path: Path) -> None:
    """Its trials are counted, and nothing is looked for in another session of the file."""
    wizard = read_earlier_run(ended_session(tmp_path, RunStatus.CANCELLED), program)
    assert wizard.choices.resumes is not None
    assert wizard.choices.resumes.session_id == SESSION_ID
    assert len(wizard.choices.resumes.trials) > 0


def test_open_changes_are_put_back_first(program: Program, tmp_path: Path) -> None:
    """What a server shows while something is changed on it is no baseline to check a plan against."""
    choices = ended_session(tmp_path, RunStatus.INTERRUPTED)
    journal = program.parts.journal_path
    with UndoJournalFile(journal) as file:
        file.mark_applied(file.record_intent(SESSION_ID, "lab", make_change(1)))
    with pytest.raises(BadInput, match=r"still open \(1, such as .*\); undo them first"):
        read_earlier_run(choices, program)


def test_a_complete_run_is_refused_with_its_file(program: Program, tmp_path: Path) -> None:
    """The file says so, whatever the window still believes."""
    with pytest.raises(BadInput, match="holds no interrupted run"):
        read_earlier_run(ended_session(tmp_path, RunStatus.SUCCEEDED), program)
