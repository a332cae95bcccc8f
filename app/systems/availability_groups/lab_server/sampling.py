"""What the sampling statements return."""

from app.domain.units import convert
from app.drivers.sqlserver.lab.answer import Answer, Parameters, Result
from app.drivers.sqlserver.lab.other_work import OtherWork
from app.drivers.sqlserver.lab.time_answers import moment_utc
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.systems.availability_groups.lab.readings import DatabaseReading, DatabaseReplicaReading
from app.systems.availability_groups.lab.words import SynchronizationState
from app.systems.availability_groups.lab_server.state import GroupState

_NO_SECONDARY: tuple[Cell, ...] = (None,) * 7
_NO_COUNTERS: tuple[Cell, ...] = (None,) * 7


class GroupSamplingAnswers:
    """Counters, waits and queues from the simulation's totals."""

    def __init__(self, state: GroupState, other_work: OtherWork) -> None:
        self._state = state
        self._lab = state.lab
        self._other_work = other_work

    def answers(self) -> dict[str, Answer]:
        """Return the answer of each statement by name."""
        return {"group_sample_primary": self._primary, "group_sample_secondary": self._secondary}

    def _primary(self, place: Place, values: Parameters) -> Result:
        server = self._lab.server(place.server)
        group = self._state.group_of(str(values["group_name"]))
        replicas = () if group is None else self._lab.database_replicas(group.name)
        database = self._state.database_of(str(values["database_name"]))
        if database is not None and database.server != place.server:
            database = None
        waits = {wait.wait_type: wait for wait in server.waits}
        head: tuple[Cell, ...] = (
            moment_utc(self._lab.now_s),
            place.server,
            None if group is None else group.primary or None,
            round(server.cpu_busy_core_s * 1e3),
            server.cpus,
            self._state.started_ms(place.server),
            *(
                _counters(database, replicas if group is not None else None)
                if self._state.has_counters
                else _NO_COUNTERS
            ),
            round(waits["HADR_SYNC_COMMIT"].wait_time_ms),
            waits["HADR_SYNC_COMMIT"].waiting_tasks,
            round(waits["WRITELOG"].wait_time_ms),
            waits["WRITELOG"].waiting_tasks,
            None if database is None else round(convert(server.disks[0].free_mb, "MB", "bytes")),
            *self._other_work.counts(place.server),
        )
        is_primary = group is not None and group.primary == place.server
        mine = [r for r in replicas if is_primary and r.database == values["database_name"] and r.is_joined]
        rows = [(*head, *_secondary_cells(replica)) for replica in sorted(mine, key=lambda replica: replica.server)]
        return rows or [(*head, *_NO_SECONDARY)]

    def _secondary(self, place: Place, values: Parameters) -> Result:
        server = self._lab.server(place.server)
        redo: tuple[Cell, Cell] = (None, None)
        if self._state.group_of(str(values["group_name"])) is not None:
            for replica in self._lab.database_replicas(str(values["group_name"])):
                if replica.server == place.server and replica.database == values["database_name"] and replica.is_joined:
                    redo = (round(replica.redo_queue_kb), round(replica.redo_rate_kb_per_s))
        return [(round(server.cpu_busy_core_s * 1e3), server.cpus, self._state.started_ms(place.server), *redo)]


def _counters(
    database: DatabaseReading | None, replicas: tuple[DatabaseReplicaReading, ...] | None
) -> tuple[Cell, ...]:
    """Return the counters; a server has none for a database or group it does not hold."""
    delay, mirrored, flushed, used, sent, held, controls = (None,) * 7
    if database is not None:
        flushed, used = round(database.log_bytes_flushed), round(database.log_used_share * 100.0)
    if database is not None and database.group:
        delay, mirrored = round(database.transaction_delay_ms), database.mirrored_write_transactions
    if replicas:
        sent = round(sum(r.bytes_sent_to_transport for r in replicas))
        held = round(sum(r.flow_control_s for r in replicas) * 1e3)
        controls = sum(r.flow_controls for r in replicas)
    return delay, mirrored, flushed, sent, held, controls, used


def _secondary_cells(replica: DatabaseReplicaReading) -> tuple[Cell, ...]:
    """Return what a primary knows of a secondary; of one it is not connected to its view leaves all figures NULL."""
    is_lost = replica.synchronization_state is SynchronizationState.NOT_SYNCHRONIZING and not replica.is_suspended
    figures = (
        replica.log_send_queue_kb,
        replica.log_send_rate_kb_per_s,
        replica.redo_queue_kb,
        replica.redo_rate_kb_per_s,
    )
    return (
        replica.server,
        replica.synchronization_state.value,
        *(None if is_lost else round(figure) for figure in figures),
        None if replica.last_commit_s is None else moment_utc(replica.last_commit_s),
    )
