"""Windows on the client's own work: the apply process is started with a setting, settles, and its counters are read.

Nothing is written. The counters of the V$ views grow by the message; only the views' times are whole seconds, so a rate
is taken over this computer's clock, between two readings of a tick apart each.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from app.analysis.window_length import PARTS
from app.domain.change import Change
from app.domain.limits import HELD_SHARE
from app.domain.measurement import Sample
from app.domain.rig import LimitExceeded
from app.domain.work_source import WorkSource
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.runner.bench.watch import SHORTEST_TICK_S
from app.runner.bench.windows import Course, Windows, rate_samples, rates_in_parts, settled_from, windows_of
from app.runner.optional import tell_past_work
from app.systems.oracle_streams.analysis.stages import OCCUPIED, Doing, doing_of, servers_doing
from app.systems.oracle_streams.metrics import MESSAGE_RATE
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.readings import DESTINATION_AGE, LATENCY, STREAMS_LIMITS, StreamsSample
from app.systems.oracle_streams.rig.apply_process import leave_as, start, stop
from app.systems.oracle_streams.rig.disturbances import DISABLED, ENABLED, disturbance, new_errors, started
from app.systems.oracle_streams.rig.trial import StreamsObservation, WindowSeen
from app.systems.oracle_streams.rig.watch import PipelineWatch

# Readings of a window: often enough to see its parts.
_READINGS: Final = 30
# A rate by fewer transactions depends on where they happen to fall.
_FEWEST_READINGS, _FEWEST_TRANSACTIONS = 5, 20
# A window that ends because nothing is left counts from this length on.
_SHORTEST_HELD_S: Final = 10.0
# Nothing applied for so long is a fault, which the window says itself.
_STALL_LIMIT_S: Final = 300.0
IDLE_READINGS: Final = 2
"""A pipeline that has caught up is found idle so often in turn."""


class DataAge:
    """How old the data at the destination is; kept from one trial to the next, as it ages on while nothing is applied.

    Attributes:
        newest_s: at the newest reading.
    """

    def __init__(self) -> None:
        self._applied: tuple[object, int] = (None, 0)
        self._moved_s: float | None = None
        self._age_s = 0.0
        self.newest_s = 0.0

    def forget(self) -> None:
        """Start afresh after a restore."""
        self._moved_s = None

    def look(self, now: StreamsSample, clock_s: float) -> float:
        """Return the age at a reading, which was taken at a time of this computer's clock, seconds."""
        applied = (now.apply_started, now.server_messages)
        has_moved = self._moved_s is None or (applied != self._applied and now.server_messages > 0)
        if has_moved and now.latency_s is not None:
            self._moved_s, self._age_s = clock_s, max(0.0, now.latency_s)
        if is_empty(now) and now.apply_status == ENABLED:
            self._moved_s, self._age_s = clock_s, 0.0
        self._applied = applied
        self.newest_s = self._age_s + (0.0 if self._moved_s is None else clock_s - self._moved_s)
        return self.newest_s


@dataclass
class OwnWorkWatch(PipelineWatch):
    """The watch of a window: the age of a backlog that waited is no limit; of one that gathers it is.

    Attributes:
        age: of the data at the destination; None where a backlog waited already.
    """

    age: DataAge | None = None

    def held(self, before: StreamsSample, now: StreamsSample) -> dict[str, float | None]:
        """Return what a reading is judged by."""
        held = super().held(before, now)
        held[LATENCY.name] = None
        if self.age is not None:
            held[DESTINATION_AGE.name] = self.age.look(now, self.parts.target.clock.monotonic_s())
        return held


def watch_own_work(rig: StepRig[StreamsPath], *, is_held: bool, is_stopped: bool) -> OwnWorkWatch:
    """Return a watch that begins now: of a window, of the holding before it, or of what is left of a backlog."""

    def check(before: StreamsSample | None, now: StreamsSample) -> None:
        seen = now
        if is_stopped and now.apply_status == ENABLED:
            rig.board.leave("apply")
            raise started(rig.at.members.apply)
        if is_stopped and now.apply_status == DISABLED:
            seen = replace(now, apply_status=ENABLED)
        if (disturbed := disturbance(before or now, seen, rig.at.members)) is not None:
            leave_as(rig, now)
            raise disturbed
        if sentence := new_errors(before or now, now):
            raise LimitExceeded(sentence)

    sample = partial(streams_port(rig.at.target).sample, rig.at.members)
    age = rig.kept(DataAge) if is_held else None
    return OwnWorkWatch(rig.parts, rig.call, STREAMS_LIMITS, sample, check, {}, rig.refused, rig.skipped, age=age)


