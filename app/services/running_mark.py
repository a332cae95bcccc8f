"""Which other windows or commands of this program are running an experiment with the same undo journal right now."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.domain.errors import StoreError
from app.store.lock import WriterLock


@contextmanager
def mark_running(journal_path: Path) -> Iterator[None]:
    """Hold a mark while a run of this process goes on; the system drops it when the process dies, however it dies.

    Raises:
        StoreError: the mark cannot be written beside the journal.
    """
    mark = WriterLock(_mark_of(journal_path, os.getpid()))
    try:
        yield
    finally:
        mark.release()


def runs_elsewhere(journal_path: Path) -> bool:
    """Tell whether another process holds a mark; what it has changed is its own to put back."""
    own = _mark_of(journal_path, os.getpid()).name
    names = (path.name.removesuffix(".lock") for path in journal_path.parent.glob(f"{journal_path.name}.run-*.lock"))
    return any(_is_held(journal_path.with_name(name)) for name in names if name != own)


def _mark_of(journal_path: Path, process_id: int) -> Path:
    return journal_path.with_name(f"{journal_path.name}.run-{process_id}")


def _is_held(mark: Path) -> bool:
    try:
        WriterLock(mark).release()
    except StoreError:
        return True
    return False
