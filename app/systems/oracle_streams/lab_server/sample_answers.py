"""The rows of a sample, from the pipeline's snapshots."""

from collections.abc import Iterator
from typing import Final

from app.drivers.oracle.catalogue import catalogue
from app.drivers.oracle.session import End
from app.foundation.rows import Cell
from app.systems.oracle_streams.lab_server.state import MEGABYTE, SIDES, LabState

_POSITIONS: Final = catalogue()["sample_streams"].positions
_NOTHING: Final[tuple[Cell, ...]] = (None,) * len(_POSITIONS)
_PART, _NAME, _AT = (_POSITIONS[column] for column in ("part", "name", "at_utc"))


class SampleAnswers:
    """Both ends' samples; a database holds only what runs in it."""

    def __init__(self, state: LabState) -> None:
        self._state = state
        self._now = state.now()

    def rows(self, end: End) -> Iterator[tuple[Cell, ...]]:
        """Return the sample of one database."""
        self._now = self._state.now()
        if end is End.SOURCE:
            yield self._capture()
            yield self._propagation()
        yield self._queue(end)
        if end is End.DESTINATION:
            yield from self._apply()
        state = self._state.lab.database(SIDES[end])
        yield self._row(
            "pool",
            "streams pool",
            used_bytes=int(state.pool_used_mb * MEGABYTE),
            size_bytes=int(state.pool_size_mb * MEGABYTE),
        )
        yield self._row("redo", "redo size", used_bytes=int(state.redo_bytes))

    def _row(self, part: str, name: str, **cells: Cell) -> tuple[Cell, ...]:
        row = [*_NOTHING]
        row[_PART], row[_NAME], row[_AT] = part, name, self._now
        for column, cell in cells.items():
            row[_POSITIONS[column]] = cell
        return tuple(row)

    def _capture(self) -> tuple[Cell, ...]:
        state, names = self._state.lab.capture(), self._state.scenario.names
        if not state.is_running:
            return self._row("capture", names.capture_name, status=state.status)
        return self._row(
            "capture",
            names.capture_name,
            status=state.status,
            state=state.state,
            started_utc=self._state.moment(state.startup_s),
            total_in=state.total_messages_captured,
            total_out=state.total_messages_enqueued,
            paused_s=_hundredths(state.elapsed_pause_s),
            busy_s=_hundredths(state.elapsed_capture_s),
            idle_s=_hundredths(state.elapsed_redo_wait_s),
            latency_s=self._state.age_s(state.capture_message_create_s),
        )

    def _propagation(self) -> tuple[Cell, ...]:
        state, names = self._state.lab.propagation(), self._state.scenario.names
        if not state.is_running:
            return self._row("propagation", names.propagation_name, status=state.status)
        return self._row(
            "propagation",
            names.propagation_name,
            status=state.status,
            state=state.schedule_status,
            started_utc=self._state.moment(state.startup_s),
            total_out=state.total_messages,
            used_bytes=int(state.total_bytes),
            busy_s=_hundredths(state.elapsed_propagation_s),
            latency_s=float(state.last_lcr_latency_s),
        )

    def _queue(self, end: End) -> tuple[Cell, ...]:
        names = self._state.scenario.names
        state = self._state.lab.queue(SIDES[end])
        name = names.source_queue if end is End.SOURCE else names.destination_queue
        return self._row(
            "queue",
            f"{names.queue_owner}.{name}",
            started_utc=self._state.moment(state.startup_s),
            total_in=state.cnum_msgs,
            spilled=state.cspill_msgs,
            waiting=state.num_msgs,
        )

    def _apply(self) -> Iterator[tuple[Cell, ...]]:
        state, name = self._state.lab.apply(), self._state.scenario.names.apply_name
        yield self._row("apply", name, status=state.status)
        if state.reader is not None:
            reader = state.reader
            yield self._row(
                "reader",
                name,
                state=reader.state,
                total_in=reader.total_messages_dequeued,
                spilled=reader.total_messages_spilled,
                spill_s=_hundredths(reader.elapsed_spill_s),
                busy_s=_hundredths(reader.elapsed_dequeue_s + reader.elapsed_schedule_s),
                used_bytes=int(reader.sga_mb * MEGABYTE),
                latency_s=_difference(reader.dequeue_s, reader.dequeued_message_create_s),
            )
        if state.coordinator is not None:
            coordinator = state.coordinator
            yield self._row(
                "coordinator",
                name,
                state=coordinator.state,
                started_utc=self._state.moment(state.startup_s),
                received=coordinator.total_received,
                assigned=coordinator.total_assigned,
                applied=coordinator.total_applied,
                wait_deps=coordinator.total_wait_deps,
                wait_commits=coordinator.total_wait_commits,
                rollbacks=coordinator.total_rollbacks,
                busy_s=_hundredths(coordinator.elapsed_schedule_s),
                idle_s=_hundredths(coordinator.elapsed_idle_s),
                latency_s=_difference(coordinator.hwm_s, coordinator.hwm_message_create_s),
            )
        for server in state.servers:
            yield self._row(
                "server",
                name,
                server_id=server.server_id,
                state=server.state,
                assigned=server.total_assigned,
                total_out=server.total_messages_applied,
                busy_s=_hundredths(server.elapsed_apply_s),
            )
        yield self._row("progress", name, latency_s=_difference(state.progress_apply_s, state.progress_create_s))
        if state.spilled_transactions:
            messages = sum(staged.message_count for staged in state.spilled_transactions)
            yield self._row("staged", name, waiting=len(state.spilled_transactions), spilled=messages)
        if state.errors:
            yield self._row("errors", name, waiting=len(state.errors))


def _hundredths(seconds: float) -> float:
    """Return seconds as the views keep them, in whole hundredths."""
    return int(seconds * 100) / 100


def _difference(later_s: float | None, earlier_s: float | None) -> float | None:
    """Return the difference of two DATEs, in whole seconds."""
    return None if later_s is None or earlier_s is None else float(int(later_s) - int(earlier_s))
