"""The views and columns of the lab's databases, by release: they switch the variants of statements."""

import re
from functools import cache
from typing import Final

from app.systems.oracle_streams.server.versions import Release, has_streams, is_in

Views = dict[str, tuple[str, ...]]

_ALWAYS: Final[Views] = {
    "DBA_APPLY": ("APPLY_NAME", "QUEUE_NAME", "QUEUE_OWNER", "STATUS"),
    "DBA_CAPTURE": ("CAPTURE_NAME", "QUEUE_NAME", "QUEUE_OWNER", "STATUS", "CHECKPOINT_RETENTION_TIME"),
    "DBA_QUEUE_SCHEDULES": ("SCHEMA", "QNAME", "DESTINATION", "LATENCY"),
}
# What Oracle took away with Streams; the views of its apply stayed, which its successors use.
_STREAMS: Final[Views] = {
    "V$STREAMS_CAPTURE": ("CAPTURE_NAME", "STATE", "ELAPSED_PAUSE_TIME"),
    "V$STREAMS_TRANSACTION": ("STREAMS_NAME", "STREAMS_TYPE", "CUMULATIVE_MESSAGE_COUNT"),
}
_APPLY: Final[Views] = {
    "V$STREAMS_APPLY_COORDINATOR": ("APPLY_NAME", "STATE", "TOTAL_APPLIED"),
    "V$STREAMS_APPLY_READER": ("APPLY_NAME", "STATE", "TOTAL_MESSAGES_SPILLED"),
    "V$STREAMS_APPLY_SERVER": ("APPLY_NAME", "STATE", "TOTAL_MESSAGES_APPLIED"),
}
# (view, column, first release, first release without it)
_LATER: Final[tuple[tuple[str, str, Release, Release], ...]] = (
    ("V$STREAMS_CAPTURE", "OPTIMIZATION", (11, 1), (19,)),
    ("V$STREAMS_POOL_STATISTICS", "CURRENT_SIZE", (11, 2), ()),
    ("V$STREAMS_POOL_STATISTICS", "TOTAL_MEMORY_ALLOCATED", (11, 2), ()),
    ("DBA_CAPTURE", "PURPOSE", (11, 2), ()),
    ("DBA_APPLY", "PURPOSE", (11, 2), ()),
)
_LITERAL: Final = re.compile(r"'[^']*'")
_OF_SOME: Final = frozenset((*_STREAMS, *(name for view, column, *_ in _LATER for name in (view, column))))
_NAMED: Final = re.compile(r"(?<=[ .])(?:V\$STREAMS_\w+|PURPOSE|OPTIMIZATION)\b", re.IGNORECASE)


@cache
def missing_in(release: Release, body: str) -> str:
    """Return a view or column, in capitals, that a statement names and a release does not have; "" for none.

    Of what only some releases have; what all of them have is not looked for.
    """
    listed = {name for view_and_column in dictionary_of(release) for name in view_and_column}
    named = {name.upper() for name in _NAMED.findall(_LITERAL.sub("", body))} & _OF_SOME
    return min(named - listed, default="")


@cache
def dictionary_of(release: Release) -> tuple[tuple[str, str], ...]:
    """Return (view, column) of the views this program may need, as DICT_COLUMNS of a release lists them."""
    views = _ALWAYS | _APPLY
    if has_streams(release):
        views |= _STREAMS
    listed = {(view, column) for view, columns in views.items() for column in columns}
    listed |= {(view, column) for view, column, since, until in _LATER if is_in(release, since, until)}
    return tuple(sorted(listed))
