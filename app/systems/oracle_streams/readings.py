"""The repeated readings of a pipeline, during a trial or a look: each is declared here.

Names of curves are the same in every language: a session file may be opened in another one than it was made in.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Final

from app.domain.happening import Happening
from app.domain.limits import (
    DATA_AGE,
    NO_LIMIT,
    RESTORED_BY,
    RUN_DURATION,
    TIMES_BASELINE,
    TRIAL_DURATION,
    LimitField,
)
from app.domain.limits import LATENCY as USUAL_LATENCY
from app.domain.naming import Word
from app.domain.plan_field import ValueKind
from app.foundation.texts import _
from app.model.reading import Column, Counter, Gauge, Limited, Measured, limits_of
from app.systems.oracle_streams import metrics

LATENCY: Final = replace(
    USUAL_LATENCY,
    help=_("From a commit at the source until it is applied."),
    reading=_("time from source commit to apply"),
)
POOL: Final = LimitField(
    "streams_pool_share",
    ValueKind.NUMBER,
    _("Streams pool fuller than"),
    "share",
    0.95,
    _("Used share of the Streams pool of either database; a full one spills and stalls the capture."),
    above=0,
    high=1,
    typed_in="%",
    when_empty=NO_LIMIT,
    reading=_("used share of the Streams pool"),
    stated=_("Streams pool used over {value}"),
)

DESTINATION_AGE: Final = replace(
    DATA_AGE,
    title=_("Data at the destination older than"),
    help=_(
        "How old the data at the destination may become while the apply process is held, so that work gathers; watched "
        "while it stands, too. It says nothing of a backlog that waits already."
    ),
    reading=_("age of the data at the destination"),
)

APPLIED, TO_APPLY = "messages applied", "source commit to apply"

SOURCE, DESTINATION = "source", "destination"


@dataclass(frozen=True)
class Of:
    """Which rows of which end's sample a field is read from.

    Attributes:
        part: as the statement calls it.
        is_sum: a path has several, whose numbers are added up; else the first tells.
    """

    end: str
    part: str
    is_sum: bool = False


_CAPTURE, _PROPAGATION, _SOURCE_REDO = (Of(SOURCE, part) for part in ("capture", "propagation", "redo"))
_SOURCE_QUEUE, _DESTINATION_QUEUE = (Of(end, "queue", is_sum=True) for end in (SOURCE, DESTINATION))
_READER, _COORDINATOR, _APPLY = (Of(DESTINATION, part) for part in ("reader", "coordinator", "apply"))
_SERVERS: Final = Of(DESTINATION, "server", is_sum=True)

_SINCE_CAPTURE: Final = Counter(since="capture_started")
_SINCE_APPLY: Final = Counter(since="apply_started")


@dataclass(frozen=True)
class StreamsSample:
    """The pipeline at one moment: one round trip per database.

    A total counts since the start of its process, or of its instance or queue, and falls to 0 with it; an interval
    across a restart is discarded. What is read of a process that does not run is 0, "" or None.

    Attributes:
        at: source database's time of day. offset_s: seconds after measuring began.
        staged: messages of transactions larger than the spill threshold; staged_transactions: in the table now.
        received, applied: transactions. server_messages: messages applied by all apply servers.
        latency_s: source commit to apply, None before the first. captured_age_s: age of the newest message captured.
        apply_status, capture_status, propagation_status: "ENABLED", "DISABLED" or "ABORTED", "" where there is none.
        apply_errors: transactions in the error queue.
        source_pool_share, destination_pool_share: used share of the Streams pool.
        states: (component, what it does now): "capture", "propagation", "reader", "coordinator", then each server.
    """

    at: Annotated[datetime, _SOURCE_REDO, Column("at_utc")]
    capture_started: Annotated[datetime | None, _CAPTURE, Column("started_utc")]
    apply_started: Annotated[datetime | None, _COORDINATOR, Column("started_utc")]
    captured: Annotated[int, _CAPTURE, Column("total_in"), _SINCE_CAPTURE, Gauge("messages captured", "messages")]
    enqueued: Annotated[int, _CAPTURE, Column("total_out"), _SINCE_CAPTURE]
    propagated: Annotated[int, _PROPAGATION, Column("total_out"), Counter()]
    dequeued: Annotated[int, _READER, Column("total_in"), _SINCE_APPLY]
    received: Annotated[int, _COORDINATOR, _SINCE_APPLY]
    applied: Annotated[int, _COORDINATOR, _SINCE_APPLY]
    server_messages: Annotated[int, _SERVERS, Column("total_out"), _SINCE_APPLY, Gauge(APPLIED, "messages")]
    staged: Annotated[
        int,
        _READER,
        Column("spilled"),
        _SINCE_APPLY,
        Gauge("messages staged", "messages"),
        Measured(metrics.STAGED_MESSAGES),
    ]
    staged_s: Annotated[float, _READER, Column("spill_s"), _SINCE_APPLY, Measured(metrics.STAGED_TIME)]
    staged_transactions: Annotated[int, Of(DESTINATION, "staged"), Column("waiting")]
    source_spilled: Annotated[
        int,
        _SOURCE_QUEUE,
        Column("spilled"),
        Counter(),
        Gauge("messages spilled at the source", "messages"),
        Measured(metrics.SPILLED_SOURCE),
    ]
    destination_spilled: Annotated[
        int,
        _DESTINATION_QUEUE,
        Column("spilled"),
        Counter(),
        Gauge("messages spilled at the destination", "messages"),
        Measured(metrics.SPILLED_DESTINATION),
    ]
    paused_s: Annotated[
        float, _CAPTURE, _SINCE_CAPTURE, Gauge("capture paused for flow control", "s"), Measured(metrics.CAPTURE_PAUSE)
    ]
    source_redo_mb: Annotated[
        float,
        _SOURCE_REDO,
        Column("used_bytes"),
        Counter(),
        Gauge("redo at the source", "MB"),
        Measured(metrics.SOURCE_REDO),
    ]
    destination_redo_mb: Annotated[
        float,
        Of(DESTINATION, "redo"),
        Column("used_bytes"),
        Counter(),
        Gauge("redo at the destination", "MB"),
        Measured(metrics.DESTINATION_REDO),
    ]
    source_waiting: Annotated[int, _SOURCE_QUEUE, Column("waiting"), Gauge("source queue", "messages")]
    destination_waiting: Annotated[int, _DESTINATION_QUEUE, Column("waiting"), Gauge("destination queue", "messages")]
    latency_s: Annotated[float | None, Of(DESTINATION, "progress"), Gauge(TO_APPLY, "s"), Limited(LATENCY)]
    source_pool_share: Annotated[
        float, Gauge("Streams pool at the source", "share"), Limited(POOL), Measured(metrics.SOURCE_POOL)
    ]
    destination_pool_share: Annotated[
        float, Gauge("Streams pool at the destination", "share"), Limited(POOL), Measured(metrics.DESTINATION_POOL)
    ]
    states: tuple[tuple[str, Word], ...]
    apply_errors: Annotated[int, Of(DESTINATION, "errors"), Column("waiting")]
    apply_status: Annotated[Word, _APPLY, Column("status")]
    capture_status: Annotated[Word, _CAPTURE, Column("status")] = ""
    propagation_status: Annotated[Word, _PROPAGATION, Column("status")] = ""
    captured_age_s: Annotated[float | None, _CAPTURE, Column("latency_s")] = None
    offset_s: float = 0.0

    @property
    def work(self) -> tuple[Happening, ...]:
        """Work of others; the views tell of it only afterwards."""
        return ()


STREAMS_LIMITS: Final = (
    *limits_of(StreamsSample),
    *(DESTINATION_AGE, TRIAL_DURATION, TIMES_BASELINE, RUN_DURATION, RESTORED_BY),
)
"""The abort limits of trials."""
