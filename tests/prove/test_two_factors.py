"""A parameter without effect does not ride along with one that has some, by simulation through a run's schedule."""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from app.analysis.claim import claim_of
from app.analysis.compared_facts import compared_facts
from app.analysis.comparing.evidence import compared
from app.analysis.comparing.experiment import Declared, Experiment, MainMeasure
from app.bootstrap import load_families
from app.domain.measurement import Measurement, TrialResult
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
