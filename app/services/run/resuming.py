"""Finding the run that ended before its time, so that it can go on."""

from dataclasses import replace
from pathlib import Path

from app.analysis.confirmed import confirming_now
from app.domain.errors import BadInput, NotRestored
from app.domain.measurement import TrialStatus
from app.domain.session import RunRecord
from app.foundation.texts import _
from app.services.run.continued_run import ContinuedRun
from app.services.run.restoring import state_if_any
from app.services.workplace import Workplace
from app.store import open_for_reading, open_for_writing


def find_interrupted(place: Workplace, session_id: str | None = None) -> ContinuedRun:
    """Return the last run of a session where it did not complete; for None, of the newest session with such a run.

    Raises:
        StoreError: the session file cannot be used, or holds no such session.
        BadInput: there is no session file, its last runs are complete, or it holds none.
    """
    if not place.session_file.is_file():
        raise BadInput(
            _("{folder} holds no {file}; give the folder of the interrupted run with --out").format(
                folder=place.folder, file=place.session_file.name
            )
        )
    open_for_writing(place.session_file).close()  # marks what a dead program left running as interrupted
    with open_for_reading(place.session_file) as reader:
        ids = (
            [overview.header.session_id for overview in reader.list_sessions()] if session_id is None else [session_id]
        )
        for candidate in ids:
            runs = reader.list_runs(candidate)
            if runs and runs[-1].status.may_go_on:
                run = reader.read_session(candidate, with_samples=False).runs[-1]
                if run.plan.design.is_windowed:  # their rates tell how long those to come are
                    run = reader.read_session(candidate).runs[-1]
                return ContinuedRun(candidate, without_unusable(run), begun_blocks(run))
    raise BadInput(
        _("{file} holds no interrupted run; start a new one with a plan and --target").format(file=place.session_file)
    )


def without_unusable(run: RunRecord) -> RunRecord:
    """Return a run without its trials that could not be used, which are repeated; the session file keeps them.

    Windows of pairs stay: what is left of a pair is not made whole by a window hours later, so the schedule makes up
    for it with a whole new pair (`runner.schedule.half_pairs`).
    """
    pairs = confirming_now(run.trials) if run.plan.design.is_windowed else ()
    kept = (trial for trial in run.trials if trial.status is not TrialStatus.NOT_USED or pairs)
    return replace(run, trials=tuple(kept))


def begun_blocks(run: RunRecord) -> int:
    """Return how many confirming blocks a run began: one that was asked for, and broke off, is finished."""
    return len({trial.block for trial in confirming_now(run.trials)})


def find_to_go_on(place: Workplace, session_id: str, journal: Path) -> ContinuedRun:
    """Return a session's unfinished last run, where nothing of an earlier run is still changed on its target.

    Raises:
        StoreError: the session file or the journal cannot be used.
        BadInput: as `find_interrupted`; or the journal has open changes, which are to be put back first: what a
            server shows meanwhile is not what was there.
        NotRestored: the journal is damaged, and may hide a change.
    """
    earlier = find_interrupted(place, session_id)
    refuse_open_changes(journal)
    return earlier


def refuse_open_changes(journal: Path) -> None:
    """Refuse to go on while anything of an earlier run is still changed.

    Raises:
        StoreError: the journal cannot be used.
        BadInput: it has open changes, which are to be put back first: what a server shows meanwhile is not what was
            there.
        NotRestored: it is damaged, and may hide a change.
    """
    state = state_if_any(journal)
    entries = state.entries
    if state.problems:
        raise NotRestored(state.problems[0])
    if entries:
        raise BadInput(
            _("changes of an earlier run are still open ({count}, such as {subject}); undo them first").format(
                count=len(entries), subject=entries[0].change.subject
            )
        )
