"""Readings of groups, databases and their copies, made from the state."""

from app.systems.availability_groups.lab.copying import CopyOperation
from app.systems.availability_groups.lab.readings import (
    DatabaseReading,
    DatabaseReplicaReading,
    GroupReading,
    LogReuseWait,
    OperationKind,
    ReplicaReading,
    ReplicaRole,
    ReplicaView,
    SynchronizationState,
)
from app.systems.availability_groups.lab.servers import Server
from app.systems.availability_groups.lab.shipping import LogStream
from app.systems.availability_groups.lab.site import Site
from app.systems.availability_groups.lab.state import Database, Group


def group_reading(site: Site, group: Group) -> GroupReading:
    """Return a group as it is now."""
    primary = group.primary if group.primary is not None and group.primary.is_up else None
    return GroupReading(
        name=group.name,
        primary="" if primary is None else primary.name,
        databases=tuple(database.name for database in site.databases_of(group)),
        replicas=tuple(_replica_reading(group, name, primary) for name in group.replicas),
        required_synchronized_secondaries_to_commit=group.required_synchronized_secondaries,
    )


def _replica_reading(group: Group, name: str, primary: Server | None) -> ReplicaReading:
    replica = group.replicas[name]
    role = ReplicaRole.RESOLVING
    if primary is not None:
        role = ReplicaRole.PRIMARY if replica.server is primary else ReplicaRole.SECONDARY
    return ReplicaReading(
        group=group.name,
        server=name,
        role=role,
        availability_mode=replica.availability_mode,
        failover_mode=replica.failover_mode,
        seeding_mode=replica.seeding_mode,
        is_connected=primary is not None and replica.server.is_up,
        is_commit_synchronous=group.is_commit_synchronous(name),
        may_create_any_database=replica.may_create_any_database,
        session_timeout_s=replica.session_timeout_s,
    )


def database_reading(database: Database) -> DatabaseReading:
    """Return a database as the server that writes it knows it now."""
    log = database.log
    return DatabaseReading(
        name=database.name,
        server=database.server.name if database.is_available else "",
        group="" if database.group is None else database.group.name,
        recovery_model=database.recovery_model,
        data_mb=database.data_mb,
        compressible_share=database.compressible_share,
        log_size_mb=log.size_mb,
        log_used_mb=min(log.used_mb, log.size_mb),
        log_reuse_wait=_log_reuse_wait(database),
        backup_taken=database.backup_taken,
        log_end_bytes=log.end_bytes,
        log_bytes_flushed=log.flushed_bytes,
        log_flushes=database.log_flushes,
        write_transactions=database.write_transactions,
        transaction_delay_ms=database.transaction_delay_s * 1e3,
        mirrored_write_transactions=database.mirrored_write_transactions,
        last_commit_s=database.last_commit_s,
    )


def _log_reuse_wait(database: Database) -> LogReuseWait:
    """Return the reason that holds the oldest log back; positions a byte apart are the same."""
    log = database.log
    held = log.truncated_bytes + 1.0
    if any(position <= held for position in database.holds.values()):
        return LogReuseWait.ACTIVE_BACKUP_OR_RESTORE
    if log.end_bytes <= held:
        return LogReuseWait.NOTHING
    if any(stream.redone_bytes <= held for stream in database.streams()):
        return LogReuseWait.AVAILABILITY_REPLICA
    return LogReuseWait.LOG_BACKUP


def replica_databases(site: Site, group: Group) -> list[DatabaseReplicaReading]:
    """Return every database of a group at every secondary, those not there yet included."""
    return [
        database_replica_reading(site, database, name)
        for database in site.databases_of(group)
        for name in group.replicas
        if name != database.server.name
    ]


def database_replica_reading(site: Site, database: Database, server: str) -> DatabaseReplicaReading:
    """Return a database at one secondary; raises LookupError where the server is none of its group."""
    if database.group is None or server not in database.group.replicas or server == database.server.name:
        raise LookupError(f"{server} is no secondary of the database {database.name}")
    copy = database.copies.get(server)
    if copy is None or copy.stream is None:
        return _unjoined(database, database.group.name, server, site.running_operations())
    return _joined(database, database.group.name, server, copy.stream)


def _joined(database: Database, group: str, server: str, stream: LogStream) -> DatabaseReplicaReading:
    return DatabaseReplicaReading(
        group=group,
        database=database.name,
        server=server,
        synchronization_state=stream.state,
        view=stream.view(server),
        is_joined=True,
        is_suspended=stream.is_suspended,
        is_failover_ready=stream.is_synchronized and stream.missed_since_s is None,
        is_compressing=stream.rates.is_compressing,
        hardened_bytes=stream.hardened_bytes,
        last_commit_s=_last_commit_s(database, stream),
        bytes_sent_to_replica=stream.sent_mb * 1e6,
        bytes_sent_to_transport=stream.wire_mb * 1e6,
        log_bytes_compressed=stream.compressed_mb * 1e6,
        log_bytes_redone=stream.redone_mb * 1e6,
        flow_control_s=stream.flow_control_s,
        flow_controls=round(stream.flow_controls),
        redo_workers=stream.rates.redo_workers,
    )


def _last_commit_s(database: Database, stream: LogStream) -> float | None:
    """Return the commit time of the newest transaction redone there: when its position was written."""
    if database.last_commit_s is None:
        return None
    if stream.redone_bytes >= database.log.end_bytes - 1.0:
        return database.last_commit_s
    written_s = database.log.written_at_s(stream.redone_bytes)
    return None if written_s is None else min(written_s, database.last_commit_s)


def _unjoined(database: Database, group: str, server: str, operations: list[CopyOperation]) -> DatabaseReplicaReading:
    seeding = any(
        operation.kind is OperationKind.SEEDING and operation.database is database and operation.target.name == server
        for operation in operations
    )
    state = SynchronizationState.INITIALIZING if seeding else SynchronizationState.NOT_SYNCHRONIZING
    view = ReplicaView(server, state.value, 0.0, 0.0, 0.0, 0.0)
    return DatabaseReplicaReading(group, database.name, server, state, view)
