"""The designs that tell most in the time there is."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from app.analysis.most_trials import may_settle
from app.domain.family import ExperimentFamily, Site
from app.domain.limits import RUN_DURATION
from app.domain.plan import FEWEST_WINDOW_PAIRS, MOST_WINDOW_PAIRS, Design, Factor, Plan, Stop
from app.domain.response import HasResponse
from app.domain.setting import EMPTY_SETTING, Setting, Value
from app.services.plan.plan_outlook import PlanOutlook, plan_outlook

_LEAST_BLOCKS: Final = 2  # one block alone tells no noise, so neither what is better nor what is worth confirming
_USUAL_BLOCKS: Final = Design().blocks
_USUAL_SETTLING: Final = Design().settling_trials
_MOST_DESIGNS: Final = 4
_AMPLE_S: Final = 1e9  # of time: more than anybody plans for


@dataclass(frozen=True)
class TimedPlan:
    """A plan with its numbers of blocks chosen for a time.

    Attributes:
        fits: whether it is expected to end within the time with every trial that may follow; else this is the
            shortest design that can tell anything.
        without: the value that is not tried any more, by its parameter; empty where all are.
    """

    plan: Plan
    outlook: PlanOutlook
    fits: bool
    without: Setting = EMPTY_SETTING

    @property
    def all_s(self) -> float:
        """How long it is expected to take where every trial is run that may follow."""
        return self.outlook.all_s


@dataclass(frozen=True)
class TimedPlans:
    """The designs that fit into a time.

    Attributes:
        designs: those that fit, the one that tells most first; four at most, () where none does.
        shortest: the shortest that can tell anything.
        enough: the shortest that shows the plan's smallest effect, None where one that fits does, or none would.
    """

    designs: tuple[TimedPlan, ...]
    shortest: TimedPlan
    enough: TimedPlan | None


def plans_for_time(plan: Plan, family: ExperimentFamily, time_s: float, site: Site | None = None) -> TimedPlans:
    """Return the designs of a plan that fit into a time, further blocks counted; their runs end there in any case.

    Confirming blocks carry the claim: as many are taken as show the plan's smallest effect, or as there is time for,
    beside each number of exploring blocks. Exploring blocks are given up only where that shows more, and a value only
    where it shows more than all designs that try every value.

    Args:
        site: what was read of the target, None where nothing was.
    """
    if any(field.name == RUN_DURATION.name for field in family.limit_fields):
        plan = replace(plan, limits=plan.limits.but(run_duration_s=time_s))
    whole = list(_designs(plan, family, time_s, site))
    designs = sorted((one for one in whole if one.fits), key=_worth)
    if designs and _shows_enough(designs[0]):
        return TimedPlans(tuple(designs[:_MOST_DESIGNS]), min(whole, key=_length), None)
    fewer = [
        replace(one, without=without)
        for made, without in _with_a_value_less(plan, family)
        for one in _designs(made, family, time_s, site)
    ]
    telling = sorted((one for one in fewer if one.fits), key=_worth)
    better = [one for one in telling if not designs or _shown(one) < _shown(designs[0])]
    kept = designs[: _MOST_DESIGNS - min(len(better), _MOST_DESIGNS // 2)]
    fitting = sorted((*kept, *better[: _MOST_DESIGNS - len(kept)]), key=_worth)
    return TimedPlans(
        designs=tuple(fitting),
        shortest=min((*whole, *fewer), key=_length),
        enough=None if fitting and _shows_enough(fitting[0]) else _enough(plan, family, site),
    )


class Instead(StrEnum):
    """The change of a plan of which no design fits into the time there is."""

    MODEL = "model"
    SMALLER = "smaller"
    BOTH = "both"


def plans_otherwise(
    plan: Plan, family: ExperimentFamily, time_s: float, site: Site | None = None
) -> tuple[tuple[Instead, TimedPlan], ...]:
    """Return a fitting design of each change that makes a plan shorter: a model that guides it, a smaller workload.

    A model is offered where the family has a curve, as `plan_ways` does. The smaller workload is that of a quick look;
    the client's own work is as large as it is.
    """
    guided = replace(plan, design=replace(plan.design, stop=Stop.MODEL))
    changed = [] if plan.design.is_windowed else [(Instead.SMALLER, _with_less_work(plan, family))]
    if isinstance(family, HasResponse) and not family.compares_all and plan.design.stop is not Stop.MODEL:
        both = [(Instead.BOTH, _with_less_work(guided, family))] if changed else []
        changed = [(Instead.MODEL, guided), *changed, *both]
    made = [(instead, plans_for_time(each, family, time_s, site).designs) for instead, each in changed if each != plan]
    return tuple((instead, designs[0]) for instead, designs in made if designs)


def _with_less_work(plan: Plan, family: ExperimentFamily) -> Plan:
    less = {
        field.name: field.quick
        for field in family.load_fields
        if isinstance(field.quick, int | float)
        and isinstance(now := plan.load.get(field.name), int | float)
        and field.quick < now
    }
    return replace(plan, load=plan.load.but(**less)) if less else plan


def _enough(plan: Plan, family: ExperimentFamily, site: Site | None) -> TimedPlan | None:
    """Return the shortest design that shows the plan's smallest effect."""
    ample = _designs(plan, family, _AMPLE_S, site)
    showing = (one for one in ample if one.outlook.confirm_blocks_needed is not None and _shows_enough(one))
    return min(showing, key=_length, default=None)


