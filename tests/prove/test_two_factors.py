"""A parameter without effect does not ride along with one that has some, by simulation through a run's schedule."""

import itertools
import math
from collections.abc import Callable
from typing import Final

import numpy as np
import pytest

from app.analysis.claim import claim_of
from app.analysis.compared_facts import compared_facts
from app.analysis.comparing.evidence import compared
from app.analysis.comparing.experiment import Declared, Experiment, MainMeasure
from app.analysis.regression import taken_apart
from app.bootstrap import load_families
from app.domain.measurement import Better, Measurement, TrialResult
from app.domain.plan import Design, Factor, Plan, Stop
from app.domain.setting import Setting
from app.runner.schedule import Schedule
from app.systems.transactional_replication.metrics import RUN_TIME
from app.systems.transactional_replication.server.documented import varied_by
from tests.benchmarks.figures import fewest_by_chance, most_by_chance
from tests.prove.factor_sessions import WAYS, told
from tests.prove.noise_worlds import LOG_3, made_trial
from tests.prove.shares import Share

pytestmark = pytest.mark.prove

Record = Callable[[str, object], None]

SIZES = (500, 1_000, 2_500)
POLLING_S = (5, 1, 10)


def chosen(gain: float, seed: int, stop: Stop, noise_cv: float | None) -> Setting:
    """Explore two factors of which only the first does anything: so much less time above its baseline."""
    random = np.random.default_rng(seed)
    plan = Plan(
        "log_reader",
        (Factor("ReadBatchSize", SIZES), Factor("PollingInterval", POLLING_S)),
        Setting.of(ReadBatchSize=SIZES[0], PollingInterval=POLLING_S[0]),
        design=Design(seed=seed, confirm_blocks=0, further_blocks=0, stop=stop, noise_cv=noise_cv),
    )
    schedule = Schedule(plan, "E", RUN_TIME, varied_by("log_reader"))
    done: list[TrialResult] = []
    while (spec := schedule.next_spec(done)) is not None:
        true_s = 300 * (1 - gain if spec.setting["ReadBatchSize"] != SIZES[0] else 1.0)
        done.append(made_trial(spec, true_s * math.exp(float(random.standard_normal()) * LOG_3)))
    winner = schedule.winner(done)
    assert winner is not None
    return winner


@pytest.mark.dealt("stop", "noise_cv")
@pytest.mark.parametrize("gain", [0.0, 0.10, 0.30], ids=["no effect at all", "the other 10 %", "the other 30 %"])
@pytest.mark.parametrize(
    ("stop", "noise_cv", "least"), [(Stop.BLOCKS, None, 0.92), (Stop.RACE, None, 0.80), (Stop.RACE, 0.03, 0.80)]
)
def test_a_parameter_without_effect_stays_at_the_baseline(
    stop: Stop, noise_cv: float | None, least: float, gain: float, share: Share, record_property: Record
) -> None:
    """Changed in at most 5 % of sessions; the one that helps is changed where it does.

    A race has two whole blocks instead of three, or one where noise is stated, so it misses 10 % more often.
    """
    count = share.draws(900)
    settings = [chosen(gain, seed, stop, noise_cv) for seed in range(count)]
    idle = sum(setting["PollingInterval"] != POLLING_S[0] for setting in settings) / count
    helping = sum(setting["ReadBatchSize"] != SIZES[0] for setting in settings) / count
    line = f"{stop} {noise_cv}, gain {gain:.0%}: without effect {idle:.1%}, other {helping:.1%}, {count} sessions"
    record_property("two factors", line)
    print(line)
    assert idle <= 0.05, line
    assert helping >= least if gain else helping <= 0.05, line


def _imported(seed: int, gain: float, log_sd: float, *, has_blocks: bool) -> dict[str, str]:
    """Return what a file of 3 x 3 settings, run three times each, recommends to change, and to which values."""
    random, family = np.random.default_rng(seed), load_families()["distribution_agent"]
    rows = []
    for block in (1, 2, 3):
        drift = float(random.standard_normal()) * 0.05
        for size, streams in itertools.product((100, 200, 400), (1, 4, 8)):
            value = (
                300 * (1 - gain if streams > 1 else 1.0) * math.exp(float(random.standard_normal()) * log_sd + drift)
            )
            setting = Setting.of(CommitBatchSize=size, SubscriptionStreams=streams)
            name = f"r{block}-{size}-{streams}"
            made = Measurement(family.family_id, name, block if has_blocks else 1, "run_time", value, "s", setting)
            rows.append(made)
    experiment = Experiment(Declared.by(family), Setting.of(), tuple(rows), (MainMeasure(RUN_TIME, tuple(rows)),), None)
    evidence = compared(experiment).evidence
    claim = claim_of(family, evidence)
    facts = {name: compared_facts(family, evidence, claim, name) for name in rows[0].setting}
    return {
        name: str(own["best_value"])
        for name, own in facts.items()
        if own["verdict"] == "improvement" and own["best_differs"]
    }


