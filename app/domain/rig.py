"""The rig: the port through which a run performs its trials, and the preparations before them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from app.domain.change import Change, LeftAs
from app.domain.cost import InTrials, TrialTime
from app.domain.family import ExperimentFamily, Site
from app.domain.happening import Happening
from app.domain.measurement import Sample, TrialResult
from app.domain.plan import Plan
from app.domain.server import ServerInfo
from app.domain.step import Step
from app.domain.target import Target
from app.foundation.texts import _


class RunCancelled(Exception):
    """Raised inside the run, at its next safe point, after a cancel."""


class LimitExceeded(Exception):
    """A limit of the plan was exceeded; `str()` says which, with numbers and units."""


class WorkDone(Exception):
    """The client's own work that trials are measured on is done: the run is over, and what it measured stands."""


class Changer(Protocol):
    """Makes changes so that they can always be undone."""

    def apply(self, change: Change) -> Change:
        """Record the change, send it, read it back, and record that it holds; return it as it was made.

        Raises:
            TargetError: the server refused; the journal entry stays open and will be undone.
        """
        ...

    def take_back(self, changes: Sequence[Change]) -> None:
        """Undo changes of this run that are still open, newest first, each read back; raises TargetError."""
        ...

    def note_left(self, change: Change, how: LeftAs) -> None:
        """Record how a process whose first stop or start this change was is left: before it is changed again, or after.

        A later restore takes what it finds otherwise for somebody else's decision. Said before what brings the new
        state and after what brings the original back, so that whatever this program may have done counts as its own.
        """
        ...

    def leave(self, changes: Sequence[Change]) -> None:
        """Undo no more changes of these objects: somebody else has decided their state."""
        ...


class Control(Protocol):
    """Requests a person may make of a running experiment."""

    @property
    def is_cancelled(self) -> bool:
        """Whether a cancel was asked for."""
        ...

    def check(self) -> None:
        """Raise RunCancelled where a cancel was asked for; called between statements."""
        ...


PREVIEW_OWNER: Final = _("this session")
"""Stands in scripts that are shown before a run, in place of the session's id."""


@dataclass(frozen=True)
class RigParts:
    """The ports a rig acts through; it lives as long as its run.

    Attributes:
        owner: names what the run makes on servers, such as tables of a test load.
        kept: trials of an earlier part of the run, which are not repeated.
    """

    target: Target
    changer: Changer
    control: Control
    plan: Plan
    site: Site
    owner: str
    kept: tuple[TrialResult, ...] = ()


def _unheard(*_told: object) -> None:
    """Nobody listens."""


def _nothing_known() -> bool:
    return False


@dataclass(frozen=True)
class TrialCall:
    """One trial to be done.

    Attributes:
        seed: of its draws; the same trial run again has the same.
        expected_s: rough duration, for sampling interval and progress.
        on_step: told what is done next, for a person.
        on_samples: told the readings of each tick, with the trial's progress (0–1).
        on_left: told what a step that is not measured has still before it: a number and its unit.
        on_server_time: told the time of day a server gave, and the seconds its answer took; it is held against this
            computer's clocks.
        on_mark: told one sentence on why the trial cannot be used, though it goes on.
        on_note: told one sentence on what the run goes on without, though its trials can be used.
        on_happening: told what else ran on a server meanwhile, as often as it is noticed.
        is_spoiled: tells whether it is known by now that the trial cannot be used.
        is_confirming: a claim may rest on it; what only explores may be measured at less cost.
    """

    steps: tuple[Step, ...]
    seed: int
    expected_s: float
    on_step: Callable[[str], None]
    on_samples: Callable[[tuple[Sample, ...], float], None]
    on_left: Callable[[float, str], None] = _unheard
    on_server_time: Callable[[datetime, float], None] = _unheard
    on_mark: Callable[[str], None] = _unheard
    on_note: Callable[[str], None] = _unheard
    on_happening: Callable[[Happening], None] = _unheard
    is_spoiled: Callable[[], bool] = _nothing_known
    is_confirming: bool = False


