"""Measuring one trial of seeding, and its observation."""

from dataclasses import dataclass

from app.domain.errors import TargetError
from app.domain.limits import LOG_USED
from app.domain.measurement import Sample
from app.foundation.texts import _
from app.runner.bench.rig import BenchStep, StepRig
from app.runner.bench.watch import Watch
from app.systems.availability_groups.commit_members import group_site
from app.systems.availability_groups.copies import BackupOptions, SeedingEvent, SeedingMethod, SeedingStep
from app.systems.availability_groups.disturbances import RunStarts, Undisturbed
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.readings import SEEDING_LIMITS, SeedingSample
from app.systems.availability_groups.seeding_members import SeedingMembers

# A seeding that has not begun after this long will not begin by itself.
BEGIN_LIMIT_S = 300.0

_COMPLETE, _FAILED, _NOT_STARTED = "complete", "failed", "not started"


@dataclass(frozen=True)
class SeedDatabase(BenchStep[SeedingMembers]):
    """Start a method and measure until the copy has joined; then watch the redo of the log written meanwhile.

    Attributes:
        watch_s: longest time redo is watched; it ends when nothing is left to redo.
    """

    method: SeedingMethod
    database: str
    options: BackupOptions
    watch_s: float

    def describe(self) -> str:
        """Describe the step for a person."""
        text = {
            SeedingMethod.BACKUP_RESTORE: _("Back up, restore and join {database}, and measure until it has joined"),
            SeedingMethod.DIRECT: _("Measure direct seeding of {database} until it has joined"),
            SeedingMethod.DIRECT_COMPRESSED: _("Measure compressed direct seeding of {database} until it has joined"),
        }[self.method]
        return text.format(database=self.database)

    def do(self, rig: StepRig[SeedingMembers]) -> "SeedingObservation":
        """Start it, and return the observation; raises as `BenchStep`, and TargetError where it does not begin."""
        group, secondary = rig.at.members.group, rig.at.members.secondary.server
        seeding = group_ports(rig.at.target).seeding
        seeding.start(self.method, group.name, self.database, secondary, self.options)
        undisturbed = Undisturbed(rig.kept(RunStarts), self.database, group.name, group.primary, secondary)
        watch = rig.watch(
            SEEDING_LIMITS,
            sample=lambda: seeding.sample(group.name, self.database, secondary),
            check=undisturbed.check_seeding,
            unread={LOG_USED.name: rig.log_unwatched(self.database, group.primary)},
        )
        requirements = group_site(rig.at.site).requirements
        seeded = _Seeded(watch, self.database, secondary, 0.0 if requirements is None else requirements.database_mb)
        seeded.until_ended()
        readings = tuple(watch.readings)
        failure = readings[-1].failure or _("it failed") if readings[-1].state == _FAILED else ""
        for server in (group.primary, secondary):
            watch.tell_past_work(seeding.past_readings(server, watch.elapsed_s, self.database))
        timed = seeding.steps(group.name, self.database, secondary)
        return SeedingObservation(
            method=self.method,
            database_mb=seeded.database_mb,
            primary=group.primary,
            secondary=secondary,
            steps=timed,
            readings=readings,
            afterwards=() if failure else seeded.until_redone(self.watch_s),
            events=_events_since(seeding.events(rig.at.owner), timed),
            failure=failure,
            samples=tuple(watch.samples),
        )


@dataclass(frozen=True)
class SeedingObservation:
    """The observation of a trial, before its family makes measures of it.

    Attributes:
        database_mb: data in use when the run began.
        primary, secondary: servers, as they stand in the readings.
        steps: as the servers timed them.
        readings: from the start to the moment the copy had joined, oldest first; totals count from the start.
        afterwards: while redo was watched.
        events: of the extended events session, of this trial.
        failure: the server's own words where it failed, else "".
        samples: time series at the sampling interval.
    """

    method: SeedingMethod
    database_mb: float
    primary: str
    secondary: str
    steps: tuple[SeedingStep, ...]
    readings: tuple[SeedingSample, ...]
    afterwards: tuple[SeedingSample, ...]
    events: tuple[SeedingEvent, ...]
    failure: str
    samples: tuple[Sample, ...]


@dataclass
class _Seeded:
    """A seeding that is watched; `database_mb` is the data in use when the run began."""

    watch: Watch[SeedingSample]
    database: str
    secondary: str
    database_mb: float

    def until_ended(self) -> None:
        """Read until the copy has joined, or the servers say that it failed.

        Raises:
            TargetError: nothing has begun within the time limit.
        """
        watch = self.watch
        now = watch.read(self._progress)
        while now.state not in (_COMPLETE, _FAILED):
            if now.state == _NOT_STARTED and watch.elapsed_s > BEGIN_LIMIT_S:
                raise TargetError(
                    _("{secondary} has not begun to seed {database} within {limit:.0f} s; read its error log").format(
                        secondary=self.secondary, database=self.database, limit=BEGIN_LIMIT_S
                    )
                )
            watch.wait()
            now = watch.read(self._progress)

    def until_redone(self, limit_s: float) -> tuple[SeedingSample, ...]:
        """Read until the log written meanwhile is redone, or the time to watch is over; return the readings."""
        watch = self.watch
        began_s, first = watch.elapsed_s, len(watch.readings)
        while watch.elapsed_s - began_s < limit_s:
            watch.wait()
            if watch.read(self._progress).is_redone:
                break
        return tuple(watch.readings[first:])

    def _progress(self, now: SeedingSample) -> float:
        return 1.0 if now.state == _COMPLETE else now.written_mb / self.database_mb if self.database_mb > 0 else 0.0


def _events_since(events: tuple[SeedingEvent, ...], timed: tuple[SeedingStep, ...]) -> tuple[SeedingEvent, ...]:
    """Return the events of this trial: the session holds those of all trials. Both times are the primary's."""
    if not timed:
        return ()
    began = min(step.started for step in timed)
    return tuple(event for event in events if event.at >= began)
