"""The model of a response: what it proposes, when it stops, and that the same trials give the same next one."""

from collections.abc import Sequence

import numpy as np
import pytest

from app.analysis.response.departures import coordinates, steps
from app.analysis.response.exploring import FEWEST_FOR_LEVEL, Advice, Ended, Explorer, Question
from app.analysis.response.figure import prediction_plot, response_sentence
from app.domain.measurement import Better
from app.domain.metrics import RUN_TIME
from app.domain.plot import Mark
from app.domain.setting import Setting
from app.systems.transactional_replication.analysis.delivery_curve import (
    DeliveryConditions,
    DeliveryCurve,
    batch_commands,
    largest_share,
)

SIZES, STREAMS = (100, 200, 500), (1, 2, 4, 8, 16)
JOINT = tuple(Setting.of(CommitBatchSize=size, SubscriptionStreams=s) for size in SIZES for s in STREAMS)
ALONE = tuple(Setting.of(SubscriptionStreams=s) for s in STREAMS)
IN_EFFECT = {"CommitBatchThreshold": 1_000, "CommitBatchSize": 100}
LAN = DeliveryConditions(2.5, 0.5, 1_000_000, 16, IN_EFFECT, commands=100_000)


def _question(better: Better = Better.LOWER, *, has_curve: bool = True, seed: int = 1) -> Question:
    return Question(JOINT, JOINT[0], DeliveryCurve(LAN) if has_curve else None, better, 0.05, seed=seed)


def _play(
    explorer: Explorer,
    log_values: Sequence[float],
    noise: float = 0.02,
    *,
    settings: Sequence[Setting] = JOINT,
    seed: int = 9,
) -> tuple[list[Ended], Advice]:
    """Explore a made-up site to the end."""
    random, ended = np.random.default_rng(seed), list[Ended]()
    while (setting := explorer.advice(ended).proposed) is not None:
        log_value = log_values[settings.index(setting)] + noise * random.standard_normal()
        ended.append(Ended(setting, float(np.exp(log_value))))
    return ended, explorer.advice(ended)


def _site() -> list[float]:
    """Return a site the curve can describe, its constants away from the prior's medians."""
    logs = np.log([900.0, 0.2, 0.6, 0.004, 20.0, 1e-5, 0.004, 900.0, 0.2])
    return list(map(float, DeliveryCurve(LAN).log_values(logs[None], JOINT)[0]))


@pytest.mark.parametrize("has_curve", [True, False])
def test_a_good_setting_is_picked_in_fewer_trials_than_settings(has_curve: bool) -> None:
    """It starts at the baseline, ends on a setting it tried, and that is within 5 % of the best."""
    ended, advice = _play(Explorer(_question(has_curve=has_curve)), _site())
    assert ended[0][0] == JOINT[0]
    assert len(ended) <= 15
    assert advice.pick in {each.setting for each in ended}
    assert advice.pick is not None
    assert _site()[JOINT.index(advice.pick)] < min(_site()) + 0.05
    assert advice.fits is (True if has_curve else None)


def test_the_same_trials_give_the_same_next_one() -> None:
    """Whether they were played one by one or are read back after an interruption."""
    ended, last = _play(Explorer(_question()), _site())
    for count in range(len(ended)):
        assert Explorer(_question()).advice(ended[:count]).proposed == ended[count][0]
    assert Explorer(_question()).advice(ended) == last


def test_a_rate_is_explored_like_a_time() -> None:
    """What is better upwards is turned round, and told in its own unit."""
    rates = [-log for log in _site()]
    curve = DeliveryCurve(DeliveryConditions(2.5, 0.5, 1_000_000, 16, IN_EFFECT, is_rate=True))
    question = Question(JOINT, JOINT[0], curve, Better.HIGHER, 0.05)
    ended, advice = _play(Explorer(question), [rate + np.log(100_000) for rate in rates])
    assert advice.pick is not None
    assert rates[JOINT.index(advice.pick)] > max(rates) - 0.05
    measured = next(each.value for each in ended if each.setting == advice.pick and each.value is not None)
    predicted = next(p for p in advice.predictions if p.setting == advice.pick)
    assert predicted.low < measured < predicted.high * 1.1
    assert predicted.is_tried


def test_a_level_response_ends_at_the_baseline() -> None:
    """Where nothing gains, the baseline stays, and it is said so; not before a number of trials."""
    ended, advice = _play(Explorer(_question()), [4.0] * len(JOINT))
    assert advice.is_level
    assert advice.pick == JOINT[0]
    assert len(ended) >= FEWEST_FOR_LEVEL


