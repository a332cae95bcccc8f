"""The trials a plan comes to, in the order they would run, as far as it is known before anything is measured.

The dry run shows them as a table, the plan page as a picture in time, where only those that will run are drawn as
certain.
"""

from dataclasses import dataclass

from app.analysis.order import block_order
from app.analysis.plan_settings import plan_settings
from app.analysis.response.guided import most_exploring
from app.domain.family import ExperimentFamily
from app.domain.plan import Phase, Plan, Stop
from app.domain.setting import effective_setting
from app.foundation.texts import _


@dataclass(frozen=True)
class PlannedTrial:
    """One trial as far as it is known before anything is measured.

    Attributes:
        setting: its label; where `is_open`, the words for which one it will be.
        is_open: which setting it runs turns out in the run.
    """

    block: int
    phase: Phase
    setting: str
    is_open: bool = False


def the_winner() -> str:
    """Return the placeholder for a setting that is to be confirmed and not known yet."""
    return _("the winner")


def planned_trials(plan: Plan, family: ExperimentFamily, least_confirm_blocks: int = 0) -> tuple[PlannedTrial, ...]:
    """Return the trials of a plan in order; where it may end earlier, the most there may be.

    Which of the two a confirming block begins with is drawn when the winner is known.

    Args:
        plan: with the baseline in effect.
        least_confirm_blocks: confirming blocks there are to be at least, where a complete run confirms further.
    """
    design = plan.design
    settings = plan_settings(plan, family.parameters)
    baseline = effective_setting(plan.baseline, family.parameters)
    phase = Phase.CONFIRM if family.compares_all else Phase.EXPLORE
    if design.stop is Stop.MODEL and not family.compares_all:
        trials = [PlannedTrial(1, phase, baseline.label())]
        learns = PlannedTrial(1, phase, _("what the model learns most from"), is_open=True)
        trials += [learns] * (most_exploring(plan, family.parameters) - 1)
    else:
        labels = {setting: setting.label() for setting in (*settings, baseline)}
        trials = [
            PlannedTrial(block, phase, labels[setting])
            for block in range(1, design.blocks + 1)
            for setting in block_order(settings, baseline, block, design.seed)
        ]
    if family.compares_all:
        return tuple(trials)
    return (*trials, *_confirming(baseline.label(), trials[-1].block, max(design.confirm_blocks, least_confirm_blocks)))


def _confirming(baseline: str, last: int, blocks: int) -> list[PlannedTrial]:
    """Return the trials of confirming blocks after the last block that explores."""
    made: list[PlannedTrial] = []
    for number in range(1, blocks + 1):
        pair = [
            PlannedTrial(last + number, Phase.CONFIRM, the_winner(), is_open=True),
            PlannedTrial(last + number, Phase.CONFIRM, baseline),
        ]
        made += pair if number % 2 else reversed(pair)
    return made
