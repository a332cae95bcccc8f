"""Measures of a trial of seeding: times by the servers' own clocks, and the load meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app.domain.measurement import Better, Measurement, Metric
from app.domain.plan import Plan, TrialSpec
from app.domain.setting import Setting, Value
from app.foundation.texts import _
from app.model.reading import measured
from app.systems.availability_groups.copies import SeedingMethod
from app.systems.availability_groups.readings import REDO_AFTER_JOINING, REDO_RATE, SeedingSample, cpu_share
from app.systems.availability_groups.seeding_trial import SeedingObservation
from app.systems.availability_groups.site import GroupSite

TOTAL_TIME: Final = Metric(
    "total_time", "s", Better.LOWER, _("Time to seed"), is_duration=True, called=("run_time", "total duration")
)
BACKUP_TIME: Final = Metric(
    "backup_time", "s", Better.LOWER, _("Backup time"), is_duration=True, called=("backup duration", "backup")
)
RESTORE_TIME: Final = Metric(
    "restore_time", "s", Better.LOWER, _("Restore time"), is_duration=True, called=("restore duration", "restore")
)
JOIN_TIME: Final = Metric("join_time", "s", Better.LOWER, _("Join time"), is_duration=True)
SEEDING_TIME: Final = Metric("seeding_time", "s", Better.LOWER, _("Direct seeding time"), is_duration=True)
COPY_RATE: Final = Metric("copy_rate", "MB/s", Better.HIGHER, _("Copy throughput"))
# As BACKUP and RESTORE print them; from elsewhere only.
BACKUP_RATE: Final = Metric(
    "backup_rate", "MB/s", Better.HIGHER, _("Backup throughput"), called=("throughput", "backup speed", "backup rate")
)
RESTORE_RATE: Final = Metric(
    "restore_rate", "MB/s", Better.HIGHER, _("Restore throughput"), called=("restore speed", "restore rate")
)
NETWORK_RATE: Final = Metric("network_rate", "Mbps", Better.LOWER, _("Network while data is sent"))
DISK_RATE: Final = Metric("disk_rate", "MB/s", Better.HIGHER, _("Disk writes at the secondary while data is written"))
READ_RATE: Final = Metric("read_rate", "MB/s", Better.HIGHER, _("Disk reads at the primary while data is read"))
SENT_SHARE: Final = Metric("sent_share", "share", Better.LOWER, _("Bytes sent per byte of the database"))
PRIMARY_CPU: Final = Metric("primary_cpu", "share", Better.LOWER, _("Processor use of the primary while reading"))
SECONDARY_CPU: Final = Metric("secondary_cpu", "share", Better.LOWER, _("Processor use of the secondary while writing"))
LOG_GROWTH: Final = Metric("log_growth", "share", Better.LOWER, _("Share of the log filled meanwhile"))
REDO_THREADS: Final = Metric("redo_threads", "count", Better.HIGHER, _("Parallel redo threads"))
CATCH_UP_TIME: Final = Metric("catch_up_time", "s", Better.LOWER, _("Time until that was redone"))

METRICS: Final = (
    TOTAL_TIME,
    BACKUP_TIME,
    RESTORE_TIME,
    JOIN_TIME,
    SEEDING_TIME,
    COPY_RATE,
    NETWORK_RATE,
    DISK_RATE,
    READ_RATE,
    SENT_SHARE,
    PRIMARY_CPU,
    SECONDARY_CPU,
    LOG_GROWTH,
    REDO_RATE,
    REDO_THREADS,
    REDO_AFTER_JOINING,
    CATCH_UP_TIME,
)

STAND_INS: Final = (SEEDING_TIME, BACKUP_TIME, RESTORE_TIME, COPY_RATE, BACKUP_RATE, RESTORE_RATE)
"""By which ways to seed, and options of the backup, are compared where no total time was measured."""

STEP_METRICS: Final = (BACKUP_TIME, RESTORE_TIME, JOIN_TIME, SEEDING_TIME)

DATABASE_MB: Final = "database_mb"
LINK_MBPS: Final = "link_mbps"

# A tick in which less than this share of the busiest one's amount moved is not part of the phase that is measured.
ACTIVE_SHARE: Final = 0.05
# A copy that is smaller than this share of the database is no copy of it.
WHOLE_SHARE: Final = 0.9

_STEPS: Final[Mapping[Metric, tuple[str, ...]]] = {
    BACKUP_TIME: ("backup", "log backup"),
    RESTORE_TIME: ("restore", "log restore"),
    JOIN_TIME: ("join",),
    SEEDING_TIME: ("seeding",),
}


def step_times(observation: SeedingObservation) -> Mapping[Metric, float]:
    """Return the seconds of each kind of step that ended; a backup and that of the log count together."""
    times: dict[Metric, float] = {}
    for metric, names in _STEPS.items():
        durations_s = [step.duration_s for step in observation.steps if step.name in names]
        if durations_s and None not in durations_s:
            times[metric] = sum(duration_s for duration_s in durations_s if duration_s is not None)
    return times


def trial_measurements(
    plan: Plan, spec: TrialSpec, observation: SeedingObservation, site: GroupSite
) -> tuple[Measurement, ...]:
    """Return every measure that could be taken; of a seeding that failed none, as its steps are parts of nothing."""
    if observation.failure:
        return ()
    conditions: dict[str, Value] = {DATABASE_MB: round(observation.database_mb)}
    if plan.load.number(LINK_MBPS) > 0:
        conditions[LINK_MBPS] = plan.load.number(LINK_MBPS)
    return tuple(
        Measurement(
            family=plan.family,
            trial_id=spec.trial_id,
            block=spec.block,
            metric=metric.name,
            value=value,
            unit=metric.unit,
            setting=spec.setting,
            conditions=Setting.from_mapping(conditions),
            phase=spec.phase,
        )
        for metric, value in _values(observation).items()
        if value is not None
    )


def _values(observation: SeedingObservation) -> Mapping[Metric, float | None]:
    steps = step_times(observation)
    total_s = sum(steps.values())
    values: dict[Metric, float | None] = {TOTAL_TIME: total_s if total_s > 0 else None, **steps}
    values[COPY_RATE] = observation.database_mb / total_s if total_s > 0 else None
    values |= _traffic(observation) | _processors(observation)
    log = [share for reading in observation.readings if (share := reading.log_used_share) is not None]
    if log:
        values[LOG_GROWTH] = max(0.0, max(log) - log[0])
    return values | _redo(observation)


def _traffic(observation: SeedingObservation) -> dict[Metric, float | None]:
    readings = observation.readings
    if len(readings) < 2:
        return {}
    last = readings[-1]
    network = _active_rate(readings, [reading.sent_mb for reading in readings])
    copied_mb = last.written_mb if observation.method is SeedingMethod.BACKUP_RESTORE else last.read_mb
    return {
        NETWORK_RATE: None if network is None else network * 8,
        DISK_RATE: _active_rate(readings, _disk_totals(readings, observation.secondary, "disk_written_mb")),
        READ_RATE: _active_rate(readings, _disk_totals(readings, observation.primary, "disk_read_mb")),
        SENT_SHARE: last.sent_mb / copied_mb if copied_mb > 0 else None,
    }


def _disk_totals(readings: Sequence[SeedingSample], server: str, name: str) -> list[float]:
    """Return a total of a server's disks at each reading, 0 where it is not known."""
    return [next((getattr(one, name) or 0.0 for one in r.servers if one.server == server), 0.0) for r in readings]


