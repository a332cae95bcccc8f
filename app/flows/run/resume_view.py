"""Going on with a run that ended before its time: when it is offered, and how the wizard then begins."""

from pathlib import Path

from app.domain.events import RunStatus
from app.domain.measurement import TrialStatus
from app.domain.rights import Mode
from app.domain.session import RunRecord
from app.flows.shell.start_view import opened_session
from app.flows.shell.wizard import Choices, EarlierRun, Step, Wizard
from app.flows.words import counted
from app.foundation.texts import _
from app.services.hand_over.past_sessions import summarise_session
from app.services.program import Program
from app.services.workplace import Workplace


def why_not_go_on(wizard: Wizard, *, running: bool) -> str:
    """Return in one sentence why the run of the session at hand cannot go on, "" where it can."""
    end = wizard.choices.run_end
    if running:
        return _("A run is in progress; stop it first.")
    if end is None or not end.run_id or wizard.choices.place is None:
        return _("This session has no run yet.")
    if not RunStatus(end.status).may_go_on:
        return _("The run of this session is complete.")
    return ""


def read_earlier_run(choices: Choices, program: Program) -> Wizard:
    """Return the wizard that goes on with the run of the session at hand; for a worker thread.

    Raises:
        StoreError: the session file cannot be used.
        BadInput: nothing in it can go on, or something is still changed on a server.
    """
    # loads SQLite, which the first page does without
    from app.services.run.resuming import find_to_go_on

    end, place = choices.run_end, choices.place
    if end is None or place is None:
        raise ValueError("no run of this session has ended")
    earlier = find_to_go_on(place, end.session_id, program.parts.journal_path)
    return resumed_wizard(earlier.run, end.session_id, place, earlier.least_confirm_blocks)


def read_unfinished(session_file: Path, program: Program) -> Wizard:
    """Return the wizard that goes on with the newest run of a session file; for a worker thread.

    Raises:
        StoreError: the session file cannot be used.
        BadInput: nothing in it can go on, or something is still changed on a server.
    """
    return read_earlier_run(opened_session(summarise_session(session_file)).choices, program)


def resumed_wizard(run: RunRecord, session_id: str, place: Workplace, least_confirm_blocks: int = 0) -> Wizard:
    """Return the wizard at the checks of a run that goes on: consent holds for one start alone.

    Args:
        least_confirm_blocks: as in `EarlierRun`.
    """
    kept = tuple(trial for trial in run.trials if trial.status is not TrialStatus.ABORTED)
    choices = Choices(
        target=run.target,
        family=run.plan.family,
        plan=run.plan,
        folder=place.folder,
        file_name=place.file_name,
        engagement=place.engagement,
        mode=Mode.GUIDED if run.by_hand else Mode.HANDS_ON,
        resumes=EarlierRun(session_id, run.run_id, kept, least_confirm_blocks),
    )
    return Wizard(Step.PREFLIGHT, choices)


def unfinished_line() -> str:
    """Return the offer for a run that ended before its time."""
    return _("The run stopped before its end; resuming it keeps what was measured and repeats none of it.")


def resumed_line(choices: Choices) -> str:
    """Return the run that is resumed, in one sentence; "" for a new run."""
    if choices.resumes is None:
        return ""
    return counted(
        len(choices.resumes.trials),
        _("The run resumes: 1 trial is kept and not repeated."),
        _("The run resumes: {count} trials are kept and not repeated."),
    )
