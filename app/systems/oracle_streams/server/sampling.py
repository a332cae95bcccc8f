"""The whole pipeline at one moment: one round trip for each database."""

from collections.abc import Iterable

from app.domain.units import convert
from app.drivers.oracle.session import End, Rows, Session
from app.foundation.rows import Row
from app.systems.oracle_streams.pipeline import StreamsPath, StreamsProcess, StreamsSample


def read_parts(session: Session, end: End, statement: str) -> Rows:
    """Read the rows of one database's sample."""
    return session.run(statement, end)


class Parts:
    """The rows of a sample, found by what they are about."""

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


def whole(row: Row | None, column: str) -> int:
    """Return a counter, 0 where its process is not running."""
    return 0 if row is None else row.whole_or(column, 0)


def number(row: Row | None, column: str) -> float:
    """Return a number, 0 where its process is not running."""
    return 0.0 if row is None else row.number_or(column, 0.0)


def make_sample(source: Parts, destination: Parts, path: StreamsPath, queues: tuple[str, str]) -> StreamsSample:
    """Put together what both databases said.

    Args:
        queues: the queue the capture fills and the one the apply reads; "" for all of a database.
    """
    capture = source.first("capture", path.capture)
    propagation = source.first("propagation", path.propagation) if path.propagation else None
    reader = destination.first("reader", path.apply)
    coordinator = destination.first("coordinator", path.apply)
    staged = destination.first("staged", path.apply)
    servers = destination.of("server", path.apply)
    apply = destination.first("apply", path.apply)
    progress = destination.first("progress", path.apply)
    clock = next(iter(source.of("redo")))
    own_queue = destination.of("queue", queues[1]) if queues[0] != queues[1] or source is not destination else ()
    return StreamsSample(
        at=clock.moment_utc("at_utc"),
        capture_started=None if capture is None else capture.moment_or_none("started_utc"),
        apply_started=None if coordinator is None else coordinator.moment_or_none("started_utc"),
        captured=whole(capture, "total_in"),
        enqueued=whole(capture, "total_out"),
        paused_s=number(capture, "paused_s"),
        source_spilled=_total(source.of("queue", queues[0]), "spilled"),
        destination_spilled=_total(own_queue, "spilled"),
        source_waiting=_total(source.of("queue", queues[0]), "waiting"),
        destination_waiting=_total(own_queue, "waiting"),
        propagated=whole(propagation, "total_out"),
        dequeued=whole(reader, "total_in"),
        staged=whole(reader, "spilled"),
        staged_s=number(reader, "spill_s"),
        staged_transactions=whole(staged, "waiting"),
        received=whole(coordinator, "received"),
        assigned=whole(coordinator, "assigned"),
        applied=whole(coordinator, "applied"),
        wait_deps=whole(coordinator, "wait_deps"),
        wait_commits=whole(coordinator, "wait_commits"),
        server_messages=_total(servers, "total_out"),
        source_redo_mb=convert(whole(source.first("redo"), "used_bytes"), "bytes", "MB"),
        destination_redo_mb=convert(whole(destination.first("redo"), "used_bytes"), "bytes", "MB"),
        source_pool_share=_pool_share(source),
        destination_pool_share=_pool_share(destination),
        states=tuple(_states(source, destination, path)),
        apply_status=_status(apply),
        apply_errors=whole(destination.first("errors", path.apply), "waiting"),
        latency_s=None if progress is None else progress.number_or_none("latency_s"),
        capture_status=_status(capture),
        propagation_status=_status(propagation),
    )


def _status(row: Row | None) -> str:
    return "" if row is None or row.is_null("status") else row.text("status")


def _total(rows: Iterable[Row], column: str) -> int:
    return sum(row.whole_or(column, 0) for row in rows)


def _pool_share(parts: Parts) -> float:
    row = parts.first("pool")
    size = whole(row, "size_bytes")
    return whole(row, "used_bytes") / size if size else 0.0


def _states(source: Parts, destination: Parts, path: StreamsPath) -> Iterable[tuple[str, str]]:
    """Return what each part does now; a process that does not run has no state."""
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
