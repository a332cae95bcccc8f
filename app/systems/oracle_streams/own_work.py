"""The client's own backlog in front of an apply process, and where a plan's work comes from."""

from dataclasses import dataclass
from typing import Final

from app.domain.errors import TargetError
from app.domain.limits import DATA_AGE, Limits
from app.domain.load import Load
from app.domain.target import Target
from app.domain.work_source import SOURCE, WorkSource, work_source_of
from app.systems.oracle_streams.analysis.stages import Doing, doing_of
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsPath

WORTH_S: Final = 300.0
"""A backlog is worth windows where the data at the destination is so old: four of them, each with its switch."""

SOURCES: Final = (WorkSource.TEST_TABLE, WorkSource.OWN_BACKLOG, WorkSource.HELD)
"""Those a Streams path knows: its views keep times in whole seconds, too coarse for the latency of what arrives."""

# A capture process that keeps up has read a change within a minute.
_BEHIND_S: Final = 60.0
_OF_TEST_TABLE: Final = ("operation", "rows", "rows_per_commit", "trace_10046")


@dataclass(frozen=True)
class Waiting:
    """The backlog in front of an apply process.

    Attributes:
        messages: in both queues, in memory and spilled.
        is_more: capture itself is behind, so that more waits in the redo log in front of it.
        age_s: from the commit at the source to the apply, of what was applied last; None before the first.
    """

    messages: int
    is_more: bool
    age_s: float | None

    @property
    def is_worth(self) -> bool:
        """Whether it lasts for an experiment."""
        return self.is_older_than(WORTH_S)

    def is_older_than(self, seconds: float) -> bool:
        """Tell whether something waits, and what was applied last is so old."""
        return self.messages > 0 and self.age_s is not None and self.age_s >= seconds


def read_waiting(target: Target, path: StreamsPath) -> Waiting | None:
    """Read the backlog of a path, as far as this login may."""
    try:
        now = streams_port(target).sample(path)
    except TargetError:
        return None
    return Waiting(
        messages=now.source_waiting + now.destination_waiting,
        is_more=doing_of("capture", dict(now.states).get("capture", "")) in (Doing.HELD, Doing.WORKING)
        and (now.captured_age_s or 0.0) >= _BEHIND_S,
        age_s=now.latency_s,
    )


def source_at(load: Load, limits: Limits, waiting: Waiting | None) -> WorkSource:
    """Return where the work of a plan comes from: as it says, else a backlog that waits, else a table of its own."""
    if SOURCE in load:
        return work_source_of(load)
    if waiting is not None and waiting.is_worth:
        return WorkSource.OWN_BACKLOG
    return WorkSource.HELD if limits.get(DATA_AGE.name) else WorkSource.TEST_TABLE


def own_load(load: Load, source: WorkSource) -> Load:
    """Return a load on a site's own work: nothing in it tells of a test table."""
    return load.but(**dict.fromkeys(_OF_TEST_TABLE), **{SOURCE: str(source)}) if source.is_own_work else load
