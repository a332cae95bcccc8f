"""The rows of a sample, from the pipeline's snapshots: by the names of the readings they are read as."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.drivers.oracle.catalogue import catalogue
from app.drivers.oracle.session import End
from app.foundation.rows import Cell
from app.model.reading import cells_of
from app.systems.oracle_streams.lab_server.state import MEGABYTE, SIDES, LabState
from app.systems.oracle_streams.readings import StreamsSample

_COLUMNS: Final = catalogue()["sample_streams"].positions


class SampleAnswers:
    """Both ends' samples; a database holds only its own processes."""

    def __init__(self, state: LabState) -> None:
        self._state = state

    def rows(self, end: End) -> Iterator[tuple[Cell, ...]]:
        """Return the sample of one database."""
        if end is End.SOURCE:
            yield self._capture()
            yield self._propagation()
        yield self._queue(end)
        if end is End.DESTINATION:
            yield from self._apply()
        state = self._state.lab.database(SIDES[end])
        pool = {"used_bytes": int(state.pool_used_mb * MEGABYTE), "size_bytes": int(state.pool_size_mb * MEGABYTE)}
        yield self._row("pool", "streams pool", pool)
        yield self._row("redo", "redo size", {"used_bytes": int(state.redo_bytes)})

    def _row(self, part: str, name: str, others: Mapping[str, Cell], **readings: Any) -> tuple[Cell, ...]:
        """Return a row with these readings, and other columns by their names."""
        cells = {"part": part, "name": name, "at_utc": self._state.now(), **others}
        cells |= cells_of(_COLUMNS, StreamsSample, **readings)
        return tuple(cells.get(column) for column in _COLUMNS)

    def _capture(self) -> tuple[Cell, ...]:
        state, name = self._state.lab.capture(), self._state.scenario.names.capture_name
        if not state.is_running:
            return self._row("capture", name, {}, capture_status=state.status)
        return self._row(
            "capture",
            name,
            {"state": state.state},
            capture_status=state.status,
            capture_started=self._state.moment(state.startup_s),
            captured=state.total_messages_captured,
            enqueued=state.total_messages_enqueued,
            paused_s=_hundredths(state.elapsed_pause_s),
            captured_age_s=_difference(self._state.lab.now_s, state.capture_message_create_s),
        )

    def _propagation(self) -> tuple[Cell, ...]:
        state, name = self._state.lab.propagation(), self._state.scenario.names.propagation_name
        if not state.is_running:
            return self._row("propagation", name, {}, propagation_status=state.status)
        status, sent = state.status, state.total_messages
        own = {"state": state.schedule_status}
        return self._row("propagation", name, own, propagation_status=status, propagated=sent)

    def _queue(self, end: End) -> tuple[Cell, ...]:
        names = self._state.scenario.names
        state = self._state.lab.queue(SIDES[end])
        name = names.source_queue if end is End.SOURCE else names.destination_queue
        readings = {f"{end}_spilled": state.cspill_msgs, f"{end}_waiting": state.num_msgs}
        return self._row("queue", f"{names.queue_owner}.{name}", {}, **readings)

    def _apply(self) -> Iterator[tuple[Cell, ...]]:
        state, name = self._state.lab.apply(), self._state.scenario.names.apply_name
        yield self._row("apply", name, {}, apply_status=state.status)
        if state.reader is not None:
            reader = state.reader
            yield self._row(
                "reader",
                name,
                {"state": reader.state, "latency_s": _difference(reader.dequeue_s, reader.dequeued_message_create_s)},
                dequeued=reader.total_messages_dequeued,
                staged=reader.total_messages_spilled,
                staged_s=_hundredths(reader.elapsed_spill_s),
            )
        if state.coordinator is not None:
            coordinator = state.coordinator
            yield self._row(
                "coordinator",
                name,
                {"state": coordinator.state},
                apply_started=self._state.moment(state.startup_s),
                received=coordinator.total_received,
                applied=coordinator.total_applied,
            )
        for server in state.servers:
            own: dict[str, Cell] = {"server_id": server.server_id, "state": server.state}
            yield self._row("server", name, own, server_messages=server.total_messages_applied)
        yield self._row("progress", name, {}, latency_s=_difference(state.progress_apply_s, state.progress_create_s))
        if state.spilled_transactions:
            yield self._row("staged", name, {}, staged_transactions=len(state.spilled_transactions))
        if state.errors:
            yield self._row("errors", name, {}, apply_errors=len(state.errors))


def _hundredths(seconds: float) -> float:
    """Return seconds as the views keep them, in whole hundredths."""
    return int(seconds * 100) / 100


def _difference(later_s: float | None, earlier_s: float | None) -> float | None:
    """Return the difference of two DATEs, in whole seconds."""
    return None if later_s is None or earlier_s is None else float(int(later_s) - int(earlier_s))
