"""Which views and columns the lab's databases list, by release: what switches the variants of statements."""

from typing import Final

from app.systems.oracle_streams.server.versions import Release, is_in

Views = dict[str, tuple[str, ...]]

_ALWAYS: Final[Views] = {
    "DBA_APPLY": ("APPLY_NAME", "QUEUE_NAME", "QUEUE_OWNER", "STATUS"),
    "DBA_CAPTURE": ("CAPTURE_NAME", "QUEUE_NAME", "QUEUE_OWNER", "STATUS", "CHECKPOINT_RETENTION_TIME"),
    "DBA_QUEUE_SCHEDULES": ("SCHEMA", "QNAME", "DESTINATION", "LATENCY"),
}
_STREAMS: Final[Views] = {
    "V$STREAMS_APPLY_COORDINATOR": ("APPLY_NAME", "STATE", "TOTAL_APPLIED"),
    "V$STREAMS_APPLY_READER": ("APPLY_NAME", "STATE", "TOTAL_MESSAGES_SPILLED"),
    "V$STREAMS_APPLY_SERVER": ("APPLY_NAME", "STATE", "TOTAL_MESSAGES_APPLIED"),
    "V$STREAMS_CAPTURE": ("CAPTURE_NAME", "STATE", "ELAPSED_PAUSE_TIME"),
    "V$STREAMS_TRANSACTION": ("STREAMS_NAME", "STREAMS_TYPE", "CUMULATIVE_MESSAGE_COUNT"),
}
# (view, column, first release, first release without it)
_LATER: Final[tuple[tuple[str, str, Release, Release], ...]] = (
    ("V$STREAMS_CAPTURE", "OPTIMIZATION", (11, 1), (19,)),
    ("V$STREAMS_POOL_STATISTICS", "CURRENT_SIZE", (11, 2), ()),
    ("V$STREAMS_POOL_STATISTICS", "TOTAL_MEMORY_ALLOCATED", (11, 2), ()),
    ("DBA_CAPTURE", "PURPOSE", (11, 2), ()),
    ("DBA_APPLY", "PURPOSE", (11, 2), ()),
)


def dictionary_of(release: Release) -> tuple[tuple[str, str], ...]:
    """Return (view, column) of the views this program may need, as DICT_COLUMNS of a release lists them."""
    views = dict(_ALWAYS)
    if release < (19,):
        views |= _STREAMS
    listed = {(view, column) for view, columns in views.items() for column in columns}
    listed |= {(view, column) for view, column, since, until in _LATER if is_in(release, since, until)}
    return tuple(sorted(listed))
