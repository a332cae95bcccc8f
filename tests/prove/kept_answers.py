"""Sessions on one parameter, fifty to a block: which setting goes on, and what a session answers in the end.

Every session goes through the schedule a run uses, with the parameter as its family declares it. What they came to is
kept, as it takes minutes; a share of the blocks is run again in each run of the long proofs. After a change of the
schedule or the analysis `python -m tests.prove.kept_answers` writes it anew.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from app.analysis.compare import against, compare
from app.analysis.outcomes import circumstances_of
from app.analysis.rivals import Seen, with_rivals
from app.domain.comparison import Verdict
from app.domain.measurement import TrialResult
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting, Value
from app.runner.schedule import Schedule
from app.systems.transactional_replication.metrics import RUN_TIME
from app.systems.transactional_replication.server.documented import varied_by
from tests.prove.kept_blocks import Counts, Kept, Series
from tests.prove.noise_worlds import FACTOR, MOST_TRIALS, Server, judged, made_trial

Curve = Mapping[int, float]

PLATEAU: Final[Curve] = {1: 500, 2: 400, 4: 300, 8: 300, 16: 300}
CURVES: Final[Mapping[str, Curve]] = {
    "6 %": {1: 300, 2: 300, 4: 282, 8: 300, 16: 300},
    "13 %": {1: 300, 2: 300, 4: 300, 8: 261, 16: 300},
    "25 %": {1: 300, 2: 280, 4: 240, 8: 225, 16: 260},
    "45 %": {1: 550, 2: 540, 4: 350, 8: 302, 16: 440},
    "edge": {1: 500, 2: 330, 4: 300, 8: 270, 16: 243},
    "neighbour": {1: 300, 2: 261, 4: 290, 8: 300, 16: 320},
    "plateau": PLATEAU,
}
CVS: Final = (0.03, 0.09)


def good_levels(curve: Curve) -> frozenset[int]:
    """Return the levels within 2 % of the best."""
    return frozenset(level for level, time_s in curve.items() if time_s <= min(curve.values()) * 1.02)


def _plan(curve: Curve, design: Design) -> Plan:
    """Vary these levels; the first is the baseline."""
    levels = tuple(curve)
    return Plan("distribution_agent", (Factor(FACTOR, levels),), Setting.of(**{FACTOR: levels[0]}), design=design)


def _schedule(plan: Plan) -> Schedule:
    return Schedule(plan, "E", RUN_TIME, varied_by("distribution_agent"))


def _going_on(curve: Curve, cv: float, seeds: Sequence[int]) -> Counts:
    """Explore levels with these run times in s at one noise; count the sessions by the level that goes on."""
    levels: Counter[str] = Counter()
    trials = 0
    for seed in seeds:
        random, sd = np.random.default_rng(seed), math.sqrt(math.log1p(cv**2))
        schedule = _schedule(_plan(curve, Design(seed=seed, confirm_blocks=0, further_blocks=0)))
        done: list[TrialResult] = []
        while (spec := schedule.next_spec(done)) is not None:
            time_s = curve[int(spec.setting[FACTOR])] * math.exp(float(random.standard_normal()) * sd)
            done.append(made_trial(spec, time_s))
        winner = schedule.winner(done)
        assert winner is not None
        levels[f"level {winner[FACTOR]}"] += 1
        trials += len(done)
    return {"sessions": len(seeds), "trials": trials, **{f"level {level}": levels[f"level {level}"] for level in curve}}


@dataclass(frozen=True)
class Answered:
    """How a whole session answered.

    Attributes:
        is_within: what it leaves in place is within 2 % of the best.
        is_open: the verdict itself is "cannot tell".
        rivals: values it names as perhaps better still; () where it is open itself.
        is_best_named: one of them is within 2 % of the best.
    """

    is_within: bool
    is_recommended: bool
    is_open: bool
    rivals: tuple[Value, ...]
    is_best_named: bool
    trials: int

    @property
    def is_right(self) -> bool:
        """What stays is within 2 % of the best, or the decision says that it may not be.

        It says so as a whole, or by naming rivals; then one within 2 % of the best has to be among them.
        """
        return self.is_within or self.is_open or self.is_best_named


@dataclass(frozen=True)
class Disturbed:
    """What disturbs a server while it is measured: a tenth of the trials takes half as long again or more; drift."""

    has_outliers: bool = False
    drifts: bool = False

    def __str__(self) -> str:
        """Name it."""
        named = [word for word, holds in (("outliers", self.has_outliers), ("drift", self.drifts)) if holds]
        return " and ".join(named) or "undisturbed"

    def server(self, random: np.random.Generator, cv: float, levels: int) -> Server:
        """Return a server of this noise so disturbed."""
        return Server(
            random,
            [math.sqrt(math.log1p(cv**2))] * levels,
            disturbed_share=0.1 if self.has_outliers else 0.0,
            path=np.linspace(0, math.log(1.06) * MOST_TRIALS / 21, MOST_TRIALS) if self.drifts else (),
        )


DISTURBED: Final = tuple(Disturbed(has_outliers, drifts) for drifts in (False, True) for has_outliers in (False, True))


def _answer(curve: Curve, cv: float, disturbed: Disturbed, seed: int) -> Answered:
    """Run a session to its end and read what its decision would say."""
    levels, random = tuple(curve), np.random.default_rng(seed)
    server = disturbed.server(random, cv, len(levels))
    plan = _plan(curve, Design(seed=seed))
    schedule = _schedule(plan)
    done: list[TrialResult] = []
    while (spec := schedule.next_spec(done)) is not None:
        level = int(spec.setting[FACTOR])
        value_s = server.value_s(levels.index(level), spec.phase, curve[level])
        done.append(made_trial(spec, value_s, server.met))
    verdict, kept, rivals = _answer_of(plan, done)
    good = good_levels(curve)
    return Answered(
        is_within=kept in good,
        is_recommended=verdict is Verdict.IMPROVEMENT,
        is_open=verdict is Verdict.CANNOT_TELL,
        rivals=rivals,
        is_best_named=not good.isdisjoint(rivals),
        trials=len(done),
    )


def _answer_of(plan: Plan, done: Sequence[TrialResult]) -> tuple[Verdict, Value, tuple[Value, ...]]:
    """Return verdict, the value left in place, and those said to be perhaps better, as a decision reads them."""
    measured = tuple(measurement for trial in done for measurement in trial.measurements)
    if (comparison := judged(plan, done, 0.0)) is not None:
        told = with_rivals(
            comparison, Seen(measured, RUN_TIME.better, circumstances=circumstances_of((), (), done))
        ).rivals
        is_better = comparison.verdict is Verdict.IMPROVEMENT
        kept = comparison.candidate if is_better else comparison.reference
        return comparison.verdict, kept[FACTOR], () if told is None else told.values_of(FACTOR)
    leads = compare(measured, against(plan.baseline), RUN_TIME.better, plan.design.minimum_effect, None)
    is_open = any(lead.verdict is Verdict.CANNOT_TELL for lead in leads)
    return Verdict.CANNOT_TELL if is_open else Verdict.NO_DIFFERENCE, plan.baseline[FACTOR], ()


def _answering(curve: Curve, cv: float, disturbed: Disturbed, seeds: Sequence[int]) -> Counts:
    answers = [_answer(curve, cv, disturbed, seed) for seed in seeds]
    return {
        "sessions": len(answers),
        "trials": sum(one.trials for one in answers),
        "right": sum(one.is_right for one in answers),
        "within": sum(one.is_within for one in answers),
        "recommended": sum(one.is_recommended for one in answers),
        "open": sum(one.is_open for one in answers),
        "named": sum(bool(one.rivals) for one in answers),
    }


def answers_of(curve: str, cv: float, disturbed: Disturbed) -> str:
    """Return the name of the series on what whole sessions answer."""
    return f"{curve}, noise {cv:.0%}, {disturbed}"


ANSWERS: Final = Kept(
    __file__,
    {
        name: Series(partial(_going_on, curve, 0.03), 30 if curve is PLATEAU else 12, 50, first_seed=0)
        for name, curve in CURVES.items()
        if name != "6 %"
    }
    | {
        answers_of(name, cv, disturbed): Series(partial(_answering, curve, cv, disturbed), 6, 50, first_seed=0)
        for disturbed in DISTURBED
        for cv in CVS
        for name, curve in CURVES.items()
    },
)


if __name__ == "__main__":
    ANSWERS.write()
