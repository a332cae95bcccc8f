"""An interval that stands by itself is told in whole words, also where there is none."""

import math
from dataclasses import replace

import pytest

from app.domain.decision import Gain
from app.reporting.decision_words import interval_told
from tests.report.sample import full_advice


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (0.54, 0.61, "95 % interval −46 % to −39 %"),
        (0.0, math.inf, "No 95 % interval can be given"),
        (0.0, 0.5, "95 % interval: −50 % or more"),
    ],
)
def test_an_interval_by_itself_reads_as_a_sentence(low: float, high: float, told: str) -> None:
    """Not as "95 % interval no interval can be given"."""
    comparison = replace(full_advice().comparisons[0], ratio=0.57, low=low, high=high)
    assert interval_told(Gain(comparison, None, None)).replace("\u00a0", " ") == told