@pytest.mark.dealt("gain", "log_sd")
@pytest.mark.parametrize(
    ("gain", "log_sd", "least", "cheapest"),
    [(0.43, 0.03, 0.95, 0.92), (0.43, 0.08, 0.95, 0.75), (0.43, 0.15, 0.90, 0.6), (0.0, 0.15, 0.0, 0.0)],
)
@pytest.mark.parametrize("has_blocks", [True, False], ids=["with blocks", "without"])
def test_a_file_recommends_only_what_helps_by_itself(
    gain: float, log_sd: float, least: float, cheapest: float, has_blocks: bool, share: Share, record_property: Record
) -> None:
    """43 % by streams, nothing by the size of a batch: in both layouts the first is found and the second left alone.

    4 and 8 streams do as well: 4 are recommended, as far as the noise lets them be told from fewer that do worse.
    """
    count = share.draws(300)
    told_of = [_imported(seed, gain, log_sd, has_blocks=has_blocks) for seed in range(count)]
    idle = sum("CommitBatchSize" in changed for changed in told_of) / count
    helping = sum("SubscriptionStreams" in changed for changed in told_of) / count
    found = [changed["SubscriptionStreams"] for changed in told_of if "SubscriptionStreams" in changed]
    fewest = found.count("4")
    line = (
        f"{log_sd:.0%} noise, gain {gain:.0%}: without effect {idle:.1%}, other {helping:.1%}, of which the cheaper of "
        f"two equal levels {fewest}, {count} files"
    )
    record_property("imports of two factors", line)
    print(line)
    assert idle <= 0.05, line
    assert helping >= least if gain else helping <= 0.05, line
    assert fewest >= fewest_by_chance(len(found), cheapest), line


@pytest.mark.parametrize("way", WAYS)
def test_through_the_whole_program_what_helps_is_told_from_what_does_not(
    way: str, share: Share, record_property: Record
) -> None:
    """30 % by one parameter, nothing by the other: that one is a change of its own in hardly any session.

    Where trials are too few to take them apart, as a model's may be, they are one decision that says so.
    """
    count = share.draws(60)
    found = told(WAYS[way], range(1, count + 1))
    line = f"{way}: {found}, {count} sessions"
    record_property("whole program, two factors", line)
    print(line)
    assert found.idle <= most_by_chance(count, 0.05), line
    assert found.helping + found.together >= 0.9 * count, line
    assert not found.together or way == "model", line


_CELLS: Final = tuple(itertools.product((100, 200, 400), (1, 4, 8)))
PARTS: Final = {
    "two combinations missing": tuple(cell for cell in _CELLS if cell not in {(400, 8), (200, 8)}),
    "a corner of five": ((100, 1), (100, 4), (200, 1), (200, 4), (400, 1)),
}
NOISY: Final = {"none": None, "the baseline": (100, 1), "another": (200, 1)}


@pytest.mark.dealt("noisy")
@pytest.mark.parametrize("noisy", NOISY)
@pytest.mark.parametrize("cells", PARTS)
@pytest.mark.parametrize("has_blocks", [True, False], ids=["with blocks", "without"])
def test_where_combinations_are_missing_a_noisy_one_spoils_no_interval(
    has_blocks: bool, cells: str, noisy: str, share: Share, record_property: Record
) -> None:
    """10 % by streams, nothing by the size of a batch, one setting three to ten times as noisy as the others.

    Intervals of the common noise alone held in 91 % where that setting was the baseline.
    """
    count, held, told, idle = share.draws(900), 0, 0, 0
    baseline = Setting.of(CommitBatchSize=100, SubscriptionStreams=1)
    for seed in range(count):
        random = np.random.default_rng(seed)
        wild = 0.02 * random.uniform(3, 10)
        rows = []
        for block in (1, 2, 3):
            drift = float(random.standard_normal()) * 0.03 if has_blocks else 0.0
            for size, streams in PARTS[cells]:
                log_sd = wild if (size, streams) == NOISY[noisy] else 0.02
                value = 300 * (0.9 if streams > 1 else 1.0) * math.exp(drift + log_sd * random.standard_normal())
                setting = Setting.of(CommitBatchSize=size, SubscriptionStreams=streams)
                name = f"{size}-{streams}-{block}"
                made = Measurement(
                    "distribution_agent", name, block if has_blocks else 1, "run_time", value, "s", setting
                )
                rows.append(made)
        apart = taken_apart(rows, baseline, Better.LOWER)
        contrasts = () if apart is None else apart.contrasts
        truths = {"CommitBatchSize": 1.0, "SubscriptionStreams": 0.9}
        held += sum(one.low <= truths[one.factor] <= one.high for one in contrasts)
        told += len(contrasts)
        idle += apart is not None and apart.recommended["CommitBatchSize"] != 100
    line = f"{cells}, {noisy} noisy: {held / told:.1%} of {told} intervals hold, without effect {idle / count:.1%}"
    record_property("missing combinations", line)
    print(line)
    assert held / told >= fewest_by_chance(told, 0.945) / told, line
    assert idle <= most_by_chance(count, 0.05), line
