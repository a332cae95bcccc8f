"""What Oracle's own health check of Streams would warn of, one sentence each.

Limits: Streams health check scripts of 10gR2 and 12.1 (dhoogfr/toolbox streams_hc_10GR2.sql, streams_hc_12_1_0_1.sql).
"""

from collections.abc import Iterable
from typing import Final

from app.foundation.texts import _
from app.targets.oracle.session import End, Rows, Session
from app.targets.oracle.views import DatabaseViews

WORST_LATENCY_S: Final = 60.0
WANTED_LATENCY_S: Final = 5.0
FEWEST_JOBS: Final = 4
MOST_LOGS: Final = 1_000
OLDEST_LOG_DAYS: Final = 60.0
MOST_SPILLED_SHARE: Final = 0.25
SHORTEST_UPTIME_S: Final = 3_600.0
FULLEST_POOL_SHARE: Final = 0.95


def source_warnings(session: Session, source: DatabaseViews, propagations: Rows) -> Iterable[str]:
    """Warn of what only the source has: logging, propagations, archived logs."""
    if source.info.text("log_mode") != "ARCHIVELOG":
        yield _("{database} does not run in ARCHIVELOG mode; capture needs it").format(database=source.name)
    if source.info.text("minimal_logging") == "NO":
        yield _("{database} has no minimal supplemental logging; capture needs it").format(database=source.name)
    yield from _propagation_warnings(propagations)
    for row in session.run("archived_logs", End.SOURCE):
        logs, oldest_days = row.whole("needed_logs"), row.number_or("oldest_days", 0.0)
        if logs > MOST_LOGS or oldest_days > OLDEST_LOG_DAYS:
            yield _("capture {name} still needs {logs} archived logs, the oldest {days:.0f} days old").format(
                name=row.text("capture_name"), logs=logs, days=oldest_days
            )


def _propagation_warnings(propagations: Rows) -> Iterable[str]:
    for row in propagations:
        if row.number_or("latency", 0.0) >= WORST_LATENCY_S:
            yield _("propagation {name} waits up to {latency:g} s before it sends; {wanted:g} s are wanted").format(
                name=row.text("propagation_name"), latency=row.number("latency"), wanted=WANTED_LATENCY_S
            )
        if row.text("schedule_disabled") == "Y":
            yield _("the schedule of propagation {name} is disabled: {error}").format(
                name=row.text("propagation_name"), error=row.text("last_error_msg") or _("no error on record")
            )


def database_warnings(session: Session, end: End, views: DatabaseViews) -> Iterable[str]:
    """Warn of what either database can have: parameters, spilling, a full pool."""
    values = {row.text("name"): row.text("value") for row in session.run("server_parameters", end)}
    jobs = values.get("job_queue_processes", "")
    if jobs.isdigit() and int(jobs) < FEWEST_JOBS:
        yield _("{database}: job_queue_processes is {jobs}; the health check wants at least {fewest}").format(
            database=views.name, jobs=jobs, fewest=FEWEST_JOBS
        )
    if values.get("global_names", "TRUE").upper() != "TRUE":
        yield _("{database}: global_names is FALSE; Streams wants TRUE").format(database=views.name)
    now_utc = session.run("server_time", end)[0].moment_utc("now_utc")
    for row in session.run("queues", end):
        total, spilled = row.whole("total_messages"), row.whole("total_spilled_messages")
        uptime_s = (now_utc - row.moment_utc("started_utc")).total_seconds()
        if total and spilled / total > MOST_SPILLED_SHARE and uptime_s > SHORTEST_UPTIME_S:
            yield _("queue {queue} at {database} has spilled {share:.0%} of its messages").format(
                queue=f"{row.text('queue_owner')}.{row.text('queue_name')}",
                database=views.name,
                share=spilled / total,
            )
    pool = session.run("streams_pool", end)[0]
    size, used = pool.whole_or("size_bytes", 0), pool.whole_or("used_bytes", 0)
    if size and used / size >= FULLEST_POOL_SHARE:
        yield _("{share:.0%} of the Streams pool of {database} are in use").format(
            share=used / size, database=views.name
        )
