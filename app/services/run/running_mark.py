"""Who else is changing a server right now: with the same undo journal by a lock beside it, else by a mark there.

Locks and marks end with their connection or process; those of one journal do not keep each other out. A mark does not
survive a lost session, but an object the session made does: the first change about a process makes it and the last undo
drops it, which `read_leftovers` looks for (`Offer.marks`).
"""

import hashlib
import os
import platform
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from app.domain.errors import ServerBusy, StoreError
from app.domain.target import Target
from app.foundation.installer_mark import installer_waits
from app.foundation.texts import _
from app.services.target.target_spec import is_lab_of_this_process, server_of
from app.store.lock import OpenElsewhere, WriterLock

_ATTEMPTS: Final = 5
_PAUSE_S: Final = 0.05


@contextmanager
def hold_target(journal_path: Path, target: Target) -> Iterator[None]:
    """Hold a server that is open: here under its address and its own name, and at each server that is changed.

    An installer waits meanwhile, so that it does not replace the program.

    One server reached by two addresses is one server. What a connection of this journal's that was abandoned still
    holds there keeps nothing from being put back.

    Raises:
        ServerBusy: somebody else holds that server, on this computer or another one.
        StoreError: the mark cannot be written beside the journal.
        TargetError: the server cannot be marked.
    """
    with ExitStack() as held:
        held.enter_context(hold_server(journal_path, target.key))
        if target.identity:
            held.enter_context(hold_server(journal_path, target.identity))
        held.enter_context(target.hold(owner_of(journal_path)))
        held.enter_context(installer_waits())
        yield


def refuse_marked(journal_path: Path, target: Target) -> None:
    """Raise ServerBusy where somebody else holds an open server now, on this computer or another one."""
    refuse_busy(journal_path, target.key)
    if target.identity:
        refuse_busy(journal_path, target.identity)
    with target.hold(owner_of(journal_path)):
        return


def owner_of(journal_path: Path) -> str:
    """Return who marks a server: whatever works with this journal on this computer, now or after a crash.

    Two that work with it at a time are kept apart by the lock beside it.
    """
    words = f"{uuid.getnode():x} {platform.node()} {journal_path.resolve()}"
    return hashlib.sha256(words.encode()).hexdigest()[:24]


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
    """Tell whether another process holds any server; its changes are its own to undo."""
    return any(_is_held(mark) for mark in _others(journal_path, "*"))


def refuse_busy(journal_path: Path, target: str) -> None:
    """Raise ServerBusy where another process holds a server now."""
    if any(_is_held(mark) for mark in _others(journal_path, f"*-{_digest(_server_in(target))}")):
        raise ServerBusy(_busy(target))


def _server_in(target: str) -> str:
    """Return a key that tells one server from others; a lab of this process is its own."""
    return f"{target} of {os.getpid()}" if is_lab_of_this_process(target) else server_of(target)


def _digest(server: str) -> str:
    return hashlib.sha256(server.encode()).hexdigest()[:12]


def _mark_of(journal_path: Path, server: str) -> Path:
    return journal_path.with_name(f"{journal_path.name}.run-{os.getpid()}-{_digest(server)}")


def _others(journal_path: Path, pattern: str) -> list[Path]:
    own = f"{journal_path.name}.run-{os.getpid()}-"
    locks = sorted(journal_path.parent.glob(f"{journal_path.name}.run-{pattern}.lock"))
    return [path.with_name(path.name.removesuffix(".lock")) for path in locks if not path.name.startswith(own)]


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
        "{target}: another window or command of Replitune is changing this server right now and undoes "
        "its changes itself; wait until it ends, or cancel it there"
    ).format(target=target)
