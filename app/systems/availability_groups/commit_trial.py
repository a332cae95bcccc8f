"""Measuring the shapes of one commit-mode trial, and its observation."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.domain.errors import FailedOver, TargetError
from app.domain.limits import LOG_USED
from app.domain.measurement import Sample
from app.foundation.texts import _
from app.runner.bench.rig import BenchStep, StepRig
from app.runner.bench.watch import Watch
from app.systems.availability_groups.commit_members import Member, Members, group_site, major_version
from app.systems.availability_groups.disturbances import RunStarts, Undisturbed, failed_over
from app.systems.availability_groups.groups import CommitMode, InsertLoop
from app.systems.availability_groups.offer import group_ports
from app.systems.availability_groups.readings import COMMIT_DELAY, COMMIT_LIMITS, GroupSample
from app.systems.availability_groups.server import SqlServerGroups

# One call of the insert loop does at most this much, so that cancel is never far: about a second of bulk inserts, a few
# seconds of single ones.
PORTION_ROWS = 100_000
PORTION_INSERTS = 2_000
# Share of a shape that one loop must at least run of a stopped one: a single insert.
_LEAST_INSERTS = 1


@dataclass(frozen=True)
class Shape:
    """One shape of the workload: inserts, each its own transaction, of so many rows each."""

    inserts: int
    rows_per_insert: int


@dataclass(frozen=True)
class MeasureShapes(BenchStep[Members]):
    """Run the shapes in turn, loop after loop, and time them at the server.

    Attributes:
        loops: how often each shape is run; every other loop goes through them backwards.
        budget_s: time for one shape in one loop; of a longer one the inserts done by then count, and its run time is
            theirs × inserts of the shape / inserts done.
        settle_s: inserts that are not timed come first, so that a change of compression is in effect.
    """

    database: str
    mode: CommitMode
    shapes: tuple[Shape, ...]
    loops: int
    budget_s: float
    settle_s: float

    def describe(self) -> str:
        """Describe the step for a person."""
        words = _("Measure {shapes} workload shapes in {database}, {loops} loops each")
        if self.loops == 1:
            words = _("Measure {shapes} workload shapes in {database}, 1 loop each")
        return words.format(shapes=len(self.shapes), database=self.database, loops=self.loops)

    def do(self, rig: StepRig[Members]) -> "CommitObservation":
        """Run them; raises FailedOver where that is the reason of an error."""
        return _Measuring(self.database, rig, rig.at.members.of(self.database), step=self).run()


@dataclass(frozen=True)
class ShapeObservation:
    """The observation of one shape: each loop, and the readings from its beginning to its end."""

    shape: Shape
    loops: tuple[InsertLoop, ...]
    readings: tuple[tuple[GroupSample, ...], ...]


@dataclass(frozen=True)
class CommitObservation:
    """The observation of a commit-mode trial, before its family makes measures of it.

    Attributes:
        mode: of the arm. is_synchronized: at the end of a synchronous trial every reading said SYNCHRONIZED.
        major: major version of the primary.
        samples: time series at the sampling interval.
        traffic: readings of a window on the client's own load behind its settling, () where shapes were written.
    """

    mode: CommitMode
    major: int
    is_synchronized: bool
    shapes: tuple[ShapeObservation, ...]
    samples: tuple[Sample, ...]
    traffic: tuple[GroupSample, ...] = ()


@dataclass
class Measuring:
    """One trial whose database is read at an interval.

    Attributes:
        database: under test. member: it in its group, None where it is in none.
    """

    database: str
    rig: StepRig[Members]
    member: Member | None
    watch: Watch[GroupSample] = field(init=False, kw_only=True)

    def __post_init__(self) -> None:
        member, database, groups = self.member, self.database, self._groups
        group, primary, secondary = (
            (member.group.name, member.group.primary, member.secondary.server) if member else ("", "", "")
        )
        undisturbed = Undisturbed(self.rig.kept(RunStarts), database, group, primary, secondary)
        unread = {LOG_USED.name: self.rig.log_unwatched(database, self._server)}
        if member:
            unread[COMMIT_DELAY.name] = self._tell_delay_unwatched
        self.watch = self.rig.watch(
            COMMIT_LIMITS, lambda: groups.sample(group, database), undisturbed.check_commits, unread
        )

    @property
    def _groups(self) -> SqlServerGroups:
        return group_ports(self.rig.at.target).groups

    @property
    def _server(self) -> str:
        return group_site(self.rig.at.site).topology.connected_to

    def _tell_delay_unwatched(self) -> None:
        """Say once in a run that no counter tells how long commits wait, where the plan limits that."""
        limit, counter = self.rig.at.plan.limits.get(COMMIT_DELAY.name), "Transaction Delay"
        if limit is None or counter in self.rig.refused:
            return
        self.rig.refused.add(counter)
        self.rig.call.on_note(
            _(
                "the limit of {limit:g} ms mean commit delay is not watched: no counter at {server} tells it; watch it "
                "by hand"
            ).format(limit=limit, server=self._server)
        )

    def is_synchronized(self, samples: Sequence[GroupSample]) -> bool:
        """Tell whether the secondary under test was SYNCHRONIZED in each reading; another one may be off."""
        own = "" if self.member is None else self.member.secondary.server
        readings = (reading for sample in samples for reading in sample.readings if reading.server == own)
        return all(reading.synchronization_state == "SYNCHRONIZED" for reading in readings)

    def tell_past_work(self) -> None:
        """Report the work that the servers' history shows for the measured time; asked once, at its end."""
        elapsed_s, member = self.watch.elapsed_s, self.member
        servers = (member.group.primary, member.secondary.server) if member else (self._server,)
        for server in servers:
            self.watch.tell_past_work(self._groups.past_readings(server, elapsed_s))

    def raise_if_failed_over(self, error: TargetError) -> None:
        """Raise FailedOver where that is the reason of an error."""
        member = self.member
        if member is None or isinstance(error, FailedOver):
            return
        try:
            group = self._groups.discover().group_named(member.group.name)
        except TargetError:
            return  # the first error tells more
        if group is not None and group.primary != member.group.primary:
            raise failed_over(member.group.name, group.primary, member.group.primary) from error


