"""Recorded answers of a server to each reading statement, compared with the lab's: shapes only, no values."""

from dataclasses import dataclass
from typing import Any, Final, Protocol

NUMBERED_SERVER: Final = "server {number}"


@dataclass(frozen=True)
class ColumnShape:
    """A column of a result: its name in the statement and the type of its values.

    Attributes:
        kind: "whole", "number", "text", "time" or "binary"; another word where a driver names none of these.
        digits: the driver's precision or length, 0 where it tells none.
    """

    name: str
    kind: str
    digits: int = 0


@dataclass(frozen=True)
class Answer:
    """The answer of one server to one statement, without any of the client's names.

    Attributes:
        statement: its name in the catalogue.
        text_sha256: of the text that was sent.
        server: as `NUMBERED_SERVER`, in the order they were met.
        runs_at, database: where the statement's header says it runs.
        has_made_up: whether a parameter had a value that was made up, since none was met.
        expected: the columns the statement declares, which are those the lab returns.
        columns: those that came, nothing where an error did.
        rows: how many came.
        duration_ms: until the last of them.
        error: the kind of error, "" where there was none.
        error_number, error_state: as the server and ODBC tell it.
        error_names: what the error names of all that stands in the statement's own text.
    """

    statement: str
    text_sha256: str
    server: str
    runs_at: str
    database: str
    has_made_up: bool
    expected: tuple[ColumnShape, ...]
    columns: tuple[ColumnShape, ...]
    rows: int
    duration_ms: float
    error: str = ""
    error_number: int = 0
    error_state: str = ""
    error_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class NotAsked:
    """A reading statement that was not sent: `because` says why, in English."""

    statement: str
    because: str


@dataclass(frozen=True)
class FirstContact:
    """Everything that came back.

    Attributes:
        engine: id of the driver's folder.
        servers: version text of each server, by its numbered name.
        connection: name and value of what carries it: driver, sign-in, encryption.
    """

    engine: str
    connection: tuple[tuple[str, str], ...]
    servers: tuple[tuple[str, str], ...]
    answers: tuple[Answer, ...]
    not_asked: tuple[NotAsked, ...]


class ContactRecorder(Protocol):
    """Sends every reading statement once, with the parameters and answers of the session before it."""

    def record(self) -> FirstContact:
        """Return the recorded answers; an error of a server is an answer, too."""
        ...


@dataclass(frozen=True)
class Difference:
    """One difference between a server's answer and the lab's: `what` is in English, for whoever maintains the lab."""

    statement: str
    server: str
    what: str


def differences_of(answers: tuple[Answer, ...]) -> tuple[Difference, ...]:
    """Return the differences from the lab, answer by answer; numbers of rows and times are never compared."""
    return tuple(Difference(one.statement, one.server, what) for one in answers for what in _differing(one))


def _differing(answer: Answer) -> list[str]:
    if answer.error:
        names = f" ({', '.join(answer.error_names)})" if answer.error_names else ""
        return [f"{answer.error}: error {answer.error_number}, state {answer.error_state or 'none'}{names}"]
    came = {column.name.casefold(): column for column in answer.columns}
    told = []
    for column in answer.expected:
        other = came.pop(column.name.casefold(), None)
        if other is None:
            told.append(f"column {column.name} is missing")
        elif other.kind != column.kind:
            told.append(f"column {column.name} is {other.kind}, not {column.kind}")
    return told + [f"column {column.name} is new" for column in came.values()]


def recorder_of(connection: Any) -> ContactRecorder | None:
    """Return the recorder of a connection's servers, None where its engine has none."""
    recorder: ContactRecorder | None = getattr(connection, "recorder", None)
    return recorder
