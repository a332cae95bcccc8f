"""Steps of a trial of a Streams pipeline, and what such a trial shows."""

from dataclasses import dataclass

from app.domain.measurement import Sample
from app.domain.setting import Setting
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import StreamsPath
from app.systems.oracle_streams.readings import StreamsSample

INSERT, UPDATE = "insert", "update"


@dataclass(frozen=True)
class MakeTestTable:
    """Make the test table at both ends and let its changes flow; it stays until the run ends.

    Attributes:
        rows: rows an update needs, put in and applied before anything is measured; 0 for none.
    """

    rows: int

    def describe(self) -> str:
        """Return what it does, for a person."""
        if self.rows == 0:
            return _("Create the test table at both databases")
        return _("Create the test table at both databases, with {rows:,} rows").format(rows=self.rows)


@dataclass(frozen=True)
class StopApply:
    """Stop the apply process, not by force, and wait until it has stopped."""

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Stop the apply process and wait until it has stopped")


@dataclass(frozen=True)
class SetParameters:
    """Give the pipeline a setting; values of the apply process count from its next start."""

    setting: Setting

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Set {setting} and check it").format(setting=self.setting.text())


@dataclass(frozen=True)
class StartApply:
    """Start the apply process and wait until its coordinator runs."""

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Start the apply process and wait until it runs")


@dataclass(frozen=True)
class MeasureLoad:
    """Write rows at the source, and measure every stage until all of them are applied.

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

    def describe(self) -> str:
        """Return what it does, for a person."""
        texts = {
            INSERT: _(
                "Insert {rows:,} rows at the source, {size:,} in a transaction, and measure until all are applied"
            ),
            UPDATE: _(
                "Update {rows:,} rows at the source, {size:,} in a transaction, and measure until all are applied"
            ),
        }
        return texts[self.operation].format(rows=self.rows, size=min(self.rows_per_commit, self.rows))


@dataclass(frozen=True)
class TraceUpdates:
    """Trace one apply server (event 10046) while it applies a few updates; nothing of it is measured."""

    rows: int
    rows_per_commit: int

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Trace one apply server (event 10046) while {rows:,} updates are applied").format(rows=self.rows)


@dataclass(frozen=True)
class StreamsReading:
    """The pipeline at one moment of a trial: `offset_s` seconds after measuring began."""

    offset_s: float
    sample: StreamsSample


@dataclass(frozen=True)
class StreamsObservation:
    """What a trial of a Streams pipeline showed, before its family makes measures of it.

    Attributes:
        load: what was written. rows_written: as the server said.
        readings: oldest first; the first was taken before the load, the last when everything was applied.
        elapsed_s: from the first row's writing until the last one was applied; None where they never all were.
        samples: time series at the sampling interval.
    """

    path: StreamsPath
    load: MeasureLoad
    rows_written: int
    readings: tuple[StreamsReading, ...]
    elapsed_s: float | None
    samples: tuple[Sample, ...]