def _designs(plan: Plan, family: ExperimentFamily, time_s: float, site: Site | None) -> Iterator[TimedPlan]:
    """Return the best of each number of blocks that explore, or the one whose every block compares all settings."""
    if family.compares_all:
        yield _comparing(plan, family, time_s, site)
        return
    made = set[tuple[int, int]]()
    for blocks in range(max(plan.design.blocks, _USUAL_BLOCKS), _LEAST_BLOCKS - 1, -1):
        timed = _confirming(plan, family, blocks, time_s, site)
        trials = timed.outlook.trials, timed.plan.design.confirm_blocks
        if trials not in made:  # a model explores no more often in more blocks, beyond some number of settings
            made.add(trials)
            yield timed


def _with_a_value_less(plan: Plan, family: ExperimentFamily) -> Iterator[tuple[Plan, Setting]]:
    """Return the plan without the value of each parameter that its neighbours tell most about.

    Of numbers alone: of words none lies between two others. The first, the last and the baseline stay.
    """
    by_name = {parameter.name: parameter for parameter in family.parameters}
    for factor in plan.factors:
        numbers = sorted(level for level in factor.levels if not isinstance(level, str))
        if by_name[factor.name].choices or len(numbers) < 3:
            continue
        between = [
            (math.log1p(high) - math.log1p(low), level)
            for low, level, high in zip(numbers, numbers[1:], numbers[2:], strict=False)
            if level != plan.baseline.get(factor.name)
        ]
        if between:
            left_out = min(between)[1]
            factors = tuple(_without(each, factor.name, left_out) for each in plan.factors)
            yield replace(plan, factors=factors), Setting.from_mapping({factor.name: left_out})


def _without(factor: Factor, name: str, value: Value) -> Factor:
    return replace(factor, levels=tuple(one for one in factor.levels if factor.name != name or one != value))


def _comparing(plan: Plan, family: ExperimentFamily, time_s: float, site: Site | None) -> TimedPlan:
    """Return the plan whose every block compares all settings."""
    outlook = plan_outlook(plan, family, site)
    room = int(time_s / (outlook.settings * outlook.trial_s))
    blocks = max(_LEAST_BLOCKS, min(outlook.confirm_blocks_needed or room, room))
    return _timed(plan, replace(plan.design, blocks=blocks), family, time_s, site)


def _confirming(plan: Plan, family: ExperimentFamily, blocks: int, time_s: float, site: Site | None) -> TimedPlan:
    """Return the plan with as many confirming blocks as are needed, or as there is time for."""
    outlook = plan_outlook(replace(plan, design=replace(plan.design, blocks=blocks)), family, site)
    exploring = outlook.trials - 2 * plan.design.confirm_blocks
    room = (time_s / outlook.trial_s - exploring) / 2  # for pairs of trials
    fewest, many = (FEWEST_WINDOW_PAIRS, MOST_WINDOW_PAIRS) if plan.design.is_windowed else (1, int(room))
    most = max(fewest, min(outlook.confirm_blocks_needed or many, many, int(room)))
    counts = (_with_pairs(plan.design, blocks, count) for count in range(most, fewest - 1, -1))
    least = _with_pairs(plan.design, blocks, fewest)
    design = next((one for one in counts if one.most_confirm_blocks <= room), least)
    left = int(time_s / outlook.trial_s) - exploring - 2 * design.most_confirm_blocks
    settling = max(0, min(_USUAL_SETTLING, left)) if may_settle(plan, family.parameters) else _USUAL_SETTLING
    return _timed(plan, replace(design, settling_trials=settling), family, time_s, site)


def _with_pairs(design: Design, blocks: int, count: int) -> Design:
    """Return a design with so many exploring blocks and confirming pairs, of windows the most there may be."""
    if design.is_windowed:
        return replace(design, blocks=blocks, confirm_blocks=FEWEST_WINDOW_PAIRS, most_pairs=count)
    return replace(design, blocks=blocks, confirm_blocks=count)


def _timed(plan: Plan, design: Design, family: ExperimentFamily, time_s: float, site: Site | None) -> TimedPlan:
    made = replace(plan, design=design)
    outlook = plan_outlook(made, family, site)
    return TimedPlan(made, outlook, outlook.all_s <= time_s)


def _shows_enough(timed: TimedPlan) -> bool:
    shown = timed.outlook.shown_effect
    return shown is not None and shown <= timed.plan.design.minimum_effect


def _length(timed: TimedPlan) -> float:
    return timed.all_s


def _shown(timed: TimedPlan) -> float:
    """Return the effect a design shows; one below the plan's smallest effect is worth no more."""
    shown = timed.outlook.shown_effect
    return math.inf if shown is None else max(shown, timed.plan.design.minimum_effect)


def _worth(timed: TimedPlan) -> tuple[float, bool, int, float]:
    """Order designs by the effect they show; of equal ones first those that try more values, more often, in less
    time."""
    return _shown(timed), bool(timed.without), -timed.plan.design.blocks, timed.all_s
