"""A run whose confirming trials refute its model: exploring goes on without it, and what it finds is confirmed anew."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.analysis.claim import claim_of
from app.analysis.comparing.evidence import compared
from app.analysis.comparing.experiment import Declared, MeasuredElsewhere, MeasuredRun, experiments_of
from app.analysis.response.figure import response_plot
from app.domain.events import RunStatus
from app.domain.measurement import TrialResult
from app.domain.plan import Design, Factor, Phase, Plan, Stop
from app.domain.response import response_of
from app.domain.session import RunRecord
from app.domain.setting import Setting
from app.domain.statement import StatementRecord
from app.runner.schedule import Schedule, schedule_of
from app.services.plan.checking import prepare_run
from app.services.plan.dry_run import make_dry_run
from app.services.run.extending import extension_of
from app.services.run.resuming import begun_blocks
from app.systems.transactional_replication.families.distribution_agent import FAMILY
from tests.contract.families.lab_runs import open_lab_of
from tests.prove.noise_worlds import NOW, made_trial

_STREAMS = (1, 2, 4, 8, 16)
_PLAN = Plan(
    "distribution_agent",
    (Factor("CommitBatchSize", (100, 200, 500)), Factor("SubscriptionStreams", _STREAMS)),
    Setting.of(CommitBatchSize=100, SubscriptionStreams=1),
    design=Design(stop=Stop.MODEL, seed=3),
    at_site=Setting.of(
        rtt_ms=0.5,
        network_kbps=1_000_000.0,
        subscriber_cpus=16,
        CommitBatchSize=100,
        CommitBatchThreshold=1_000,
        SubscriptionStreams=1,
    ),
)
_SLOWER = 1.4
"""From its first confirming trial on the setting that was picked takes so much longer than before."""


def _schedule(least_confirm_blocks: int = 0) -> Schedule:
    return schedule_of(_PLAN, "E1", FAMILY, least_confirm_blocks)


def _value_s(setting: Setting, done: Sequence[TrialResult], slower: float) -> float:
    size, streams = float(setting["CommitBatchSize"]), float(setting["SubscriptionStreams"])
    log_s = 5.0 - 0.25 * math.log(size / 100) + 0.3 * (math.log2(streams) - 2.6) ** 2 / 2
    picked = next((t.setting for t in done if t.phase is Phase.CONFIRM and t.setting != _PLAN.baseline), None)
    log_s += math.log(slower) if setting == picked else 0.0
    return math.exp(log_s) * (1 + 0.004 * ((len(done) * 7) % 5 - 2))


def _play(slower: float = _SLOWER) -> list[TrialResult]:
    schedule, done = _schedule(), list[TrialResult]()
    while (spec := schedule.next_spec(done)) is not None:
        # the first trial that confirms the pick is slow already
        begins = spec.phase is Phase.CONFIRM and spec.setting != _PLAN.baseline and not _confirmed(done)
        value_s = _value_s(spec.setting, done, slower) * (slower if begins else 1)
        done.append(made_trial(spec, value_s))
        assert len(done) <= 30 + 12
    return done


@pytest.fixture(scope="module")
def refuted() -> list[TrialResult]:
    """All trials of a run whose model was wrong about its pick."""
    return _play()


def _confirmed(done: Sequence[TrialResult]) -> list[Setting]:
    return list(dict.fromkeys(t.setting for t in done if t.phase is Phase.CONFIRM and t.setting != _PLAN.baseline))


def test_exploring_goes_on_and_what_it_finds_has_confirming_trials_of_its_own(refuted: list[TrialResult]) -> None:
    """The second setting runs against the baseline in blocks that none of the trials before it share."""
    phases = [trial.phase for trial in refuted]
    first = phases.index(Phase.CONFIRM)
    again = phases.index(Phase.EXPLORE, first)
    assert again == first + 2 * _PLAN.design.confirm_blocks
    one, other = _confirmed(refuted)
    assert _schedule().winner(refuted) == other != one
    fresh = [t for t in refuted[again:] if t.phase is Phase.CONFIRM]
    assert {t.setting for t in fresh} == {_PLAN.baseline, other}
    assert min(t.block for t in fresh) > max(t.block for t in refuted[: len(refuted) - len(fresh)])
    assert len(refuted) - len(fresh) <= 30


def test_where_the_model_is_right_nothing_is_explored_again() -> None:
    """Confirming trials inside the band end the run."""
    done = _play(slower=1.0)
    assert len(_confirmed(done)) == 1
    assert sum(one.phase is not other.phase for one, other in itertools.pairwise(done)) == 1
    assert _schedule().departure(done) == ""


def test_a_run_goes_on_wherever_it_broke_off(refuted: list[TrialResult]) -> None:
    """Each beginning of its trials leads to the same next one."""
    for count in range(len(refuted)):
        begun = refuted[:count]
        run = RunRecord("E1", _PLAN, "lab", RunStatus.INTERRUPTED, "", NOW, NOW, tuple(begun))
        spec = _schedule(begun_blocks(run)).next_spec(begun)
        assert spec is not None
        assert (spec.phase, spec.block, spec.setting) == (
            refuted[count].phase,
            refuted[count].block,
            refuted[count].setting,
        )


def test_a_complete_run_that_is_extended_explores_nothing(refuted: list[TrialResult]) -> None:
    """Whoever asks for a further confirming block gets that, also where the model is refuted."""
    again = [t.phase for t in refuted].index(Phase.EXPLORE, [t.phase for t in refuted].index(Phase.CONFIRM))
    spec = _schedule(least_confirm_blocks=4).next_spec(refuted[:again])
    assert spec is not None
    assert spec.phase is Phase.CONFIRM
    run = RunRecord("E1", _PLAN, "lab", RunStatus.SUCCEEDED, "", NOW, NOW, tuple(refuted))
    assert extension_of(run, FAMILY).least_blocks in (0, 4)


def test_a_dry_run_lists_what_may_be_left(refuted: list[TrialResult]) -> None:
    """No more trials follow than it tells, wherever the run broke off; at last those that confirm anew alone."""
    target = open_lab_of(FAMILY.subject, list[StatementRecord]().append, noise=False)
    prepared = prepare_run(_PLAN, FAMILY, target, "the plan")
    phases = [trial.phase for trial in refuted]
    again = phases.index(Phase.EXPLORE, phases.index(Phase.CONFIRM)) + 1
    anew = phases.index(Phase.CONFIRM, again) + 1
    for count in (0, again, anew - 1):
        left = make_dry_run(prepared, target, refuted[:count])
        assert len(refuted) - count <= len(left.trials)
    left = make_dry_run(prepared, target, refuted[:anew])
    assert [trial.phase for trial in left.trials] == [Phase.CONFIRM] * (2 * _PLAN.design.confirm_blocks - 1)


def test_it_is_told_once_where_exploring_goes_on(refuted: list[TrialResult]) -> None:
    """What was measured, what was predicted, and that the trials alone guide what follows; the report says it, too."""
    phases = [trial.phase for trial in refuted]
    again = phases.index(Phase.EXPLORE, phases.index(Phase.CONFIRM))
    told = _schedule().departure(refuted[:again])
    assert "outside" in told
    assert told.endswith("From there on the trials alone guide exploring.")
    assert _schedule().departure(refuted[: again + 1]) == _schedule().departure(refuted) == ""
    (experiment,) = experiments_of([_measured(refuted)], MeasuredElsewhere({}, (), (), None))
    plot = response_plot(FAMILY, compared(experiment).evidence)
    assert plot is not None
    assert plot.alt == told


def test_a_refuted_model_says_no_probability(refuted: list[TrialResult]) -> None:
    """Neither how sure it is nor that its curve fits, while exploring goes on and in the report."""
    phases = [trial.phase for trial in refuted]
    again = phases.index(Phase.EXPLORE, phases.index(Phase.CONFIRM)) + 1
    schedule = _schedule()
    before, after = schedule.predicted(refuted[: phases.index(Phase.CONFIRM)]), schedule.predicted(refuted[:again])
    assert before is not None
    assert "probability" in before.sentence
    assert after is not None
    assert after.sentence.startswith("The trials alone, without the model, point to ")
    assert after.plot.alt == after.sentence


def test_a_model_that_a_further_block_refutes_is_left_as_well(refuted: list[TrialResult]) -> None:
    """Confirming trials that leave the band in the fourth block make exploring go on as those of the third do."""
    again = [t.phase for t in refuted].index(Phase.EXPLORE, [t.phase for t in refuted].index(Phase.CONFIRM))
    last = max(t.block for t in refuted[:again])
    further = [replace(t, trial_id=f"{t.trial_id}b", block=last + 1) for t in refuted[again - 2 : again]]
    done = [*refuted[:again], *further]
    assert _schedule().departure(done)
    spec = _schedule().next_spec(done)
    assert spec is not None
    assert spec.phase is Phase.EXPLORE


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_pick_is_the_simplest_of_settings_that_do_as_well(seed: int) -> None:
    """Where the size of a batch does nothing it stays, whichever the trials flatter; streams that gain are found."""
    plan = replace(_PLAN, design=replace(_PLAN.design, seed=seed))
    schedule, done = schedule_of(plan, "E1", FAMILY, 0), list[TrialResult]()
    while (spec := schedule.next_spec(done)) is not None and spec.phase is Phase.EXPLORE:
        luck = 1 + 0.003 * math.sin(7.0 * len(done) + seed)
        done.append(
            made_trial(
                spec, math.exp(5 + 0.15 * (math.log2(float(spec.setting["SubscriptionStreams"])) - 3) ** 2) * luck
            )
        )
    assert schedule.winner(done) == Setting.of(CommitBatchSize=100, SubscriptionStreams=8)
    advice = schedule.advice(done)
    assert advice is not None
    assert any(p.is_tried for p in advice.predictions if p.setting == advice.pick)


def test_both_settings_are_judged_by_their_own_trials(refuted: list[TrialResult]) -> None:
    """Two comparisons against the baseline, with the interval for two; the better one is what is recommended."""
    (experiment,) = experiments_of([_measured(refuted)], MeasuredElsewhere({}, (), (), None))
    evidence = compared(experiment).evidence
    confirmed = [c for c in evidence.comparisons if c.phase is Phase.CONFIRM]
    assert {c.candidate for c in confirmed} == set(_confirmed(refuted))
    assert [c.confirmation.pairs for c in confirmed if c.confirmation is not None] == [3, 3]
    claim = claim_of(FAMILY, evidence)
    assert claim is not None
    assert claim.best == min(confirmed, key=lambda c: c.ratio).candidate


def _measured(done: Sequence[TrialResult]) -> MeasuredRun:
    return MeasuredRun(Declared.by(FAMILY), FAMILY.main_metric(_PLAN), _PLAN, tuple(done), None)


def test_the_plan_has_what_the_curve_needs() -> None:
    """Without a curve nothing is refuted."""
    assert response_of(FAMILY, _PLAN) is not None
