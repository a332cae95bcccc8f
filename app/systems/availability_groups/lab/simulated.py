"""The parameters simulated availability groups respond to; any other would be set and change nothing."""

from typing import Final

from app.systems.availability_groups.subjects import COMMIT, SEEDING

SIMULATED: Final = {
    # the commit's way through `commit_path`, and what is put on the wire (`compression`)
    COMMIT: frozenset({"availability_mode", "log_stream_compression", "group_commit_time"}),
    # the stages, threads and buffers of a copy (`flows`)
    SEEDING: frozenset({"seeding_method", "stripes", "BUFFERCOUNT", "MAXTRANSFERSIZE", "backup_compression"}),
}
"""The names plans give to what is varied, by what is under test."""
