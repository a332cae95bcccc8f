"""What others do to a Streams pipeline during a trial."""

from dataclasses import replace

import pytest

from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.rig.disturbances import disturbance
from tests.unit.analysis.test_streams_stages import EMPTY

PATH = StreamsPath("P", "CAP", "PROP", "APP")
BEFORE = replace(
    EMPTY,
    capture_status="ENABLED",
    propagation_status="ENABLED",
    apply_status="ENABLED",
    source_redo_mb=100.0,
    destination_redo_mb=50.0,
)


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (BEFORE, ""),
        (replace(BEFORE, source_redo_mb=101.0, destination_redo_mb=51.0), ""),
        (replace(BEFORE, source_redo_mb=99.9), "the source database was restarted"),
        (replace(BEFORE, destination_redo_mb=0.0), "the destination database was restarted"),
        (replace(BEFORE, capture_status="ABORTED"), "CAP was aborted by an error"),
        (replace(BEFORE, propagation_status="DISABLED"), "PROP was stopped by somebody else"),
        (replace(BEFORE, apply_status=""), "APP was dropped"),
    ],
)
def test_what_happened_is_told(now: StreamsSample, why: str) -> None:
    """A database that writes no redo between two readings was not restarted; one that has written less, was."""
    seen = disturbance(BEFORE, now, PATH)
    assert str(seen).startswith(why) if why else seen is None


def test_a_path_without_a_propagation_misses_none() -> None:
    """Where capture and apply share a queue or are combined, none is read."""
    assert disturbance(BEFORE, replace(BEFORE, propagation_status=""), replace(PATH, propagation="")) is None
