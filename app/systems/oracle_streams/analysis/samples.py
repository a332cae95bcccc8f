"""Time series of a trial of a Streams pipeline: their names, and the values of one moment.

Names are the same in every language: a session file may be opened in another one than it was made in.
"""

from typing import Final

from app.domain.measurement import Sample
from app.systems.oracle_streams.analysis.growth import StageShares, StreamsGrowth
from app.systems.oracle_streams.analysis.stages import Doing
from app.systems.oracle_streams.steps import StreamsReading

APPLIED: Final = "messages applied"
CAPTURED: Final = "messages captured"
STAGED: Final = "messages staged"
SPILLED_SOURCE: Final = "messages spilled at the source"
SPILLED_DESTINATION: Final = "messages spilled at the destination"
SOURCE_QUEUE: Final = "source queue"
DESTINATION_QUEUE: Final = "destination queue"
PAUSED: Final = "capture paused for flow control"
SOURCE_REDO: Final = "redo at the source"
DESTINATION_REDO: Final = "redo at the destination"
SOURCE_POOL: Final = "Streams pool at the source"
DESTINATION_POOL: Final = "Streams pool at the destination"
LATENCY: Final = "source commit to apply"
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
    sample = now.sample
    counted = (
        (CAPTURED, grown.of("captured"), "messages"),
        (APPLIED, grown.of("server_messages"), "messages"),
        (STAGED, grown.of("staged"), "messages"),
        (SPILLED_SOURCE, grown.of("source_spilled"), "messages"),
        (SPILLED_DESTINATION, grown.of("destination_spilled"), "messages"),
        (PAUSED, grown.of("paused_s"), "s"),
        (SOURCE_REDO, grown.of("source_redo_mb"), "MB"),
        (DESTINATION_REDO, grown.of("destination_redo_mb"), "MB"),
        (SOURCE_QUEUE, float(sample.source_waiting), "messages"),
        (DESTINATION_QUEUE, float(sample.destination_waiting), "messages"),
        (SOURCE_POOL, sample.source_pool_share, "share"),
        (DESTINATION_POOL, sample.destination_pool_share, "share"),
        (CAPTURE_BUSY, shares.capture.get(Doing.WORKING, 0.0), "share"),
        (CAPTURE_HELD, shares.capture.get(Doing.HELD, 0.0), "share"),
        (PROPAGATION_BUSY, shares.propagation.get(Doing.WORKING, 0.0), "share"),
        (READER_BUSY, shares.reader.get(Doing.WORKING, 0.0) + shares.reader.get(Doing.STAGING, 0.0), "share"),
        (SERVERS_BUSY, shares.servers.get(Doing.WORKING, 0.0), "share"),
    )
    taken = [Sample(name, now.offset_s, value, unit) for name, value, unit in counted]
    # before the first of this trial is applied, the newest latency is one of an earlier load
    if sample.latency_s is not None and grown.of("applied") > 0:
        taken.append(Sample(LATENCY, now.offset_s, max(0.0, sample.latency_s), "s"))
    return tuple(taken)
