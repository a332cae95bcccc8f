"""Writing rows at the source of a pipeline, and waiting until they are applied."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from app.domain.errors import TargetError
from app.domain.rig import LimitExceeded, RunCancelled
from app.foundation.texts import _
from app.runner.bench.rig import StepRig
from app.runner.control import let_pass
from app.systems.oracle_streams.analysis.stages import Doing, doing_of, servers_doing
from app.systems.oracle_streams.metrics import READINGS_S
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import INSERT, StreamsPath
from app.systems.oracle_streams.readings import STREAMS_LIMITS, StreamsSample
from app.systems.oracle_streams.rig.apply_process import leave_as, start_if_stopped
from app.systems.oracle_streams.rig.disturbances import disturbance, new_errors
from app.systems.oracle_streams.rig.watch import LONGEST_TICK_S, PipelineWatch, all_applied, enough_applied, has_moved

_log = logging.getLogger(__name__)

# One call writes at most this much in small transactions, so that cancel is never far away.
PORTION_ROWS = 50_000
SHORTEST_TICK_S = READINGS_S
# Towards its end a trial is read as often as it may be, so that its length is known to a second.
_NEARLY_DONE_SHARE = 0.97
# Redo may reach a capture process a minute after it was written; ten minutes without any movement is a fault.
STALL_LIMIT_S = 600.0
# An idle process is idle for good after so long; where it never is, a trial begins all the same.
CALM_S = 10.0
CALM_LIMIT_S = 120.0
# What is under way when a trial ends early has arrived when nothing moved for so long.
QUIET_S = 90.0
_SHORTEST_SETTLING_S = 900.0
_SETTLING_TRIES = 3


@dataclass(frozen=True)
class Rows:
    """Rows that are written.

    Attributes:
        operation: "insert" or "update".
        rows_per_commit: rows of each transaction.
    """

    operation: str
    rows: int
    rows_per_commit: int

    @property
    def transactions(self) -> int:
        """How many transactions it commits; the last one may be smaller."""
        return -(-self.rows // self.rows_per_commit)


class Filled:
    """How many rows the test table of this run has."""

    rows = 0

    def forget(self) -> None:
        """Start afresh after a restore: the test table is gone, too."""
        self.rows = 0


class Loading:
    """Rows of one step, from their writing until they are applied.

    Attributes:
        last_scn: an SCN above that of the last row written, None until it was asked for.
    """

    def __init__(self, rig: StepRig[StreamsPath]) -> None:
        self._rig = rig
        self._last_scn: int | None = None

    def unmeasured(self, step: Rows) -> None:
        """Write rows and wait until they are applied; watched for the abort rules only."""
        watch = self.watch(_ignore)
        watch.take()
        self.write(step, watch)
        self.await_applied(step, watch)

    def await_calm(self) -> None:
        """Wait until capture and reader have had nothing to do for a while, so that every trial finds them alike.

        An idle capture process notices new redo later than a busy one; where others keep it busy, this gives up.
        """
        clock, watch = self._rig.at.target.clock, self.watch(_ignore)
        watch.take()
        began_s = idle_since_s = clock.monotonic_s()
        while clock.monotonic_s() - began_s < CALM_LIMIT_S:
            let_pass(SHORTEST_TICK_S, clock, self._rig.parts.control)
            before, now = watch.last, watch.take()
            self._check_undisturbed(before, now)
            states = dict(now.states)
            if any(doing_of(name, states.get(name, "")) is not Doing.IDLE for name in ("capture", "reader")):
                idle_since_s = clock.monotonic_s()
            elif clock.monotonic_s() - idle_since_s >= CALM_S:
                return

    def write(self, step: Rows, watch: PipelineWatch) -> int:
        """Write all rows, a transaction or a bounded portion of commits at a time; return rows written."""
        size = min(step.rows_per_commit, step.rows)
        portion = max(1, PORTION_ROWS // size) * size
        written = 0
        while written < step.rows:
            self._rig.await_arrival, self._last_scn = self._settle, None
            done = streams_port(self._rig.at.target).load(
                self._rig.at.members, step.operation, min(portion, step.rows - written), size, self._rig.at.owner
            )
            if done <= 0:
                raise TargetError(_("the load of the test table wrote nothing"))
            written += done
            if step.operation == INSERT:
                self._rig.kept(Filled).rows += done
            watch.read_after(0.0, lambda _now: watch.grown.of("server_messages") / step.rows)
        return written

    def await_applied(self, step: Rows, watch: PipelineWatch) -> float:
        """Read until the written rows are applied; return when they were, seconds after the watch began.

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
            before = watch.last
            is_nearly_done = watch.grown.of("server_messages") >= _NEARLY_DONE_SHARE * step.rows
            tick_s = SHORTEST_TICK_S if is_nearly_done else watch.tick_s
            now = watch.read_after(tick_s, lambda _now: watch.grown.of("server_messages") / step.rows)
            if has_moved(before, now):
                moved_s = now.offset_s
            if now.offset_s - moved_s > STALL_LIMIT_S:
                raise TargetError(
                    _("nothing moved for {minutes:.0f} minutes, and {have:,.0f} of {want:,} rows are applied").format(
                        minutes=STALL_LIMIT_S / 60, have=watch.grown.of("server_messages"), want=step.rows
                    )
                )
        self._rig.await_arrival = None
        return watch.last.offset_s

    def _has_passed(self) -> bool:
        """Tell whether everything up to an SCN above this run's last commit is applied."""
        streams = streams_port(self._rig.at.target)
        if self._last_scn is None:
            self._last_scn = streams.read_source_scn()
        applied_scn = streams.read_applied_scn(self._rig.at.members)
        return applied_scn is not None and applied_scn >= self._last_scn

    def _settle(self) -> None:
        """Wait for rows under way before the test table is dropped: their changes would fail without it.

        Not ended by a cancel. Gives up after a time, or where the apply process does not run any more.
        """
        self._rig.call.on_step(_("Wait until the rows under way are applied, so that the test table can be dropped"))
        failures = 0
        while failures < _SETTLING_TRIES:
            try:
                start_if_stopped(self._rig)
                self._await_quiet()
            except (TargetError, RunCancelled) as error:
                failures += 1
                _log.info("waiting for the rows under way failed: %s", error)
                self._rig.at.target.clock.sleep(LONGEST_TICK_S)
            else:
                return

    def _await_quiet(self) -> None:
        watch = self.watch(_ignore)
        watch.take()
        limit_s, quiet_since_s = max(_SHORTEST_SETTLING_S, 2 * self._rig.call.expected_s), 0.0
        while watch.last.offset_s < limit_s and watch.last.apply_status == "ENABLED":
            before = watch.last
            self._rig.at.target.clock.sleep(LONGEST_TICK_S)
            now = watch.take()
            is_busy = has_moved(before, now) or Doing.WORKING in servers_doing(now)
            if is_busy and self._has_passed():
                return
            if is_busy:
                quiet_since_s = now.offset_s
            if now.offset_s - quiet_since_s >= QUIET_S:
                return

    def watch(self, on_samples: Callable[..., None]) -> PipelineWatch:
        """Return a watch that begins now."""
        rig = self._rig
        sample = partial(streams_port(rig.at.target).sample, rig.at.members)
        call = replace(rig.call, on_samples=on_samples)
        return PipelineWatch(rig.parts, call, STREAMS_LIMITS, sample, self._check, {}, rig.refused, rig.skipped)

    def _check(self, before: StreamsSample | None, now: StreamsSample) -> None:
        """Raise the error that ends a trial whatever the plan says, if there is one."""
        self._check_undisturbed(before or now, now)
        if sentence := new_errors(before or now, now):
            raise LimitExceeded(sentence)

    def _check_undisturbed(self, before: StreamsSample, now: StreamsSample) -> None:
        """Raise Disturbed where others stopped, aborted or dropped a process, or an instance was restarted."""
        disturbed = disturbance(before, now, self._rig.at.members)
        if disturbed is not None:
            leave_as(self._rig, now)
            raise disturbed


def _ignore(*_readings: object) -> None:
    """Preparation is watched for the abort rules only."""
