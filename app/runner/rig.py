"""What a run needs of the subject it experiments on: one rig for each, picked by the family's subject."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from app.domain.change import Change
from app.domain.family import ExperimentFamily, Site
from app.domain.measurement import Sample
from app.domain.plan import Plan
from app.domain.ports import Target
from app.domain.steps import Step
from app.domain.topology import ServerInfo
from app.foundation.texts import _
from app.runner.control import RunControl
from app.runner.undo import SafeChanger

PREVIEW_OWNER: Final = _("this session")
"""Stands in scripts that are shown before a run, in place of the session's id."""


@dataclass(frozen=True)
class RigParts:
    """What a rig acts with; it lives as long as its run.

    Attributes:
        owner: names what the run makes on servers, such as dedicated agent profiles.
    """

    target: Target
    changer: SafeChanger
    control: RunControl
    plan: Plan
    site: Site
    owner: str


@dataclass(frozen=True)
class TrialCall:
    """One trial to be done.

    Attributes:
        seed: of its draws; the same trial run again has the same.
        expected_s: rough duration, for sampling interval and progress.
        on_step: told what is done next, for a person.
        on_samples: told the readings of each tick, with the trial's progress (0–1).
    """

    steps: tuple[Step, ...]
    seed: int
    expected_s: float
    on_step: Callable[[str], None]
    on_samples: Callable[[tuple[Sample, ...], float], None]


class Rig(Protocol):
    """Does the trials of one run on one kind of subject; used by one thread."""

    def run_trial(self, call: TrialCall) -> Any:
        """Do the steps in order and return what the measuring one showed, as the family's subject defines it.

        Every change goes through the changer, so that the run's caller can restore.

        Raises:
            RunCancelled, LimitExceeded, TargetError: the trial ended early.
        """
        ...

    def forget(self) -> None:
        """Start afresh after a restore: everything is as it was found."""
        ...


def _as_it_is(plan: Plan, _site: Site) -> Plan:
    return plan


@dataclass(frozen=True)
class RigKind:
    """What the program knows of one kind of subject before and during a run.

    Attributes:
        make: returns the rig of a run; raises BadInput where the site lacks what the plan needs.
        planned_changes: returns the changes a run would make, each once, for the dry run; reads the target only.
        servers: returns the servers a run touches, each to be consented to.
        complete_site: returns the site with what this plan, once known, needs to have read beyond it.
        complete_plan: returns the plan with the names its load leaves open, such as that of the only group.
    """

    make: Callable[[RigParts], Rig]
    planned_changes: Callable[[Plan, ExperimentFamily, Site, Target], tuple[Change, ...]]
    servers: Callable[[Plan, Site], tuple[ServerInfo, ...]]
    complete_site: Callable[[Plan, Site, Target], Site]
    complete_plan: Callable[[Plan, Site], Plan] = _as_it_is
