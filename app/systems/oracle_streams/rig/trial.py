"""Steps of a Streams trial, and its observation."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from app.domain.change import Change
from app.domain.happening import Happening, Work
from app.domain.measurement import Sample
from app.domain.setting import Setting
from app.foundation.texts import _
from app.runner.bench.rig import Bench, BenchStep, StepRig
from app.runner.optional import tell_past_work
from app.systems.oracle_streams.offer import streams_port
from app.systems.oracle_streams.pipeline import INSERT, UPDATE, StreamsPath
from app.systems.oracle_streams.readings import StreamsSample
from app.systems.oracle_streams.rig.apply_process import start, stop
from app.systems.oracle_streams.rig.capture_restart import plan_capture_restart, restart_capture
from app.systems.oracle_streams.rig.loading import Filled, Loading, Rows
from app.systems.oracle_streams.rig.path import streams_site
from app.systems.oracle_streams.rig.watch import PipelineWatch
from app.systems.oracle_streams.server.documented import is_of_apply

FILL_ROWS_PER_COMMIT = 1_000
# Others' work below this share of the transactions applied is not worth telling. Our choice.
FOREIGN_NOTED_SHARE = 0.01
# Counts from the capture's next start; see `capture_restart`.
_FROM_CAPTURE_START = frozenset({"_SGA_SIZE"})


@dataclass(frozen=True)
class MakeTestTable(BenchStep[StreamsPath]):
    """Make the test table at both ends and let its changes flow; it stays until the run ends.

    Attributes:
        rows: rows an update needs, put in and applied before anything is measured; 0 for none.
    """

    rows: int

    def describe(self) -> str:
        """Describe the step for a person."""
        if self.rows == 0:
            return _("Create the test table at both databases")
        return _("Create the test table at both databases, with {rows:,} rows").format(rows=self.rows)

    def changes(self, at: Bench[StreamsPath]) -> tuple[Change, ...]:
        """Return the changes that make it."""
        return streams_port(at.target).plan_test_table(at.members, self.rows, at.owner)

    def do(self, rig: StepRig[StreamsPath]) -> None:
        """Make it, once for the run, and fill it where it has too few rows."""
        rig.board.make_once("test table", lambda: self.changes(rig.at))
        missing = self.rows - rig.kept(Filled).rows
        if missing > 0:
            Loading(rig).unmeasured(Rows(INSERT, missing, FILL_ROWS_PER_COMMIT))


@dataclass(frozen=True)
class StopApply(BenchStep[StreamsPath]):
    """Stop the apply process, not by force, and wait until it has stopped."""

    joins = True

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Stop the apply process and wait until it has stopped")

    def changes(self, at: Bench[StreamsPath]) -> tuple[Change, ...]:
        """Return the change that stops it."""
        return streams_port(at.target).plan_restart(at.members)

    def do(self, rig: StepRig[StreamsPath]) -> None:
        """Stop it; raises Disturbed where it does not run."""
        stop(rig)


@dataclass(frozen=True)
class SetParameters(BenchStep[StreamsPath]):
    """Give the pipeline a setting; values of the apply process count from its next start."""

    setting: Setting

    @property
    def joins(self) -> bool:
        """All of it is set where the apply process runs, so that one script does it."""
        return all(is_of_apply(name) for name, _value in self.setting.items())

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Set {setting} and check it").format(setting=self.setting.text())

    def changes(self, at: Bench[StreamsPath]) -> Iterator[Change]:
        """Yield the changes of differing values, and of those that have the capture process start anew."""
        for name, value in self.setting.items():
            yield from streams_port(at.target).plan_parameter(at.members, name, value)
        if self._restarts_capture:
            yield from plan_capture_restart(at)

    def do(self, rig: StepRig[StreamsPath]) -> None:
        """Set them, and have the capture process start anew where one counts from its start."""
        streams, path = streams_port(rig.at.target), rig.at.members
        plan = partial(streams.plan_parameter, path)
        wanted = ((name, value, partial(plan, name, value)) for name, value in self.setting.items())
        rig.board.set_all(wanted, foresees=self.joins)
        if self._restarts_capture:
            restart_capture(rig)

    @property
    def _restarts_capture(self) -> bool:
        return not _FROM_CAPTURE_START.isdisjoint(self.setting)


@dataclass(frozen=True)
class StartApply(BenchStep[StreamsPath]):
    """Start the apply process and wait until its coordinator runs."""

    joins = True

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Start the apply process and wait until it runs")

    def do(self, rig: StepRig[StreamsPath]) -> None:
        """Start it."""
        start(rig)


@dataclass(frozen=True)
class MeasureLoad(Rows, BenchStep[StreamsPath]):
    """Write rows at the source, and measure every stage until all of them are applied."""

    def describe(self) -> str:
        """Describe the step for a person."""
        texts = {
            INSERT: _(
                "Insert {rows:,} rows at the source, {size:,} in a transaction, and measure until all are applied"
            ),
            UPDATE: _(
                "Update {rows:,} rows at the source, {size:,} in a transaction, and measure until all are applied"
            ),
        }
        return texts[self.operation].format(rows=self.rows, size=min(self.rows_per_commit, self.rows))

    def do(self, rig: StepRig[StreamsPath]) -> "StreamsObservation":
        """Write them once the pipeline is calm, and return the observation."""
        loading = Loading(rig)
        loading.await_calm()
        streams = streams_port(rig.at.target)
        tell_past_work(streams.begin_past(), rig.refused, rig.call.on_happening)
        watch = loading.watch(rig.call.on_samples)
        watch.take()
        written = loading.write(self, watch)
        elapsed_s = loading.await_applied(self, watch)
        watch.finish()
        self._tell_foreign(watch, rig)
        tell_past_work(streams.past_readings(elapsed_s), rig.refused, rig.call.on_happening)
        return StreamsObservation(
            path=rig.at.members,
            load=self,
            rows_written=written,
            readings=tuple(watch.readings),
            elapsed_s=elapsed_s,
            samples=tuple(watch.samples),
        )

    def _tell_foreign(self, watch: PipelineWatch, rig: StepRig[StreamsPath]) -> None:
        """Tell which share of the transactions that were applied meanwhile this run had not written."""
        applied = watch.grown.of("applied")
        share = 1 - self.transactions / applied if applied > 0 else 0.0
        if share >= FOREIGN_NOTED_SHARE:
            databases = streams_site(rig.at.site).topology.databases
            rig.call.on_happening(Happening(Work.OTHER_COMMANDS, databases[0].name, share=share))


@dataclass(frozen=True)
class TraceUpdates(BenchStep[StreamsPath]):
    """Trace one apply server (event 10046) while it applies a few updates; nothing of it is measured."""

    rows: int
    rows_per_commit: int

    def describe(self) -> str:
        """Describe the step for a person."""
        return _("Trace one apply server (event 10046) while {rows:,} updates are applied").format(rows=self.rows)

    def changes(self, at: Bench[StreamsPath]) -> tuple[Change, ...]:
        """Return the change that begins the trace."""
        return streams_port(at.target).plan_trace(at.members)

    def do(self, rig: StepRig[StreamsPath]) -> None:
        """Write the updates under the trace, and end it."""
        rig.board.make("trace", self.changes(rig.at))
        Loading(rig).unmeasured(Rows(UPDATE, self.rows, self.rows_per_commit))
        rig.board.take_back("trace")


@dataclass(frozen=True)
class StreamsObservation:
    """The observation of a Streams trial, before its family makes measures of it.

    Attributes:
        load: what was written, None on the client's own work. rows_written: as the server said.
        readings: oldest first; the first was taken before the load, the last when everything was applied; of a window
            those behind its settling.
        elapsed_s: from the first row's writing until the last one was applied, None where they never all were; of a
            window its length.
        samples: time series at the sampling interval.
        window: what is known of a window besides, None where rows were written.
    """

    path: StreamsPath
    load: MeasureLoad | None
    rows_written: int
    readings: tuple[StreamsSample, ...]
    elapsed_s: float | None
    samples: tuple[Sample, ...]
    window: "WindowSeen | None" = None


@dataclass(frozen=True)
class WindowSeen:
    """Figures of a window on the client's own work.

    Attributes:
        length_s: of the measured part.
        has_run_out: nothing was left before it was long enough for a rate.
    """

    length_s: float
    has_run_out: bool = False
