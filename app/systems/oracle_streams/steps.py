"""Readings and writes of a Streams trial."""

from dataclasses import dataclass

from app.systems.oracle_streams.readings import StreamsSample

INSERT, UPDATE = "insert", "update"


@dataclass(frozen=True)
class StreamsReading:
    """The pipeline at one moment of a trial: `offset_s` seconds after measuring began."""

    offset_s: float
    sample: StreamsSample
