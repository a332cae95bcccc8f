"""Doing the steps of one trial of seeding."""

from dataclasses import dataclass, field

from app.domain.errors import TargetError
from app.domain.rig import RigParts, TrialCall
from app.foundation.texts import _
from app.runner.limits import tell_log_unwatched
from app.runner.optional import tell_past_work
from app.runner.skipped import SkippedReadings
from app.systems.availability_groups.commit_rig.members import group_site
from app.systems.availability_groups.copies import SeedingEvent, SeedingSample, SeedingStep
from app.systems.availability_groups.disturbances import RunStarts
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.seeding_rig.changes import RunChanges
from app.systems.availability_groups.seeding_rig.members import SeedingMembers
from app.systems.availability_groups.seeding_rig.watch import SeedingWatch
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
    SeedingTrialStep,
)

SAMPLES_PER_TRIAL = 300
SHORTEST_TICK_S = 1.0
# A rest of nothing but rounding moves no clock on.
_LEAST_PAUSE_S = 0.001
# A seeding that has not begun after this long will not begin by itself.
BEGIN_LIMIT_S = 300.0
# Less than this to be redone is what a server at work always has.
REDONE_KB = 1_024.0

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

    def run(self, steps: tuple[SeedingTrialStep, ...]) -> SeedingObservation:
        """Do the steps in order and return what the measuring one showed.

        Raises:
            RunCancelled, LimitExceeded, TargetError: the trial ended early; the caller restores.
        """
        observation: SeedingObservation | None = None
        for step in steps:
            self.parts.control.check()
            self.call.on_step(step.describe())
            if isinstance(step, SeedDatabase):
                observation = self._seed(step)
            else:
                self._prepare(step)
        if observation is None:
            raise ValueError("a trial needs exactly one measuring step")
        return observation

    def _prepare(self, step: SeedingTrialStep) -> None:
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
            case RemoveCopy():
                self.changes.end_trial()

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
        watch = SeedingWatch(
            target=self.parts.target,
            control=self.parts.control,
            limits=self.parts.plan.limits,
            members=self.members,
            tick_s=max(SHORTEST_TICK_S, self.call.expected_s / SAMPLES_PER_TRIAL),
            total_mb=self._database_mb,
            on_samples=self.call.on_samples,
            on_server_time=self.call.on_server_time,
            on_happening=self.call.on_happening,
            starts=self.starts,
            skipped=self.skipped,
            on_unread_log=lambda: tell_log_unwatched(
                self.parts.plan.limits, [f"{step.database} ({group.primary})"], self.refused, self.call.on_note
            ),
        )
        readings = _until_ended(watch)
        failure = readings[-1].failure or _("it failed") if readings[-1].state == _FAILED else ""
        for server in (group.primary, secondary):
            past = seeding.past_readings(server, watch.elapsed_s, step.database)
            tell_past_work(past, self.refused, self.call.on_happening)
        timed = seeding.steps(group.name, step.database, secondary)
        return SeedingObservation(
            method=step.method,
            database_mb=self._database_mb,
            primary=group.primary,
            secondary=secondary,
            steps=timed,
            readings=tuple(readings),
            afterwards=() if failure else tuple(_until_redone(watch, step.watch_s)),
            events=_events_since(seeding.events(self.parts.owner), timed),
            failure=failure,
            samples=tuple(watch.samples),
        )

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


def _until_ended(watch: SeedingWatch) -> list[SeedingSample]:
    """Read until the copy has joined, or the servers say that it failed.

    Raises:
        TargetError: nothing has begun within the time limit.
    """
    readings = [watch.begin()]
    while readings[-1].state not in (_COMPLETE, _FAILED):
        if readings[-1].state == _NOT_STARTED and watch.elapsed_s > BEGIN_LIMIT_S:
            raise TargetError(
                _("{secondary} has not begun to seed {database} within {limit:.0f} s; read its error log").format(
                    secondary=watch.members.secondary.server, database=watch.members.database, limit=BEGIN_LIMIT_S
                )
            )
        readings.append(watch.wait())
    return readings


def _until_redone(watch: SeedingWatch, limit_s: float) -> list[SeedingSample]:
    """Read until what was written meanwhile is redone, or the time to watch is over."""
    began_s = watch.elapsed_s
    readings: list[SeedingSample] = []
    while watch.elapsed_s - began_s < limit_s:
        readings.append(watch.wait())
        queue_kb = readings[-1].redo_queue_kb
        if queue_kb is not None and queue_kb < REDONE_KB:
            break
    return readings
