"""What else a SQL Server was busy with: from the readings of a tick, and from its history once at the end."""

from collections.abc import Sequence, Set
from typing import Final

from app.domain.happening import Happening, Work
from app.drivers.sqlserver.session import Place, Session
from app.foundation.rows import Row

_COUNTED: Final = {
    "backups": Work.BACKUP,
    "log_backups": Work.LOG_BACKUP,
    "restores": Work.RESTORE,
    "index_builds": Work.INDEX_MAINTENANCE,
    "consistency_checks": Work.CONSISTENCY_CHECK,
}


def running_work(readings: Sequence[tuple[str, Row]]) -> tuple[Happening, ...]:
    """Return what runs at servers now, each once, by the counts a tick's statement brings along for each of them."""
    running = (
        Happening(work, server)
        for server, row in readings
        for column, work in _COUNTED.items()
        if row.whole_or(column, 0) > 0
    )
    return tuple(dict.fromkeys(running))


def read_past_work(
    session: Session, server: str, elapsed_s: float, own_jobs: Set[str] = frozenset()
) -> tuple[Happening, ...]:
    """Read which backups ended and which jobs began or ended at a server within the last seconds.

    Args:
        own_jobs: ids of jobs that are part of what is measured.

    Raises:
        TargetError: the login may not read the history of backups and jobs there.
    """
    rows = session.run("past_work", Place(server, "msdb"), elapsed_s=max(1, round(elapsed_s)))
    own = {job_id.upper() for job_id in own_jobs}
    return tuple(
        Happening(Work(row.text("work")), server, row.text("subject"))
        for row in rows
        if row.is_null("job_id") or row.text("job_id").upper() not in own
    )