@dataclass
class _Measuring(Measuring):
    """One trial that measures shapes."""

    step: MeasureShapes = field(kw_only=True)
    shapes: dict[Shape, list[tuple[InsertLoop, tuple[GroupSample, ...]]]] = field(default_factory=dict, kw_only=True)

    def run(self) -> CommitObservation:
        """Settle, run every shape, and return the observation."""
        watch = self.watch
        try:
            watch.read(lambda _now: 0.0)
            self._settle()
            self._run_loops()
            self.tell_past_work()
        except TargetError as error:
            self.raise_if_failed_over(error)
            raise
        return CommitObservation(
            mode=self.step.mode,
            major=major_version(group_site(self.rig.at.site).topology),
            is_synchronized=self.is_synchronized(watch.readings[-1:]),
            shapes=tuple(
                ShapeObservation(shape, tuple(loop for loop, _read in done), tuple(read for _loop, read in done))
                for shape, done in self.shapes.items()
            ),
            samples=tuple(watch.samples),
        )

    def _run_loops(self) -> None:
        step = self.step
        total = step.loops * len(step.shapes)
        for loop in range(step.loops):
            order = step.shapes if loop % 2 == 0 else step.shapes[::-1]
            for position, shape in enumerate(order):
                begun = loop * len(order) + position
                self._run_shape(shape, begun / total, 1 / total)

    def _settle(self) -> None:
        """Run inserts that are not counted, so that the switched mode is in effect."""
        step = self.step
        if step.settle_s <= 0:
            return
        clock, shape = self.rig.at.target.clock, step.shapes[-1]
        until_s = clock.monotonic_s() + step.settle_s
        self._groups.clear_destination(step.database, self.rig.at.owner)
        while clock.monotonic_s() < until_s:
            self._insert(shape, _portion(shape))
            self.watch.tick(0.0)

    def _run_shape(self, shape: Shape, begun: float, share: float) -> None:
        """Run one loop of a shape, in portions, until it is done or its time is over."""
        step, watch = self.step, self.watch
        self._groups.clear_destination(step.database, self.rig.at.owner)
        first = len(watch.readings)
        watch.read(lambda _now: begun)
        inserts, rows, elapsed_ms = 0, 0, 0.0
        while inserts < shape.inserts and (inserts < _LEAST_INSERTS or elapsed_ms < step.budget_s * 1000):
            done = self._insert(shape, min(_portion(shape), shape.inserts - inserts))
            inserts, rows, elapsed_ms = inserts + done.inserts, rows + done.rows, elapsed_ms + done.elapsed_ms
            watch.tick(begun + share * inserts / shape.inserts)
        watch.read(lambda _now: begun + share)
        read = tuple(watch.readings[first:])
        self.shapes.setdefault(shape, []).append((InsertLoop(inserts, rows, elapsed_ms), read))

    def _insert(self, shape: Shape, inserts: int) -> InsertLoop:
        database = self.step.database
        done = self._groups.insert_loop(database, inserts, shape.rows_per_insert, self.rig.at.owner)
        if done.inserts <= 0:
            raise TargetError(_("the insert loop in {database} did nothing").format(database=database))
        return done


def _portion(shape: Shape) -> int:
    """Return how many inserts one call of the loop does."""
    return max(1, min(PORTION_INSERTS, PORTION_ROWS // shape.rows_per_insert))
