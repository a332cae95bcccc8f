"""What many client names cost in a report that is to name none of them."""

import time

import pytest

from app.reporting.redact.redaction import Redactor
from tests.benchmarks.figures import print_ratio

pytestmark = pytest.mark.bench

ROUNDS = 9
# A few names are the floor. Matching alone is about 60 times slower with names tried one after the other; what else is
# done for each place makes that about 8 here.
MANY, FEW = 10_000, 10
BUDGET = 3.0


def _seconds(names: int) -> float:
    """Return seconds of replacing the same number of names in equally long texts."""
    redactor = Redactor((f"dbo.Ledger_{number:05}", f"Table {number}") for number in range(names))
    text = " ".join(f"[dbo.Ledger_{number % names:05}], other words" for number in range(0, MANY, 7)) * 5
    began_s = time.perf_counter()
    shown = redactor.text(text)
    taken_s = time.perf_counter() - began_s
    assert "Ledger" not in shown
    return taken_s


def test_work_grows_with_the_text_and_not_with_the_names() -> None:
    """Ten thousand names take no more than three times as long as ten."""
    pairs = [(_seconds(MANY), _seconds(FEW)) for _round in range(ROUNDS)]
    many, few = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert print_ratio("10,000 client names in a text", many, few, f"≤ {BUDGET:.0f}") <= BUDGET
