"""Verdicts on the published tuning studies, one run per setting, at 3 % noise given from outside."""

import pytest

from app.analysis.compare import against_best, compare
from app.analysis.estimate import estimate
from app.analysis.plateau import plateau_of
from app.domain.comparison import Verdict
from app.domain.measurement import Better
from app.domain.setting import Value
from tests.unit.analysis.making import level, table

SHOWN = Verdict.IMPROVEMENT
OPEN = Verdict.CANNOT_TELL

# Source: published tuning study of replication agents on a LAN, about 1,000,000 commands, run time in seconds.
READ_BATCH_SIZE: dict[Value, float] = {500: 199.08, 1000: 186.15, 2500: 181.54, 5000: 163.81, 10000: 175.67}
COMMIT_BATCH_SIZE: dict[Value, float] = {100: 554.79, 150: 529.33, 200: 534.25, 250: 541.86, 500: 570.18, 1000: 583.7}
# The run with one stream is the run with CommitBatchSize 100: published in both tables.
STREAMS: dict[Value, float] = {1: 554.79, 2: 535.58, 4: 347.63, 8: 304.06, 16: 439.24}
# Source: published study of delivery over a WAN with 300 ms latency, commands per second.
WAN_512_KBPS: dict[Value, float] = {1: 6.86, 8: 40.34, 16: 56.11}
WAN_128_KBPS: dict[Value, float] = {1: 5.9, 8: 31.54, 16: 28.01}


@pytest.mark.parametrize(
    ("values", "better", "best", "verdicts"),
    [
        (READ_BATCH_SIZE, Better.LOWER, 5000, {500: SHOWN, 1000: OPEN, 2500: OPEN, 10000: OPEN}),
        (COMMIT_BATCH_SIZE, Better.LOWER, 150, {100: OPEN, 200: OPEN, 250: OPEN, 500: OPEN, 1000: OPEN}),
        (STREAMS, Better.LOWER, 8, {1: SHOWN, 2: SHOWN, 4: OPEN, 16: SHOWN}),
        (WAN_512_KBPS, Better.HIGHER, 16, {1: SHOWN, 8: SHOWN}),
        (WAN_128_KBPS, Better.HIGHER, 8, {1: SHOWN, 16: OPEN}),
    ],
    ids=["ReadBatchSize", "CommitBatchSize", "SubscriptionStreams", "WAN 512 kbps", "WAN 128 kbps"],
)
def test_published_table_gives_the_expected_verdicts(
    values: dict[Value, float], better: Better, best: int, verdicts: dict[int, Verdict]
) -> None:
    """What single runs at 3 % noise show, and what they leave open."""
    found = compare(table(values), against_best(), better, minimum_effect=0.05, noise_cv=0.03)
    assert {c.candidate for c in found} == {level(best)}
    assert {c.reference["SubscriptionStreams"]: c.verdict for c in found} == verdicts
    assert all(c.trials_needed > 1 for c in found if c.verdict is OPEN)


def test_published_study_with_one_run_each_can_show_about_a_fifth() -> None:
    """At 3 % noise, five levels with one run each show 23 % with 80 % power, no less."""
    found = compare(table(READ_BATCH_SIZE), against_best(), Better.LOWER, minimum_effect=0.05, noise_cv=0.03)
    assert {round(c.smallest_effect, 3) for c in found} == {0.232}


def test_published_commit_batch_sizes_level_off_at_the_threshold() -> None:
    """From 500 transactions on CommitBatchSize makes no difference: CommitBatchThreshold has taken over."""
    assert plateau_of(estimate(table(COMMIT_BATCH_SIZE)), 0.05) == level(500)
