"""The work of a Streams pipeline's stages between two readings, from their states and counters.

States are texts with numbers and misspellings inside, so they are matched by how they begin. Sources: Oracle Database
Reference 10.2 to 18c, V$STREAMS_CAPTURE, V$STREAMS_APPLY_READER, V$STREAMS_APPLY_SERVER, V$PROPAGATION_SENDER;
V$GOLDENGATE_CAPTURE appends the state of the network after a semicolon.
"""

from enum import StrEnum
from functools import lru_cache
from typing import Final

from app.systems.oracle_streams.readings import StreamsSample


class Doing(StrEnum):
    """A process's activity, whatever its view calls it."""

    WORKING = "working"
    STAGING = "staging"
    IDLE = "idle"
    HELD = "held"
    BLOCKED = "blocked"
    STARTING = "starting"
    WAIT_DEPENDENCY = "wait_dependency"
    WAIT_COMMIT = "wait_commit"
    WAIT_CHUNK = "wait_chunk"
    ABSENT = "absent"


class Stage(StrEnum):
    """A stage of the pipeline, in the order a message passes them."""

    CAPTURE = "capture"
    PROPAGATION = "propagation"
    READER = "reader"
    SERVERS = "servers"


_CAPTURE: Final = (
    ("PAUSED FOR FLOW CONTROL", Doing.HELD),
    ("WAITING FOR BUFFERED QUEUE", Doing.HELD),
    ("WAITING FOR INACTIVE DEQUEUERS", Doing.HELD),
    ("WAITING FOR REDO", Doing.IDLE),
    ("WAITING FOR TRANSACTION", Doing.IDLE),
    ("WAITING FOR CLIENT", Doing.IDLE),
    ("WAITING FOR DICTIONARY", Doing.STARTING),
    ("WAITING FOR", Doing.BLOCKED),
    ("SUSPENDED", Doing.BLOCKED),
    ("INITIALIZING", Doing.STARTING),
    ("DICTIONARY INITIALIZATION", Doing.STARTING),
    ("LOADING", Doing.STARTING),
    ("MINING", Doing.STARTING),
    ("CONNECTING", Doing.STARTING),
    ("SHUTTING", Doing.BLOCKED),
    ("ABORTING", Doing.BLOCKED),
)
_READER: Final = (
    ("IDLE", Doing.IDLE),
    ("SPILLING", Doing.STAGING),
    ("PAUSED", Doing.BLOCKED),
    ("INITIALIZING", Doing.STARTING),
)
_SERVER: Final = (
    ("IDLE", Doing.IDLE),
    ("WAIT DEPENDENCY", Doing.WAIT_DEPENDENCY),
    ("WAIT COMMIT", Doing.WAIT_COMMIT),
    ("WAIT FOR NEXT CHUNK", Doing.WAIT_CHUNK),
    ("WAIT FOR CLIENT", Doing.IDLE),
    ("INITIALIZING", Doing.STARTING),
)
_TABLES: Final = {"capture": _CAPTURE, "reader": _READER, "coordinator": _READER}

SERVER_PREFIX: Final = "server"
# A server that holds a transaction, whether or not it gets on with it.
OCCUPIED: Final = frozenset({Doing.WORKING, Doing.WAIT_DEPENDENCY, Doing.WAIT_COMMIT, Doing.WAIT_CHUNK})


@lru_cache(maxsize=1024)  # asked for every component at every reading, and again of all readings; few states exist
def doing_of(component: str, state: str) -> Doing:
    """Return the activity a state stands for.

    Args:
        component: as in `StreamsSample.states`: "capture", "reader", "coordinator" or "server" with a number.
    """
    text = state.split(";")[0].strip().upper()
    if not text:
        return Doing.ABSENT
    table = _SERVER if component.startswith(SERVER_PREFIX) else _TABLES.get(component, ())
    return next((doing for start, doing in table if text.startswith(start)), Doing.WORKING)


def propagation_doing(before: StreamsSample, after: StreamsSample) -> Doing:
    """Return the propagation's activity: its views name a schedule, so its counter says whether it worked."""
    state = dict(after.states).get("propagation", "").upper()
    if "FLOW CONTROL" in state:
        return Doing.HELD
    if after.propagated > before.propagated:
        return Doing.WORKING
    return Doing.IDLE if state else Doing.ABSENT


def servers_doing(sample: StreamsSample) -> tuple[Doing, ...]:
    """Return the activity of each apply server."""
    return tuple(doing_of(name, state) for name, state in sample.states if name.startswith(SERVER_PREFIX))


def pace_setter(before: StreamsSample, after: StreamsSample) -> Stage | None:
    """Return which stage everything else waits for at this moment, None where there is nothing to do.

    All apply servers occupied hold up everything before them; else a reader at work does; else a single server with a
    transaction of its own, which no other can share; else what still works further up. A capture held back by flow
    control is a symptom and never the answer.
    """
    servers = servers_doing(after)
    states = dict(after.states)
    if servers and Doing.WORKING in servers and all(doing in OCCUPIED for doing in servers):
        return Stage.SERVERS
    if doing_of("reader", states.get("reader", "")) in (Doing.WORKING, Doing.STAGING):
        return Stage.READER
    if Doing.WORKING in servers:
        return Stage.SERVERS
    if propagation_doing(before, after) is Doing.WORKING:
        return Stage.CAPTURE if doing_of("capture", states.get("capture", "")) is Doing.WORKING else Stage.PROPAGATION
    return Stage.CAPTURE if doing_of("capture", states.get("capture", "")) is Doing.WORKING else None
