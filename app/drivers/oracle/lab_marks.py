"""The mark of an experiment in a lab: its only client holds it in this process; served ones keep each other out."""

import threading
from collections.abc import Callable, Mapping
from typing import Final

from app.drivers.oracle.cells import BindValue
from app.drivers.oracle.session import End
from app.foundation.rows import Cell

Rows = tuple[tuple[Cell, ...], ...]

TAKE: Final = "take_run_mark"
RELEASE: Final = "release_run_mark"
MARK_STATEMENTS: Final[Mapping[str, Callable[[End, Mapping[str, BindValue]], Rows]]] = {
    TAKE: lambda _end, _binds: ((0,),),
    RELEASE: lambda _end, _binds: (),
}
"""What a lab answers its only client."""


class SessionMarks:
    """What each connection to a lab says of itself, as `V$SESSION` keeps it; dropped with the connection."""

    def __init__(self) -> None:
        self._owners: dict[object, tuple[End, str]] = {}
        self._turn = threading.Lock()

    def answer(self, statement: str, end: End, binds: Mapping[str, BindValue], connection: object) -> Rows:
        """Do as one of the mark's statements says for a connection."""
        if statement == RELEASE:
            self.drop(connection)
            return ()
        owner = str(binds["owner"])
        with self._turn:
            others = sum(at == end and other != owner for at, other in self._owners.values())
            if not others:
                self._owners[connection] = (end, owner)
            return ((others,),)

    def drop(self, connection: object) -> None:
        """Drop what a connection says: it ended, or took it back."""
        with self._turn:
            self._owners.pop(connection, None)
