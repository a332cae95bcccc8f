"""The mark of an experiment in a lab: one client of a lab in this process holds it, served ones exclude each other."""

import threading
from collections.abc import Mapping
from typing import Final

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answer
from app.foundation.rows import Cell

Rows = tuple[tuple[Cell, ...], ...]

TAKE: Final = "take_run_mark"
RELEASE: Final = "release_run_mark"
MARK_STATEMENTS: Final[Mapping[str, Answer]] = {TAKE: lambda _p, _v: [(1, 0)], RELEASE: lambda _p, _v: []}
"""What a lab answers its only client."""


class MarkLocks:
    """The application locks of every server of a lab, each owned by a connection and dropped with it.

    A lock is one of a server as it was started and a name; names stand for what `sp_getapplock` calls a resource.
    """

    def __init__(self) -> None:
        self._holders: dict[tuple[str, str], object] = {}
        self._changing: dict[int, str] = {}
        self._turn = threading.Lock()

    def answer(self, statement: str, instance: str, owner: str, session: object) -> Rows:
        """Do as a statement says for a connection; raises SqlError for one that is none of a mark."""
        if statement not in MARK_STATEMENTS:
            raise SqlError(2812, f"Could not find stored procedure '{statement}'.", "42000")
        with self._turn:
            return (
                self._take(instance, owner, session) if statement == TAKE else self._release(instance, owner, session)
            )

    def drop(self, session: object) -> None:
        """Drop a connection's marks: it ended, or was reset."""
        with self._turn:
            self._holders = {lock: holder for lock, holder in self._holders.items() if holder is not session}
            self._changing.pop(id(session), None)

    def mark_changing(self, instance: str, session: object) -> None:
        """Keep for a connection that it changes something at a server."""
        with self._turn:
            self._changing[id(session)] = instance

    def is_changing(self, instance: str) -> bool:
        """Tell whether any connection is there that changes something at a server."""
        with self._turn:
            return instance in self._changing.values()

    def _take(self, instance: str, owner: str, session: object) -> Rows:
        mark, own = (instance, ""), (instance, owner)
        if self._holders.get(mark) is session:
            return ((1, 0),)
        is_own = self._holders.setdefault(own, session) is not session
        is_held = self._holders.setdefault(mark, session) is session
        if not is_held and not is_own:
            del self._holders[own]
        return ((int(is_held), int(is_own)),)

    def _release(self, instance: str, owner: str, session: object) -> Rows:
        for lock in ((instance, ""), (instance, owner)):
            if self._holders.get(lock) is session:
                del self._holders[lock]
        return ()
