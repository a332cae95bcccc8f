"""Finding the run that ended before its time, so that it can go on."""

from pathlib import Path

from app.domain.errors import BadInput
from app.domain.session import RunRecord
from app.foundation.texts import _
from app.services.restoring import open_changes
from app.services.workplace import Workplace
from app.store import open_for_reading, open_for_writing


def find_interrupted(place: Workplace, session_id: str | None = None) -> RunRecord:
    """Return the last run of a session, the file's newest for None, where it did not complete.

    Raises:
        StoreError: the session file cannot be used, or holds no such session.
        BadInput: there is no session file, its last run is complete, or it holds none.
    """
    if not place.session_file.is_file():
        raise BadInput(
            _("{folder} holds no {file}; give the folder of the interrupted run with --out").format(
                folder=place.folder, file=place.session_file.name
            )
        )
    open_for_writing(place.session_file).close()  # marks what a dead program left running as interrupted
    with open_for_reading(place.session_file) as reader:
        runs = reader.read_session(session_id, with_samples=False).runs
    if not runs or not runs[-1].status.may_go_on:
        raise BadInput(
            _("{file} holds no interrupted run; start a new one with a plan and --target").format(
                file=place.session_file
            )
        )
    return runs[-1]


def find_to_go_on(place: Workplace, session_id: str, journal: Path) -> RunRecord:
    """Return a session's unfinished last run, where nothing of an earlier run is still changed on its target.

    Raises:
        StoreError: the session file or the journal cannot be used.
        BadInput: as `find_interrupted`; or the journal has open changes, which are to be put back first: what a
            server shows meanwhile is not what was there.
    """
    run = find_interrupted(place, session_id)
    entries = open_changes(journal) if journal.exists() else ()
    if entries:
        raise BadInput(
            _("changes of an earlier run are still open ({count}, such as {subject}); put them back first").format(
                count=len(entries), subject=entries[0].change.subject
            )
        )
    return run
