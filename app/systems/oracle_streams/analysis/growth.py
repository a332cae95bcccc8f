"""How the counters of a Streams pipeline grew over readings; intervals across a restart are left out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from app.model.reading import totals_by_start
from app.systems.oracle_streams.analysis.stages import (
    Doing,
    Stage,
    doing_of,
    pace_setter,
    propagation_doing,
    servers_doing,
)
from app.systems.oracle_streams.readings import StreamsSample


def _totals() -> Iterable[str]:
    return (name for _since, names in totals_by_start(StreamsSample) for name in names)


@dataclass(frozen=True)
class StreamsGrowth:
    """Growth over intervals between readings, by the names of `StreamsSample`.

    Attributes:
        restarts: intervals in which a process or an instance started again; what grew in them is not known.
    """

    values: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_totals(), 0.0))
    restarts: int = 0

    def of(self, name: str) -> float:
        """Return how much a counter grew."""
        return self.values[name]

    def plus(self, before: StreamsSample, after: StreamsSample) -> "StreamsGrowth":
        """Return the growth with one more interval."""
        values, restarts = dict(self.values), 0
        for since, names in totals_by_start(StreamsSample):
            grown = [float(getattr(after, name)) - float(getattr(before, name)) for name in names]
            if min(grown) >= 0 and (not since or getattr(before, since) == getattr(after, since)):
                for name, value in zip(names, grown, strict=True):
                    values[name] += value
            else:
                restarts = 1
        return StreamsGrowth(values, self.restarts + restarts)


def with_totals(sample: StreamsSample, values: Mapping[str, float]) -> StreamsSample:
    """Return a reading with growth in place of its totals."""
    totals: dict[str, Any] = dict(values)
    return replace(sample, **totals)


def growth_of(readings: Sequence[StreamsSample]) -> StreamsGrowth:
    """Return the growth over all readings, oldest first."""
    grown = StreamsGrowth()
    for before, after in pairwise(readings):
        grown = grown.plus(before, after)
    return grown


@dataclass(frozen=True)
class StageShares:
    """The work of the stages, as shares of the time between first and last reading.

    Attributes:
        capture, propagation, reader: by what they did. servers: the same, mean over the apply servers.
        pace: how long each stage was the one the others waited for.
    """

    capture: dict[Doing, float]
    propagation: dict[Doing, float]
    reader: dict[Doing, float]
    servers: dict[Doing, float]
    pace: dict[Stage, float]

    @property
    def bottleneck(self) -> Stage | None:
        """The stage that set the pace for the longest time, None where none worked."""
        return max(self.pace, key=lambda stage: self.pace[stage], default=None)


def stage_shares(readings: Sequence[StreamsSample]) -> StageShares:
    """Return the shares of each stage; an interval counts for the state at its end."""
    made = StageShares({}, {}, {}, {}, {})
    total_s = readings[-1].offset_s - readings[0].offset_s if len(readings) > 1 else 0.0
    if total_s <= 0:
        return made
    for before, after in pairwise(readings):
        share = (after.offset_s - before.offset_s) / total_s
        states = dict(after.states)
        _add(made.capture, doing_of("capture", states.get("capture", "")), share)
        _add(made.reader, doing_of("reader", states.get("reader", "")), share)
        _add(made.propagation, propagation_doing(before, after), share)
        servers = servers_doing(after)
        for doing in servers:
            _add(made.servers, doing, share / len(servers))
        stage = pace_setter(before, after)
        if stage is not None:
            made.pace[stage] = made.pace.get(stage, 0.0) + share
    return made


def _add(shares: dict[Doing, float], doing: Doing, share: float) -> None:
    shares[doing] = shares.get(doing, 0.0) + share


def staged_messages(messages: int, threshold: float, chunk: int = 100) -> int:
    """Return how many messages of one transaction the apply reader stages, from its size and the spill threshold.

    Source: Oracle Streams Concepts and Administration, DBA_APPLY_SPILL_TXN: of 10,200 messages at a threshold of
    10,000, 10,100 are staged; the first portion is the threshold, later ones 100 (or the threshold, where it is less),
    and the last part stays in memory.
    """
    if messages <= threshold:
        return 0
    first = int(threshold)
    each = max(1, min(chunk, first))
    return first + each * (-(-(messages - first) // each) - 1)
