"""The whole pipeline at one moment: one round trip for each database."""

from collections.abc import Iterable
from typing import Any, Final

from app.drivers.oracle.session import End, Rows, Session
from app.foundation.rows import Row
from app.model.reading import fields_of
from app.systems.oracle_streams.pipeline import StreamsPath, StreamsProcess
from app.systems.oracle_streams.readings import DESTINATION, SOURCE, Of, StreamsSample

_UNTOLD: Final = {int: 0, float: 0.0, str: ""}
"""What stands for a reading that no row tells; of other kinds None."""


def read_parts(session: Session, end: End, statement: str) -> Rows:
    """Read the rows of one database's sample."""
    return session.run(statement, end)


class Parts:
    """The rows of a sample, found by their subject."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._by_part: dict[str, list[Row]] = {}
        for row in rows:
            self._by_part.setdefault(row.text("part"), []).append(row)

    def of(self, part: str, name: str = "") -> tuple[Row, ...]:
        """Return the rows of a part, of one process where a name is given."""
        return tuple(row for row in self._by_part.get(part, ()) if not name or row.text("name") == name)

    def first(self, part: str, name: str = "") -> Row | None:
        """Return the first of them, None where there is none."""
        return next(iter(self.of(part, name)), None)


def make_sample(source: Parts, destination: Parts, path: StreamsPath, queues: tuple[str, str]) -> StreamsSample:
    """Put together the readings of both databases.

    Args:
        queues: the queue the capture fills and the one the apply reads; "" for all of a database.
    """
    ends = {SOURCE: source, DESTINATION: destination}
    names: dict[tuple[str, str], str | None] = {
        (SOURCE, "capture"): path.capture,
        (SOURCE, "propagation"): path.propagation or None,
        (SOURCE, "queue"): queues[0],
        (DESTINATION, "queue"): queues[1] if queues[0] != queues[1] or source is not destination else None,
        **{(end, "redo"): "" for end in ends},
    }

    def rows_of(of: Of) -> tuple[Row, ...]:
        name = names.get((of.end, of.part), path.apply)
        return () if name is None else ends[of.end].of(of.part, name)

    read: dict[str, Any] = {}
    for field in fields_of(StreamsSample):
        for of in (mark for mark in field.marks if isinstance(mark, Of)):
            told: list[Any] = [field.read(row) for row in rows_of(of) if not row.is_null(field.column)]
            read[field.name] = sum(told) if of.is_sum else next(iter(told), _UNTOLD.get(field.hint))
    return StreamsSample(
        **read,
        source_pool_share=_pool_share(source),
        destination_pool_share=_pool_share(destination),
        states=tuple(_states(source, destination, path)),
    )


def _pool_share(parts: Parts) -> float:
    row = parts.first("pool")
    size = row.whole_or("size_bytes", 0) if row is not None else 0
    return row.whole_or("used_bytes", 0) / size if row is not None and size else 0.0


def _states(source: Parts, destination: Parts, path: StreamsPath) -> Iterable[tuple[str, str]]:
    """Return the present state of each part; a process that does not run has none."""
    asked: tuple[tuple[str, Parts, str], ...] = (
        ("capture", source, path.capture),
        ("propagation", source, path.propagation),
        ("reader", destination, path.apply),
        ("coordinator", destination, path.apply),
    )
    for part, parts, name in asked:
        row = parts.first(part, name) if name else None
        yield part, "" if row is None else row.text("state")
    for row in sorted(destination.of("server", path.apply), key=_server_id):
        yield f"server {row.whole('server_id')}", row.text("state")


def _server_id(row: Row) -> int:
    return row.whole("server_id")


def queue_of(process: StreamsProcess | None) -> str:
    """Return the queue of a process, "" where it was not found."""
    return "" if process is None else process.queue
