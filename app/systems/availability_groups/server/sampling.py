"""Sampling one database: one round trip at the primary and one at each secondary."""

from dataclasses import dataclass, replace
from datetime import datetime

from app.domain.errors import TargetError
from app.domain.units import convert
from app.drivers.sqlserver.past_work import running_work
from app.drivers.sqlserver.session import Session
from app.foundation.rows import Row
from app.systems.availability_groups.groups import GroupSample, ReplicaReading
from app.systems.availability_groups.server.discovery import log_used_share
from app.systems.availability_groups.server.replicas import master


@dataclass(frozen=True)
class _CpuTotal:
    at: datetime
    cpu_ms: int


class CpuShares:
    """Makes shares of processors from totals: the growth since the reading before."""

    def __init__(self) -> None:
        self._before: dict[str, _CpuTotal] = {}

    def share(self, server: str, at: datetime, row: Row) -> tuple[tuple[str, float], ...]:
        """Return (server, share 0-1) since the last reading, () at the first and where time stood still."""
        total = _CpuTotal(at, row.whole_or("cpu_ms", 0))
        before = self._before.get(server)
        elapsed_ms = 0.0 if before is None else (at - before.at).total_seconds() * 1000.0
        if before is not None and elapsed_ms <= 0.0:
            return ()
        self._before[server] = total
        if before is None:
            return ()
        used = (total.cpu_ms - before.cpu_ms) / (elapsed_ms * row.whole("cpu_count"))
        return ((server, min(1.0, max(0.0, used))),)


class GroupSampler:
    """Takes samples; a secondary that cannot be asked is left out until the next discovery."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._cpu = CpuShares()
        self._silent: set[str] = set()

    def forget_silent(self) -> None:
        """Ask every secondary again."""
        self._silent.clear()

    def primary_rows(self, group: str, database: str, server: str) -> tuple[Row, ...]:
        """Return the rows of the primary, one for each secondary of the database, at least one."""
        return self._session.run("group_sample_primary", master(server), group_name=group, database_name=database)

    def sample(self, group: str, database: str) -> GroupSample:
        """Read primary and secondaries."""
        rows = self.primary_rows(group, database, self._session.own_server)
        first = rows[0]
        at, own = first.moment_utc("now_utc"), first.text("own_server")
        primary = first.text("primary_replica") if group else own
        shares = list(self._cpu.share(own, at, first))
        readings = []
        started = [(own, first.whole("server_started_ms"))]
        for row in rows:
            if row.is_null("replica_server"):
                continue
            own_row = self._ask(group, database, row.text("replica_server"))
            readings.append(_reading(row, own_row))
            if own_row is not None:
                shares.extend(self._cpu.share(row.text("replica_server"), at, own_row))
                started.append((row.text("replica_server"), own_row.whole("server_started_ms")))
        sample = _sample(first, at, primary, tuple(readings), tuple(shares))
        return replace(sample, started_ms=tuple(started), work=running_work([(own, first)]))

    def _ask(self, group: str, database: str, server: str) -> Row | None:
        if server in self._silent or server == self._session.own_server:
            return None
        try:
            return self._session.run(
                "group_sample_secondary", master(server), group_name=group, database_name=database
            )[0]
        except TargetError:
            # A replica that went down would hold up every further tick by its connection's time limit.
            self._silent.add(server)
            return None


def _reading(row: Row, own: Row | None) -> ReplicaReading:
    """A secondary knows its redo best; the primary's figures of it are what it last heard."""
    redo = row if own is None or own.is_null("redo_queue_kb") else own
    return ReplicaReading(
        server=row.text("replica_server"),
        synchronization_state=row.text("synchronization_state"),
        send_queue_kb=row.number_or_none("send_queue_kb"),
        send_rate_kb_per_s=row.number_or_none("send_rate_kb_per_s"),
        redo_queue_kb=redo.number_or_none("redo_queue_kb"),
        redo_rate_kb_per_s=redo.number_or_none("redo_rate_kb_per_s"),
        last_commit=None if row.is_null("last_commit_utc") else row.moment_utc("last_commit_utc"),
    )


def _sample(
    row: Row,
    at: datetime,
    primary: str,
    readings: tuple[ReplicaReading, ...],
    shares: tuple[tuple[str, float], ...],
) -> GroupSample:
    def total(column: str) -> float:
        return float(row.whole_or(column, 0))

    return GroupSample(
        at=at,
        primary=primary,
        readings=readings,
        commit_delay_ms=total("commit_delay_ms"),
        mirrored_transactions=total("mirrored_transactions"),
        log_bytes_flushed=total("log_flushed_bytes"),
        bytes_sent=total("sent_bytes"),
        flow_control_ms=total("flow_control_ms"),
        flow_controls=total("flow_controls"),
        sync_commit_wait_ms=total("sync_commit_wait_ms"),
        sync_commit_waits=total("sync_commit_waits"),
        writelog_wait_ms=total("writelog_wait_ms"),
        writelog_waits=total("writelog_waits"),
        log_used_share=log_used_share(row),
        free_disk_mb=convert(total("free_disk_bytes"), "bytes", "MB"),
        cpu_share=shares,
        has_counters=not row.is_null("log_flushed_bytes"),
    )
