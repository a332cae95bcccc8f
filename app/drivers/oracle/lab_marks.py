"""The mark of an experiment in a lab: its only client holds it in this process; served ones keep each other out."""

import threading
from collections.abc import Callable, Mapping
from typing import Final

from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.late_changes import CHANGING
from app.drivers.oracle.session import End
from app.foundation.rows import Cell

Rows = tuple[tuple[Cell, ...], ...]

TAKE: Final = "take_run_mark"
RELEASE: Final = "release_run_mark"
# This session, at any database of a lab: instance, SID, SERIAL#, when it logged on, and that it is this one.
_OWN: Final = (1, 1, 1, "20260105080000", 1)
MARK_STATEMENTS: Final[Mapping[str, Callable[[End, Mapping[str, BindValue]], Rows]]] = {
    TAKE: lambda _end, _binds: ((0,),),
    RELEASE: lambda _end, _binds: (),
    CHANGING: lambda _end, _binds: (_OWN,),
}
"""What a lab answers its only client."""


class SessionMarks:
    """The mark of each connection to a lab, as `V$SESSION` keeps it; dropped with the connection."""

    def __init__(self) -> None:
        self._owners: dict[object, tuple[End, str]] = {}
        self._numbers: dict[int, int] = {}
        self._turn = threading.Lock()

    def answer(self, statement: str, end: End, binds: Mapping[str, BindValue], connection: object) -> Rows:
        """Do as one of the mark's statements says for a connection."""
        if statement == CHANGING:
            return self._changing(end, connection)
        if statement == RELEASE:
            self.drop(connection)
            return ()
        owner = str(binds["owner"])
        with self._turn:
            others = sum(at == end and other != owner for at, other in self._owners.values())
            if not others:
                self._owners[connection] = (end, owner)
            return ((others,),)

    def _changing(self, end: End, connection: object) -> Rows:
        """Return the marked sessions of a database and the one that asks, each with a number of its own."""
        with self._turn:
            there = [one for one, (at, _owner) in self._owners.items() if at == end and one is not connection]
            numbers = [self._numbers.setdefault(id(one), len(self._numbers) + 1) for one in (connection, *there)]
        return tuple((1, number, number, _OWN[3], int(at == 0)) for at, number in enumerate(numbers))

    def drop(self, connection: object) -> None:
        """Drop a connection's mark: it ended, or took it back."""
        with self._turn:
            self._owners.pop(connection, None)
