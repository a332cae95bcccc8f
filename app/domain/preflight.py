"""The port of an engine whose servers a client's DBA asks before a visit, while there is no connection yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from app.domain.target import Connection


@dataclass(frozen=True)
class AskedUnseen:
    """The statements of a system that need nothing of an earlier answer.

    Attributes:
        statements: their names, in order.
        databases: of a kind of database, as headers write it, the statement and column that name those there are.
    """

    statements: tuple[str, ...] = ()
    databases: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class Preflight(Protocol):
    """Writes the script of an engine, and reads the lines it printed.

    Attributes:
        engine: id of the driver's folder.
    """

    engine: str

    def script(self, asked: Sequence[AskedUnseen], file: str) -> str:
        """Return a script that only reads; `file` is how it is called."""
        ...

    def answers(self, text: str, name: str) -> Connection:
        """Return a connection that answers from the lines of a script; raises BadInput for any other text."""
        ...