@dataclass(frozen=True)
class GatherWork(BenchStep[StreamsPath]):
    """Hold the apply process until enough waits for a window, or the data is as old as it may become."""

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Stop the apply process and let work gather, within the allowed age of the data")

    def changes(self, at: Bench[StreamsPath]) -> tuple[Change, ...]:
        """Return the change that stops it."""
        return streams_port(at.target).plan_restart(at.members)

    def do(self, rig: StepRig[StreamsPath]) -> None:
        """Stop it and wait; raises LimitExceeded where the data became older than is allowed."""
        windows, age, clock = windows_of(rig), rig.kept(DataAge), rig.at.target.clock
        age.look(streams_port(rig.at.target).sample(rig.at.members), clock.monotonic_s())
        stop(rig)
        watch = watch_own_work(rig, is_held=True, is_stopped=True)
        watch.take()
        held_s = rig.at.plan.limits[DESTINATION_AGE.name] * HELD_SHARE - rig.at.target.asking.usual_wait_s
        tick_s = max(SHORTEST_TICK_S, held_s / _READINGS)
        while age.newest_s < held_s and _waiting(watch.last) < windows.enough:
            left_s = max(SHORTEST_TICK_S, held_s - age.newest_s)
            watch.read_after(min(tick_s, left_s), lambda _now: age.newest_s / held_s)
            if rig.call.is_spoiled():
                break  # the client's apply process does not stand for that
        windows.ended_s = clock.monotonic_s()  # holding is no part of a switch


@dataclass(frozen=True)
class MeasureWindow(BenchStep[StreamsPath]):
    """Start the apply process and measure it for a while on the work that is there.

    Attributes:
        is_baseline: the setting is that of the baseline, whose first windows tell the length of all.
    """

    source: WorkSource
    is_baseline: bool
    joins = True

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Start the apply process and measure it on the work that waits, by its own counters")

    def do(self, rig: StepRig[StreamsPath]) -> StreamsObservation:
        """Start it, and return the observation; raises LimitExceeded where nothing waits any more."""
        windows, clock = windows_of(rig), rig.at.target.clock
        start(rig)
        streams = streams_port(rig.at.target)
        tell_past_work(streams.begin_past(), rig.refused, rig.call.on_happening)
        watch = watch_own_work(rig, is_held=self.source is WorkSource.HELD, is_stopped=False)
        watch.take()
        seen, length_s = _Seen(watch), windows.seconds
        tick_s, idle, has_run_out = max(SHORTEST_TICK_S, length_s / _READINGS), 0, False
        while not seen.lasts(length_s):
            now = watch.read_after(tick_s, lambda _now: seen.share_of(length_s))
            idle = idle + 1 if is_empty(now) and seen.has_begun else 0
            if idle >= IDLE_READINGS:
                if self.source is WorkSource.OWN_BACKLOG:
                    raise LimitExceeded(_nothing_left(rig.at.members, seen.span_s))
                has_run_out = not seen.lasts(_SHORTEST_HELD_S)
                break
            if seen.has_stalled():
                break  # it says itself, by having applied nothing or too little
        ended_s = clock.monotonic_s()
        watch.finish()
        tell_past_work(streams.past_readings(watch.last.offset_s), rig.refused, rig.call.on_happening)
        self._learn(rig, windows, seen, ended_s)
        return StreamsObservation(
            path=rig.at.members,
            load=None,
            rows_written=0,
            readings=seen.steady,
            elapsed_s=seen.span_s or None,
            samples=(*watch.samples, *seen.rate_samples()),
            window=WindowSeen(seen.span_s, has_run_out),
        )

    def _learn(self, rig: StepRig[StreamsPath], windows: Windows, seen: "_Seen", ended_s: float) -> None:
        if windows.ended_s is not None:
            windows.switches_s.append(max(0.0, ended_s - seen.span_s - windows.ended_s))
        windows.ended_s = ended_s
        windows.most_rate_per_s = max(windows.most_rate_per_s, seen.rate_per_s)
        parts = rates_in_parts(seen.course)
        if self.is_baseline and parts:
            length = windows.learn(parts, seen.span_s / PARTS)
            if length is not None:
                rig.call.on_note(length.reason)


