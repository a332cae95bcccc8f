"""Polling of both ends of a pipeline: every path."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.target import Target
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsPath, StreamsTopology
from app.systems.oracle_streams.readings import StreamsSample


@dataclass(frozen=True)
class StreamsNow:
    """One reading: a sample by path, never none."""

    samples: Mapping[StreamsPath, StreamsSample]


def read_now(target: Target, topology: StreamsTopology) -> StreamsNow | None:
    """Read every path, one round trip per database; None where there is none.

    Raises:
        TargetError: a path cannot be read.
    """
    samples = {path: streams_port(target).sample(path) for path in topology.paths}
    return StreamsNow(samples) if samples else None
