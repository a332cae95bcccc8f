"""A parameter without effect does not ride along with one that has some, by simulation through a run's schedule."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from app.domain.measurement import TrialResult
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import Setting
from app.runner.schedule import Schedule
from app.systems.transactional_replication.metrics import RUN_TIME
from app.systems.transactional_replication.server.documented import varied_by
from tests.prove.noise_worlds import LOG_3, made_trial
from tests.prove.thirds import Share

pytestmark = pytest.mark.prove

Record = Callable[[str, object], None]

SIZES = (500, 1_000, 2_500)
POLLING_S = (5, 1, 10)


def chosen(gain: float, seed: int) -> Setting:
    """Explore two factors of which only the first does anything: so much less time above its baseline."""
    random = np.random.default_rng(seed)
    plan = Plan(
        "log_reader",
        (Factor("ReadBatchSize", SIZES), Factor("PollingInterval", POLLING_S)),
        Setting.of(ReadBatchSize=SIZES[0], PollingInterval=POLLING_S[0]),
        design=Design(seed=seed, confirm_blocks=0, further_blocks=0),
    )
    schedule = Schedule(plan, "E", RUN_TIME, varied_by("log_reader"))
    done: list[TrialResult] = []
    while (spec := schedule.next_spec(done)) is not None:
        true_s = 300 * (1 - gain if spec.setting["ReadBatchSize"] != SIZES[0] else 1.0)
        done.append(made_trial(spec, true_s * math.exp(float(random.standard_normal()) * LOG_3)))
    winner = schedule.winner(done)
    assert winner is not None
    return winner


@pytest.mark.parametrize("gain", [0.0, 0.10], ids=["no effect at all", "the other gains 10 %"])
def test_a_parameter_without_effect_stays_at_the_baseline(gain: float, share: Share, record_property: Record) -> None:
    """Changed in at most 5 % of sessions; the one that helps is changed where it does."""
    count = 1_200 // share.parts
    settings = [chosen(gain, seed) for seed in range(count)]
    idle = sum(setting["PollingInterval"] != POLLING_S[0] for setting in settings) / count
    helping = sum(setting["ReadBatchSize"] != SIZES[0] for setting in settings) / count
    line = f"gain {gain:.0%}: without effect {idle:.1%}, other {helping:.1%}, {count} sessions"
    record_property("two factors", line)
    print(line)
    assert idle <= 0.05, line
    assert helping >= 0.92 if gain else helping <= 0.05, line
