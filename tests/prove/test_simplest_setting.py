"""The setting that goes on is the simplest that is not worse than the best, and hardly costs trials, by simulation.

Every session goes through the schedule a run uses, with the parameter as its family declares it. The figures are
printed (`pytest -rP` shows them) and recorded as properties of the tests.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from app.analysis.compare import against, compare
from app.analysis.rivals import Seen, with_rivals
from app.domain.comparison import Verdict
from app.domain.measurement import TrialResult
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting, Value
from app.runner.schedule import Schedule
from app.systems.transactional_replication.metrics import RUN_TIME
from app.systems.transactional_replication.server.documented import varied_by
from tests.prove.noise_worlds import FACTOR, MOST_TRIALS, Server, judged, made_trial
from tests.prove.thirds import Share

pytestmark = pytest.mark.prove

Record = Callable[[str, object], None]
Curve = Mapping[int, float]

GAIN_13: Curve = {1: 300, 2: 300, 4: 300, 8: 261, 16: 300}
GAIN_25: Curve = {1: 300, 2: 280, 4: 240, 8: 225, 16: 260}
GAIN_45: Curve = {1: 550, 2: 540, 4: 350, 8: 302, 16: 440}
EDGE: Curve = {1: 500, 2: 330, 4: 300, 8: 270, 16: 243}
NEIGHBOUR: Curve = {1: 300, 2: 261, 4: 290, 8: 300, 16: 320}
GAIN_6: Curve = {1: 300, 2: 300, 4: 282, 8: 300, 16: 300}
PLATEAU: Curve = {1: 500, 2: 400, 4: 300, 8: 300, 16: 300}


@dataclass(frozen=True)
class Explored:
    """One session before its confirmation: the level that goes on, and how many trials it took."""

    level: int
    trials: int


def explore(curve: Curve, cv: float, seed: int) -> Explored:
    """Explore levels with these run times in s at one noise level; the first is the baseline."""
    random, sd = np.random.default_rng(seed), math.sqrt(math.log1p(cv**2))
    levels = tuple(curve)
    plan = Plan(
        "distribution_agent",
        (Factor(FACTOR, levels),),
        Setting.of(**{FACTOR: levels[0]}),
        design=Design(seed=seed, confirm_blocks=0, further_blocks=0),
    )
    schedule = Schedule(plan, "E", RUN_TIME, varied_by("distribution_agent"))
    done: list[TrialResult] = []
    while (spec := schedule.next_spec(done)) is not None:
        time_s = curve[int(spec.setting[FACTOR])] * math.exp(float(random.standard_normal()) * sd)
        done.append(made_trial(spec, time_s))
    winner = schedule.winner(done)
    assert winner is not None
    return Explored(int(winner[FACTOR]), len(done))


def test_of_equal_levels_the_smallest_is_chosen(share: Share, record_property: Record) -> None:
    """4 = 8 = 16 at 3 % noise: 4 in nine of ten sessions, for three trials more."""
    sessions = [explore(PLATEAU, 0.03, seed) for seed in range(1_500 // share.parts)]
    smallest = sum(session.level == 4 for session in sessions) / len(sessions)
    more = sum(session.trials for session in sessions) / len(sessions) - 15
    line = f"plateau: smallest {smallest:.1%}, {more:.2f} trials more, {len(sessions)} sessions"
    record_property("plateau", line)
    print(line)
    assert smallest >= 0.90, line
    assert more <= 0.15 * 21, line


@pytest.mark.parametrize(
    "curve", [GAIN_13, GAIN_25, GAIN_45, EDGE, NEIGHBOUR], ids=["13 %", "25 %", "45 %", "edge", "neighbour"]
)
def test_what_goes_on_is_within_two_percent_of_the_best(curve: Curve, share: Share, record_property: Record) -> None:
    """Gains of 13 % and more at 3 % noise: hardly ever is more than 2 % given away for the simpler setting."""
    sessions = [explore(curve, 0.03, seed) for seed in range(600 // share.parts)]
    best = min(curve.values())
    within = sum(curve[session.level] <= best * 1.02 for session in sessions) / len(sessions)
    more = sum(session.trials for session in sessions) / len(sessions) - 15
    line = f"within 2 % of the best: {within:.1%}, {more:.2f} trials more, {len(sessions)} sessions"
    record_property("within 2 %", line)
    print(line)
    assert within >= 0.90, line
    assert more <= 0.15 * 21, line


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

    def server(self, random: np.random.Generator, cv: float, levels: int) -> Server:
        """Return a server of this noise so disturbed."""
        return Server(
            random,
            [math.sqrt(math.log1p(cv**2))] * levels,
            disturbed_share=0.1 if self.has_outliers else 0.0,
            path=np.linspace(0, math.log(1.06) * MOST_TRIALS / 21, MOST_TRIALS) if self.drifts else (),
        )


def answer(curve: Curve, cv: float, seed: int, disturbed: Disturbed) -> Answered:
    """Run a session to its end and read what its decision would say."""
    levels, random = tuple(curve), np.random.default_rng(seed)
    server = disturbed.server(random, cv, len(levels))
    baseline = Setting.of(**{FACTOR: levels[0]})
    plan = Plan("distribution_agent", (Factor(FACTOR, levels),), baseline, design=Design(seed=seed))
    schedule = Schedule(plan, "E", RUN_TIME, varied_by("distribution_agent"))
    done: list[TrialResult] = []
    while (spec := schedule.next_spec(done)) is not None:
        level = int(spec.setting[FACTOR])
        done.append(made_trial(spec, server.value_s(levels.index(level), spec.phase, curve[level])))
    verdict, kept, rivals = _answer_of(plan, done)
    good = {value for value in curve if curve[value] <= min(curve.values()) * 1.02}
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
        told = with_rivals(comparison, Seen(measured, RUN_TIME.better)).rivals
        is_better = comparison.verdict is Verdict.IMPROVEMENT
        kept = comparison.candidate if is_better else comparison.reference
        return comparison.verdict, kept[FACTOR], () if told is None else told.values_of(FACTOR)
    leads = compare(measured, against(plan.baseline), RUN_TIME.better, plan.design.minimum_effect, None)
    is_open = any(lead.verdict is Verdict.CANNOT_TELL for lead in leads)
    return Verdict.CANNOT_TELL if is_open else Verdict.NO_DIFFERENCE, plan.baseline[FACTOR], ()


CURVES = {
    "6 %": GAIN_6,
    "13 %": GAIN_13,
    "25 %": GAIN_25,
    "45 %": GAIN_45,
    "edge": EDGE,
    "neighbour": NEIGHBOUR,
    "plateau": PLATEAU,
}
LEAST_RIGHT = 0.90
LEAST_WITHIN = 0.90
LEAST_WITHIN_DISTURBED = {
    "13 %": 0.62,
    "25 %": 0.66,
    "45 %": 0.82,
    "edge": 0.89,
    "neighbour": 0.61,
    "plateau": 0.81,
}
MOST_COST = 1.15 * 21


@pytest.mark.parametrize(
    "disturbed",
    [Disturbed(), Disturbed(has_outliers=True), Disturbed(drifts=True), Disturbed(has_outliers=True, drifts=True)],
    ids=["undisturbed", "outliers", "drift", "outliers and drift"],
)
@pytest.mark.parametrize("cv", [0.03, 0.09], ids=["3 %", "9 %"])
def test_what_a_session_answers_is_right(
    cv: float, disturbed: Disturbed, share: Share, record_property: Record
) -> None:
    """A recommendation within 2 % of the best, or what is open is said: in each kind of response, at a bounded cost.

    "Within 2 %" by itself is held at 3 % noise for gains of 10 % and more, with drift or without. With a tenth of the
    trials disturbed no rule that was tried reaches it for each response: six pairs, of which one may be set aside, show
    a gain of 13 % in 71 % of sessions there, whichever setting was chosen. What is reached is held instead.
    """
    count, trials = 300 if share.parts == 1 else 80, 0
    unsure = 0.0 if share.parts == 1 else 0.04  # what a third of the sessions knows less
    for name, curve in CURVES.items():
        answers = [answer(curve, cv, seed, disturbed) for seed in range(count)]
        trials += sum(one.trials for one in answers)
        right, within = (sum(each) / count for each in zip(*((o.is_right, o.is_within) for o in answers), strict=True))
        recommended = sum(one.is_recommended for one in answers) / count
        is_open = sum(one.is_open for one in answers) / count
        named = sum(bool(one.rivals) for one in answers) / count
        line = (
            f"{name}, noise {cv:.0%}: right {right:.1%}, within 2 % {within:.1%}, recommended {recommended:.1%}, "
            f"cannot tell {is_open:.1%}, rivals named {named:.1%}, {count} sessions"
        )
        record_property(name, line)
        print(line)
        assert right >= LEAST_RIGHT - unsure, line
        if cv == 0.03 and name != "6 %":
            least = LEAST_WITHIN_DISTURBED[name] - 2 * unsure if disturbed.has_outliers else LEAST_WITHIN
            assert within >= least - unsure, line
    mean = trials / (count * len(CURVES))
    line = f"noise {cv:.0%}: mean cost {mean:.1f} trials, {mean / 21:.3f} of 21"
    record_property("mean cost", line)
    print(line)
    assert mean <= MOST_COST, line
