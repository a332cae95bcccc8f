"""Results from readings of an availability group: commit delay, queues, and how long a failover would take."""

from collections.abc import Sequence

from app.domain.units import convert
from app.model.reading import elapsed_s, growth, largest_known, over_time
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode
from app.systems.availability_groups.observed import ObservedGroupDatabase, ObservedSecondary
from app.systems.availability_groups.readings import GroupSample, ReplicaReading, time_s


def observed_database(group: AvailabilityGroup, database: str, samples: Sequence[GroupSample]) -> ObservedGroupDatabase:
    """Return the observations of one database from its samples, oldest first, at least one.

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
    recoveries = [reading.recovery_s for reading in readings]
    return over_time(
        ObservedSecondary,
        readings,
        mode=CommitMode.ASYNCHRONOUS if replica is None else replica.mode,
        longest_recovery_s=None if None in recoveries else largest_known(recoveries),
        loss_s=time_s(newest.send_queue_kb, log_kb_per_s),
    )


def _quotient(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None
