"""What a plan would do to a target: every trial, every change with its undo, every statement, and how long it takes."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.analysis.order import block_order
from app.domain.change import Change
from app.domain.family import PreflightCheck
from app.domain.plan import Phase, Plan
from app.domain.ports import Target
from app.domain.setting import Setting
from app.domain.statement import CataloguedStatement
from app.domain.steps import Configure, MeasureBacklog, StartAgents, Step, StopAgents
from app.domain.topology import Agent
from app.foundation.texts import _
from app.runner.participants import choose_participants
from app.runner.schedule import plan_settings
from app.runner.trial import describe_step
from app.services.guided_session import PreparedRun


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
    """

    plan: Plan
    trials: tuple[PlannedTrial, ...]
    steps: tuple[str, ...]
    changes: tuple[Change, ...]
    duration_s: float
    checks: tuple[PreflightCheck, ...]
    statements: tuple[CataloguedStatement, ...]


def make_dry_run(prepared: PreparedRun, target: Target) -> DryRun:
    """Say what a run would do; reads the target and changes nothing.

    Raises:
        TargetError: the present state cannot be read.
    """
    plan, family = prepared.plan, prepared.family
    trials = _planned_trials(plan)
    example = plan_settings(plan)[0]
    return DryRun(
        plan=plan,
        trials=trials,
        steps=tuple(describe_step(step) for step in family.trial_steps(plan, example)),
        changes=_planned_changes(prepared, target),
        duration_s=family.estimate_trial_s(plan) * len(trials),
        checks=prepared.checks,
        statements=target.statements(),
    )


def _planned_trials(plan: Plan) -> tuple[PlannedTrial, ...]:
    design = plan.design
    settings = plan_settings(plan)
    trials = [
        PlannedTrial(block, Phase.EXPLORE, setting.label())
        for block in range(1, design.blocks + 1)
        for setting in block_order(settings, plan.baseline, block, design.seed)
    ]
    winner = _("the winner")
    confirming = [
        PlannedTrial(design.blocks + number, Phase.CONFIRM, label)
        for number in range(1, design.confirm_blocks + 1)
        for label in ((winner, plan.baseline.label()) if number % 2 else (plan.baseline.label(), winner))
    ]
    return (*trials, *confirming)


def _planned_changes(prepared: PreparedRun, target: Target) -> tuple[Change, ...]:
    """Return what is started or stopped first, and the changes of every setting, each once."""
    plan = prepared.plan
    participants = choose_participants(prepared.site.topology, plan.workload.agent_pairs)
    steps = prepared.family.trial_steps(plan, plan_settings(plan)[0])
    changes = [change for step in steps for change in _switches(step, participants, target)]
    for setting in plan_settings(plan):
        for agent in participants:
            if agent.kind is prepared.family.agent and _configures(prepared, setting):
                changes += target.changes.plan_setting(agent, setting, "dry run")
    unique = {(change.kind, change.subject, change.new): change for change in changes}
    return tuple(unique.values())


def _switches(step: Step, participants: Sequence[Agent], target: Target) -> list[Change]:
    """Return what a step changes about agents that are found running, or found standing."""
    match step:
        case StopAgents(kind):
            plan, found_running = target.changes.plan_stop, True
        case StartAgents(kind) | MeasureBacklog(kind):
            plan, found_running = target.changes.plan_start, False
        case _:
            return []
    chosen = [agent for agent in participants if agent.kind is kind]
    return [plan(agent) for agent in chosen if target.agents.is_running(agent) is found_running]


def _configures(prepared: PreparedRun, setting: Setting) -> bool:
    return any(isinstance(step, Configure) for step in prepared.family.trial_steps(prepared.plan, setting))
