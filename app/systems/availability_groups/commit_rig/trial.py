"""Doing the steps of one trial of the commit mode."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.domain.change import Change
from app.domain.errors import FailedOver, TargetError
from app.domain.limits import LOG_USED
from app.domain.rig import RigParts, TrialCall
from app.domain.step import Step
from app.foundation.texts import _
from app.runner.bench.watch import Watch
from app.runner.limits import tell_log_unwatched
from app.runner.skipped import SkippedReadings
from app.systems.availability_groups.commit_rig.members import Member, Members, group_site, major_version
from app.systems.availability_groups.commit_steps import (
    CommitObservation,
    MakeTestTables,
    MeasureShapes,
    SetCommitMode,
    SetLogCompression,
    Shape,
    ShapeObservation,
    WaitSynchronized,
    compression_flags,
)
from app.systems.availability_groups.disturbances import RunStarts, Undisturbed, failed_over
from app.systems.availability_groups.groups import AvailabilityGroup, CommitMode, GroupTopology, InsertLoop
from app.systems.availability_groups.limits import COMMIT_LIMITS
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.readings import COMMIT_DELAY, GroupSample

# One call of the insert loop does at most this much, so that cancel is never far: about a second of bulk inserts, a few
# seconds of single ones.
PORTION_ROWS = 100_000
PORTION_INSERTS = 2_000
# A secondary that has not caught up after this long has another problem than the trial.
CATCH_UP_LIMIT_S = 1_800.0
# Share of a shape that one loop must at least run of a stopped one: a single insert.
_LEAST_INSERTS = 1


class Switches:
    """Puts modes and trace flags where an arm needs them; each value goes to and fro under one journal entry."""

    def __init__(self, parts: RigParts) -> None:
        self._parts = parts
        self._open: dict[tuple[str, str], tuple[Change, ...]] = {}

    def forget(self) -> None:
        """Start afresh after a restore: everything is as it was found."""
        self._open.clear()

    def set_mode(self, group: AvailabilityGroup, server: str, mode: CommitMode) -> None:
        """Give a replica a mode: by taking the open change back, or by a new one."""
        replica = group.replica_at(server)
        if replica is not None and replica.mode is not mode:
            key = (group.group_id, server)
            self._to_and_fro(key, lambda: group_ports(self._parts.target).groups.plan_mode(group, server, mode))

    def set_flag(self, server: str, flag: int, *, on: bool) -> None:
        """Set or clear a trace flag."""
        key = (server, str(flag))
        planned = group_ports(self._parts.target).groups.plan_trace_flag(server, flag, on=on)
        if planned:
            self._to_and_fro(key, lambda: planned)

    def apply_once(self, key: tuple[str, str], planned: tuple[Change, ...]) -> None:
        """Apply changes that stay until the run ends."""
        if key not in self._open:
            self._apply(key, planned)

    def is_open(self, key: tuple[str, str]) -> bool:
        """Tell whether a change of this value is open."""
        return key in self._open

    def _to_and_fro(self, key: tuple[str, str], plan: Callable[[], tuple[Change, ...]]) -> None:
        """Two values only: where one change is open, the other value is the one that was found."""
        if key in self._open:
            self._parts.changer.take_back(self._open[key])
            del self._open[key]
        else:
            self._apply(key, plan())

    def _apply(self, key: tuple[str, str], planned: tuple[Change, ...]) -> None:
        done: list[Change] = []
        for change in planned:
            done.append(change)
            self._open[key] = tuple(done)
            self._parts.changer.apply(change)


@dataclass
class TrialHands:
    """What a trial needs to act; lives as long as the trial.

    Attributes:
        refused: readings of servers' history this login may not do; shared by the trials of a run.
        starts: of the servers, shared by the trials of a run.
    """

    parts: RigParts
    members: Members
    switches: Switches
    call: TrialCall
    refused: set[str]
    starts: RunStarts
    shapes: dict[Shape, list[tuple[InsertLoop, tuple[GroupSample, ...]]]] = field(default_factory=dict)
    skipped: SkippedReadings = field(default_factory=SkippedReadings)

    def do(self, step: Step) -> CommitObservation | None:
        """Do a step; return what it showed where it is the one that measures."""
        match step:
            case MakeTestTables():
                self._make_tables(step)
            case SetCommitMode():
                self._set_mode(step)
            case SetLogCompression():
                self._set_compression(step)
            case WaitSynchronized():
                self._wait(step)
            case MeasureShapes():
                return self._measure(step)
            case _:
                raise ValueError(f"no step of the commit mode: {step}")
        return None

    @property
    def _topology(self) -> GroupTopology:
        return group_site(self.parts.site).topology

    def _make_tables(self, step: MakeTestTables) -> None:
        key = ("test tables", step.database)
        if not self.switches.is_open(key):
            planned = group_ports(self.parts.target).groups.plan_test_tables(
                step.database, step.source_rows, self.parts.owner
            )
            self.switches.apply_once(key, planned)

    def _set_mode(self, step: SetCommitMode) -> None:
        """Make every secondary asynchronous, or the one under test synchronous; the primary must be so as well."""
        member = self.members.of(step.database)
        if member is None:
            raise ValueError(f"{step.database} is in no group")
        group = group_ports(self.parts.target).groups.discover().group_named(member.group.name)
        if group is None:
            raise TargetError(_("the group {group} is no longer as it was found").format(group=member.group.name))
        if group.primary != member.group.primary:
            raise failed_over(group.name, group.primary, member.group.primary)
        if step.mode is CommitMode.SYNCHRONOUS:
            self.switches.set_mode(group, group.primary, CommitMode.SYNCHRONOUS)
        for replica in group.secondaries():
            is_tested = replica.server == member.secondary.server
            mode = step.mode if is_tested else CommitMode.ASYNCHRONOUS
            self.switches.set_mode(group, replica.server, mode)

    def _set_compression(self, step: SetLogCompression) -> None:
        topology = self._topology
        for flag, on in compression_flags(major_version(topology), step.mode, step.wanted).items():
            self.switches.set_flag(topology.connected_to, flag, on=on)

    def _wait(self, step: WaitSynchronized) -> None:
        member = self.members.of(step.database)
        if member is not None:
            group_ports(self.parts.target).groups.wait_synchronized(
                member.group.name, step.database, member.secondary.server, CATCH_UP_LIMIT_S
            )

    def _tell_log_unwatched(self, database: str) -> None:
        logs = [f"{database} ({self._topology.connected_to})"]
        tell_log_unwatched(self.parts.plan.limits, logs, self.refused, self.call.on_note)

    def _tell_delay_unwatched(self) -> None:
        """Say once in a run that no counter tells how long commits wait, where the plan limits that."""
        limit, counter = self.parts.plan.limits.get(COMMIT_DELAY.name), "Transaction Delay"
        if limit is None or counter in self.refused:
            return
        self.refused.add(counter)
        self.call.on_note(
            _(
                "the limit of {limit:g} ms mean commit delay is not watched: no counter at {server} tells it; watch it "
                "by hand"
            ).format(limit=limit, server=self._topology.connected_to)
        )

    def _measure(self, step: MeasureShapes) -> CommitObservation:
        member = self.members.of(step.database)
        name = member.group.name if member else ""
        undisturbed = Undisturbed(
            self.starts,
            step.database,
            name,
            primary=member.group.primary if member else "",
            secondary=member.secondary.server if member else "",
        )
        unread = {LOG_USED.name: lambda: self._tell_log_unwatched(step.database)}
        watch = Watch(
            self.parts,
            self.call,
            COMMIT_LIMITS,
            sample=lambda: group_ports(self.parts.target).groups.sample(name, step.database),
            check=undisturbed.check_commits,
            unread={**unread, COMMIT_DELAY.name: self._tell_delay_unwatched} if member else unread,
            refused=self.refused,
            skipped=self.skipped,
        )
        try:
            watch.read(lambda _now: 0.0)
            self._settle(step, watch)
            self._run_loops(step, watch)
            self._tell_past_work(member, watch)
        except TargetError as error:
            self._raise_if_failed_over(member, error)
            raise
        return CommitObservation(
            mode=step.mode,
            major=major_version(self._topology),
            is_synchronized=all(r.synchronization_state == "SYNCHRONIZED" for r in watch.readings[-1].readings),
            shapes=tuple(
                ShapeObservation(shape, tuple(loop for loop, _read in done), tuple(read for _loop, read in done))
                for shape, done in self.shapes.items()
            ),
            samples=tuple(watch.samples),
        )

    def _tell_past_work(self, member: Member | None, watch: Watch[GroupSample]) -> None:
        """Tell what the servers' history says of the time that was measured; asked once, at its end."""
        elapsed_s = watch.elapsed_s
        servers = (member.group.primary, member.secondary.server) if member else (self._topology.connected_to,)
        for server in servers:
            watch.tell_past_work(group_ports(self.parts.target).groups.past_readings(server, elapsed_s))

    def _run_loops(self, step: MeasureShapes, watch: Watch[GroupSample]) -> None:
        total = step.loops * len(step.shapes)
        for loop in range(step.loops):
            order = step.shapes if loop % 2 == 0 else step.shapes[::-1]
            for position, shape in enumerate(order):
                begun = loop * len(order) + position
                self._run_shape(step, shape, watch, begun / total, 1 / total)

    def _raise_if_failed_over(self, member: Member | None, error: TargetError) -> None:
        """Say that the group failed over where that is what is behind an error."""
        if member is None or isinstance(error, FailedOver):
            return
        try:
            group = group_ports(self.parts.target).groups.discover().group_named(member.group.name)
        except TargetError:
            return  # the first error tells more
        if group is not None and group.primary != member.group.primary:
            raise failed_over(member.group.name, group.primary, member.group.primary) from error

    def _settle(self, step: MeasureShapes, watch: Watch[GroupSample]) -> None:
        """Let inserts run that count for nothing, so that what was switched before is in effect."""
        if step.settle_s <= 0:
            return
        clock, shape = self.parts.target.clock, step.shapes[-1]
        until_s = clock.monotonic_s() + step.settle_s
        group_ports(self.parts.target).groups.clear_destination(step.database, self.parts.owner)
        while clock.monotonic_s() < until_s:
            self._insert(step.database, shape, _portion(shape))
            watch.tick(0.0)

    def _run_shape(
        self, step: MeasureShapes, shape: Shape, watch: Watch[GroupSample], begun: float, share: float
    ) -> None:
        """Run one loop of a shape, in portions, until it is done or its time is over."""
        group_ports(self.parts.target).groups.clear_destination(step.database, self.parts.owner)
        first = len(watch.readings)
        watch.read(lambda _now: begun)
        inserts, rows, elapsed_ms = 0, 0, 0.0
        while inserts < shape.inserts and (inserts < _LEAST_INSERTS or elapsed_ms < step.budget_s * 1000):
            done = self._insert(step.database, shape, min(_portion(shape), shape.inserts - inserts))
            inserts, rows, elapsed_ms = inserts + done.inserts, rows + done.rows, elapsed_ms + done.elapsed_ms
            watch.tick(begun + share * inserts / shape.inserts)
        watch.read(lambda _now: begun + share)
        read = tuple(watch.readings[first:])
        self.shapes.setdefault(shape, []).append((InsertLoop(inserts, rows, elapsed_ms), read))

    def _insert(self, database: str, shape: Shape, inserts: int) -> InsertLoop:
        done = group_ports(self.parts.target).groups.insert_loop(
            database, inserts, shape.rows_per_insert, self.parts.owner
        )
        if done.inserts <= 0:
            raise TargetError(_("the insert loop in {database} did nothing").format(database=database))
        return done


def _portion(shape: Shape) -> int:
    """Return how many inserts one call of the loop does."""
    return max(1, min(PORTION_INSERTS, PORTION_ROWS // shape.rows_per_insert))
