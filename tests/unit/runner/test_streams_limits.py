"""Abort rules of a Streams pipeline."""

from dataclasses import replace

import pytest

from app.domain.limits import Limits
from app.model.reading import limit_readings
from app.runner.limits import exceeded_limit
from app.systems.oracle_streams.readings import STREAMS_LIMITS, StreamsSample
from app.systems.oracle_streams.rig.disturbances import new_errors
from tests.unit.analysis.test_streams_stages import EMPTY

LIMITS = Limits.of(streams_pool_share=0.9, latency_s=60.0)


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (replace(EMPTY, latency_s=60.0), ""),
        (replace(EMPTY, destination_pool_share=0.95), "Streams pool reached 0.95, the plan's limit is 0.9"),
        (replace(EMPTY, source_pool_share=0.9), ""),
        (replace(EMPTY, source_pool_share=0.91, destination_pool_share=0.1), "Streams pool reached 0.91"),
        (replace(EMPTY, latency_s=61.0), "source commit to apply reached 61 s, the plan's limit is 60 s"),
    ],
)
def test_limits_are_told_with_numbers_and_units(now: StreamsSample, why: str) -> None:
    """The first limit exceeded is named, the fuller of the two pools; one that is just reached is none."""
    sentence = exceeded_limit(STREAMS_LIMITS, LIMITS, limit_readings(now, now))
    assert (why in sentence) if why else sentence == ""


def test_new_errors_are_told() -> None:
    """Errors of before do not count."""
    before = replace(EMPTY, apply_errors=1)
    assert "1 transactions went to the error queue" in new_errors(before, replace(EMPTY, apply_errors=2))
    assert new_errors(before, before) == new_errors(before, EMPTY) == ""
