"""What a plan would do to a target: every trial, every change with its undo, every statement, and how long it takes."""

from dataclasses import dataclass

from app.analysis.order import block_order
from app.domain.change import Change
from app.domain.family import ExperimentFamily, PreflightCheck
from app.domain.plan import Phase, Plan
from app.domain.server import ServerInfo
from app.domain.setting import effective_setting
from app.domain.statement import CataloguedStatement
from app.domain.system import rig_of
from app.domain.target import Target
from app.foundation.texts import _
from app.runner.schedule import plan_settings
from app.services.plan.checking import PreparedRun


@dataclass(frozen=True)
class PlannedTrial:
    """One trial as far as it is known before anything is measured."""

    block: int
    phase: Phase
    setting: str


@dataclass(frozen=True)
class DryRun:
    """Everything a person consents to before a run.

    Attributes:
        plan: completed with the baseline in effect.
        trials: in the order they would run; the winner of the confirmation is not known yet.
        steps: what one trial does, in order.
        changes: what would be changed for each setting, with the script that does it and the one that undoes it.
        duration_s: rough duration of the whole run.
        checks: preflight checks with remedies.
        statements: every statement the target may send.
        servers: those the run touches, each to be consented to.
    """

    plan: Plan
    trials: tuple[PlannedTrial, ...]
    steps: tuple[str, ...]
    changes: tuple[Change, ...]
    duration_s: float
    checks: tuple[PreflightCheck, ...]
    statements: tuple[CataloguedStatement, ...]
    servers: tuple[ServerInfo, ...] = ()


def make_dry_run(prepared: PreparedRun, target: Target) -> DryRun:
    """Say what a run would do; reads the target and changes nothing.

    Raises:
        TargetError: the present state cannot be read.
    """
    plan, family = prepared.plan, prepared.family
    rig = rig_of(family)
    trials = _planned_trials(plan, family)
    example = plan_settings(plan, family.parameters)[-1]
    return DryRun(
        plan=plan,
        trials=trials,
        steps=tuple(step.describe() for step in family.trial_steps(plan, example)),
        changes=rig.planned_changes(plan, family, prepared.site, target),
        duration_s=family.estimate_trial_s(plan) * len(trials),
        checks=prepared.checks,
        statements=target.statements(),
        servers=rig.servers(plan, prepared.site),
    )


def _planned_trials(plan: Plan, family: ExperimentFamily) -> tuple[PlannedTrial, ...]:
    design = plan.design
    settings = plan_settings(plan, family.parameters)
    baseline = effective_setting(plan.baseline, family.parameters)
    phase = Phase.CONFIRM if family.compares_all else Phase.EXPLORE
    trials = [
        PlannedTrial(block, phase, setting.label())
        for block in range(1, design.blocks + 1)
        for setting in block_order(settings, baseline, block, design.seed)
    ]
    if family.compares_all:
        return tuple(trials)
    winner = _("the winner")
    confirming = [
        PlannedTrial(design.blocks + number, Phase.CONFIRM, label)
        for number in range(1, design.confirm_blocks + 1)
        for label in ((winner, plan.baseline.label()) if number % 2 else (plan.baseline.label(), winner))
    ]
    return (*trials, *confirming)
