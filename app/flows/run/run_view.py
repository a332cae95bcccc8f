"""The texts and buttons of a run's page: before, during and after the run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.domain.change import Change
from app.domain.events import RunStatus
from app.domain.plan import Phase
from app.domain.rights import Mode
from app.domain.setting import value_text
from app.domain.view import TableContent
from app.flows.plan.dry_run_view import by_hand_sentences
from app.flows.run.mood import Mood
from app.flows.run.resume_view import resumed_line
from app.flows.run.run_health import named_trials
from app.flows.run.run_state import GOING_ON, RunState, Stage
from app.flows.shell.wizard import Choices, RunEnd
from app.flows.words import counted, sentence, time_up_to
from app.foundation.texts import _, in_its_words, in_words_of
from app.reporting.numbers import duration, number
from app.reporting.tables import changes as tables
from app.runner.asking import HandRequest
from app.services.run.run_job import JobEnded
from app.services.target.target_spec import is_lab


@dataclass(frozen=True)
class RunPicture:
    """Everything the page shows beside its plots, table and log.

    Attributes:
        headline: how the run stands, in a few words.
        detail: what is done right now, or why it ended.
        trial: which trial of how many, with what setting; "" between trials.
        progress: share done, 0–1.
        times: time gone and time left.
        note: what a person should know about this target, "" for nothing.
        alarms: one sentence for each change that could not be put back.
        remedy: what to do about them, "" where there are none.
        start_text, pause_text, cancel_text: on the buttons that start, pause and end a run.
        can_go_on: the run ended before its time and can be taken up again.
        cancel_hint, restore_hint: what the buttons will do.
    """

    stage: Stage
    mood: Mood
    headline: str
    detail: str
    trial: str
    progress: float
    times: str
    note: str
    alarms: tuple[str, ...]
    remedy: str
    start_text: str
    pause_text: str
    cancel_text: str
    can_start: bool
    can_go_on: bool
    can_pause: bool
    can_resume: bool
    can_cancel: bool
    can_restore: bool
    cancel_hint: str
    restore_hint: str


def picture(state: RunState, choices: Choices, *, restoring: str = "") -> RunPicture:
    """Return the picture of a run as it stands.

    Args:
        restoring: the change being undone right now that a run left, in words, "" for none.
    """
    plan = state.plan or (choices.plan if choices.dry_run is None else choices.dry_run.plan)
    is_windowed = plan is not None and plan.design.is_windowed
    with in_words_of(state if plan is None else plan.design):
        return _picture(state, choices, restoring=restoring, is_windowed=is_windowed)


def _picture(state: RunState, choices: Choices, *, restoring: str, is_windowed: bool) -> RunPicture:
    going_on = state.stage in GOING_ON
    alarms = state.not_restored if not going_on else ()
    return RunPicture(
        stage=state.stage,
        mood=_mood(state),
        headline=_headline(state),
        detail=_detail(state, choices, restoring=restoring),
        trial=_trial(state),
        progress=state.progress,
        times=_times(state),
        note=_note(state, choices),
        alarms=alarms,
        remedy=_remedy() if alarms else "",
        start_text=_("Run &again…") if state.stage is Stage.ENDED else _("&Start the run"),
        pause_text=_("&Pause after this trial"),
        cancel_text=_("Stop and &undo") if is_windowed else _("&Cancel the run"),
        can_start=not restoring and _may_start(state, choices),
        can_go_on=_may_go_on(state) and not restoring,
        can_pause=state.stage in (Stage.STARTING, Stage.RUNNING),
        can_resume=state.stage in (Stage.PAUSING, Stage.PAUSED),
        can_cancel=going_on and state.stage is not Stage.CANCELLING,
        can_restore=not restoring and _can_restore(state),
        cancel_hint=_("Ends the present trial, undoes every change, and keeps what was measured until then."),
        restore_hint=_restore_hint(state),
    )


def _may_start(state: RunState, choices: Choices) -> bool:
    is_chosen = choices.plan is not None and choices.place is not None
    return is_chosen and state.stage not in GOING_ON and not _is_over(state, choices)


@dataclass(frozen=True)
class HandPicture:
    """The present request to the client's DBA.

    Attributes:
        title: number and what the script does.
        server: where it is to be run.
    """

    number: int
    title: str
    server: str
    script: str


def hand_picture(state: RunState) -> HandPicture | None:
    """Return the request to the DBA, None while there is none."""
    asked = state.request
    if asked is None:
        return None
    title = _("For the DBA, {number}: {title}").format(number=asked.number, title=asked.title)
    where = _("Run it at {server}; the run continues by itself once the server shows the change.").format(
        server=asked.server
    )
    return HandPicture(asked.number, title, where, asked.script)


def asked_picture(asked: HandRequest) -> HandPicture:
    """Return the request to the DBA while changes of an earlier run are undone."""
    title = _("For the DBA, {number}: {title}").format(number=asked.number, title=asked.title)
    where = _("Run it at {server}; it goes on by itself once the server shows the change.").format(server=asked.server)
    return HandPicture(asked.number, title, where, asked.script)


def _mood(state: RunState) -> Mood:
    if state.not_restored:
        return Mood.BAD
    if state.stage is not Stage.ENDED or state.status is None:
        return Mood.NEUTRAL
    if state.status is RunStatus.SUCCEEDED:
        return Mood.GOOD
    return Mood.BAD if state.status is RunStatus.FAILED else Mood.WARNING


def _is_over(state: RunState, choices: Choices) -> bool:
    """A run that went on is complete, or is resumed: it is not begun again."""
    return choices.resumes is not None and state.stage is Stage.ENDED and state.has_begun


def _headline(state: RunState) -> str:
    if state.stage is Stage.ENDED:
        ended = _ended(state.status)
        return _("{ended}, but not everything is undone").format(ended=ended) if state.not_restored else ended
    return {
        Stage.IDLE: _("Ready to start"),
        Stage.STARTING: _("Starting"),
        Stage.RUNNING: _("Running"),
        Stage.PAUSING: _("Running; pauses after this trial"),
        Stage.PAUSED: _("Paused; every change is undone"),
        Stage.CANCELLING: _("Ending; every change is being undone"),
        Stage.KEEPING: _("Keeping the confirmed setting"),
    }[state.stage]


def _ended(status: RunStatus | None) -> str:
    words = {
        RunStatus.SUCCEEDED: _("Done"),
        RunStatus.FAILED: _("Stopped by an error"),
        RunStatus.CANCELLED: _("Cancelled"),
        RunStatus.ABORTED: _("Stopped by a limit of the plan"),
        RunStatus.INTERRUPTED: _("Interrupted"),
    }
    return _("Ended") if status is None else words.get(status, _("Ended"))


def _detail(state: RunState, choices: Choices, *, restoring: str) -> str:
    if restoring:
        return restoring
    if state.stage is Stage.IDLE:
        return _what_will_happen(choices)
    if state.request is not None:
        return _("Waiting until the server shows what the DBA was asked to do")
    if state.stage is Stage.ENDED:
        return " ".join(
            part for part in (sentence(state.reason), _unused(state), _all_back(state), _how_to_go_on(state)) if part
        )
    return state.step


def _what_will_happen(choices: Choices) -> str:
    if choices.plan is None or choices.place is None:
        return _("There is no plan yet; go back to the step Plan.")
    if choices.dry_run is None:
        return _("The plan runs on {target}.").format(target=choices.target)
    words = _("{count} trials on {target}, about {time}. Files go to {folder}.")
    if choices.dry_run.plan.design.is_windowed:
        words = _("Up to {count} windows on {target}, about {time}. Files go to {folder}.")
    whole = words.format(
        count=number(len(choices.dry_run.trials)),
        target=choices.target,
        time=time_up_to(choices.dry_run.duration_s, choices.dry_run.longest_s),
        folder=choices.place.folder,
    )
    by_hand = by_hand_sentences(choices.dry_run.plan) if choices.mode is Mode.GUIDED else ()
    return " ".join(part for part in (whole, *by_hand, resumed_line(choices)) if part)


def _may_go_on(state: RunState) -> bool:
    return state.stage is Stage.ENDED and state.has_begun and state.status is not None and state.status.may_go_on


def _how_to_go_on(state: RunState) -> str:
    if not _may_go_on(state):
        return ""
    return _("“Resume run” continues where it stopped.")


def _unused(state: RunState) -> str:
    if not state.unused_trials:
        return ""
    return counted(
        state.unused_trials,
        _("1 trial could not be used; the log says why."),
        _("{count} trials could not be used; the log says why."),
    )


def _all_back(state: RunState) -> str:
    if state.is_changed:
        return ""
    if state.log.restored:
        return sentence(state.log.restored)
    return _("Every change is undone.") if state.has_begun else _("Nothing was changed.")


def _trial(state: RunState) -> str:
    spec = state.spec
    if spec is None:
        return ""
    words = _("Trial {order} of {planned}, exploring: {setting}")
    if state.is_windowed:
        words = _("Window {order}, exploring: {setting}")
        if spec.phase is Phase.CONFIRM:
            words = _("Window {order}, confirming: {setting}")
    elif state.compares_all:
        words = _("Trial {order} of {planned}: {setting}")
    elif spec.phase is Phase.CONFIRM:
        words = _("Trial {order} of {planned}, confirming: {setting}")
    return words.format(
        order=value_text(state.finished_trials + 1),
        planned=value_text(state.planned_trials),
        setting=spec.setting.text(),
    )


def _times(state: RunState) -> str:
    if not state.elapsed_s:
        return ""
    gone = _("{time} elapsed").format(time=clock_text(state.elapsed_s))
    if state.stage is Stage.ENDED:
        return gone
    if state.left_s is None:
        return _("{gone}; the time left is known after the first trial").format(gone=gone)
    left = clock_text(state.left_s)
    if state.most_left_s is None:
        return _("{gone}, about {time} left").format(gone=gone, time=left)
    return _("{gone}, about {time} left, {most} at most").format(
        gone=gone, time=left, most=clock_text(state.most_left_s)
    )


def clock_text(seconds: float) -> str:
    """Return a length of time as a clock shows it: 0:07, 12:30, 1:02:03."""
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"


def _note(state: RunState, choices: Choices) -> str:
    target = state.target or choices.target
    if not is_lab(target):
        return ""
    if state.server_time_s > 0:
        return _("The lab runs on a clock of its own: {time} have passed there.").format(
            time=duration(state.server_time_s)
        )
    return _("The lab runs on a clock of its own: half an hour there passes in a moment here.")


def _remedy() -> str:
    return _(
        "Choose “Restore now” to try again. The undo journal keeps what is open: Replitune offers to "
        "undo it at the next start, “replitune restore” does so from a command line, and rollback.sql in "
        "the session's folder does so without Replitune."
    )


def _can_restore(state: RunState) -> bool:
    return state.stage is not Stage.CANCELLING and state.is_changed


def _restore_hint(state: RunState) -> str:
    if state.stage in GOING_ON:
        return _("Ends the run at once and undoes every change; what was measured until then is kept.")
    return _("Undoes everything still open in the undo journal and checks it.")


def changes_table(changes: Sequence[Change]) -> TableContent:
    """Return the present changes on the server, newest first; without any, columns would get no widths."""
    keys = [f"{change.kind} {change.subject}" for change in changes]
    return tables.changes_table(changes, tables.OPEN_NOW, keys) if changes else TableContent(())


_MOST_BESIDE = 3


@in_its_words
def beside_text(state: RunState) -> str:
    """Return other work on the servers during the newest trials; the log has all of it."""
    if not state.beside:
        return _("Nothing else was seen running so far.") if state.has_begun else _("Noted while the run goes on.")
    told = [
        _("During {trial}: {what}.").format(trial=named_trials(trials), what=what)
        for what, trials in state.beside.items()
    ]
    return "\n".join(reversed(told[-_MOST_BESIDE:]))


def run_end(end: JobEnded) -> RunEnd | None:
    """Return how a run ended as the wizard keeps it, None where it never began."""
    if end.outcome is None:
        return None
    outcome = end.outcome
    return RunEnd(end.session_id, outcome.run_id, str(outcome.status), outcome.reason, outcome.not_restored)


def opens_findings(end: RunEnd) -> bool:
    """Tell whether the findings open by themselves: the run is complete, and nothing of it stands on a server."""
    return end.status == RunStatus.SUCCEEDED and not end.not_restored


def restored_end(end: RunEnd, problems: tuple[str, ...]) -> RunEnd:
    """Return how a run ended after its changes were undone, apart from `problems`."""
    return replace(end, not_restored=problems)
