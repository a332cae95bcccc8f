"""The port of an engine whose servers a client's DBA asks before a visit, while there is no connection yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from app.domain.target import Connection


@dataclass(frozen=True)
class AskedUnseen:
    """The statements of a system that need nothing of an earlier answer, or only the names another one tells.

    Attributes:
        statements: names of those that need nothing, in order.
        databases: of a kind of database, as headers write it, the statement and column that name those there are.
        only_at: of a statement that has rows at one end of a pair of databases only, that end, as the driver calls it.
        of_each: of a statement with parameters, the statement and, for each of them in order, the column that name the
            values it is asked for.
    """

    statements: tuple[str, ...] = ()
    databases: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    only_at: Mapping[str, str] = field(default_factory=dict)
    of_each: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Preflight(Protocol):
    """Writes the script of an engine, and reads the lines it printed.

    Attributes:
        engine: id of the driver's folder.
        has_mark: its tool tells names beyond ASCII in a script by a byte order mark.
    """

    engine: str
    has_mark: bool

    def script(self, asked: Sequence[AskedUnseen], file: str) -> str:
        """Return a script that only reads; `file` is how it is called."""
        ...

    def has_printed(self, text: str) -> bool:
        """Tell whether a text holds lines of this engine's script, whole or not."""
        ...

    def answers(self, text: str, name: str) -> Connection:
        """Return a connection that answers from the lines of a script; raises BadInput for any other text."""
        ...
