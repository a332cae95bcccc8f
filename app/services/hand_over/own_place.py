"""Where a session's report, scripts and data go: files of another session are never replaced.

The first session of a file has the folder, each later one a folder below.
"""

from dataclasses import replace

from app.services.workplace import SESSION_FILE_NAME, Workplace
from app.store import open_for_reading


def own_place(place: Workplace, session_id: str | None = None) -> Workplace:
    """Return where a session is handed over: beside its file for the first one of it, else in a folder below.

    The file itself says which session came first, so that each finds its own files again. Beside a file of another
    name there may be those of `session.replitune`, which has the place then.

    Args:
        session_id: which session; the newest for None.

    Raises:
        StoreError: the session file cannot be read.
    """
    if place.engagement is not None:
        return place  # a client's file: each of its sessions has a folder already
    with open_for_reading(place.session_file) as reader:
        first = reader.first_session()
        sessions = reader.list_sessions()
    wanted = session_id or (sessions[0].header.session_id if sessions else "")
    if wanted == first and (place.file_name == SESSION_FILE_NAME or not (place.folder / SESSION_FILE_NAME).exists()):
        return place
    return replace(place, folder=place.folder / wanted, engagement=place.session_file, undo_folder=place.folder)
