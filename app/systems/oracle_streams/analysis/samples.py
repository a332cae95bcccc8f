"""Time series of a trial of a Streams pipeline at one moment: the readings, and the work of the stages."""

from dataclasses import replace
from typing import Any, Final

from app.domain.measurement import Sample
from app.model.reading import curves
from app.systems.oracle_streams.analysis.growth import StageShares, StreamsGrowth
from app.systems.oracle_streams.analysis.stages import Doing
from app.systems.oracle_streams.readings import TO_APPLY
from app.systems.oracle_streams.steps import StreamsReading

CAPTURE_BUSY: Final = "capture at work"
CAPTURE_HELD: Final = "capture held back"
PROPAGATION_BUSY: Final = "propagation at work"
READER_BUSY: Final = "apply reader at work"
SERVERS_BUSY: Final = "apply servers at work"

BUSY: Final = (CAPTURE_BUSY, CAPTURE_HELD, PROPAGATION_BUSY, READER_BUSY, SERVERS_BUSY)
"""Shares of the time since the sample before."""


def samples_of(now: StreamsReading, grown: StreamsGrowth, shares: StageShares) -> tuple[Sample, ...]:
    """Return the values of one moment.

    Args:
        grown: since measuring began.
        shares: since the samples before.
    """
    # before the first of this trial is applied, the newest latency is one of an earlier load
    latency_s = now.sample.latency_s if grown.of("applied") > 0 else None
    totals: dict[str, Any] = {**grown.values}
    since = replace(now.sample, **totals, latency_s=None if latency_s is None else max(0.0, latency_s))
    busy = (
        (CAPTURE_BUSY, shares.capture.get(Doing.WORKING, 0.0)),
        (CAPTURE_HELD, shares.capture.get(Doing.HELD, 0.0)),
        (PROPAGATION_BUSY, shares.propagation.get(Doing.WORKING, 0.0)),
        (READER_BUSY, shares.reader.get(Doing.WORKING, 0.0) + shares.reader.get(Doing.STAGING, 0.0)),
        (SERVERS_BUSY, shares.servers.get(Doing.WORKING, 0.0)),
    )
    shown = (*curves(since, since, now.offset_s), *(Sample(name, now.offset_s, value, "share") for name, value in busy))
    return tuple(sorted(shown, key=lambda sample: sample.stream == TO_APPLY))  # the last one in files
