"""Oracle Streams: the processes of a pipeline, their counters, and the port to the databases they run in."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import AliasChoices, Field

from app.domain.change import Change
from app.domain.happening import PastReadings
from app.domain.naming import DatabaseName, Sentence, Word
from app.domain.server import EffectiveParameter
from app.domain.setting import Value
from app.systems.oracle_streams.naming import ProcessName, QueueName
from app.systems.oracle_streams.readings import StreamsSample


class StreamsComponent(StrEnum):
    """A process, or the database, that a parameter belongs to."""

    CAPTURE = "capture"
    PROPAGATION = "propagation"
    APPLY = "apply"
    SOURCE_DATABASE = "source_database"
    DESTINATION_DATABASE = "destination_database"


class Technology(StrEnum):
    """Which of the successive products a process belongs to; they share most of their views."""

    STREAMS = "streams"
    GOLDENGATE = "goldengate"
    XSTREAM = "xstream"


@dataclass(frozen=True)
class OracleDatabase:
    """One database of the pipeline.

    Attributes:
        role: "Source" or "Destination".
        version: such as "11.2.0.4.0". compatible: parameter COMPATIBLE.
        streams_pool_mib: V$SGAINFO or V$STREAMS_POOL_STATISTICS, 0 where the pool is automatic and unused.
    """

    name: DatabaseName
    role: Word
    version: Word
    edition: Word
    compatible: Word
    cpu_count: int
    streams_pool_mib: Annotated[float, Field(validation_alias=AliasChoices("streams_pool_mib", "streams_pool_mb"))]
    is_rac: bool = False


@dataclass(frozen=True)
class StreamsProcess:
    """One capture, propagation or apply process.

    Attributes:
        status: "ENABLED", "DISABLED" or "ABORTED"; error: its message where aborted.
        state: what its view says it does now.
        queue: "OWNER.NAME" of the queue it reads or fills.
    """

    component: StreamsComponent
    name: ProcessName
    database: DatabaseName
    status: Word
    state: Word
    queue: QueueName
    technology: Technology = Technology.STREAMS
    error: Sentence = ""


@dataclass(frozen=True)
class StreamsPath:
    """One pipeline from capture to apply.

    Attributes:
        propagation: "" where capture and apply are combined, or share a queue.
        is_combined: combined capture and apply (11.1+): queue and propagation figures then stay flat.
    """

    name: ProcessName
    capture: ProcessName
    propagation: ProcessName
    apply: ProcessName
    is_combined: bool = False


@dataclass(frozen=True)
class StreamsParameter:
    """One parameter of one process or database.

    Attributes:
        value: as read; None where it is hidden and not shown ("not shown" is not "default").
        set_by_user: somebody set it; undo then writes the old value, else NULL, which puts the default back.
        is_hidden: begins with an underscore.
    """

    component: StreamsComponent
    process: ProcessName
    effective: EffectiveParameter
    set_by_user: bool
    is_hidden: bool


@dataclass(frozen=True)
class StreamsTopology:
    """The topology of the two databases of a pipeline.

    Attributes:
        apply_errors: rows in DBA_APPLY_ERROR; must be 0 before an experiment.
        long_transactions: open transactions older than ten minutes seen by capture.
        warnings: one sentence each, such as desupport, or a limit of the health check that is passed.
    """

    databases: tuple[OracleDatabase, ...]
    processes: tuple[StreamsProcess, ...]
    paths: tuple[StreamsPath, ...]
    parameters: tuple[StreamsParameter, ...]
    apply_errors: int
    long_transactions: int
    warnings: tuple[Sentence, ...] = ()

    def process(self, component: StreamsComponent, name: str) -> StreamsProcess | None:
        """Return a process by kind and name."""
        return next((p for p in self.processes if p.component is component and p.name == name), None)


class OracleStreams(Protocol):
    """Reading a Streams pipeline, planning its changes, loading its test table. Calls raise TargetError subclasses."""

    def discover(self) -> StreamsTopology:
        """Read databases, processes, paths and parameters."""
        ...

    def why_moved(self) -> str:
        """Return why an end is no longer the database it was when this was asked first, "" where both are."""
        ...

    def read_leftovers(self) -> tuple[str, ...]:
        """Return one sentence for each thing an earlier session of this program left."""
        ...

    def begin_past(self) -> PastReadings:
        """Return the readings before a time that counts, for `past_readings`."""
        ...

    def past_readings(self, elapsed_s: float) -> PastReadings:
        """Return the readings of both databases about their other work within the last seconds."""
        ...

    def sample(self, path: StreamsPath) -> StreamsSample:
        """Read the whole pipeline, one round trip per database."""
        ...

    def plan_parameter(self, path: StreamsPath, name: str, value: Value) -> tuple[Change, ...]:
        """Return the changes that give a parameter of the path's processes or databases this value; () where it has it.

        Raises:
            BadInput: outside the version's gates or documented limits, or a change that could not be undone (a lowered
                checkpoint retention time, a Streams pool below what is in use).
        """
        ...

    def plan_restart(self, path: StreamsPath) -> tuple[Change, ...]:
        """Return the change "apply stopped", whose undo starts it again; the apply runs now."""
        ...

    def stop_apply(self, path: StreamsPath) -> None:
        """Stop the apply process (force FALSE) and wait until it has stopped.

        Raises:
            ProcessDidNotRespond: still running after the time limit.
        """
        ...

    def start_apply(self, path: StreamsPath) -> None:
        """Start the apply process and wait until its coordinator runs."""
        ...

    def plan_test_table(self, path: StreamsPath, rows: int, owner: str) -> tuple[Change, ...]:
        """Return the changes that make the test table at both ends, INITRANS for the apply servers; undo drops it."""
        ...

    def load(self, path: StreamsPath, operation: str, rows: int, rows_per_commit: int, owner: str) -> int:
        """Insert or update rows of the test table at the source ("insert", "update"); return rows written.

        Server-side, in one call for one transaction or a bounded portion of commits.
        """
        ...

    def read_source_scn(self) -> int:
        """Read the source's present SCN: earlier commits have none above it."""
        ...

    def read_applied_scn(self, path: StreamsPath) -> int | None:
        """Read up to which SCN of the source the path's apply has applied everything, None where it says nothing."""
        ...

    def plan_trace(self, path: StreamsPath) -> tuple[Change, ...]:
        """Return the change that traces one apply server with event 10046; undo ends it."""
        ...