class _Seen:
    """What the apply process has done since its start, reading by reading."""

    def __init__(self, watch: PipelineWatch) -> None:
        self._watch = watch
        self._start = 0
        self._share = 0.0

    @property
    def _readings(self) -> list[StreamsSample]:
        """Readings of the session it was started for, from the first one that tells of a message."""
        told = [now for now in self._watch.readings if now.server_messages > 0]
        return [now for now in told if now.apply_started == told[-1].apply_started]

    @property
    def has_begun(self) -> bool:
        """Whether anything was applied since its start."""
        return bool(self._readings)

    @property
    def steady(self) -> tuple[StreamsSample, ...]:
        """The readings behind the settling."""
        return tuple(self._readings[self._start :])

    @property
    def course(self) -> Course:
        """The messages applied, by the time of the readings behind the settling."""
        return _course(self.steady)

    @property
    def span_s(self) -> float:
        """How long the measured part is so far."""
        steady = self.steady
        return steady[-1].offset_s - steady[0].offset_s if steady else 0.0

    def share_of(self, length_s: float) -> float:
        """Return how much of a window is over, which cutting its warm-up off does not take back."""
        self._share = max(self._share, self.span_s / length_s)
        return self._share

    @property
    def rate_per_s(self) -> float:
        """Messages a second behind the settling."""
        steady, span_s = self.steady, self.span_s
        return (steady[-1].server_messages - steady[0].server_messages) / span_s if span_s > 0 else 0.0

    def lasts(self, length_s: float) -> bool:
        """Tell whether the readings behind the settling are enough for a rate of so long a window."""
        readings = self._readings
        self._start = 0
        if len(readings) <= _FEWEST_READINGS or readings[-1].offset_s - readings[0].offset_s < length_s:
            return False
        self._start = settled_from(_course(readings))
        first, last = readings[self._start], readings[-1]
        whole_s = last.offset_s - readings[0].offset_s
        is_long = last.offset_s - first.offset_s >= length_s or whole_s >= 2 * length_s
        is_read = len(readings) - 1 - self._start >= _FEWEST_READINGS
        return is_long and is_read and last.applied - first.applied >= _FEWEST_TRANSACTIONS

    def has_stalled(self) -> bool:
        """Tell whether nothing was applied for so long that waiting on is of no use."""
        last = self._watch.last
        moved = [
            now.offset_s
            for before, now in zip(self._watch.readings, self._watch.readings[1:], strict=False)
            if before.server_messages != now.server_messages
        ]
        return last.offset_s - (moved[-1] if moved else 0.0) > _STALL_LIMIT_S

    def rate_samples(self) -> tuple[Sample, ...]:
        """Return the rates of the window's parts as a series, a minute's as the metric has it."""
        parts = tuple(rate * 60 for rate in rates_in_parts(self.course))
        return rate_samples(parts, self.span_s, self._watch.last.offset_s, MESSAGE_RATE.unit)


def _course(readings: "tuple[StreamsSample, ...] | list[StreamsSample]") -> Course:
    return [(now.offset_s - readings[0].offset_s, float(now.server_messages)) for now in readings]


def _waiting(now: StreamsSample) -> int:
    return now.source_waiting + now.destination_waiting


def is_empty(now: StreamsSample) -> bool:
    """Tell whether nothing waits: the queues are empty, and capture, reader and servers have nothing to do."""
    states = dict(now.states)
    idle = all(doing_of(name, states.get(name, "")) is Doing.IDLE for name in ("capture", "reader"))
    return idle and _waiting(now) == 0 and not any(doing in OCCUPIED for doing in servers_doing(now))


def _nothing_left(path: StreamsPath, span_s: float) -> str:
    return _(
        "nothing waits for {apply} any more after {seconds:,.0f} s of this window: the backlog is applied, and the run "
        "ends with what was measured"
    ).format(apply=path.apply, seconds=span_s)
