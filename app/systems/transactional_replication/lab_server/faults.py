"""Faults of the lab's servers of replication, besides those of every server."""

from typing import Final

AGENT_WILL_NOT_STOP: Final = "agent_will_not_stop"
STREAM_FALLBACK: Final = "stream_fallback"
AGENT_STOPPED: Final = "agent_stopped"
AGENT_CRASHED: Final = "agent_crashed"
AGENT_RENAMED: Final = "agent_renamed"
JOB_OWNER_GONE: Final = "job_owner_gone"
AGENT_RESTARTED: Final = "agent_restarted"
PUBLICATION_DROPPED: Final = "publication_dropped"
OWN_FAULTS: Final = frozenset(
    {
        AGENT_WILL_NOT_STOP,
        STREAM_FALLBACK,
        AGENT_STOPPED,
        AGENT_CRASHED,
        AGENT_RENAMED,
        AGENT_RESTARTED,
        JOB_OWNER_GONE,
        PUBLICATION_DROPPED,
    }
)
