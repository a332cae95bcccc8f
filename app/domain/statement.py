"""Statements for servers: the entries of the catalogue, and the record of each that was sent."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.domain.naming import Holds, ServerName
from app.foundation.statement_file import Entry


class Access(StrEnum):
    """Whether a statement only reads."""

    READ = "read"
    CHANGE = "change"


def declared_holds(statement: str, entry: Entry, *, is_text: bool) -> Holds:
    """Return whose word a parameter or column of a statement is: a name where the header of a text does not say it.

    Args:
        is_text: its type can hold a text.

    Raises:
        RuntimeError: the header says it of a number or a time.
    """
    if not entry.holds:
        return Holds.NAME if is_text else Holds.WORD
    if not is_text:
        raise RuntimeError(f"statement {statement}: {entry.name} is {entry.type}, which holds no text")
    return Holds(entry.holds)


@dataclass(frozen=True)
class CataloguedStatement:
    """One statement a target may send, as a person reads it before consenting."""

    name: str
    access: Access
    purpose: str
    permission: str
    text: str


@dataclass(frozen=True)
class ReadingCost:
    """The cost of this program's own reading at one server, by the server's own counters.

    Attributes:
        cpu_ms: processor time.
        logical_reads: pages read, from memory or disk.
    """

    server: ServerName
    cpu_ms: float
    logical_reads: int


@dataclass(frozen=True)
class StatementRecord:
    """One statement as it was sent, kept for the client's auditor.

    Attributes:
        name: its name in the catalogue (file name without `.sql`).
        server: where it was sent.
        text: the text sent, with the comment that names the tool.
        parameters: names and values, JSON text, secrets left out.
        sent_utc: when.
        duration_ms: until the last row arrived.
        rows: rows returned.
        error: the product's sentence where it failed, else "".
    """

    name: str
    access: Access
    server: str
    text: str
    parameters: str
    sent_utc: datetime
    duration_ms: float
    rows: int
    error: str = ""
