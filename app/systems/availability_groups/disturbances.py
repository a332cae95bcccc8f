"""What others do to the servers of a group during a trial, seen in the readings of each tick."""

from collections.abc import Sequence

from app.domain.errors import Disturbed
from app.foundation.texts import _

ServerStarts = Sequence[tuple[str, int]]


class RunStarts:
    """Which start of each server a run began with: trials are compared, and what was set goes with a restart."""

    def __init__(self) -> None:
        self._started_ms: dict[str, int] = {}

    def check(self, now: ServerStarts) -> None:
        """Raise Disturbed where a server was restarted since an earlier trial; others are noted."""
        for server, started_ms in now:
            if self._started_ms.setdefault(server, started_ms) != started_ms:
                raise Disturbed(
                    _(
                        "{server} was restarted since the previous trial, which reset its trace flags and counters; "
                        "the run ends, and what it changed is undone"
                    ).format(server=server)
                )


def check_restarts(first: ServerStarts, now: ServerStarts) -> None:
    """Raise Disturbed where a server was restarted between two readings, and lost its trace flags and counters.

    Args:
        first, now: by server, its count of milliseconds when SQL Server started.
    """
    before = dict(first)
    for server, started_ms in now:
        if before.get(server, started_ms) != started_ms:
            raise Disturbed(
                _(
                    "{server} was restarted during the trial, and its trace flags and counters with it; the run "
                    "ends, and what it changed is undone"
                ).format(server=server)
            )


def removed(database: str, group: str) -> Disturbed:
    """Return the error for a database that is no longer in its group, or has no secondary there any more."""
    return Disturbed(
        _("{database} was taken out of {group}, or its secondary was, during the trial; the run ends").format(
            database=database, group=group
        )
    )


def disconnected(server: str, database: str) -> Disturbed:
    """Return the error for a secondary that receives nothing."""
    return Disturbed(
        _("{server} receives nothing of {database} any more: disconnected, or its data movement suspended").format(
            server=server, database=database
        )
    )
