"""The folder a session's results go to: a name for a new one, and whether a chosen one can be used."""

import os
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from app.foundation.file_names import check_path_length, file_name_of
from app.foundation.texts import _
from app.services.workplace import Workplace

# After so many sessions on one target and day the last name is used again; a session file takes several sessions.
_MOST_A_DAY = 99
# Characters of a target.
_LONGEST_NAME = 60


@dataclass(frozen=True)
class FolderState:
    """The state of the folder where results shall go.

    Attributes:
        problem: one sentence why it cannot be used, "" where it can.
        note: one sentence on what happens there.
    """

    folder: Path
    problem: str
    note: str


def propose_folder(parent: Path, target: str, today: date) -> Path:
    """Return a folder that does not exist yet, named after day and target; nothing is made."""
    name = file_name_of(target, most=_LONGEST_NAME, otherwise="session")
    first = parent / f"{today.isoformat()}-{name}"
    proposals = [first, *(first.with_name(f"{first.name}-{number}") for number in range(2, _MOST_A_DAY + 1))]
    return next((folder for folder in proposals if not folder.exists()), proposals[-1])


def look_at_folder(folder: Path) -> FolderState:
    """Say whether results can be written to a folder; makes nothing."""
    try:
        return _look(folder)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return FolderState(folder, _("{folder} cannot be used: {why}.").format(folder=folder, why=why), "")


def _look(folder: Path) -> FolderState:
    if not folder.is_absolute():
        return FolderState(folder, _("Give the whole path of a folder, from its drive or root."), "")
    check_path_length(folder)
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    if not existing.is_dir():
        return FolderState(folder, _("{path} is a file; choose a folder.").format(path=existing), "")
    if not os.access(existing, os.W_OK | os.X_OK):
        return FolderState(folder, _("{path} cannot be written to; choose another folder.").format(path=existing), "")
    if Workplace(folder).session_file.exists():
        return FolderState(
            folder,
            "",
            _("There is a session file already; this session is added to it, and its report goes to a folder below."),
        )
    made = _("It exists; the files are put in it.") if existing == folder else _("It is created when the run begins.")
    return FolderState(folder, "", made)
