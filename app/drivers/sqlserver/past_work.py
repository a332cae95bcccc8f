"""Other work of a SQL Server: from the readings of a tick, and from its history once at the end."""

from collections.abc import Collection, Sequence, Set
from functools import partial
from typing import Final

from app.domain.happening import Happening, PastReadings, Work, by_other_programs
from app.drivers.sqlserver.session import Place, Session
from app.foundation.rows import Row

MAINTENANCE: Final = ("index_builds", "consistency_checks")
"""Columns of what is maintained: all that counts where backups and restores are part of what is measured."""

COUNTED: Final = {
    "backups": Work.BACKUP,
    "log_backups": Work.LOG_BACKUP,
    "restores": Work.RESTORE,
    "index_builds": Work.INDEX_MAINTENANCE,
    "consistency_checks": Work.CONSISTENCY_CHECK,
}


def running_work(
    readings: Sequence[tuple[str, Row]], columns: Collection[str] = tuple(COUNTED)
) -> tuple[Happening, ...]:
    """Return the work now running at servers, each once, by the counts in a tick's readings of each."""
    running = (
        Happening(COUNTED[column], server)
        for server, row in readings
        for column in columns
        if row.whole_or(column, 0) > 0
    )
    return tuple(dict.fromkeys(running))


def past_readings(
    session: Session,
    server: str,
    elapsed_s: float,
    own_jobs: Set[str] = frozenset(),
    own_subjects: Set[str] = frozenset(),
) -> PastReadings:
    """Return the readings of a server about the last seconds: backups and jobs, and its processors.

    Args:
        own_jobs: ids of jobs that are part of what is measured.
        own_subjects: names of databases and jobs that are part of it.
    """

    def work() -> tuple[Happening, ...]:
        met = _read_past_work(session, server, elapsed_s, own_jobs)
        return tuple(happening for happening in met if happening.subject not in own_subjects)

    return {
        f"past_work {server}": work,
        f"other_programs {server}": partial(_read_other_programs, session, server, elapsed_s),
    }


def _read_past_work(session: Session, server: str, elapsed_s: float, own_jobs: Set[str]) -> tuple[Happening, ...]:
    """Read which backups ended and which jobs began or ended at a server within the last seconds."""
    rows = session.run("past_work", Place(server, "msdb"), elapsed_s=max(1, round(elapsed_s)))
    own = {job_id.upper() for job_id in own_jobs}
    return tuple(
        Happening(Work(row.text("work")), server, row.text("subject"))
        for row in rows
        if row.is_null("job_id") or row.text("job_id").upper() not in own
    )


def _read_other_programs(session: Session, server: str, elapsed_s: float) -> tuple[Happening, ...]:
    """Read whether other programs than SQL Server kept a server's processors busy within the last seconds.

    The server tells it of whole minutes; of less than half a minute it tells nothing.
    """
    rows = session.run("other_programs", Place(server, "master"), elapsed_s=max(1, round(elapsed_s)))
    return by_other_programs(server, rows[0].number_or("percent", 0.0) / 100.0) if rows else ()
