"""Doing the steps of one trial of seeding."""

from dataclasses import dataclass, field

from app.domain.errors import TargetError
from app.domain.limits import LOG_USED
from app.domain.rig import RigParts, TrialCall
from app.domain.step import Step
from app.foundation.texts import _
from app.runner.bench.watch import SHORTEST_TICK_S, Watch
from app.runner.limits import tell_log_unwatched
from app.runner.skipped import SkippedReadings
from app.systems.availability_groups.commit_rig.members import group_site
from app.systems.availability_groups.copies import SeedingEvent, SeedingStep
from app.systems.availability_groups.disturbances import RunStarts, Undisturbed
from app.systems.availability_groups.limits import SEEDING_LIMITS
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.readings import SeedingSample
from app.systems.availability_groups.seeding_rig.changes import RunChanges
from app.systems.availability_groups.seeding_rig.members import SeedingMembers
from app.systems.availability_groups.seeding_steps import (
    COMPRESS_SEEDING,
    AllowSeeding,
    CompressSeeding,
    HoldSeeding,
    JoinAtPrimary,
    MakeTestDatabase,
    RecordSeedingEvents,
    RemoveCopy,
    SeedDatabase,
    SeedingObservation,
)

# A rest of nothing but rounding moves no clock on.
_LEAST_PAUSE_S = 0.001
# A seeding that has not begun after this long will not begin by itself.
BEGIN_LIMIT_S = 300.0

_COMPLETE, _FAILED, _NOT_STARTED = "complete", "failed", "not started"


@dataclass
class TrialHands:
    """What a trial needs to act; lives as long as the trial.

    Attributes:
        refused: readings of servers' history this login may not do; shared by the trials of a run.
        starts: of the servers, shared by the trials of a run.
    """

    parts: RigParts
    members: SeedingMembers
    changes: RunChanges
    call: TrialCall
    refused: set[str]
    starts: RunStarts
    skipped: SkippedReadings = field(default_factory=SkippedReadings)

    def do(self, step: Step) -> SeedingObservation | None:
        """Do a step; return what it showed where it is the one that measures."""
        match step:
            case MakeTestDatabase():
                self.changes.make_test_database(step.size_mb, step.compressible_share)
            case RecordSeedingEvents():
                self.changes.record_events()
            case HoldSeeding():
                self.changes.hold_seeding()
            case CompressSeeding():
                self.changes.set_flag(COMPRESS_SEEDING, on=step.wanted)
                self._settle(step.settle_s)
            case JoinAtPrimary():
                self.changes.join()
            case AllowSeeding():
                self.changes.allow_seeding()
            case SeedDatabase():
                return self._seed(step)
            case RemoveCopy():
                self.changes.end_trial()
            case _:
                raise ValueError(f"no step of seeding: {step}")
        return None

    def _settle(self, settle_s: float) -> None:
        """Let pass what is left of the time after the last change of the trace flag; a cancel ends it."""
        clock = self.parts.target.clock
        while (left_s := settle_s - self.changes.since_flag_s(clock.monotonic_s())) > 0:
            self.parts.control.check()
            clock.sleep(min(SHORTEST_TICK_S, max(left_s, _LEAST_PAUSE_S)))

    def _seed(self, step: SeedDatabase) -> SeedingObservation:
        group, secondary = self.members.group, self.members.secondary.server
        seeding = group_ports(self.parts.target).seeding
        seeding.start(step.method, group.name, step.database, secondary, step.options)
        logs = [f"{step.database} ({group.primary})"]
        undisturbed = Undisturbed(self.starts, self.members.database, group.name, group.primary, secondary)
        watch = Watch(
            self.parts,
            self.call,
            SEEDING_LIMITS,
            sample=lambda: seeding.sample(group.name, self.members.database, secondary),
            check=undisturbed.check_seeding,
            unread={
                LOG_USED.name: lambda: tell_log_unwatched(self.parts.plan.limits, logs, self.refused, self.call.on_note)
            },
            refused=self.refused,
            skipped=self.skipped,
        )
        self._until_ended(watch)
        readings = tuple(watch.readings)
        failure = readings[-1].failure or _("it failed") if readings[-1].state == _FAILED else ""
        for server in (group.primary, secondary):
            watch.tell_past_work(seeding.past_readings(server, watch.elapsed_s, step.database))
        timed = seeding.steps(group.name, step.database, secondary)
        return SeedingObservation(
            method=step.method,
            database_mb=self._database_mb,
            primary=group.primary,
            secondary=secondary,
            steps=timed,
            readings=readings,
            afterwards=() if failure else self._until_redone(watch, step.watch_s),
            events=_events_since(seeding.events(self.parts.owner), timed),
            failure=failure,
            samples=tuple(watch.samples),
        )

    def _until_ended(self, watch: Watch[SeedingSample]) -> None:
        """Read until the copy has joined, or the servers say that it failed.

        Raises:
            TargetError: nothing has begun within the time limit.
        """
        now = watch.read(self._progress)
        while now.state not in (_COMPLETE, _FAILED):
            if now.state == _NOT_STARTED and watch.elapsed_s > BEGIN_LIMIT_S:
                raise TargetError(
                    _("{secondary} has not begun to seed {database} within {limit:.0f} s; read its error log").format(
                        secondary=self.members.secondary.server, database=self.members.database, limit=BEGIN_LIMIT_S
                    )
                )
            watch.wait()
            now = watch.read(self._progress)

    def _until_redone(self, watch: Watch[SeedingSample], limit_s: float) -> tuple[SeedingSample, ...]:
        """Read until what was written meanwhile is redone, or the time to watch is over; return what was read."""
        began_s, first = watch.elapsed_s, len(watch.readings)
        while watch.elapsed_s - began_s < limit_s:
            watch.wait()
            if watch.read(self._progress).is_redone:
                break
        return tuple(watch.readings[first:])

    def _progress(self, now: SeedingSample) -> float:
        return 1.0 if now.state == _COMPLETE else now.written_mb / self._database_mb if self._database_mb > 0 else 0.0

    @property
    def _database_mb(self) -> float:
        requirements = group_site(self.parts.site).requirements
        return 0.0 if requirements is None else requirements.database_mb


def _events_since(events: tuple[SeedingEvent, ...], timed: tuple[SeedingStep, ...]) -> tuple[SeedingEvent, ...]:
    """Return the events of this trial: the session holds those of all trials. Both times are the primary's."""
    if not timed:
        return ()
    began = min(step.started for step in timed)
    return tuple(event for event in events if event.at >= began)
