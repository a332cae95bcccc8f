"""The port to an engine's command-line tool: one `rollback.sql` made of many undo scripts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class UndoPart:
    """The undo of one change in a script.

    Attributes:
        subject: of the change.
        comments: finished comment lines that say what it restores.
        undo_sql: its own script, as its change keeps it; one of an older journal may be of an older form.
    """

    subject: str
    comments: tuple[str, ...]
    undo_sql: str


class UndoTool(Protocol):
    """Makes one script of the undo scripts of one engine; it checks unless a line of it is edited, and stops at errors.

    Attributes:
        language: what the script is written in.
        first_line: what must stand ahead of every comment, "" for nothing.
        how_to_run: how it is run, one sentence each.
    """

    language: str
    first_line: str

    @property
    def how_to_run(self) -> tuple[str, ...]:
        """How it is run, one sentence each."""
        ...

    def takes(self, undo_sql: str) -> bool:
        """Tell whether a script is of this engine."""
        ...

    def script(self, parts: Sequence[UndoPart]) -> str:
        """Return the script that undoes all parts in the order given, without a header."""
        ...
