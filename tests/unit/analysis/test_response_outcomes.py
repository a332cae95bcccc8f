"""A fall-back in a model: it says where it happens and what it costs, and bends no curve."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from app.analysis.response.ensemble import Trials
from app.analysis.response.exploring import Advice, Ended, Explorer, Question
from app.analysis.response.figure import response_sentence
from app.analysis.response.guided import guide_of
from app.analysis.response.outcomes import drawn_shares
from app.domain.measurement import Better, Measurement, Metric, TrialResult, TrialStatus
from app.domain.metrics import RUN_TIME
from app.domain.plan import Design, Factor, Phase, Plan, Stop
from app.domain.setting import Setting
from app.systems.transactional_replication.analysis.delivery_curve import DeliveryConditions, DeliveryCurve
from tests.prove.noise_worlds import NOW

STREAMS = (1, 2, 4, 8, 16)
ALONE = tuple(Setting.of(SubscriptionStreams=s) for s in STREAMS)
LAN = DeliveryConditions(
    2.5, 0.5, 1_000_000, 16, {"CommitBatchThreshold": 1_000, "CommitBatchSize": 100}, commands=100_000
)
FALLS = Metric("falls", "count", Better.LOWER, "Falls", is_outcome=True)
TRUE = dict(zip(STREAMS, (100.0, 75.0, 45.0, 30.0, 25.0), strict=True))


def _after(ended: Sequence[tuple[int, float, bool]]) -> Advice:
    question = Question(ALONE, ALONE[0], DeliveryCurve(LAN), Better.LOWER, 0.05)
    return Explorer(question).advice([Ended(ALONE[STREAMS.index(s)], value, has) for s, value, has in ended])


def test_one_fall_back_in_three_trials_counts_a_third() -> None:
    """It is no odd trial: 16 streams are expected to take the mean of both, and others what they took."""
    seen = [(1, 100.0), (4, 45.0), (2, 75.0), (16, 25.0), (16, 108.0), (16, 25.0)]
    told, untold = (
        _after([(s, value, value == 108.0 and is_told) for s, value in seen]).predictions for is_told in (True, False)
    )
    mean = 25 * 2 / 3 + 108 / 3
    assert told[4].low < mean < told[4].high
    assert not untold[4].low < mean < untold[4].high
    assert told[2].middle == pytest.approx(45.0, rel=0.05)


def test_nothing_is_said_of_a_curve_beside_trials_it_does_not_describe() -> None:
    """Where trials with several streams fell back, "the curve fits the site" would be said of one stream alone."""
    whole = _after([(s, TRUE[s], False) for s in (1, 2, 4, 8)])
    fallen = _after([(1, TRUE[1], False), *((s, 108.0, True) for s in (2, 4, 8))])
    assert whole.fits is not None
    assert fallen.fits is None
    assert "curve" not in response_sentence(fallen)


def test_where_it_happened_it_is_expected_again() -> None:
    """Not below the largest number that did not; between that and the smallest that did it is open."""
    shares = _shares([(4, False), (16, True), (4, False), (16, True)])
    assert shares[:3].max() < 0.05
    assert 0.1 < shares[3] < 0.6
    assert shares[4] > 0.7


def test_once_in_three_trials_is_about_a_third() -> None:
    """How often, not whether."""
    assert _shares([(16, True), (16, False), (16, False), (1, False)])[4] == pytest.approx(3 / 8, abs=0.03)


def _shares(seen: Sequence[tuple[int, bool]]) -> NDArray[np.float64]:
    trials = Trials()
    for streams, has in seen:
        trials = trials.and_one(STREAMS.index(streams), 0.0, has_outcome=has)
    return np.asarray(drawn_shares(ALONE, trials, 4_000, np.random.default_rng(1)).mean(0))


def _trial(number: int, phase: Phase, streams: int, value: float, *, fell: bool = False) -> TrialResult:
    setting, at = Setting.of(SubscriptionStreams=streams), f"T{number}"
    measured = tuple(
        Measurement("toy", at, number, name, each, unit, setting, phase=phase)
        for name, each, unit in (("run_time", value, "s"), ("falls", float(fell), "count"))
    )
    return TrialResult(at, number, phase, setting, TrialStatus.USED, (), measured, (), NOW, NOW)


def test_what_is_told_at_the_end_counts_the_confirming_trials() -> None:
    """8 streams did best in the one trial they had; beside two of three that fell back nobody is sure of them."""
    plan = Plan("toy", (Factor("SubscriptionStreams", STREAMS),), ALONE[0], design=Design(stop=Stop.MODEL))
    guide = guide_of(plan, (), RUN_TIME, DeliveryCurve(LAN), (RUN_TIME, FALLS))
    explored = [_trial(n, Phase.EXPLORE, s, TRUE[s]) for n, s in enumerate((1, 4, 8, 16, 8), 1)]
    pick = guide.pick(explored)
    assert pick is not None
    streams = int(pick["SubscriptionStreams"])
    right = {}
    for fell in (False, True):
        confirmed = [
            each
            for n in range(6, 9)
            for each in (
                _trial(n, Phase.CONFIRM, 1, TRUE[1]),
                _trial(10 + n, Phase.CONFIRM, streams, 110.0 if fell and n < 8 else TRUE[streams], fell=fell and n < 8),
            )
        ]
        said = guide.advice_on_pick([*explored, *confirmed])
        assert said.pick == pick
        right[fell] = said.right
    assert right[False] > 0.9
    assert right[True] < 0.6
    assert guide.advice_on_pick(explored) == guide.advice(explored)
