"""Noise that other settings lend to a pair of repeated ones is their own."""

import math
from statistics import variance

import numpy as np
import pytest

from app.analysis.estimate import estimate
from app.analysis.noise import judging_noise
from app.analysis.pairing import pair_noise
from app.domain.measurement import Measurement
from app.domain.setting import Setting

LOGS = {1: (0.0, 0.3, -0.3), 2: (0.01, -0.02, 0.01), 4: (0.0, 0.02, -0.02), 8: (0.02, 0.0, -0.02)}


def test_a_wild_setting_lends_nothing_to_its_own_pair() -> None:
    """Welch's degrees are fewer than the pair has: what these leave of its squares is no noise of the others."""
    measured = [
        Measurement(
            "f", f"{level}-{at}", 1, "run_time", 100 * math.exp(log), "s", Setting.of(SubscriptionStreams=level)
        )
        for level, logs in LOGS.items()
        for at, log in enumerate(logs)
    ]
    fit = estimate(measured)
    made = pair_noise(measured, fit, np.array([1]), np.array([0]), judging_noise(fit.noise, None))
    wild, quiet = variance(LOGS[1]), variance(LOGS[2])
    own, others = (wild + quiet) / 2, (variance(LOGS[4]) + variance(LOGS[8])) / 2
    welch = (wild + quiet) ** 2 / ((wild**2 + quiet**2) / 2)
    borrowed = 4 * others / own
    assert made.borrowed[0] == pytest.approx(borrowed)
    assert made.degrees[0] == pytest.approx(welch + borrowed)
    assert made.log_sd[0] ** 2 == pytest.approx((borrowed * others + welch * own) / (borrowed + welch))
