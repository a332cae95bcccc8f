"""Abort rules of a Streams pipeline."""

from dataclasses import replace

import pytest

from app.domain.limits import Limits
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.rig.limits import exceeded_limit
from tests.unit.analysis.test_streams_stages import EMPTY

LIMITS = Limits.of(streams_pool_share=0.9, latency_s=60.0, trial_duration_s=600.0)


@pytest.mark.parametrize(
    ("now", "latency_s", "elapsed_s", "why"),
    [
        (EMPTY, 60.0, 600.0, ""),
        (replace(EMPTY, apply_status="ABORTED"), 0.0, 0.0, "the apply process is ABORTED"),
        (replace(EMPTY, apply_status=""), 0.0, 0.0, "the apply process is gone"),
        (replace(EMPTY, apply_errors=2), 0.0, 0.0, "1 transactions went to the error queue"),
        (replace(EMPTY, destination_pool_share=0.95), 0.0, 0.0, "Streams pool reached 0.95, the plan's limit is 0.9"),
        (replace(EMPTY, source_pool_share=0.9), 0.0, 0.0, ""),
        (EMPTY, 61.0, 0.0, "source commit to apply reached 61 s, the plan's limit is 60 s"),
        (EMPTY, 0.0, 601.0, "duration of the trial reached 601 s"),
    ],
)
def test_limits_are_told_with_numbers_and_units(
    now: StreamsSample, latency_s: float, elapsed_s: float, why: str
) -> None:
    """The first limit exceeded is named; one that is just reached is none; errors of before do not count."""
    first = replace(EMPTY, apply_errors=1)
    now = replace(now, apply_errors=max(1, now.apply_errors))
    sentence = exceeded_limit(LIMITS, first, now, latency_s, elapsed_s)
    assert (why in sentence) if why else sentence == ""


def test_without_limits_only_errors_end_a_trial() -> None:
    """No limit of the plan, however large the readings."""
    full = replace(EMPTY, source_pool_share=1.0)
    assert exceeded_limit(Limits.of(trial_duration_s=1e9), EMPTY, full, 1e6, 1e6) == ""
