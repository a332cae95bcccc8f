"""One rig for every system: it does the steps of a trial, and lists the changes of a plan's steps."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from app.analysis.plan_settings import plan_settings
from app.domain.change import Change
from app.domain.family import ExperimentFamily, Site, SiteOf
from app.domain.limits import LimitField
from app.domain.plan import Plan
from app.domain.rig import PREVIEW_OWNER, RigKind, RigParts, TrialCall
from app.domain.server import ServerInfo
from app.domain.step import Step
from app.domain.target import Target
from app.runner.bench.switchboard import Switchboard
from app.runner.bench.watch import TrialReading, Watch
from app.runner.limits import tell_log_unwatched
from app.runner.skipped import SkippedReadings


class Kept(Protocol):
    """State that the steps of a run keep from one trial to the next; made when it is first asked for."""

    def forget(self) -> None:
        """Start afresh after a restore: everything is as it was found."""
        ...


M = TypeVar("M")
K = TypeVar("K", bound=Kept)
T = TypeVar("T")
R = TypeVar("R", bound=TrialReading)
W = TypeVar("W")


@dataclass(frozen=True)
class Bench(Generic[M]):
    """The target and members that the steps of a plan work on.

    Attributes:
        members: who takes part in it, as its system chooses them.
        owner: names what is made on servers.
        varied: parameters that trials change in between, where all of a plan is looked at; else none.
    """

    target: Target
    plan: Plan
    site: Site
    owner: str
    members: M
    varied: frozenset[str] = frozenset()


class BenchStep(Generic[M]):
    """A step that a `StepRig` does; its fields are what a family decides.

    What it changes at servers it takes from `changes`, so that a dry run lists what a trial does.
    """

    @property
    def joins(self) -> bool:
        """What it changes may be asked for together with that of the steps around it (`domain.target.Asking`): it reads
        nothing that must show it before a process is started."""
        return False

    def describe(self) -> str:
        """Describe the step for a person."""
        raise NotImplementedError  # no two steps read alike, so there is no default

    def changes(self, _at: Bench[M]) -> Iterable[Change]:
        """Return the changes the step makes in the present state."""
        return ()

    def do(self, rig: "StepRig[M]") -> Any:
        """Do the step, and return its observation if it is the measuring one.

        Raises:
            RunCancelled, LimitExceeded, TargetError: the trial must end.
        """
        raise NotImplementedError  # a step that did nothing by default would be missed by nobody


class StepRig(Generic[M]):
    """Does the trials of one run, step by step, and gives its steps their ports.

    Attributes:
        board: what the run has changed.
        call: the trial that is done.
        skipped: its readings that a server could not answer.
        refused: names of optional readings that this login may not do; left out for the rest of the run.
        await_arrival: waits for what a trial has under way, None where nothing is that must arrive.
    """

    call: TrialCall
    skipped: SkippedReadings
    await_arrival: Callable[[], None] | None = None

    def __init__(self, parts: RigParts, members: M, bench: "Workbench[M]") -> None:
        self.parts = parts
        self._bench = bench
        self.at = Bench(parts.target, parts.plan, parts.site, parts.owner, members)
        self.board = Switchboard(parts.changer, parts.target.asking)
        self.refused: set[str] = set()
        self._kept: dict[type[Any], Any] = {}
        self._of_trial: dict[Any, Any] = {}

    def run_trial(self, call: TrialCall) -> Any:
        """Do the steps in order and return the observation of the measuring one; raises as `Rig`."""
        return self._begun(call, lambda: self._bench.end(self, self._do_measuring()))

    def do(self, call: TrialCall) -> None:
        """Do steps in order of which none measures; raises as `Rig`."""
        self._begun(call, self._do_steps)

    def _begun(self, call: TrialCall, work: Callable[[], W]) -> W:
        self.call, self.skipped = call, SkippedReadings()
        self._of_trial.clear()
        self._bench.begin(self)
        try:
            return work()
        finally:
            self.skipped.tell(call.on_note)

    def settle(self) -> None:
        """Wait for the requests under way of a trial that ended early."""
        await_arrival, self.await_arrival = self.await_arrival, None
        if await_arrival is not None:
            await_arrival()

    def forget(self) -> None:
        """Start afresh after a restore."""
        self.board.forget()
        for kept in self._kept.values():
            kept.forget()

    def kept(self, kind: type[K], make: Callable[[], K] | None = None) -> K:
        """Return the run's state of a kind, made when it is first asked for."""
        if kind not in self._kept:
            self._kept[kind] = (make or kind)()
        found: K = self._kept[kind]
        return found

    def of_trial(self, kind: "Callable[[StepRig[M]], T]") -> T:
        """Return the present trial's state of a kind, made of this rig when it is first asked for."""
        if kind not in self._of_trial:
            self._of_trial[kind] = kind(self)
        found: T = self._of_trial[kind]
        return found

    def watch(
        self,
        limits: Sequence[LimitField],
        sample: Callable[[], R],
        check: Callable[[R | None, R], None],
        unread: Mapping[str, Callable[[], None]],
    ) -> Watch[R]:
        """Return the watch of the present trial; arguments as of `Watch`."""
        return Watch(self.parts, self.call, limits, sample, check, unread, self.refused, self.skipped)

    def log_unwatched(self, database: str, server: str) -> Callable[[], None]:
        """Return a function that tells once in a run that no counter says how full a database's log is, for `unread` of
        a watch."""
        names = [f"{database} ({server})"]
        return partial(tell_log_unwatched, self.at.plan.limits, names, self.refused, self.call.on_note)

    def _do_steps(self) -> list[Any]:
        measured, asking = [], self.at.target.asking
        try:
            for step in map(_bench_step, self.call.steps):
                self.parts.control.check()
                asking.begin(joins=step.joins)
                self.call.on_step(step.describe())
                if (shown := step.do(self)) is not None:
                    measured.append(shown)
            asking.settle()
        finally:
            asking.drop()
        return measured

    def _do_measuring(self) -> Any:
        measured = self._do_steps()
        if len(measured) != 1:
            raise ValueError("a trial needs exactly one measuring step")
        return measured[0]


