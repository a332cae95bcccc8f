"""Faults of the lab's servers with groups, besides those of every server."""

from typing import Final

REPLICA_DOWN: Final = "replica_down"
DATABASE_REMOVED: Final = "database_removed"
OWN_FAULTS: Final = frozenset({REPLICA_DOWN, DATABASE_REMOVED})
