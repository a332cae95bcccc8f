"""The lab's answers to the sampling statements."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from app.domain.units import convert, convert_known
from app.drivers.sqlserver.lab.answer import Answer, Parameters, Result, row_of
from app.drivers.sqlserver.lab.other_work import OtherWork
from app.drivers.sqlserver.lab.time_answers import moment_utc
from app.drivers.sqlserver.session import Place
from app.systems.availability_groups.lab.readings import DatabaseReading, DatabaseReplicaReading, GroupReading
from app.systems.availability_groups.lab.words import SynchronizationState
from app.systems.availability_groups.lab_server.state import GroupState
from app.systems.availability_groups.readings import GroupSample, ReplicaReading, ServerReading

PRIMARY, SECONDARY = "group_sample_primary", "group_sample_secondary"


class GroupSamplingAnswers:
    """Counters, waits and queues from the simulation's totals."""

    def __init__(self, state: GroupState, other_work: OtherWork) -> None:
        self._state = state
        self._lab = state.lab
        self._other_work = other_work

    def answers(self) -> dict[str, Answer]:
        """Return the answer of each statement by name."""
        return {PRIMARY: self._primary, SECONDARY: self._secondary}

    def _primary(self, place: Place, values: Parameters) -> Result:
        name, group = str(values["database_name"]), self._state.group_of(str(values["group_name"]))
        replicas = self._replicas(group)
        sending = replicas if self._state.shows_counters(PRIMARY) else ()
        head = partial(
            row_of,
            PRIMARY,
            self._sample(place.server, group, name, sending),
            self._server(place.server),
            own_server=place.server,
            flow_controls=_sum([r.flow_controls for r in sending]),
            **self._other_work.counted(place.server),
        )
        if group is None or group.primary != place.server:
            return [head()]
        mine = sorted((r for r in replicas if r.database == name and r.is_joined), key=lambda replica: replica.server)
        return [head(_view(r), last_commit_utc=_moment(r.last_commit_s)) for r in mine] or [head()]

    def _secondary(self, place: Place, values: Parameters) -> Result:
        name, group = str(values["database_name"]), self._state.group_of(str(values["group_name"]))
        own = [r.view for r in self._replicas(group) if (r.server, r.database) == (place.server, name) and r.is_joined]
        return [row_of(SECONDARY, self._server(place.server), *own)]

    def _replicas(self, group: GroupReading | None) -> tuple[DatabaseReplicaReading, ...]:
        return () if group is None else self._lab.database_replicas(group.name)

    def _server(self, name: str) -> ServerReading:
        server = self._lab.server(name)
        return ServerReading(name, server.cpu_busy_core_s * 1e3, server.cpus, self._state.started_ms(name))

    def _sample(
        self, server: str, group: GroupReading | None, name: str, sending: Sequence[DatabaseReplicaReading]
    ) -> GroupSample:
        """Return waits and counters; a server has none of a database or group it does not hold."""
        here = self._lab.server(server)
        waits = {wait.wait_type: wait.waiting_tasks for wait in here.waits}
        waits_ms = {wait.wait_type: wait.wait_time_ms for wait in here.waits}
        known = GroupSample(
            at=moment_utc(self._lab.now_s),
            primary="" if group is None else group.primary,
            commit_delay_ms=None,
            mirrored_transactions=None,
            readings=(),
            sync_commit_wait_ms=waits_ms["HADR_SYNC_COMMIT"],
            sync_commit_waits=waits["HADR_SYNC_COMMIT"],
            writelog_wait_ms=waits_ms["WRITELOG"],
            writelog_waits=waits["WRITELOG"],
            flow_control_ms=convert_known(_sum([r.flow_control_s for r in sending]), "s", "ms"),
            log_flushed_bytes=None,
            sent_bytes=_sum([r.bytes_sent_to_transport for r in sending]),
            log_used_share=None,
            free_disk_gb=None,
            servers=(),
        )
        database = self._state.database_of(name)
        if database is None or database.server != server:
            return known
        known = replace(known, free_disk_gb=convert(here.disks[0].free_mb, "MB", "GB"))
        return _counted(known, database) if self._state.shows_counters(PRIMARY) else known


def _counted(known: GroupSample, database: DatabaseReading) -> GroupSample:
    """Return a sample with the counters of its database."""
    flushed, used = database.log_bytes_flushed, database.log_used_share
    known = replace(
        known, log_flushed_bytes=flushed, log_used_share=used, write_transactions=database.write_transactions
    )
    if not database.group:
        return known
    delay_ms, mirrored = database.transaction_delay_ms, database.mirrored_write_transactions
    return replace(known, commit_delay_ms=delay_ms, mirrored_transactions=mirrored)


def _view(replica: DatabaseReplicaReading) -> ReplicaReading:
    """Return a primary's knowledge of a secondary; of one it is not connected to its view leaves all figures NULL."""
    is_lost = replica.synchronization_state is SynchronizationState.NOT_SYNCHRONIZING and not replica.is_suspended
    state = replica.synchronization_state.value
    return ReplicaReading(replica.server, state, None, None, None, None) if is_lost else replica.view


def _sum(totals: Sequence[float]) -> float | None:
    """Return the sum over all replicas, None where there are none: their counters are not there then."""
    return sum(totals) if totals else None


def _moment(time_s: float | None) -> datetime | None:
    return None if time_s is None else moment_utc(time_s)
