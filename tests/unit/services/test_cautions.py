"""What a reader must know of trials that stand out: whose they are, how often, and whether they count."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from app.analysis.comparing.evidence import compared
from app.analysis.comparing.experiment import Declared, MeasuredRun, experiment_of
from app.bootstrap import load_families
from app.domain.happening import Happening, Work
from app.domain.measurement import TrialResult
from app.domain.plan import Design, Factor, Phase, Plan, TrialSpec
from app.domain.setting import Setting
from app.services.explain.cautions import cautions
from app.systems.transactional_replication.metrics import RUN_TIME
from tests.prove.noise_worlds import made_trial

PLAIN = {1: (100.0, 102.0, 101.0, 99.0), 2: (81.0, 80.0, 80.5, 79.5), 4: (60.0, 61.0, 61.5, 60.5)}
CONFIRMING = {1: (100.0, 101.0, 99.0, 100.5, 100.0), 4: (61.0, 60.5, 124.0, 62.0, 60.5)}


def _trials(values: Mapping[int, Sequence[float]], phase: Phase, first_block: int) -> list[TrialResult]:
    return [
        made_trial(TrialSpec(f"{phase}-{level}-{block}", 1, block, phase, Setting.of(SubscriptionStreams=level)), value)
        for level, column in values.items()
        for block, value in enumerate(column, start=first_block)
    ]


def _told(explored: Mapping[int, Sequence[float]], met: str = "") -> Sequence[str]:
    baseline = Setting.of(SubscriptionStreams=1)
    plan = Plan("distribution_agent", (Factor("SubscriptionStreams", (1, 2, 4)),), baseline, design=Design(blocks=4))
    family = load_families()["distribution_agent"]
    job = Happening(Work.JOB, "PUB1", "nightly load")
    trials = tuple(
        replace(trial, happenings=(job,)) if trial.trial_id == met else trial
        for trial in (*_trials(explored, Phase.EXPLORE, 1), *_trials(CONFIRMING, Phase.CONFIRM, 5))
    )
    experiment = experiment_of(MeasuredRun(Declared.by(family), RUN_TIME, plan, trials, None))
    assert experiment is not None
    return list(cautions(compared(experiment), [(trial.trial_id, h) for trial in trials for h in trial.happenings]))


def test_a_slow_trial_of_the_candidate_is_told_as_its_own() -> None:
    """With how many of its trials stood out, and nothing of a disturbance."""
    [sentence] = _told(PLAIN)
    assert "SubscriptionStreams 4 itself may do this now and then: so far in 1 of its 9 trials." in sentence


def test_slow_trials_before_are_counted_along() -> None:
    """One in the exploring trials is told by itself as well; it counts as what its setting may do, as two of it do."""
    first, second = _told({**PLAIN, 4: (60.0, 122.0, 61.5, 60.5)})
    assert "SubscriptionStreams 4 itself may do this now and then, so it counts: so far in 1 of its 4" in first
    assert "so far in 2 of its 9 trials" in second
    first, second = _told({**PLAIN, 4: (60.0, 122.0, 123.0, 60.5)})
    assert "2 of the 4 exploring trials of SubscriptionStreams 4, and none of another setting" in first
    assert "so far in 3 of its 9 trials" in second


def commit_run(scatter: float, blocks: int = 3, design: Design | None = None) -> MeasuredRun:
    """Return blocks of three arms at two shapes; synchronous commits take half as long again."""
    arms = {"standalone": 1.0, "async": 1.0, "sync": 1.5}
    family = load_families()["commit_mode"]
    plan = Plan(
        "commit_mode",
        (Factor("availability_mode", tuple(arms)),),
        Setting.of(availability_mode="async"),
        design=design or Design(blocks=blocks, confirm_blocks=0, further_blocks=0),
    )
    trials, random = [], np.random.default_rng(3)
    for number, (block, mode) in enumerate(itertools.product(range(1, blocks + 1), arms), 1):
        spec = TrialSpec(f"T{number}", number, block, Phase.CONFIRM, Setting.of(availability_mode=mode))
        of_metric = replace(made_trial(spec, 1.0).measurements[0], family="commit_mode", metric="shape_time", unit="ms")
        measured = tuple(
            replace(
                of_metric,
                value=1_000 * arms[mode] * math.exp(scatter * random.standard_normal()),
                conditions=Setting.of(inserts=inserts, rows_per_insert=100_000 // inserts),
            )
            for inserts in (100, 10_000)
        )
        trials.append(replace(made_trial(spec, 1.0), measurements=measured))
    return MeasuredRun(Declared.by(family), family.main_metric(plan), plan, tuple(trials), None)


def _of_commits(scatter: float) -> Sequence[str]:
    experiment = experiment_of(commit_run(scatter))
    assert experiment is not None
    return [told for told in cautions(compared(experiment), ()) if "comparisons are open" in told]


def test_named_comparisons_that_stay_open_are_offered_more_blocks() -> None:
    """Half of them open says how many blocks settle more."""
    assert _of_commits(0.002) == []
    [few] = _of_commits(0.12)
    assert "3 blocks were few. A run of " in few
    [hopeless] = _of_commits(1.0)
    assert "too large for 30 blocks" in hopeless


def test_why_a_slow_trial_of_the_candidate_is_set_aside_is_told() -> None:
    """The server tells what ran in it alone, or trials of other settings stood out before."""
    [sentence] = _told(PLAIN, "confirm-4-7")
    assert "what ran during it ran during hardly any other, so its block does not count. With it the ratio" in sentence
    assert "During confirm-4-7: the job nightly load ran on PUB1." in sentence
    first, second = _told({**PLAIN, 2: (81.0, 170.0, 80.5, 79.5)})
    assert "SubscriptionStreams 2 itself may do this now and then, so it counts" in first
    assert (
        "Exploring trials of other settings stood out as well, so it is not put down to SubscriptionStreams 4" in second
    )
    first, second = _told({**PLAIN, 2: (81.0, 170.0, 80.5, 79.5)}, "explore-2-2")
    assert "as if something else had run on the server" in first
    assert (
        "Exploring trials of other settings stood out as well, so it is not put down to SubscriptionStreams 4" in second
    )
