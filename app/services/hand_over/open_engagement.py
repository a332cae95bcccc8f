"""A client's file while a window shows it: held for writing, or only read where somebody else has it."""

import threading
from collections.abc import Sequence
from pathlib import Path

from app.domain.errors import BadInput, StoreError
from app.foundation.texts import _
from app.services.hand_over.engagement import Engagement, checked_note, checked_tag, read_engagement
from app.store import SessionStore, create_session_file, open_for_writing


def create_engagement(path: Path) -> None:
    """Make a client's file without a session.

    Raises:
        BadInput: something of that name is there already.
        StoreError: the folder is missing, on a network drive, read-only, disk full …
    """
    if path.exists():
        raise BadInput(_("{path} is there already; open it, or give another name").format(path=path))
    create_session_file(path).close()


class OpenEngagement:
    """A client's file that nobody else writes while it is open here; every write is on disk at once.

    Any thread may call. Making one opens nothing yet.

    Attributes:
        why_read_only: one sentence why nothing can be written (who has it, or what is wrong), "" where it can.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.why_read_only = ""
        self._store: SessionStore | None = None
        self._is_closed = False
        self._lock = threading.RLock()

    def open(self) -> Engagement:
        """Open the file and read it; an older one is brought to the present format, with a copy beside it.

        Raises:
            StoreError: it cannot even be read.
        """
        with self._lock:
            if self._store is None and not self._is_closed:
                try:
                    self._store = open_for_writing(self.path)
                    self.why_read_only = ""
                except StoreError as error:
                    self.why_read_only = str(error)
        return self.read()

    @property
    def can_write(self) -> bool:
        """Whether notes and tags can be changed."""
        return self._store is not None

    def read(self) -> Engagement:
        """Read its sessions with their notes and tags; raises StoreError where it cannot be read any more."""
        return read_engagement(self.path)

    def add_note(self, text: str, session_id: str, run_id: str = "") -> None:
        """Write a note on a session or on one of its runs; raises as `engagement.add_note` does."""
        self._writable().add_remark(checked_note(text), session_id, run_id)

    def remove_note(self, remark_id: int, session_id: str) -> None:
        """Remove a note; raises StoreError where there is none of that number."""
        self._writable().remove_remark(remark_id, session_id)

    def set_tags(self, names: Sequence[str], session_id: str, run_id: str = "") -> None:
        """Give a session or run exactly these tags.

        Raises:
            BadInput: one is empty, very long, or has a line end in it; nothing is changed then.
            StoreError: it cannot be written.
        """
        wanted = [checked_tag(name) for name in names]
        store = self._writable()
        with store.reader() as reader:
            there = [tag.name for tag in reader.read_tags(session_id) if tag.run_id == run_id]
        folded = {name.casefold() for name in wanted}
        store.remove_tags([name for name in there if name.casefold() not in folded], session_id, run_id)
        store.add_tags(wanted, session_id, run_id)

    def close(self) -> None:
        """Let others write the file, for good; does nothing the second time."""
        with self._lock:
            self._is_closed = True
            store, self._store = self._store, None
            if store is not None:
                store.close()

    def _writable(self) -> SessionStore:
        if self._store is None:
            raise BadInput(self.why_read_only or _("{path} is closed").format(path=self.path))
        return self._store
