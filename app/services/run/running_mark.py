"""Which other windows or commands of this program are changing a server with the same undo journal right now."""

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from app.domain.errors import BadInput, StoreError
from app.foundation.texts import _
from app.services.target.target_spec import is_lab_of_this_process, server_of
from app.store.lock import OpenElsewhere, WriterLock

_ATTEMPTS: Final = 5
_PAUSE_S: Final = 0.05


class ServerBusy(BadInput):
    """Another window or command runs an experiment on a server, or puts it back."""


@contextmanager
def hold_server(journal_path: Path, target: str) -> Iterator[None]:
    """Hold a mark while this process changes a server; the system drops it when the process dies, however it dies.

    What has been changed meanwhile is the holder's to put back: two that change one server would each take the other's
    values for originals.

    Args:
        target: as the target's own key names it.

    Raises:
        ServerBusy: somebody else holds that server, under whatever login.
        StoreError: the mark cannot be written beside the journal.
    """
    server = _server_in(target)
    mark = _take(_mark_of(journal_path, server), target)
    try:
        if any(_is_held(other) for other in _others(journal_path, f"*-{_digest(server)}")):
            raise ServerBusy(_busy(target))
        yield
    finally:
        mark.release()


def runs_elsewhere(journal_path: Path) -> bool:
    """Tell whether another process holds any server; what it has changed is its own to put back."""
    return any(_is_held(mark) for mark in _others(journal_path, "*"))


def refuse_busy(journal_path: Path, target: str) -> None:
    """Raise ServerBusy where another process holds a server now."""
    if any(_is_held(mark) for mark in _others(journal_path, f"*-{_digest(_server_in(target))}")):
        raise ServerBusy(_busy(target))


def _server_in(target: str) -> str:
    """Return what tells one server from others; a lab of this process is its own."""
    return f"{target} of {os.getpid()}" if is_lab_of_this_process(target) else server_of(target)


def _digest(server: str) -> str:
    return hashlib.sha256(server.encode()).hexdigest()[:12]


def _mark_of(journal_path: Path, server: str) -> Path:
    return journal_path.with_name(f"{journal_path.name}.run-{os.getpid()}-{_digest(server)}")


def _others(journal_path: Path, pattern: str) -> list[Path]:
    own = f"{journal_path.name}.run-{os.getpid()}-"
    found = sorted(journal_path.parent.glob(f"{journal_path.name}.run-{pattern}.lock"))
    return [path.with_name(path.name.removesuffix(".lock")) for path in found if not path.name.startswith(own)]


def _take(mark: Path, target: str) -> WriterLock:
    """Lock a mark; somebody who looks whether it is held holds it himself for a moment."""
    for _attempt in range(_ATTEMPTS - 1):
        try:
            return WriterLock(mark)
        except OpenElsewhere:
            time.sleep(_PAUSE_S)
    try:
        return WriterLock(mark)
    except OpenElsewhere as error:
        raise ServerBusy(_busy(target)) from error


def _is_held(mark: Path) -> bool:
    try:
        WriterLock(mark).release()
    except StoreError:
        return True
    return False


def _busy(target: str) -> str:
    return _(
        "{target}: another window or command of Replitune is changing this server right now and puts it back itself; "
        "wait for its end, or cancel it there"
    ).format(target=target)
