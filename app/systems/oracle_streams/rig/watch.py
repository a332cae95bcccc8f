"""Watching a pipeline while it works: the samples of a trial, and whether everything is applied."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from app.model.reading import limit_readings
from app.runner.bench.watch import SHORTEST_TICK_S, Watch
from app.runner.control import let_pass
from app.systems.oracle_streams.analysis.growth import StreamsGrowth, stage_shares
from app.systems.oracle_streams.analysis.samples import of_trial, samples_of
from app.systems.oracle_streams.readings import StreamsSample

LONGEST_TICK_S = 5.0


@dataclass
class PipelineWatch(Watch[StreamsSample]):
    """Reads one pipeline during a trial, and keeps samples a tick apart at least; readings may come more often.

    Attributes:
        grown: counters, since the first reading. kept: the place of the reading the newest samples are of.
    """

    grown: StreamsGrowth = field(default_factory=StreamsGrowth)
    kept: int = 0

    @property
    def first(self) -> StreamsSample:
        """The reading before anything was written."""
        return self.readings[0]

    @property
    def last(self) -> StreamsSample:
        """The newest reading."""
        return self.readings[-1]

    @property
    def tick_s(self) -> float:
        """Time between two readings until the load is nearly applied, seconds."""
        return min(LONGEST_TICK_S, super().tick_s)

    def wait(self) -> None:
        """Let some time pass after a reading that was not answered."""
        let_pass(SHORTEST_TICK_S, self.parts.target.clock, self.parts.control)

    def read_after(self, seconds: float, progress: Callable[[StreamsSample], float]) -> StreamsSample:
        """Let `seconds` pass, then read; raises as `read` does."""
        self.parts.control.check()
        self.parts.target.clock.sleep(seconds)
        return self.read(progress)

    def take(self) -> StreamsSample:
        """Read once, whatever it says; offsets count from the first reading."""
        now = super().take()
        if len(self.readings) > 1:
            self.grown = self.grown.plus(self.readings[-2], now)
        return now

    def held(self, _before: StreamsSample, now: StreamsSample) -> dict[str, float | None]:
        """Return the figures of this trial's rows, by the key of their limit."""
        own = of_trial(now, self.grown)
        return limit_readings(own, own)

    def show(self, _before: StreamsSample, now: StreamsSample, progress: float) -> None:
        """Hand samples on where it is time for them."""
        if now.offset_s - self.readings[self.kept].offset_s >= self.tick_s:
            self._keep(progress)

    def finish(self) -> None:
        """Keep the newest reading as a sample, too."""
        if self.kept < len(self.readings) - 1:
            self._keep(1.0)

    def _keep(self, progress: float) -> None:
        taken = samples_of(self.last, self.grown, stage_shares(self.readings[self.kept :]))
        self.kept = len(self.readings) - 1
        self.hand_on(taken, progress)

    def _sample(self) -> StreamsSample:
        if not self.readings:
            self._began_s += self.elapsed_s
        now = super()._sample()
        return replace(now, offset_s=self._read_s if self.readings else 0.0)


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
    return max(0, watch.last.apply_errors - watch.first.apply_errors)


def _is_empty(watch: PipelineWatch) -> bool:
    """Tell whether no more messages wait in the queues than before, and no transaction is in hand."""
    first, now, grown = watch.first, watch.last, watch.grown
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