def _at_once(_rig: StepRig[Any]) -> None:
    """Begin without a look."""


def _as_measured(_rig: StepRig[Any], seen: Any) -> Any:
    return seen


@dataclass(frozen=True)
class Workbench(Generic[M]):
    """The ports of a system whose steps are `BenchStep`s, for its `RigKind`.

    Attributes:
        choose: returns who takes part in a plan; raises BadInput where the site lacks what it needs.
        begin: looks whether a trial may begin; raises TargetError.
        end: returns what a trial showed, once its steps are done, from what the measuring one showed.
    """

    choose: Callable[[Plan, Site], M]
    begin: Callable[[StepRig[M]], None] = _at_once
    end: Callable[[StepRig[M], Any], Any] = _as_measured

    def make(self, parts: RigParts) -> StepRig[M]:
        """Return the rig of a run; raises BadInput."""
        return StepRig(parts, self.choose(parts.plan, parts.site), self)

    def planned_changes(self, plan: Plan, family: ExperimentFamily, site: Site, target: Target) -> tuple[Change, ...]:
        """Return the changes of every setting, each once, as seen from the present state."""
        settings = plan_settings(plan, family.parameters)
        varied = frozenset(name for name, _value in settings[0].items() if len({s.get(name) for s in settings}) > 1)
        at = Bench(target, plan, site, PREVIEW_OWNER, self.choose(plan, site), varied)
        steps = dict.fromkeys(step for setting in settings for step in family.trial_steps(plan, setting))
        changes = [change for step in steps for change in _bench_step(step).changes(at)]
        return tuple({(change.kind, change.subject, change.new): change for change in changes}.values())

    def complete_site(self, plan: Plan, site: Site, _target: Target) -> Site:
        """Return the site as it is, once it has what the plan needs; raises BadInput."""
        self.choose(plan, site)
        return site


def rig_of_steps() -> RigKind:
    """Return the kind of rig of a system whose whole topology takes part in every plan."""
    bench: Workbench[None] = Workbench(lambda _plan, _site: None)
    return RigKind(bench.make, bench.planned_changes, _servers_found, bench.complete_site)


def _servers_found(_plan: Plan, site: Site) -> tuple[ServerInfo, ...]:
    servers: tuple[ServerInfo, ...] = site.topology.servers if isinstance(site, SiteOf) else ()
    return servers


def _bench_step(step: Step) -> BenchStep[Any]:
    if not isinstance(step, BenchStep):
        raise ValueError(f"no step that can be done here: {step}")
    return step
