"""Files of a database whose folders a secondary does not have: a restore moves them, direct seeding needs the folders.

A folder counts as there where the secondary has a file in it, or puts new files into it; no documented view tells more
before SQL Server 2017. A file that is moved for nothing harms nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.drivers.sqlserver.session import Session
from app.systems.availability_groups.server.replicas import master

_SEPARATORS: Final = ("\\", "/")
_LINE: Final = "\n"


@dataclass(frozen=True)
class MovedFile:
    """A file whose folder is not known at the secondary; `target` is its path where new files go."""

    name: str
    folder: str
    target: str


def read_moved_files(session: Session, database: str, secondary: str) -> tuple[MovedFile, ...]:
    """Return the files of a database that a secondary has no known folder for; raises TargetError."""
    files = session.run("database_files", master(session.own_server), database_name=database)
    there = session.run("known_folders", master(secondary)) if files else ()
    if not there:
        return ()
    data, log = there[0].text("data_folder"), there[0].text("log_folder")
    known = {_folder_of(row.text("physical_name")).casefold() for row in there}
    known |= {folder.rstrip("\\/").casefold() for folder in (data, log)}
    moved: list[MovedFile] = []
    for row in files:
        path, target = row.text("physical_name"), log if row.whole_or("is_log", 0) else data
        folder = _folder_of(path)
        if target and folder.casefold() not in known:
            moved.append(MovedFile(row.text("logical_name"), folder, _in(target, path[len(folder) + 1 :])))
    return tuple(moved)


def moves_text(files: Sequence[MovedFile]) -> str:
    """Return the files as `start_restore_job` takes them; names that a job would read otherwise are left out."""
    told = [file for file in files if _LINE not in file.name + file.target and "$(" not in file.name + file.target]
    return "".join(f"{file.name}{_LINE}{file.target}{_LINE}" for file in told)


def _folder_of(path: str) -> str:
    return path[: max(0, *(path.rfind(separator) for separator in _SEPARATORS))]


def _in(folder: str, name: str) -> str:
    if folder.endswith(_SEPARATORS):
        return folder + name
    return f"{folder}/{name}" if folder.startswith("/") else f"{folder}\\{name}"
