"""What may go wrong at the lab's servers of replication, besides what may at every server."""

from typing import Final

AGENT_WILL_NOT_STOP: Final = "agent_will_not_stop"
STREAM_FALLBACK: Final = "stream_fallback"
OWN_FAULTS: Final = frozenset({AGENT_WILL_NOT_STOP, STREAM_FALLBACK})
