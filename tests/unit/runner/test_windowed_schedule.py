"""The order of windows on the client's own backlog: exploring by the model, then pairs with a look after each."""

import math
import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.analysis.most_trials import most_trials
from app.domain.load import Load
from app.domain.measurement import Better, Measurement, Metric, TrialResult, TrialStatus
from app.domain.plan import USUAL_WINDOW_PAIRS, Design, Factor, Phase, Plan, Stop, TrialSpec
from app.domain.setting import Setting
from app.domain.work_source import WorkSource
from app.runner.schedule import Schedule

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RATE = Metric("throughput", "commands/s", Better.HIGHER, "Rate")
PLAN = Plan(
    "a family",
    (Factor("Streams", (1, 2, 4, 8, 16)),),
    Setting.of(Streams=1),
    load=Load.from_mapping({"source": str(WorkSource.OWN_BACKLOG)}),
    design=Design(stop=Stop.MODEL),
)


def played(
    plan: Plan, gain: float, noise: float, seed: int = 1, lost: float = 0.0
) -> tuple[Schedule, list[TrialResult]]:
    """Return the windows of one run; streams gain a share at eight."""
    schedule, done, drawn = Schedule(plan, "E1", RATE), list[TrialResult](), random.Random(seed)
    while (spec := schedule.next_spec(done)) is not None:
        log = math.log1p(gain) * (1 - (math.log2(float(spec.setting["Streams"])) - 3) ** 2 / 9)
        done.append(window(spec, 2_000 * math.exp(log + drawn.gauss(0, noise)), is_used=drawn.random() >= lost))
    return schedule, done


def window(spec: TrialSpec, rate: float, *, is_used: bool = True) -> TrialResult:
    """Return one window's trial."""
    status = TrialStatus.USED if is_used else TrialStatus.NOT_USED
    measured = Measurement(
        "a family", spec.trial_id, spec.block, RATE.name, rate, RATE.unit, spec.setting, phase=spec.phase
    )
    return TrialResult(spec.trial_id, spec.block, spec.phase, spec.setting, status, (), (measured,), (), NOW, NOW)


def confirming(done: list[TrialResult]) -> list[TrialResult]:
    """Return the windows of pairs."""
    return [trial for trial in done if trial.phase is Phase.CONFIRM]


def test_the_design_follows_the_work() -> None:
    """A plan with its source needs nothing else; the test table's trials stay what they are."""
    assert PLAN.design.most_pairs == USUAL_WINDOW_PAIRS
    usual = replace(PLAN, load=Load(), design=Design(seed=7))
    assert replace(usual, load=PLAN.load).design.stop is Stop.MODEL
    changed = replace(usual, design=Design(blocks=2))
    assert replace(changed, load=PLAN.load).design.stop is Stop.BLOCKS
    assert replace(PLAN, load=Load()).design.most_pairs is None
    assert replace(PLAN, load=Load()).design.most_confirm_blocks == Design().most_confirm_blocks


def test_the_baseline_has_the_first_two_windows() -> None:
    """They tell how long windows are to be."""
    _schedule, done = played(PLAN, gain=0.8, noise=0.02)
    assert [trial.setting == PLAN.baseline for trial in done[:3]] == [True, True, False]


def test_a_large_gain_takes_three_pairs() -> None:
    """Each of the pick and the baseline."""
    schedule, done = played(PLAN, gain=0.8, noise=0.02)
    pairs = confirming(done)
    assert len(pairs) == 6
    assert {trial.setting for trial in pairs} == {PLAN.baseline, schedule.winner(done)}
    assert schedule.is_settled(done)


def test_nothing_to_gain_ends_without_pairs_or_says_that_there_is_none() -> None:
    """Nothing is worth it: a few windows, and no claim."""
    schedule, done = played(PLAN, gain=0.0, noise=0.01)
    assert len(done) < 20
    assert schedule.is_settled(done) or schedule.winner(done) == PLAN.baseline


@pytest.mark.parametrize("most_pairs", [3, 6, 12, 16])
def test_no_run_has_more_windows_than_were_told(most_pairs: int) -> None:
    """Noise that never settles, and windows that are lost."""
    plan = replace(PLAN, design=replace(PLAN.design, most_pairs=most_pairs))
    told = most_trials(plan, (), compares_all=False)
    for seed in range(4):
        _schedule, done = played(plan, gain=0.3, noise=0.6, seed=seed, lost=0.1)
        assert len(done) <= told
        assert len(confirming(done)) <= 2 * most_pairs


