"""Steps of a trial of the commit mode, what such a trial shows, and which trace flags say what is compressed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.measurement import Sample
from app.foundation.texts import _
from app.systems.availability_groups.groups import CommitMode, InsertLoop
from app.systems.availability_groups.readings import GroupSample

# Trace flags of log stream compression (Microsoft: "Tune compression for availability group", "DBCC TRACEON - Trace
# Flags"): 9592 compresses for synchronous replicas, 1462 stops it for asynchronous ones, 9591 stops it altogether.
COMPRESS_SYNCHRONOUS: Final = 9592
STOP_ASYNCHRONOUS: Final = 1462
STOP_ALL: Final = 9591
COMPRESSION_FLAGS: Final = (STOP_ASYNCHRONOUS, STOP_ALL, COMPRESS_SYNCHRONOUS)

SQL_SERVER_2016: Final = 13
"""Major version from which on the log for synchronous replicas is no longer compressed by default."""

DEFAULT, ON, OFF = "default", "on", "off"


def compresses_by_default(major: int, mode: CommitMode) -> bool:
    """Tell whether a version (13 is SQL Server 2016) compresses the log stream to a replica of this mode by itself."""
    return mode is CommitMode.ASYNCHRONOUS or major < SQL_SERVER_2016


def compression_in_effect(major: int, mode: CommitMode, wanted: str) -> str:
    """Return "on" or "off" for a value of the factor: what it means on this version."""
    if wanted in (ON, OFF):
        return wanted
    return ON if compresses_by_default(major, mode) else OFF


def compression_found(major: int, mode: CommitMode, flags: Collection[int]) -> str:
    """Return "on" or "off": what a version does for a replica of this mode with these trace flags set."""
    if STOP_ALL in flags:
        return OFF
    if major >= SQL_SERVER_2016 and mode is CommitMode.SYNCHRONOUS:
        return ON if COMPRESS_SYNCHRONOUS in flags else OFF
    if major >= SQL_SERVER_2016 and STOP_ASYNCHRONOUS in flags:
        return OFF
    return ON


def compression_flags(major: int, mode: CommitMode, wanted: str) -> Mapping[int, bool]:
    """Return which trace flag must be set, and which must not, so that the log stream is (not) compressed.

    Before SQL Server 2016 only 9591 is known.

    Args:
        wanted: "default", "on" or "off".
    """
    flag = {STOP_ALL: False}
    if major < SQL_SERVER_2016:
        return {STOP_ALL: wanted == OFF}
    flag[STOP_ASYNCHRONOUS] = mode is CommitMode.ASYNCHRONOUS and wanted == OFF
    flag[COMPRESS_SYNCHRONOUS] = mode is CommitMode.SYNCHRONOUS and wanted == ON
    return flag


@dataclass(frozen=True)
class MakeTestTables:
    """Make source, destination and tracer table in a database, the source filled; they stay until the run ends."""

    database: str
    source_rows: int

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Create the test tables in {database}, the source with {rows:,} rows").format(
            database=self.database, rows=self.source_rows
        )


@dataclass(frozen=True)
class SetCommitMode:
    """Give the replicas of a database's group a mode: all secondaries asynchronous, or the one under test not.

    Attributes:
        secondary: server of the secondary replica under test, "" for the first one that is connected.
    """

    database: str
    secondary: str
    mode: CommitMode

    def describe(self) -> str:
        """Return what it does, for a person."""
        if self.mode is CommitMode.SYNCHRONOUS:
            text = _("Let the group of {database} commit synchronously with one secondary")
        else:
            text = _("Let the group of {database} commit asynchronously")
        return text.format(database=self.database)


@dataclass(frozen=True)
class SetLogCompression:
    """Set or clear the trace flags at the primary so that the log stream is compressed as wanted."""

    mode: CommitMode
    wanted: str

    def describe(self) -> str:
        """Return what it does, for a person."""
        return {
            ON: _("Compress the log stream (trace flags at the primary)"),
            OFF: _("Do not compress the log stream (trace flags at the primary)"),
        }.get(self.wanted, _("Leave compression of the log stream to the version's default (no trace flags)"))


@dataclass(frozen=True)
class WaitSynchronized:
    """Wait until the database is synchronized (synchronous), or its log is sent (asynchronous)."""

    database: str
    secondary: str

    def describe(self) -> str:
        """Return what it does, for a person."""
        return _("Wait until the secondary has caught up with {database}").format(database=self.database)


@dataclass(frozen=True)
class Shape:
    """One shape of the workload: inserts, each its own transaction, of so many rows each."""

    inserts: int
    rows_per_insert: int


@dataclass(frozen=True)
class MeasureShapes:
    """Run the shapes in turn, loop after loop, and time them at the server.

    Attributes:
        loops: how often each shape is run; every other loop goes through them backwards.
        budget_s: time for one shape in one loop; of a longer one the inserts done by then count, and its run time is
            theirs × inserts of the shape / inserts done.
        settle_s: inserts that are not timed come first, so that a change of compression is in effect.
    """

    database: str
    mode: CommitMode
    shapes: tuple[Shape, ...]
    loops: int
    budget_s: float
    settle_s: float

    def describe(self) -> str:
        """Return what it does, for a person."""
        words = _("Measure {shapes} workload shapes in {database}, {loops} loops each")
        if self.loops == 1:
            words = _("Measure {shapes} workload shapes in {database}, 1 loop each")
        return words.format(shapes=len(self.shapes), database=self.database, loops=self.loops)


@dataclass(frozen=True)
class ShapeObservation:
    """What a trial showed of one shape: each loop, and the readings from its beginning to its end."""

    shape: Shape
    loops: tuple[InsertLoop, ...]
    readings: tuple[tuple[GroupSample, ...], ...]


@dataclass(frozen=True)
class CommitObservation:
    """What a trial of the commit mode showed, before its family makes measures of it.

    Attributes:
        mode: of the arm. is_synchronized: at the end of a synchronous trial every reading said SYNCHRONIZED.
        major: major version of the primary.
        samples: time series at the sampling interval.
    """

    mode: CommitMode
    major: int
    is_synchronized: bool
    shapes: tuple[ShapeObservation, ...]
    samples: tuple[Sample, ...]
