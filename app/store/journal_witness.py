"""A witness that an undo journal held open changes, should its file be gone, empty or an older copy one day.

A file system that lost power, a program that synchronises a folder, or somebody who tidies up can leave no file, one
of no bytes, which looks like one that nothing was written to yet, or one of last week. A small file beside it, there as
long as a change is open, tells them apart.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.foundation.files import when_not_held, write_atomically
from app.foundation.input_file import read_bytes
from app.foundation.texts import _

_MOST_BYTES: Final = 1_000_000


@dataclass(frozen=True)
class SessionPlace:
    """Where a session's records and the script that undoes its open changes lie, on this computer."""

    session_file: Path
    rollback_script: Path

    @property
    def is_here(self) -> bool:
        """Whether the session's file is still there; a path of another system is no place on this computer."""
        return self.session_file.is_absolute() and self.session_file.is_file()


@dataclass(frozen=True)
class Witnessed:
    """The witness of a journal, as that stood when its newest entry was written.

    Attributes:
        newest: id of that entry, which counts them; 0 where it is not known.
        link: its link in the chain of entries; see `journal_seals`.
        places: of the sessions with open changes, by session id.
        newest_of: id of the newest open entry of each of them.
        is_complete: these are all sessions with open changes.
        scripts: further scripts that undo open changes, of sessions that are not known.
    """

    newest: int = 0
    link: str = ""
    places: Mapping[str, SessionPlace] | None = None
    scripts: tuple[str, ...] = ()
    newest_of: Mapping[str, int] | None = None
    is_complete: bool = False

    @property
    def all_scripts(self) -> str:
        """Return the scripts that undo the open changes, as text for a person."""
        known = [str(place.rollback_script) for place in (self.places or {}).values()]
        return ", ".join(dict.fromkeys((*known, *self.scripts))) or _("the rollback.sql of each session")


class JournalWitness:
    """The file beside one undo journal: a line of JSON.

    An earlier program wrote one script a line and nothing else; its lines may stand below, too.
    """

    def __init__(self, journal_path: Path) -> None:
        self.path = Path(f"{journal_path}.open")

    def write(self, witnessed: Witnessed) -> None:
        """Have the journal's content on disk here, once its newest entry is; raises OSError."""
        document = {
            "newest": witnessed.newest,
            "link": witnessed.link,
            "sessions": {
                session_id: [str(place.session_file), str(place.rollback_script)]
                for session_id, place in (witnessed.places or {}).items()
            },
            "newest_of": dict(witnessed.newest_of or {}),
            "complete": witnessed.is_complete,
        }
        write_atomically(self.path, f"{json.dumps(document)}\n".encode("ascii"))

    def clear(self) -> None:
        """Nothing is open any more; one that cannot be removed means nothing beside a journal that is as long."""
        with suppress(OSError):
            when_not_held(_removal_of(self.path))

    def read(self) -> Witnessed | None:
        """Return the witness, None where no change is open; one that cannot be read still says that there is one."""
        if not self.path.exists():
            return None
        lines: list[str] = []
        with suppress(OSError):
            lines = read_bytes(self.path, _MOST_BYTES).decode("utf-8", "replace").splitlines()
        first = _document(lines[0]) if lines else None
        scripts = tuple(line for line in (lines if first is None else lines[1:]) if line)
        if first is None:
            return Witnessed(scripts=scripts)
        try:
            places = {
                str(session_id): SessionPlace(Path(session_file), Path(script))
                for session_id, (session_file, script) in first["sessions"].items()
            }
            newest_of = {str(session_id): int(newest) for session_id, newest in first.get("newest_of", {}).items()}
            is_complete = first.get("complete") is True and not scripts
            return Witnessed(int(first["newest"]), str(first["link"]), places, scripts, newest_of, is_complete)
        except (KeyError, TypeError, ValueError, AttributeError):
            return Witnessed(scripts=scripts)


def _document(line: str) -> dict[str, Any] | None:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _removal_of(path: Path) -> Callable[[], None]:
    return lambda: path.unlink(missing_ok=True)
