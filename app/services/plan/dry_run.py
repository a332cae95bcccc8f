"""The dry run of a plan: every trial, every change with its undo, every statement, and how long it takes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from app.analysis.confirmed import confirming_now
from app.analysis.plan_settings import plan_settings
from app.domain.change import Change
from app.domain.family import PreflightCheck
from app.domain.measurement import TrialResult
from app.domain.plan import Phase, Plan, Stop
from app.domain.server import ServerInfo
from app.domain.setting import effective_setting
from app.domain.statement import CataloguedStatement
from app.domain.system import rig_of
from app.domain.target import Target
from app.services.plan.checking import PreparedRun
from app.services.plan.plan_outlook import plan_outlook
from app.services.plan.plan_ways import Way, ways_of_stopping
from app.services.plan.planned_trials import PlannedTrial, planned_trials, the_winner


@dataclass(frozen=True)
class DryRun:
    """Everything a person consents to before a run.

    Attributes:
        plan: completed with the baseline in effect.
        trials: those to be run, in order; the winner of the confirmation is not known yet.
        steps: what one trial does, in order.
        changes: what would be changed for each setting, with the script that does it and the one that undoes it.
        duration_s: expected duration of those trials.
        further_trials, further_s: trials that may follow at most, where what those say stays open; their duration.
        longest_s: the run ends there with everything put back, whatever its trials take.
        unknown: one sentence on what was not read and may make trials longer, "" for nothing.
        checks: preflight checks with remedies.
        statements: every statement that may be sent.
        servers: those the run touches, each to be consented to.
        ways: what each way of stopping usually takes.
        measured: what is measured, each by its names.
        kept: how many trials of an earlier part of the run there are, which are not repeated.
    """

    plan: Plan
    trials: tuple[PlannedTrial, ...]
    steps: tuple[str, ...]
    changes: tuple[Change, ...]
    duration_s: float
    longest_s: float
    checks: tuple[PreflightCheck, ...]
    statements: tuple[CataloguedStatement, ...]
    servers: tuple[ServerInfo, ...] = ()
    further_trials: int = 0
    further_s: float = 0.0
    ways: tuple[Way, ...] = ()
    measured: tuple[str, ...] = ()
    unknown: str = ""
    kept: int = 0

    @property
    def is_windowed(self) -> bool:
        """Whether its trials are windows on one backlog."""
        return self.plan.design.is_windowed

    @property
    def most_trials(self) -> int:
        """Return the largest possible number of trials to come: the number consented to."""
        return len(self.trials) + self.further_trials


def make_dry_run(
    prepared: PreparedRun, target: Target, kept: Sequence[TrialResult] = (), least_confirm_blocks: int = 0
) -> DryRun:
    """Return the dry run of a plan; reads the target and changes nothing.

    Args:
        kept: trials of an earlier part of the run, which are not repeated.
        least_confirm_blocks: confirming blocks there are to be at least, where a complete run confirms further.

    Raises:
        TargetError: the present state cannot be read.
    """
    plan, family = prepared.plan, prepared.family
    rig = rig_of(family)
    baseline = effective_setting(plan.baseline, family.parameters).label()
    planned = planned_trials(plan, family, least_confirm_blocks)
    if plan.design.stop is Stop.MODEL:
        trials = _left_of_guided(planned, kept)
    else:
        trials = _left(planned, kept, baseline, compares_all=family.compares_all)
    outlook = plan_outlook(plan, family, prepared.site, kept, target.clock)
    further = max(0, outlook.most_trials - len(kept) - len(trials))
    never_sent = rig.never_sent(plan)
    example = plan_settings(plan, family.parameters)[-1]
    return DryRun(
        plan=plan,
        trials=trials,
        steps=tuple(step.describe() for step in family.trial_steps(plan, example)),
        changes=rig.planned_changes(plan, family, prepared.site, target),
        duration_s=outlook.trial_s * len(trials),
        checks=prepared.checks,
        statements=tuple(each for each in target.statements() if each.name not in never_sent),
        servers=rig.servers(plan, prepared.site),
        further_trials=further,
        further_s=outlook.trial_s * further,
        ways=() if kept else ways_of_stopping(plan, family, prepared.site),
        measured=rig.measured(plan, prepared.site),
        longest_s=outlook.longest_s if plan.most_s is None else plan.most_s,
        unknown=outlook.unknown,
        kept=len(kept),
    )


def _left(
    trials: Sequence[PlannedTrial], kept: Sequence[TrialResult], baseline: str, *, compares_all: bool
) -> tuple[PlannedTrial, ...]:
    """Return the trials still to be run; the confirmed setting stands in the plan as the winner."""
    done = Counter(
        (
            trial.block,
            trial.setting.label()
            if compares_all or trial.phase is Phase.EXPLORE or trial.setting.label() == baseline
            else the_winner(),
        )
        for trial in kept
    )
    left: list[PlannedTrial] = []
    for trial in trials:
        if done[trial.block, trial.setting]:
            done[trial.block, trial.setting] -= 1
        else:
            left.append(trial)
    return tuple(left)


def _left_of_guided(trials: Sequence[PlannedTrial], kept: Sequence[TrialResult]) -> tuple[PlannedTrial, ...]:
    """Return the trials still to be run at most: as many fewer of each phase as ended."""
    confirmed = len(confirming_now(kept))
    exploring_is_over = len(trials) if confirmed else len(kept)  # what was confirmed before exploring went on, too
    left = Counter({Phase.CONFIRM: confirmed, Phase.EXPLORE: exploring_is_over})
    made: list[PlannedTrial] = []
    for trial in trials:
        if left[trial.phase]:
            left[trial.phase] -= 1
        else:
            made.append(trial)
    return tuple(made)