def _active_rate(readings: Sequence[SeedingSample], totals: Sequence[float]) -> float | None:
    """Return MB/s over the ticks in which the total grew as it does in its phase, None where it never grew."""
    active = [(tick.elapsed_s, tick.grown) for tick in _active_ticks(readings, totals)]
    return sum(grown for _s, grown in active) / sum(s for s, _grown in active) if active else None


@dataclass(frozen=True)
class _Tick:
    """The growth of a total between two readings."""

    begin: SeedingSample
    end: SeedingSample
    elapsed_s: float
    grown: float


def _active_ticks(readings: Sequence[SeedingSample], totals: Sequence[float]) -> list[_Tick]:
    """Return the ticks of the phase in which a total grows.

    The median of the busiest quarter sets the scale, so that one burst does not.
    """
    ticks = [
        _Tick(earlier, later, (later.at - earlier.at).total_seconds(), after - before)
        for (earlier, later), (before, after) in zip(pairwise(readings), pairwise(totals), strict=True)
    ]
    ticks = [tick for tick in ticks if tick.elapsed_s > 0 and tick.grown > 0]
    rates = sorted((tick.grown / tick.elapsed_s for tick in ticks), reverse=True)
    return [tick for tick in ticks if tick.grown / tick.elapsed_s >= ACTIVE_SHARE * rates[len(rates) // 8]]


def _processors(observation: SeedingObservation) -> dict[Metric, float | None]:
    """Return the mean use of the primary while it read, and of the secondary while it wrote."""
    values: dict[Metric, float | None] = {}
    for metric, server, totals in (
        (PRIMARY_CPU, observation.primary, [reading.read_mb for reading in observation.readings]),
        (SECONDARY_CPU, observation.secondary, [reading.written_mb for reading in observation.readings]),
    ):
        shares = [cpu_share(tick.begin, tick.end, server) for tick in _active_ticks(observation.readings, totals)]
        read_shares = [share for share in shares if share is not None]
        values[metric] = sum(read_shares) / len(read_shares) if read_shares else None
    return values


def _redo(observation: SeedingObservation) -> dict[Metric, float | None]:
    """Return how the log written meanwhile was redone; all zero where nothing waited."""
    joined = (*observation.readings[-1:], *observation.afterwards)
    if observation.failure or not joined:
        return {}
    caught_up = next((reading.at for reading in joined if reading.is_redone), None)
    return {
        **measured(SeedingSample, [[[reading] for reading in joined]]),
        REDO_THREADS: float(max(reading.parallel_redo_threads for reading in joined)),
        CATCH_UP_TIME: None if caught_up is None else (caught_up - joined[0].at).total_seconds(),
    }


def failures(plan: Plan, spec: TrialSpec, observation: SeedingObservation) -> tuple[str, ...]:
    """Return one sentence for each reason not to use a trial."""
    if observation.failure:
        return (_("the seeding failed: {why}").format(why=observation.failure.rstrip(".")),)
    if sum(step_times(observation).values()) <= 0:
        return (_("the servers did not say how long it took"),)
    problems = []
    written_mb = observation.readings[-1].written_mb if observation.readings else 0.0
    if written_mb < WHOLE_SHARE * observation.database_mb:
        problems.append(
            _("only {written:,.0f} of {all:,.0f} MB were seen to be written at the secondary").format(
                written=written_mb, all=observation.database_mb
            )
        )
    if observation.method is SeedingMethod.BACKUP_RESTORE and not {"backup", "restore", "join"} <= {
        s.name for s in observation.steps
    }:
        problems.append(_("not every step of backup, restore and join was timed"))
    return (*problems, *_compression_problem(observation))


def _compression_problem(observation: SeedingObservation) -> tuple[str, ...]:
    """Return one sentence where an uncompressed seeding sent much less than it read: the flag had been left set.

    The other way round nothing can be told: some data does not compress.
    """
    last = observation.readings[-1]
    if (
        observation.method is not SeedingMethod.DIRECT
        or last.read_mb <= 0
        or last.sent_mb >= WHOLE_SHARE * last.read_mb
    ):
        return ()
    return (
        _("the stream was compressed although it was not to be: {share:.0%} of the bytes read were sent").format(
            share=last.sent_mb / last.read_mb
        ),
    )
