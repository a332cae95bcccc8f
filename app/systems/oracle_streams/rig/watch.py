"""Watching a pipeline while it works: readings, samples, abort rules, and whether everything is applied."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from app.domain.limits import Limits
from app.domain.measurement import Sample
from app.domain.rig import Control, LimitExceeded
from app.domain.target import Target
from app.runner.control import let_pass
from app.runner.skipped import SkippedReadings
from app.systems.oracle_streams.analysis.growth import StreamsGrowth, stage_shares
from app.systems.oracle_streams.analysis.samples import samples_of
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.rig.disturbances import disturbance
from app.systems.oracle_streams.rig.limits import exceeded_limit
from app.systems.oracle_streams.steps import StreamsReading

SHORTEST_PAUSE_S: Final = 1.0

Emit = Callable[[tuple[Sample, ...], float], None]


@dataclass
class PipelineWatch:
    """Reads one pipeline during a trial; used by one thread.

    Attributes:
        keep_s: shortest time between two samples that are kept; readings may come more often.
        readings: all of them, oldest first.
        grown: counters, since the first reading.
        skipped: readings of the trial that were.
        on_disturbed: told the reading that shows what others did, before the trial ends.
    """

    target: Target
    path: StreamsPath
    control: Control
    limits: Limits
    keep_s: float
    on_samples: Emit
    on_server_time: Callable[[datetime, float], None]
    on_disturbed: Callable[[StreamsSample], None]
    skipped: SkippedReadings
    readings: list[StreamsReading] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    grown: StreamsGrowth = field(default_factory=StreamsGrowth)
    began_s: float = 0.0
    kept: int = 0

    @property
    def first(self) -> StreamsSample:
        """The reading before anything was written."""
        return self.readings[0].sample

    @property
    def last(self) -> StreamsReading:
        """The newest reading."""
        return self.readings[-1]

    def begin(self) -> None:
        """Take the first reading; offsets count from here."""
        self.readings.append(StreamsReading(0.0, self.skipped.read(self._first_sample, self._wait)))

    def _first_sample(self) -> StreamsSample:
        self.began_s = self.target.clock.monotonic_s()
        return self._sample()

    def _sample(self) -> StreamsSample:
        asked_s = self.target.clock.monotonic_s()
        sample = streams_port(self.target).sample(self.path)
        self.on_server_time(sample.at, self.target.clock.monotonic_s() - asked_s)
        return sample

    def tick(self, seconds: float, progress: Callable[[StreamsGrowth], float]) -> StreamsReading:
        """Let `seconds` pass, read once, check cancel and limits, hand the readings on.

        Raises:
            RunCancelled: a cancel was asked for.
            LimitExceeded: an abort rule struck.
            Disturbed: others stopped, aborted or dropped a process, or an instance was restarted.
        """
        self.control.check()
        self.target.clock.sleep(seconds)
        before = self.last.sample
        now = self.read()
        self.check(before, now.sample)
        if now.offset_s - self.readings[self.kept].offset_s >= self.keep_s:
            self._keep(progress(self.grown))
        # before the first of this trial is applied, the newest latency is one of an earlier load
        latency_s = now.sample.latency_s if self.grown.of("applied") > 0 else None
        sentence = exceeded_limit(self.limits, self.first, now.sample, latency_s or 0.0, now.offset_s)
        if sentence:
            raise LimitExceeded(sentence)
        return now

    def check(self, before: StreamsSample, now: StreamsSample) -> None:
        """Raise Disturbed where others did something to the pipeline between two readings."""
        disturbed = disturbance(before, now, self.path)
        if disturbed is not None:
            self.on_disturbed(now)
            raise disturbed

    def read(self) -> StreamsReading:
        """Read once, whatever it says."""
        sample = self.skipped.read(self._sample, self._wait)
        now = StreamsReading(self.target.clock.monotonic_s() - self.began_s, sample)
        self.grown = self.grown.plus(self.last.sample, sample)
        self.readings.append(now)
        return now

    def _wait(self) -> None:
        let_pass(SHORTEST_PAUSE_S, self.target.clock, self.control)

    def finish(self) -> None:
        """Keep the newest reading as a sample, too."""
        if self.kept < len(self.readings) - 1:
            self._keep(1.0)

    def _keep(self, progress: float) -> None:
        taken = samples_of(self.last, self.grown, stage_shares(self.readings[self.kept :]))
        self.kept = len(self.readings) - 1
        self.samples.extend(taken)
        self.on_samples(taken, min(1.0, progress))


def all_applied(watch: PipelineWatch, rows: int, transactions: int) -> bool:
    """Tell whether the rows written since the watch began are applied, and nothing of anybody's is under way.

    The counters must have grown by them, and nothing may wait or be in hand that did not before: where other changes
    flow as well, a count alone would be reached early.
    """
    return enough_applied(watch, rows, transactions) and _is_empty(watch)


def enough_applied(watch: PipelineWatch, rows: int, transactions: int) -> bool:
    """Tell whether as much as was written since the watch began is applied, whoever wrote it.

    After a restart of a process the counts are not known, and what was enqueued must do.
    """
    grown = watch.grown
    is_counted = grown.of("server_messages") >= rows and grown.of("applied") + _errors(watch) >= transactions
    return is_counted or (grown.restarts > 0 and grown.of("enqueued") >= rows)


def _errors(watch: PipelineWatch) -> int:
    return max(0, watch.last.sample.apply_errors - watch.first.apply_errors)


def _is_empty(watch: PipelineWatch) -> bool:
    """Tell whether no more messages wait in the queues than before, and no transaction is in hand."""
    first, now, grown = watch.first, watch.last.sample, watch.grown
    in_hand = grown.of("received") - grown.of("applied") - _errors(watch)
    return (
        now.source_waiting <= first.source_waiting
        and now.destination_waiting <= first.destination_waiting
        and in_hand <= 0
    )


def has_moved(before: StreamsSample, after: StreamsSample) -> bool:
    """Tell whether anything went through any stage between two readings."""
    names = ("captured", "enqueued", "propagated", "dequeued", "staged", "received", "applied", "server_messages")
    return any(getattr(before, name) != getattr(after, name) for name in names)