def test_an_open_question_may_take_all_pairs_there_are() -> None:
    """A bound that no run comes near would ask for more consent than is needed."""
    plan = replace(PLAN, design=replace(PLAN.design, most_pairs=6))
    assert max(len(confirming(played(plan, gain=0.25, noise=0.12, seed=seed)[1])) for seed in range(8)) == 12


def test_what_all_pairs_would_not_settle_is_not_run_to_the_end() -> None:
    """Nothing gains, windows scatter: the backlog is left to be delivered."""
    counts = [len(confirming(played(PLAN, gain=0.0, noise=0.15, seed=seed)[1])) for seed in range(4)]
    assert max(counts) < 2 * USUAL_WINDOW_PAIRS


def test_a_lost_window_costs_its_pair_and_no_more() -> None:
    """Two pairs are no look, so a fourth comes."""
    schedule, done = played(PLAN, gain=0.8, noise=0.02)
    first = next(place for place, trial in enumerate(done) if trial.phase is Phase.CONFIRM)
    spoiled = [replace(t, status=TrialStatus.NOT_USED) if n == first else t for n, t in enumerate(done)]
    following = Schedule(PLAN, "E1", RATE).next_spec(spoiled)
    assert schedule.next_spec(done) is None
    assert following is not None
    assert (following.phase, following.block) == (Phase.CONFIRM, done[-1].block + 1)


def test_a_run_goes_on_where_it_stopped() -> None:
    """Decided from plan and finished windows alone: any beginning is followed by what came."""
    _schedule, done = played(PLAN, gain=0.25, noise=0.08)
    for count in range(0, len(done), 3):
        spec = Schedule(PLAN, "E1", RATE).next_spec(done[:count])
        assert spec is not None
        assert (spec.setting, spec.block, spec.phase) == (done[count].setting, done[count].block, done[count].phase)


@pytest.mark.parametrize("stop", [Stop.BLOCKS, Stop.RACE])
def test_other_ways_of_exploring_confirm_in_pairs_as_well(stop: Stop) -> None:
    """A race of a few values."""
    plan = replace(PLAN, design=replace(PLAN.design, stop=stop))
    _schedule, done = played(plan, gain=0.8, noise=0.02)
    assert len(confirming(done)) == 6


@pytest.mark.parametrize("left", [1, 3, 5])
def test_half_a_pair_is_no_partner_hours_later(left: int) -> None:
    """A run that broke off in a pair begins that pair anew, and has as many whole ones as without the break."""
    _schedule, done = played(PLAN, gain=0.8, noise=0.02)
    first = next(place for place, trial in enumerate(done) if trial.phase is Phase.CONFIRM)
    kept = done[: first + left]
    resumed = Schedule(PLAN, "E1", RATE, kept=kept)
    spec = resumed.next_spec(kept)
    assert spec is not None
    assert spec.block == kept[-1].block + 1
    assert spec.trial_id not in {trial.trial_id for trial in kept}
    went_on = gone_on(resumed, kept)
    by_block = Counter(trial.block for trial in confirming(went_on))
    assert sorted(by_block.values()) == [1, 2, 2, 2]
    assert by_block[kept[-1].block] == 1
    assert len(went_on) <= resumed.most_trials(went_on)
    assert resumed.planned_trials(went_on) == len(went_on)
    assert resumed.is_settled(went_on)


def test_a_pair_with_a_window_that_could_not_be_used_is_made_up_for_when_the_run_resumes() -> None:
    """Even where all pairs the plan allows had begun: only whole ones are looked at."""
    plan = replace(PLAN, design=replace(PLAN.design, most_pairs=3))
    _schedule, done = played(plan, gain=0.8, noise=0.02)
    first = next(place for place, trial in enumerate(done) if trial.phase is Phase.CONFIRM)
    kept = [replace(t, status=TrialStatus.NOT_USED) if n == first else t for n, t in enumerate(done)]
    assert Schedule(plan, "E1", RATE).next_spec(kept) is None
    resumed = Schedule(plan, "E1", RATE, kept=kept)
    went_on = gone_on(resumed, kept)
    assert [trial.block for trial in went_on[len(kept) :]] == [done[-1].block + 1] * 2
    assert resumed.is_settled(went_on)


def gone_on(schedule: Schedule, kept: list[TrialResult]) -> list[TrialResult]:
    """Return the windows of a run that went on, where eight streams gain 80 %."""
    done, drawn = list(kept), random.Random(2)
    while (spec := schedule.next_spec(done)) is not None:
        log = math.log1p(0.8) * (1 - (math.log2(float(spec.setting["Streams"])) - 3) ** 2 / 9)
        done.append(window(spec, 2_000 * math.exp(log + drawn.gauss(0, 0.02))))
    return done
