"""Finding the run that a crash interrupted, so that it can go on."""

from app.domain.errors import BadInput
from app.domain.events import RunStatus
from app.domain.session import RunRecord
from app.foundation.texts import _
from app.services.workplace import Workplace
from app.store import open_for_reading, open_for_writing

_UNFINISHED = (RunStatus.INTERRUPTED, RunStatus.CANCELLED, RunStatus.ABORTED, RunStatus.FAILED)


def find_interrupted(place: Workplace) -> RunRecord:
    """Return the newest session's last run, where it did not complete.

    Raises:
        StoreError: the session file cannot be used.
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
        runs = reader.read_session(with_samples=False).runs
    if not runs or runs[-1].status not in _UNFINISHED:
        raise BadInput(
            _("{file} holds no interrupted run; start a new one with a plan and --target").format(
                file=place.session_file
            )
        )
    return runs[-1]
