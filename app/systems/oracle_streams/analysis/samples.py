"""Time series of a trial of a Streams pipeline at one moment: the readings, and the work of the stages."""

from dataclasses import replace
from typing import Final

from app.domain.measurement import Sample
from app.model.reading import curves
from app.systems.oracle_streams.analysis.growth import StageShares, StreamsGrowth, with_totals
from app.systems.oracle_streams.analysis.stages import Doing
from app.systems.oracle_streams.readings import TO_APPLY, StreamsSample

CAPTURE_BUSY: Final = "capture at work"
CAPTURE_HELD: Final = "capture held back"
PROPAGATION_BUSY: Final = "propagation at work"
READER_BUSY: Final = "apply reader at work"
SERVERS_BUSY: Final = "apply servers at work"

BUSY: Final = (CAPTURE_BUSY, CAPTURE_HELD, PROPAGATION_BUSY, READER_BUSY, SERVERS_BUSY)
"""Shares of the time since the sample before."""


def of_trial(now: StreamsSample, grown: StreamsGrowth) -> StreamsSample:
    """Return a reading with totals counted since measuring began, and no latency before something of it is applied.

    Until then the newest latency is one of an earlier load.
    """
    latency_s = now.latency_s if grown.of("applied") > 0 else None
    return replace(with_totals(now, grown.values), latency_s=None if latency_s is None else max(0.0, latency_s))


def samples_of(now: StreamsSample, grown: StreamsGrowth, shares: StageShares) -> tuple[Sample, ...]:
    """Return the values of one moment.

    Args:
        grown: since measuring began.
        shares: since the samples before.
    """
    since = of_trial(now, grown)
    busy = (
        (CAPTURE_BUSY, shares.capture.get(Doing.WORKING, 0.0)),
        (CAPTURE_HELD, shares.capture.get(Doing.HELD, 0.0)),
        (PROPAGATION_BUSY, shares.propagation.get(Doing.WORKING, 0.0)),
        (READER_BUSY, shares.reader.get(Doing.WORKING, 0.0) + shares.reader.get(Doing.STAGING, 0.0)),
        (SERVERS_BUSY, shares.servers.get(Doing.WORKING, 0.0)),
    )
    shown = (*curves(since, since, now.offset_s), *(Sample(name, now.offset_s, value, "share") for name, value in busy))
    return tuple(sorted(shown, key=lambda sample: sample.stream == TO_APPLY))  # the last one in files
