"""The design that tells most in the time there is."""

from dataclasses import dataclass, replace
from typing import Final

from app.domain.family import ExperimentFamily
from app.domain.plan import Design, Plan
from app.services.plan.plan_outlook import PlanOutlook, plan_outlook

_LEAST_BLOCKS: Final = 2  # one block alone tells no noise, so neither what is better nor what is worth confirming


@dataclass(frozen=True)
class TimedPlan:
    """A plan with its numbers of blocks chosen for a time.

    Attributes:
        longest_s: how long it takes where every further confirming block is run.
        fits: whether that is within the time; else this is the shortest design that can tell anything.
    """

    plan: Plan
    outlook: PlanOutlook
    longest_s: float
    fits: bool


def plan_for_time(plan: Plan, family: ExperimentFamily, time_s: float) -> TimedPlan:
    """Return the plan with the numbers of blocks that show most within a time, further blocks counted.

    Confirming blocks carry the claim: as many are taken as show the plan's smallest effect, or as there is time for.
    Exploring blocks are given up only where they leave too little time for that.
    """
    if family.compares_all:
        return _comparing(plan, family, time_s)
    chosen: TimedPlan | None = None
    for blocks in range(max(plan.design.blocks, _LEAST_BLOCKS), _LEAST_BLOCKS - 1, -1):
        timed = _confirming(plan, family, blocks, time_s)
        if chosen is None or _worth(timed) > _worth(chosen):
            chosen = timed
        if _shows_enough(timed):
            break
    assert chosen is not None  # there is at least one number of exploring blocks
    return chosen


def _comparing(plan: Plan, family: ExperimentFamily, time_s: float) -> TimedPlan:
    """Return the plan whose every block compares all settings."""
    outlook = plan_outlook(plan, family)
    room = int(time_s / (outlook.settings * outlook.trial_s))
    blocks = max(_LEAST_BLOCKS, min(outlook.confirm_blocks_needed or room, room))
    return _timed(plan, replace(plan.design, blocks=blocks), family, time_s, further=0)


def _confirming(plan: Plan, family: ExperimentFamily, blocks: int, time_s: float) -> TimedPlan:
    """Return the plan with as many confirming blocks as are needed, or as there is time for."""
    outlook = plan_outlook(replace(plan, design=replace(plan.design, blocks=blocks)), family)
    pairs_of_trials = (time_s / outlook.trial_s - outlook.settings * blocks) / 2
    needed = outlook.confirm_blocks_needed or max(1, int(pairs_of_trials))
    designs = [replace(plan.design, blocks=blocks, confirm_blocks=count) for count in range(needed, 0, -1)]
    design = next((one for one in designs if one.confirm_blocks + _further(one) <= pairs_of_trials), designs[-1])
    return _timed(plan, design, family, time_s, further=_further(design))


def _further(design: Design) -> int:
    """Return how many confirming blocks may be added; none where the noise was stated."""
    return 0 if design.noise_cv is not None else design.most_confirm_blocks - design.confirm_blocks


def _timed(plan: Plan, design: Design, family: ExperimentFamily, time_s: float, *, further: int) -> TimedPlan:
    made = replace(plan, design=design)
    outlook = plan_outlook(made, family)
    longest_s = outlook.duration_s + 2 * further * outlook.trial_s
    return TimedPlan(made, outlook, longest_s, longest_s <= time_s)


def _shows_enough(timed: TimedPlan) -> bool:
    shown = timed.outlook.shown_effect
    return timed.fits and shown is not None and shown <= timed.plan.design.minimum_effect


def _worth(timed: TimedPlan) -> tuple[bool, float]:
    """Order plans: those that fit before others, by what they show; where none fits, by how short they are."""
    if not timed.fits:
        return False, -timed.longest_s
    shown = timed.outlook.shown_effect
    return True, -shown if shown is not None else float("-inf")