def test_windows_behind_a_step_are_not_called_level_by_a_few() -> None:
    """One window of a small batch took four times as long, by half its own fault: larger ones gain a half behind it."""
    settings = tuple(Setting.of(ReadBatchSize=size) for size in (500, 100, 250, 1_000, 2_500, 5_000))
    rates = [(500, 1593), (500, 1319), (100, 340), (5_000, 1452), (5_000, 2031), (2_500, 1583), (1_000, 1733)]
    ended = [Ended(Setting.of(ReadBatchSize=size), rate) for size, rate in (*rates, (1_000, 2000))]
    for seed in range(1, 13):
        question = Question(settings, settings[0], None, Better.HIGHER, 0.05, seed=seed, is_windowed=True)
        advice = Explorer(question).advice(ended)
        assert not advice.is_level
        assert advice.proposed is not None


def test_what_no_trial_tells_apart_is_not_explored_further() -> None:
    """4 and 8 streams are as good as each other: none of a dozen runs goes on trying them, certain or not."""
    logs = np.log([900.0, 0.2, 0.6, 0.05, 20.0, 1e-5, 0.004, 900.0, 0.2])
    values = list(map(float, DeliveryCurve(LAN).log_values(logs[None], ALONE)[0]))
    assert abs(values[2] - values[3]) < 0.01
    for seed in range(1, 13):
        explorer = Explorer(Question(ALONE, ALONE[0], DeliveryCurve(LAN), Better.LOWER, 0.05, seed=seed))
        ended, advice = _play(explorer, values, 0.08, settings=ALONE, seed=seed)
        assert len(ended) <= 5
        assert advice.pick in ALONE[2:4]


def test_a_step_is_not_taken_for_the_curve() -> None:
    """Behind a boundary where everything takes three times as long no setting is picked, and the fit is refused."""
    log_values = [
        log + (1.1 if float(s["SubscriptionStreams"]) >= 8 else 0.0) for log, s in zip(_site(), JOINT, strict=True)
    ]
    _ended, advice = _play(Explorer(_question()), log_values)
    assert advice.pick is not None
    assert log_values[JOINT.index(advice.pick)] < min(log_values) + 0.05
    assert advice.fits is False


def test_a_setting_that_keeps_failing_is_left() -> None:
    """A setting whose trials cannot be used is tried twice and no more; the baseline, too."""
    explorer, ended = Explorer(_question()), list[Ended]()
    for _trial in range(2):
        assert explorer.advice(ended).proposed == JOINT[0]
        ended.append(Ended(JOINT[0], None))
    assert explorer.advice(ended).proposed not in (None, JOINT[0])
    assert explorer.advice(ended).pick is None


def test_boundaries_and_coordinates() -> None:
    """Four steps lie between five levels; words are as far from each other as the ends of a range."""
    streams = [Setting.of(SubscriptionStreams=s) for s in STREAMS]
    assert steps(streams).sum(axis=1).tolist() == [4, 3, 2, 1]
    assert coordinates(streams)[:, 0].tolist() == [0, 0.25, 0.5, 0.75, 1]
    words = [Setting.of(Mode=mode) for mode in ("a", "b")]
    assert coordinates(words).tolist() == [[1, 0], [0, 1]]
    assert steps(words).size == 0


def test_commit_batches_and_shares() -> None:
    """A batch ends at whole transactions; one stream has all of it, several the expected largest share."""
    assert batch_commands(np.array([100.0, 1000.0]), np.array([1_000.0]), 3.0).tolist() == [300, 1002]
    shares = largest_share(np.array([1000.0, 1000.0]), np.array([1.0, 4.0]))
    assert shares[0] == 1000
    draws = np.random.default_rng(1).multinomial(1000, [0.25] * 4, 20_000).max(axis=1).mean()
    assert shares[1] == pytest.approx(draws, rel=0.01)


def test_what_is_predicted_is_drawn_as_such() -> None:
    """A dashed band over all settings, the trials as points, and words that say it was not measured."""
    ended, advice = _play(Explorer(_question()), _site())
    plot = prediction_plot("id", RUN_TIME, tuple(ended), advice)
    band, trials = plot.series
    assert (band.mark, band.is_dashed, len(band.x)) == (Mark.BAND, True, len(JOINT))
    assert "not measured" in band.label
    assert len(trials.x) == len(ended)
    assert [text for _x, text in plot.x_ticks] == ["100 × 1", "200 × 1", "500 × 1"]
    assert f"{100 * advice.right:.0f} %" in plot.alt
    assert "fits the site" in plot.alt


@pytest.mark.parametrize(("right", "words"), [(0.904, ": 90 %"), (0.99, ": 99 %"), (0.9999, ": more than 99 %")])
def test_a_model_is_never_certain(right: float, words: str) -> None:
    """What was not measured has no probability of 100 %."""
    assert words in response_sentence(Advice(None, JOINT[1], right, fits=True))
