"""What shows that an undo journal held open changes, should its file be empty one day.

A file system that lost power, or a program that synchronises a folder, can leave a file of no bytes, which looks like
one that nothing was written to yet. A small file beside it, there as long as a change is open, tells them apart.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from app.foundation.files import when_not_held, write_atomically
from app.foundation.input_file import read_bytes
from app.foundation.texts import _

_MOST_BYTES = 1_000_000


class JournalWitness:
    """The file beside one undo journal; each line is the script that undoes what a session left.

    A journal that is not there at all was moved aside, as its sentences ask for: a witness alone means nothing.
    """

    def __init__(self, journal_path: Path) -> None:
        self.path = Path(f"{journal_path}.open")
        self._noted: set[str] = set()

    def note(self, script: str) -> None:
        """Have it on disk that a change is open, which this script undoes, "" for none; raises OSError."""
        if script not in self._noted:
            lines = dict.fromkeys((*(self._lines() if self._noted or self.path.exists() else ()), script))
            write_atomically(self.path, "\n".join(lines).encode("utf-8", "surrogateescape"))
            self._noted.add(script)

    def clear(self) -> None:
        """Nothing is open any more; one that cannot be removed means nothing beside a journal that can be read."""
        self._noted.clear()
        with suppress(OSError):
            when_not_held(_removal_of(self.path))

    def sentence(self, journal_path: Path) -> str:
        """Return what it means that the journal is empty, "" where it may be."""
        if not self.path.exists():
            return ""
        scripts = ", ".join(line for line in self._lines() if line)
        return _(
            "{path}: this undo journal is empty, but changes were open in it; run {scripts}, then delete {witness} "
            "to begin a new one"
        ).format(path=journal_path, scripts=scripts or _("the rollback.sql of each session"), witness=self.path)

    def _lines(self) -> list[str]:
        with suppress(OSError):
            return read_bytes(self.path, _MOST_BYTES).decode("utf-8", "replace").splitlines()
        return []


def _removal_of(path: Path) -> Callable[[], None]:
    return lambda: path.unlink(missing_ok=True)
