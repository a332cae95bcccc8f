"""The cost of a plan and the effects it can show, known before anything is read from a server."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.analysis.comparing.pairs import named_pairs
from app.analysis.confirmation import MOST_BORROWED
from app.analysis.confirmation_power import confirmed_effect, pairs_needed
from app.analysis.noise import GIVEN_NOISE_DEGREES_OF_FREEDOM, log_sd_of_cv
from app.analysis.plan_settings import plan_settings
from app.analysis.power import MOST_TRIALS, POWER, Question, smallest_effect, trials_needed
from app.analysis.window_pairs import look_error
from app.domain.family import ExperimentFamily, Site
from app.domain.measurement import TrialResult
from app.domain.plan import FEWEST_WINDOW_PAIRS, MOST_WINDOW_PAIRS, Design, Plan, Stop
from app.domain.setting import Setting, effective_setting
from app.foundation.clock import Clock
from app.runner.schedule import schedule_of
from app.services.plan.run_time import run_time

ASSUMED_NOISE_CV: Final = 0.03
"""Run-to-run noise assumed where the plan names none: the pooled residual of the published LAN sweeps."""


ASSUMED_WINDOW_NOISE_CV: Final = 0.08
"""The same between windows of some tens of seconds: a site of simulated noise (`tests/prove/window_worlds.py`)."""


@dataclass(frozen=True)
class PlanOutlook:
    """The cost of a plan and the effects it can show.

    Attributes:
        settings: how many are measured, the baseline among them.
        trials: how many are run in all; the most there may be where `is_most`.
        trial_s, duration_s: expected duration of one trial and of all those.
        unknown: one sentence on what was not read and may make them longer, "" for nothing.
        most_trials, all_s: the most there may be where what those say stays open; their expected duration.
        longest_s: the run ends there, whatever its trials take: what is agreed to.
        is_most: a race or a model may end earlier.
        noise_cv: run-to-run noise counted with, as a share.
        noise_is_given: the plan names it; else it is assumed and the run will measure it.
        shown_effect: smallest change, as a share, that the confirmation shows with 80 % chance; None where it can
            show none. Where all comparisons are named beforehand every block confirms.
        confirm_blocks_needed: blocks that show the plan's minimum effect with 80 % chance, None where no number would;
            of windows the most pairs to be looked at, None where more than there may be would take it.
    """

    settings: int
    trials: int
    trial_s: float
    duration_s: float
    most_trials: int
    all_s: float
    longest_s: float
    is_most: bool
    noise_cv: float
    noise_is_given: bool
    shown_effect: float | None
    confirm_blocks_needed: int | None
    unknown: str = ""


def plan_outlook(
    plan: Plan,
    family: ExperimentFamily,
    site: Site | None = None,
    kept: Sequence[TrialResult] = (),
    clock: Clock | None = None,
) -> PlanOutlook:
    """Return a plan's outlook; site and kept trials tell how long trials take, the target's clock how long they may."""
    settings = len(plan_settings(plan, family.parameters))
    schedule = schedule_of(plan, "E", family)
    trials, most = schedule.planned_trials(()), schedule.most_trials(kept)
    time = run_time(plan, family, site, kept, clock)
    trial_s = time.trial.trial_s
    design = plan.design
    noise_cv, question = _noise_cv(design), _question(plan, family)
    return PlanOutlook(
        settings=settings,
        trials=trials,
        trial_s=trial_s,
        duration_s=trial_s * trials,
        most_trials=most,
        all_s=time.all_s,
        longest_s=time.most_s,
        is_most=design.stop is not Stop.BLOCKS,
        noise_cv=noise_cv,
        noise_is_given=design.noise_cv is not None,
        shown_effect=effect_shown(plan, family, POWER),
        confirm_blocks_needed=_blocks_needed(design, noise_cv, question, compares_all=family.compares_all),
        unknown=time.trial.unknown,
    )


def _blocks_needed(design: Design, noise_cv: float, question: Question, *, compares_all: bool) -> int | None:
    log_sd = log_sd_of_cv(noise_cv)
    if design.is_windowed and not compares_all:
        counts = range(FEWEST_WINDOW_PAIRS, MOST_WINDOW_PAIRS + 1)
        asked = ((count, replace(question, look_error=look_error(count))) for count in counts)
        shown = (n for n, each in asked if confirmed_effect(log_sd, n, each, POWER) <= design.minimum_effect)
        return next(shown, None)
    needs = trials_needed if compares_all else pairs_needed
    needed = needs(math.log1p(design.minimum_effect), log_sd, question)
    return needed if needed < MOST_TRIALS else None


def effect_shown(plan: Plan, family: ExperimentFamily, power: float) -> float | None:
    """Return the smallest change, as a share, that a plan shows with a chance of `power`; None where it shows none.

    Further confirming blocks that come where they may settle it are counted.
    """
    return effects_shown(plan, family, (power,))[0]


def effects_shown(plan: Plan, family: ExperimentFamily, powers: Sequence[float]) -> tuple[float | None, ...]:
    """Return the effects of `effect_shown`, for several chances."""
    design, question = plan.design, _question(plan, family)
    log_sd = log_sd_of_cv(_noise_cv(design))
    if family.compares_all:
        return tuple(_shown_effect(log_sd, design.blocks, question, power) for power in powers)
    return tuple(_confirmed_effect(log_sd, design, question, power) for power in powers)


def _noise_cv(design: Design) -> float:
    assumed = ASSUMED_WINDOW_NOISE_CV if design.is_windowed else ASSUMED_NOISE_CV
    return assumed if design.noise_cv is None else design.noise_cv


def _question(plan: Plan, family: ExperimentFamily) -> Question:
    arms = plan_settings(plan, family.parameters)
    return _question_of_all(plan, family, arms) if family.compares_all else _confirming_question(plan, len(arms))


def _question_of_all(plan: Plan, family: ExperimentFamily, arms: Sequence[Setting]) -> Question:
    """Return the question of a plan that picks no winner: every named pair at every value swept, all together."""
    baseline = effective_setting(plan.baseline, family.parameters)
    pairs = len(named_pairs(arms, baseline, family.parameters))
    places = max((len(plan.load.wholes(c.name)) for c in family.swept if c.name in plan.load), default=1)
    given = plan.design.noise_cv is not None
    borrowed = GIVEN_NOISE_DEGREES_OF_FREEDOM if given else 0
    return Question(len(arms), max(1, pairs * places), borrowed_degrees=borrowed, noise_is_given=given)


def _confirming_question(plan: Plan, settings: int) -> Question:
    """Return the question of the confirmation: winner against baseline, the exploring trials help to know its noise.

    A race drops settings, but not before two complete blocks; what more it leaves is not counted. A model repeats
    hardly any setting.
    """
    design = plan.design
    if design.most_pairs is not None:
        return Question(2, 1, look_error=look_error(design.most_pairs))
    if design.noise_cv is not None:
        return Question(2, 1, borrowed_degrees=GIVEN_NOISE_DEGREES_OF_FREEDOM, noise_is_given=True)
    if design.stop is Stop.MODEL:
        return Question(2, 1, borrowed_degrees=0)
    complete = min(design.blocks, 2) if design.stop is Stop.RACE else design.blocks
    return Question(2, 1, borrowed_degrees=min(MOST_BORROWED, (settings - 1) * (complete - 1)))


def _confirmed_effect(log_sd: float, design: Design, question: Question, power: float) -> float | None:
    """Return the effect the confirming blocks show, including further blocks that come where they may settle it."""
    is_one_look = design.noise_cv is not None and not design.is_windowed
    blocks = design.confirm_blocks if is_one_look else design.most_confirm_blocks
    effect = confirmed_effect(log_sd, blocks, question, power) if design.confirm_blocks else math.inf
    return effect if math.isfinite(effect) else None


def _shown_effect(log_sd: float, blocks: int, question: Question, power: float) -> float | None:
    if blocks == 0:
        return None
    degrees = question.degrees_after(blocks)
    if degrees == 0:
        return None
    effect = smallest_effect(log_sd * math.sqrt(2 / blocks), degrees, question, power)
    return effect if math.isfinite(effect) else None
