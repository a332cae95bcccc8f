"""Doing the steps of one trial of a Streams pipeline."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from app.domain.errors import TargetError
from app.domain.happening import Happening, Work
from app.domain.rig import RigParts, RunCancelled, TrialCall
from app.domain.step import Step
from app.foundation.texts import _
from app.runner.optional import tell_past_work
from app.runner.skipped import SkippedReadings
from app.systems.oracle_streams.analysis.stages import Doing, doing_of, servers_doing
from app.systems.oracle_streams.metrics import READINGS_S
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.rig.capture_restart import restart_capture
from app.systems.oracle_streams.rig.path import streams_site
from app.systems.oracle_streams.rig.switches import ApplySwitch, ParameterSwitch
from app.systems.oracle_streams.rig.watch import PipelineWatch, all_applied, enough_applied, has_moved
from app.systems.oracle_streams.steps import (
    INSERT,
    UPDATE,
    MakeTestTable,
    MeasureLoad,
    SetParameters,
    StartApply,
    StopApply,
    StreamsObservation,
    TraceUpdates,
)

_log = logging.getLogger(__name__)

# One call writes at most this much in small transactions, so that cancel is never far away.
PORTION_ROWS = 50_000
FILL_ROWS_PER_COMMIT = 1_000
SAMPLES_PER_TRIAL = 300
SHORTEST_TICK_S = READINGS_S
LONGEST_TICK_S = 5.0
# Towards its end a trial is read as often as it may be, so that its length is known to a second.
_NEARLY_DONE_SHARE = 0.97
# Redo may reach a capture process a minute after it was written; ten minutes without any movement is a fault.
STALL_LIMIT_S = 600.0
# Others' work below this share of the transactions applied is not worth telling. Our choice.
FOREIGN_NOTED_SHARE = 0.01
# An idle process is idle for good after so long; where it never is, a trial begins all the same.
CALM_S = 10.0
CALM_LIMIT_S = 120.0
# What is under way when a trial ends early has arrived when nothing moved for so long.
QUIET_S = 90.0
_SHORTEST_SETTLING_S = 900.0
_SETTLING_TRIES = 3

TABLE = "test table"
TRACE = "trace"
# Counts from the capture's next start; see `capture_restart`.
_FROM_CAPTURE_START = frozenset({"_SGA_SIZE"})


@dataclass
class Filled:
    """How many rows the test table of this run has."""

    rows: int = 0


@dataclass
class TrialHands:
    """What a trial needs to act; lives as long as the trial.

    Attributes:
        refused: readings of what else ran that this login may not do; shared by the trials of a run.
        has_written: rows are under way. last_scn: an SCN above that of the last of them, None until it was asked for.
    """

    parts: RigParts
    path: StreamsPath
    parameters: ParameterSwitch
    apply: ApplySwitch
    filled: Filled
    call: TrialCall
    refused: set[str]
    has_written: bool = field(default=False)
    last_scn: int | None = field(default=None)
    skipped: SkippedReadings = field(default_factory=SkippedReadings)

    @property
    def tick_s(self) -> float:
        """Time between two readings until the load is nearly applied, seconds."""
        return min(LONGEST_TICK_S, max(SHORTEST_TICK_S, self.call.expected_s / SAMPLES_PER_TRIAL))

    def do(self, step: Step) -> StreamsObservation | None:
        """Do a step; return what it showed where it is the one that measures."""
        match step:
            case MakeTestTable():
                self._make_table(step)
            case StopApply():
                self.apply.stop()
            case SetParameters():
                self._set(step)
            case StartApply():
                self.apply.start()
            case MeasureLoad():
                return self._measure(step)
            case TraceUpdates():
                self._trace(step)
            case _:
                raise ValueError(f"no step of a Streams pipeline: {step}")
        return None

    def settle(self) -> None:
        """Let what is under way arrive before the test table is dropped: its changes would fail without it.

        Not ended by a cancel. Gives up after a time, or where the apply process does not run any more.
        """
        if not self.has_written:
            return
        self.call.on_step(_("Wait until the rows under way are applied, so that the test table can be dropped"))
        failures = 0
        while failures < _SETTLING_TRIES:
            try:
                if self.apply.is_stopped:
                    self.apply.start()
                self._await_quiet()
            except (TargetError, RunCancelled) as error:
                failures += 1
                _log.info("waiting for the rows under way failed: %s", error)
                self.parts.target.clock.sleep(LONGEST_TICK_S)
            else:
                return

    def _await_quiet(self) -> None:
        watch = self._watch(_ignore)
        watch.begin()
        limit_s, quiet_since_s = max(_SHORTEST_SETTLING_S, 2 * self.call.expected_s), 0.0
        while watch.last.offset_s < limit_s and watch.last.sample.apply_status == "ENABLED":
            before = watch.last.sample
            self.parts.target.clock.sleep(LONGEST_TICK_S)
            now = watch.read()
            is_busy = has_moved(before, now.sample) or Doing.WORKING in servers_doing(now.sample)
            if is_busy and self._has_passed():
                self.has_written = False
                return
            if is_busy:
                quiet_since_s = now.offset_s
            if now.offset_s - quiet_since_s >= QUIET_S:
                self.has_written = False
                return

    def _make_table(self, step: MakeTestTable) -> None:
        if not self.parameters.is_open(TABLE):
            planned = streams_port(self.parts.target).plan_test_table(self.path, step.rows, self.parts.owner)
            self.parameters.apply(TABLE, planned)
        missing = step.rows - self.filled.rows
        if missing > 0:
            watch = self._watch(_ignore)
            watch.begin()
            self._write(MeasureLoad(INSERT, missing, FILL_ROWS_PER_COMMIT), watch)
            self._await_applied(MeasureLoad(INSERT, missing, FILL_ROWS_PER_COMMIT), watch)

    def _set(self, step: SetParameters) -> None:
        for name, value in step.setting.items():
            self.parameters.set(name, value)
        if _FROM_CAPTURE_START & set(step.setting):
            restart_capture(self.parts, self.path, self.parameters)

    def _measure(self, step: MeasureLoad) -> StreamsObservation:
        self._await_calm()
        streams = streams_port(self.parts.target)
        tell_past_work(streams.begin_past(), self.refused, self.call.on_happening)
        watch = self._watch(self.call.on_samples)
        watch.begin()
        written = self._write(step, watch)
        elapsed_s = self._await_applied(step, watch)
        watch.finish()
        self._tell_foreign(watch, step)
        tell_past_work(streams.past_readings(elapsed_s), self.refused, self.call.on_happening)
        return StreamsObservation(
            path=self.path,
            load=step,
            rows_written=written,
            readings=tuple(watch.readings),
            elapsed_s=elapsed_s,
            samples=tuple(watch.samples),
        )

    def _await_calm(self) -> None:
        """Wait until capture and reader have had nothing to do for a while, so that every trial finds them alike.

        An idle capture process notices new redo later than a busy one; where others keep it busy, this gives up.
        """
        clock, watch = self.parts.target.clock, self._watch(_ignore)
        watch.begin()
        began_s = idle_since_s = clock.monotonic_s()
        while clock.monotonic_s() - began_s < CALM_LIMIT_S:
            self.parts.control.check()
            clock.sleep(SHORTEST_TICK_S)
            before = watch.last.sample
            now = watch.read().sample
            watch.check(before, now)
            states = dict(now.states)
            if any(doing_of(name, states.get(name, "")) is not Doing.IDLE for name in ("capture", "reader")):
                idle_since_s = clock.monotonic_s()
            elif clock.monotonic_s() - idle_since_s >= CALM_S:
                return

    def _write(self, step: MeasureLoad, watch: PipelineWatch) -> int:
        """Write all rows, a transaction or a bounded portion of commits at a time; return rows written."""
        size = min(step.rows_per_commit, step.rows)
        portion = max(1, PORTION_ROWS // size) * size
        written = 0
        while written < step.rows:
            self.has_written, self.last_scn = True, None
            done = streams_port(self.parts.target).load(
                self.path, step.operation, min(portion, step.rows - written), size, self.parts.owner
            )
            if done <= 0:
                raise TargetError(_("the load of the test table wrote nothing"))
            written += done
            if step.operation == INSERT:
                self.filled.rows += done
            watch.tick(0.0, lambda grown: grown.of("server_messages") / step.rows)
        return written

    def _await_applied(self, step: MeasureLoad, watch: PipelineWatch) -> float:
        """Read until what was written is applied; return when it was, seconds after the watch began.

        Where others write, something is always under way: then the SCN up to which everything is applied must have
        passed that of the last row.
        """
        moved_s = counted_s = watch.last.offset_s
        while not all_applied(watch, step.rows, step.transactions):
            if not enough_applied(watch, step.rows, step.transactions):
                counted_s = watch.last.offset_s
            elif self._has_passed():
                break
            elif watch.last.offset_s - counted_s > STALL_LIMIT_S:
                raise TargetError(
                    _(
                        "as many rows as were written are applied for {minutes:.0f} minutes, and those of this run "
                        "are not all among them: others write to the source faster than it is applied"
                    ).format(minutes=STALL_LIMIT_S / 60)
                )
            before = watch.last.sample
            is_nearly_done = watch.grown.of("server_messages") >= _NEARLY_DONE_SHARE * step.rows
            tick_s = SHORTEST_TICK_S if is_nearly_done else self.tick_s
            now = watch.tick(tick_s, lambda grown: grown.of("server_messages") / step.rows)
            if has_moved(before, now.sample):
                moved_s = now.offset_s
            if now.offset_s - moved_s > STALL_LIMIT_S:
                raise TargetError(
                    _("nothing moved for {minutes:.0f} minutes, and {have:,.0f} of {want:,} rows are applied").format(
                        minutes=STALL_LIMIT_S / 60, have=watch.grown.of("server_messages"), want=step.rows
                    )
                )
        self.has_written = False
        return watch.last.offset_s

    def _has_passed(self) -> bool:
        """Tell whether everything up to an SCN above this run's last commit is applied."""
        streams = streams_port(self.parts.target)
        if self.last_scn is None:
            self.last_scn = streams.read_source_scn()
        applied_scn = streams.read_applied_scn(self.path)
        return applied_scn is not None and applied_scn >= self.last_scn

    def _tell_foreign(self, watch: PipelineWatch, step: MeasureLoad) -> None:
        """Tell which share of the transactions that were applied meanwhile this run had not written."""
        applied = watch.grown.of("applied")
        share = 1 - step.transactions / applied if applied > 0 else 0.0
        if share >= FOREIGN_NOTED_SHARE:
            databases = streams_site(self.parts.site).topology.databases
            self.call.on_happening(Happening(Work.OTHER_COMMANDS, databases[0].name, share=share))

    def _trace(self, step: TraceUpdates) -> None:
        self.parameters.apply(TRACE, streams_port(self.parts.target).plan_trace(self.path))
        load = MeasureLoad(UPDATE, step.rows, step.rows_per_commit)
        watch = self._watch(_ignore)
        watch.begin()
        self._write(load, watch)
        self._await_applied(load, watch)
        self.parameters.take_back(TRACE)

    def _watch(self, on_samples: Callable[..., None]) -> PipelineWatch:
        return PipelineWatch(
            target=self.parts.target,
            path=self.path,
            control=self.parts.control,
            limits=self.parts.plan.limits,
            keep_s=self.tick_s,
            on_samples=on_samples,
            on_server_time=self.call.on_server_time,
            on_disturbed=self.apply.leave_as,
            skipped=self.skipped,
        )


def _ignore(*_readings: object) -> None:
    """Preparation is watched for the abort rules only."""