class Rig(Protocol):
    """Does the trials of one run on one kind of subject; used by one thread."""

    def run_trial(self, call: TrialCall) -> Any:
        """Do the steps in order and return the observation of the measuring one, as the family's subject defines it.

        Every change goes through the changer, so that the run's caller can restore.

        Raises:
            RunCancelled, LimitExceeded, WorkDone, TargetError: the trial ended early.
        """
        ...

    def do(self, call: TrialCall) -> None:
        """Do steps in order of which none measures; as `run_trial` otherwise."""
        ...

    def settle(self) -> None:
        """Wait for a trial's requests under way, where it ended early, before anything is undone, cancelled or not."""
        ...

    def forget(self) -> None:
        """Start afresh after a restore: everything is as it was found."""
        ...


def _as_it_is(plan: Plan, _site: Site) -> Plan:
    return plan


def _nothing_by_field(_site: Site) -> Mapping[str, Any]:
    return {}


def _whatever_the_time(plan: Plan, _site: Site, _most_s: float) -> Plan:
    return plan


def _as_estimated(plan: Plan, family: ExperimentFamily, _site: Site) -> TrialTime:
    return TrialTime(family.estimate_trial_s(plan))


def _no_caution(_plan: Plan, _site: Site, _limit_s: float) -> str:
    return ""


def _nothing_named(_plan: Plan, _site: Site) -> tuple[str, ...]:
    return ()


def _no_backlog_of_its_own(_plan: Plan) -> InTrials | None:
    return None


def _any_is_sent(_plan: Plan) -> frozenset[str]:
    return frozenset()


def _the_site(_plan: Plan, site: Site) -> Site:
    return site


@dataclass(frozen=True)
class RigKind:
    """The program's knowledge of one kind of subject before and during a run.

    Attributes:
        make: returns the rig of a run; raises BadInput where the site lacks what the plan needs.
        planned_changes: returns the changes a run would make, each once, for the dry run; reads the target only.
        servers: returns the servers a run touches, each to be consented to.
        complete_site: returns the site with what this plan, once known, needs to have read beyond it.
        complete_plan: returns the plan with the names its load leaves open, such as that of the only group.
        site_of_plan: returns the site with the values in effect for what a plan is about, asking no server.
        suggestions: returns names found at the target, by the name of the load field they fit.
        most_of: returns the most a target has of what a load field counts, and the words for that, by the field's name.
        fitted: returns a plan with the names it leaves open, where the target has several to choose from.
        reachable: returns a plan whose trial can be over within about that time (s) at this target.
        trial_time: returns how long a trial of a plan takes at this target, by what was read of it.
        caution: returns one sentence where a limit on a trial's duration (s) would end it at this target, else "".
        measured: returns what a complete plan measures by its names, one text each, () where it has none.
        never_sent: returns the names of the target's statements that no trial of a complete plan sends.
        in_trials: returns a plan in windows on one written backlog with a backlog for each trial, None for another.
    """

    make: Callable[[RigParts], Rig]
    planned_changes: Callable[[Plan, ExperimentFamily, Site, Target], tuple[Change, ...]]
    servers: Callable[[Plan, Site], tuple[ServerInfo, ...]]
    complete_site: Callable[[Plan, Site, Target], Site]
    complete_plan: Callable[[Plan, Site], Plan] = _as_it_is
    site_of_plan: Callable[[Plan, Site], Site] = _the_site
    suggestions: Callable[[Site], Mapping[str, tuple[str, ...]]] = _nothing_by_field
    most_of: Callable[[Site], Mapping[str, tuple[int, str]]] = _nothing_by_field
    fitted: Callable[[Plan, Site], Plan] = _as_it_is
    reachable: Callable[[Plan, Site, float], Plan] = _whatever_the_time
    trial_time: Callable[[Plan, ExperimentFamily, Site], TrialTime] = _as_estimated
    caution: Callable[[Plan, Site, float], str] = _no_caution
    measured: Callable[[Plan, Site], tuple[str, ...]] = _nothing_named
    never_sent: Callable[[Plan], frozenset[str]] = _any_is_sent
    in_trials: Callable[[Plan], InTrials | None] = _no_backlog_of_its_own
