"""The largest number of trials of a plan: the source of every "up to" told before a run, and where the run stops."""

from collections.abc import Sequence

from app.analysis.plan_settings import plan_settings
from app.analysis.response.guided import most_exploring
from app.analysis.simplest import costly_of
from app.domain.measurement import TrialResult
from app.domain.plan import Phase, Plan, Stop
from app.domain.setting import Parameter


def most_trials(
    plan: Plan, parameters: Sequence[Parameter], *, compares_all: bool, done: Sequence[TrialResult] = ()
) -> int:
    """Return how many trials a run of a plan has at the very most, those of earlier parts included.

    All blocks that explore, those that settle which setting is the simplest good one, and all confirming blocks the
    plan allows. Exploring that goes on behind a refuted model stays within the exploring trials; see `Guide`. Where no
    model guides it, nothing explores any more once something is confirmed.

    Args:
        compares_all: nothing is explored; every block holds every setting.
        done: trials that ended by themselves.
    """
    design = plan.design
    settings = len(plan_settings(plan, parameters))
    if compares_all:
        return settings * design.blocks
    confirming = 2 * design.most_confirm_blocks
    if design.stop is Stop.MODEL:
        return most_exploring(plan, parameters) + confirming
    explored = [trial for trial in done if trial.phase is Phase.EXPLORE]
    if len(explored) < len(done):
        return len(explored) + confirming
    settling = design.settling_trials if may_settle(plan, parameters) else 0
    return settings * design.blocks + settling + confirming


def may_settle(plan: Plan, parameters: Sequence[Parameter]) -> bool:
    """Tell whether trials may follow that settle which setting is the simplest good one; a model settles it itself."""
    return plan.design.stop is not Stop.MODEL and bool(costly_of(parameters))
