"""Oracle Streams: the processes of a pipeline and their counters."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import AliasChoices, Field

from app.domain.naming import DatabaseName, Sentence, Word
from app.domain.server import EffectiveParameter
from app.systems.oracle_streams.naming import ProcessName, QueueName

INSERT, UPDATE = "insert", "update"
"""What the rows of the test table are written by."""


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
