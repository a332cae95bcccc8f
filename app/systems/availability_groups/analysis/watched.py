"""What readings of an availability group support: commit delay, queues, and how long a failover would take."""

from collections.abc import Sequence

from app.domain.units import convert
from app.model.reading import elapsed_s, growth, largest_known
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode
from app.systems.availability_groups.observed import ObservedGroupDatabase, ObservedSecondary
from app.systems.availability_groups.readings import GroupSample, ReplicaReading


def observed_database(group: AvailabilityGroup, database: str, samples: Sequence[GroupSample]) -> ObservedGroupDatabase:
    """Return what the samples of one database show, oldest first, at least one.

    Mean commit delay is the growth of "Transaction Delay" over that of "Mirrored Write Transactions/sec"
    (MicrosoftDocs sql-server-database-replica.md).
    """
    first, last = samples[0], samples[-1]
    grown, watched_s = growth(first, last), elapsed_s(first, last)
    log_kb_per_s = convert((grown.log_flushed_bytes or 0.0) / watched_s, "bytes", "KiB") if watched_s > 0 else 0.0
    return ObservedGroupDatabase(
        group=group.name,
        database=database,
        primary=last.primary,
        readings=len(samples),
        watched_s=watched_s,
        transactions=grown.mirrored_transactions or 0.0,
        commit_delay_ms=_quotient(grown.commit_delay_ms, grown.mirrored_transactions),
        commit_delay_since_start_ms=_quotient(last.commit_delay_ms, last.mirrored_transactions),
        log_kb_per_s=log_kb_per_s,
        flow_control_share=(grown.flow_control_ms or 0.0) / 1000.0 / watched_s if watched_s > 0 else 0.0,
        log_used_share=last.log_used_share,
        secondaries=tuple(_secondary(group, reading, samples, log_kb_per_s) for reading in last.readings),
    )


def _secondary(
    group: AvailabilityGroup, newest: ReplicaReading, samples: Sequence[GroupSample], log_kb_per_s: float
) -> ObservedSecondary:
    readings = [reading for sample in samples for reading in sample.readings if reading.server == newest.server]
    replica = group.replica_at(newest.server)
    recoveries = [recovery_s(reading) for reading in readings]
    finite = [seconds for seconds in recoveries if seconds is not None]
    return ObservedSecondary(
        server=newest.server,
        mode=CommitMode.ASYNCHRONOUS if replica is None else replica.mode,
        synchronization_state=newest.synchronization_state,
        send_queue_kb=newest.send_queue_kb,
        longest_send_queue_kb=largest_known(reading.send_queue_kb for reading in readings),
        send_rate_kb_per_s=newest.send_rate_kb_per_s,
        redo_queue_kb=newest.redo_queue_kb,
        longest_redo_queue_kb=largest_known(reading.redo_queue_kb for reading in readings),
        redo_rate_kb_per_s=newest.redo_rate_kb_per_s,
        recovery_s=recoveries[-1],
        longest_recovery_s=max(finite) if len(finite) == len(recoveries) else None,
        loss_s=_time_s(newest.send_queue_kb, log_kb_per_s),
    )


def recovery_s(reading: ReplicaReading) -> float | None:
    """Return how long redo would take for what waits, None where that or its rate is not known.

    Source: MicrosoftDocs monitor-performance-for-always-on-availability-groups.md: redo time is the redo queue over the
    redo rate; the time to recover is that, the time until the failure is detected, and the change of roles.
    """
    return _time_s(reading.redo_queue_kb, reading.redo_rate_kb_per_s)


def _time_s(queue_kb: float | None, rate_kb_per_s: float | None) -> float | None:
    """Return how long a queue lasts; 0 where nothing waits, None where that or the rate is not known."""
    if queue_kb is None or queue_kb <= 0:
        return queue_kb and 0.0
    return _quotient(queue_kb, rate_kb_per_s)


def _quotient(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None
